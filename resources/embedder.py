"""Text to unit vectors: the one door to the embedding model, the same for the pipeline's runs and the server.

``build`` makes an embedder from the setting; every one is cheap to construct and opens its model on first use.
"""

import re
from pathlib import Path

from domain.errors import BadSettings
from resources.embedding import Embedder, HashEmbedder, Progress, Vectors, measure_calibration
from resources.openai_embedder import OPENAI_URL, OpenAIEmbedder
from resources.sentence_embedder import SentenceTransformerEmbedder

__all__ = [
    "Embedder",
    "HashEmbedder",
    "OpenAIEmbedder",
    "Progress",
    "SentenceTransformerEmbedder",
    "Vectors",
    "build",
    "measure_calibration",
]

FORMS = "`bundled`, `st:NAME or FOLDER`, `openai:MODEL`, or `hash` (for trials only)"


def build(
    spec: str, models_dir: Path, *, threads: int = 2, openai_base_url: str = "", openai_api_key: str = ""
) -> Embedder:
    """Return the embedder that a setting names; nothing is loaded or downloaded yet.

    Args:
        spec: one of ``FORMS``.
        models_dir: folder of the bundled model and of what was measured of the others.
        threads: processor threads of a local model.
        openai_base_url: base URL of an OpenAI-compatible API, empty for OpenAI's own.
        openai_api_key: its key; may be empty for a server that asks for none.

    Raises:
        BadSettings: the spec has none of the forms, or names a folder that does not exist.
    """
    kind, _, value = spec.partition(":")
    if spec == "bundled":
        return SentenceTransformerEmbedder(spec, models_dir, threads=threads)
    if spec == "hash":
        return HashEmbedder()
    if kind == "st" and value:
        if re.match(r"[/.~]|.*[/\\].*[/\\]", value) and not Path(value).is_dir():
            raise BadSettings(f"HINDSIGHT_EMBEDDER is {spec}, but there is no folder {value}")
        return SentenceTransformerEmbedder(spec, models_dir, threads=threads)
    if kind == "openai" and value:
        if not (openai_base_url or openai_api_key):
            raise BadSettings(
                f"HINDSIGHT_EMBEDDER is {spec}: set HINDSIGHT_OPENAI_API_KEY, or HINDSIGHT_OPENAI_BASE_URL"
            )
        return OpenAIEmbedder(value, models_dir, base_url=openai_base_url or OPENAI_URL, api_key=openai_api_key)
    raise BadSettings(f"HINDSIGHT_EMBEDDER is {spec!r}; it must be {FORMS}")
