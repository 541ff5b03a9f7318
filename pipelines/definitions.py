"""What Dagster loads: the assets, jobs, sensor and schedule, wired to the parts that the settings name."""

import dagster as dg

from assets import embeddings, episodic, index, raw, release, semantic
from pipelines.jobs import ingest, publish, reflect
from pipelines.reflection import reflection, reflection_sensor
from pipelines.schedules import nightly
from pipelines.sensors import event_log_sensor
from resources import wiring
from resources.settings import Settings, load

ASSETS = [
    raw.interactions,
    episodic.episodes,
    embeddings.episode_vectors,
    semantic.llm_calls,
    semantic.extractions,
    semantic.fact_tables,
    index.memories_index,
    release.release,
]


def build(settings: Settings) -> dg.Definitions:
    """Return fresh definitions for these settings; opens no connection."""
    return dg.Definitions(
        assets=ASSETS,
        asset_checks=[index.index_rows_equal_table_rows, index.every_row_is_keyword_searchable],
        jobs=[ingest, reflect, publish],
        sensors=[event_log_sensor, reflection_sensor],
        schedules=[nightly(settings), reflection(settings)],
        executor=dg.in_process_executor,
        resources={
            "settings": settings,
            "event_log": wiring.open_log(settings),
            "lake": wiring.open_lake(settings),
            "embedder": wiring.open_embedder(settings),
            "vector_cache": wiring.open_vector_cache(settings),
        },
    )


defs = build(load())
