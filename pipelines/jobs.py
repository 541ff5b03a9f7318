"""The two jobs: what a run of days does, and what a publish does."""

import dagster as dg

# Each job runs in one process: its stages are a second of work, a process for each would be four.
ingest = dg.define_asset_job(
    "ingest",
    selection=dg.AssetSelection.assets("interactions", "episodes", "episode_vectors"),
    description="Events of some days become episodes and vectors; each day's files are replaced.",
)

publish = dg.define_asset_job(
    "publish",
    selection=dg.AssetSelection.assets("memories_index", "release"),
    description="Days that changed go into the index; when the checks pass, servers follow the new release.",
)
