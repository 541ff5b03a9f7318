"""The jobs: what a run of days does, a reflection, and a publish."""

import dagster as dg

# Each job runs in one process: its stages are a second of work, a process for each would be four.
ingest = dg.define_asset_job(
    "ingest",
    selection=dg.AssetSelection.assets("interactions", "episodes", "episode_vectors", "llm_calls"),
    description="Events of some days become episodes and vectors; each day's files are replaced.",
)

reflect = dg.define_asset_job(
    "reflect",
    selection=dg.AssetSelection.assets("extractions"),
    description="What users said on some days becomes proposed facts, each with its quotes; a model is asked once.",
)

publish = dg.define_asset_job(
    "publish",
    selection=dg.AssetSelection.assets("fact_operations", "facts", "memories_index", "release"),
    description="Facts and changed days go into the index; when the checks pass, servers follow the new release.",
)
