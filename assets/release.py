"""Stage 6 of 6, release: what the checks have passed becomes what servers read.

Reads what the index stage staged, writes the release manifest, tags the index versions that it names and renews the
SQL views. What a release is: resources.releases.
"""

from datetime import timedelta

import dagster as dg

from resources import sql
from resources.embedder import Embedder
from resources.lake import Lake
from resources.layout import publish_lock
from resources.releases import Releases
from resources.settings import Settings
from resources.vector_index import VectorIndex

BLOCKING = (
    "index_rows_equal_table_rows",
    "every_row_is_keyword_searchable",
    "share_of_facts_retired",
    "no_duplicate_facts",
)
# Cleaning breaks whoever reads a version that goes; a server follows a new release within seconds, a query in seconds.
READERS_GRACE = timedelta(hours=1)


@dg.asset(deps=["memories_index"], group_name="release", code_version="1", kinds={"json"})
def release(
    context: dg.AssetExecutionContext,
    lake: dg.ResourceParam[Lake],
    embedder: dg.ResourceParam[Embedder],
    settings: dg.ResourceParam[Settings],
) -> dg.MaterializeResult:
    """One manifest a release: which events are in it by day, which index versions, which model, which run.

    Publishing is one rename; a server follows within a second. Nothing new gives no new release.
    """
    releases = Releases(lake.root)
    run_id = context.run.run_id
    staged = releases.staged(run_id)
    index = VectorIndex(settings.index_dir, embedder.dim, embedder.fingerprint, settings.vector_index)
    with publish_lock(settings):
        before = releases.current()
        is_lost = before is not None and not index.holds(before.run_id, before.buckets)
        index.tag(run_id, staged.buckets)  # before servers can follow it, so that no cleaning takes it away
        manifest = releases.publish(
            staged,
            dict.fromkeys(BLOCKING, "passed"),  # else Dagster would not have come so far
            after_loss=is_lost,
        )
        freed = index.clean({*releases.forget(settings.keep_releases), manifest.run_id}, READERS_GRACE)
        sql.publish_views(settings)
    releases.unstage(run_id)
    is_new = before is None or before.release != manifest.release
    return dg.MaterializeResult(
        metadata={"release": manifest.release, "is_new": is_new, "days": len(manifest.days), "bytes_freed": freed}
    )
