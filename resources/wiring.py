"""The parts of a process, made from its settings; shared by the pipeline, the server and the command."""

from functools import lru_cache
from pathlib import Path

from domain import tables
from resources import layout
from resources.embedder import Embedder, build
from resources.event_log import EventLog
from resources.lake import Lake
from resources.settings import Settings
from resources.vector_cache import VectorCache


def open_log(settings: Settings) -> EventLog:
    """Return the event log; the data folder's pinned choices are checked first.

    Raises:
        BadSettings: a setting differs from what the data folder was made with.
    """
    layout.check(settings)
    return EventLog(settings.log_url, settings.day_rule, settings.dedup_window)


def open_lake(settings: Settings) -> Lake:
    """Return the lake, with each table there, empty at first, so that SQL over it is no error."""
    lake = Lake(settings.lake_dir)
    lake.ensure(
        {
            "interactions": tables.INTERACTIONS,
            "episodes": tables.EPISODES,
            "episode_vectors": tables.episode_vectors(dim=1),  # the first write puts the model's own width there
            "extractions": tables.EXTRACTIONS,
            "llm_calls": tables.LLM_CALLS,
            "fact_operations": tables.FACT_OPERATIONS,
            "facts": tables.FACTS,
        }
    )
    return lake


def open_embedder(settings: Settings) -> Embedder:
    """Return the embedder that the settings name; the model itself is loaded at its first use."""
    key = settings.openai_api_key.get_secret_value()
    return _one_embedder(settings.embedder, settings.models, settings.embed_threads, settings.openai_base_url, key)


# A process holds one copy of a model, however many runs it makes: a copy takes most of a gigabyte.
@lru_cache(maxsize=4)
def _one_embedder(spec: str, models_dir: Path, threads: int, base_url: str, api_key: str) -> Embedder:
    return build(spec, models_dir=models_dir, threads=threads, openai_base_url=base_url, openai_api_key=api_key)


def open_vector_cache(settings: Settings) -> VectorCache:
    """Return the vector cache that all processes of a data folder share."""
    return VectorCache(settings.data.absolute() / "cache" / "vectors.sqlite")
