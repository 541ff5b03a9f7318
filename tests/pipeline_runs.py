"""What the tests of the pipeline share: a data folder with its log, and runs of both jobs in this process."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import dagster as dg
import lancedb
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from domain import batching
from domain.records import NewEvent
from pipelines.definitions import build
from resources import wiring
from resources.embedder import Embedder, HashEmbedder, Progress
from resources.lake import Lake
from resources.releases import Manifest, Releases
from resources.settings import Settings

TABLES = ("interactions", "episodes", "episode_vectors")
QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
RANGE = ("dagster/asset_partition_range_start", "dagster/asset_partition_range_end")
_ids = count(1)


def event(text: str, user: str = "ana", when: datetime | str = "2026-03-01T12:00:00+00:00", **fields: Any) -> NewEvent:
    """Return a memory of ``text``, or with ``role`` a turn of a conversation; further fields are those of NewEvent."""
    occurred_at = datetime.fromisoformat(when) if isinstance(when, str) else when
    role = fields.pop("role", None)
    payload = {"content": text, **({"role": role} if role else {}), **fields.pop("payload", {})}
    own = {
        "event_id": f"e{next(_ids):06}",
        "kind": "message" if role else "memory",
        "agent_id": "agent",
        "scope": "global",
        "session_id": "s1",
        **fields,
    }
    return NewEvent(user_id=user, occurred_at=occurred_at, payload=payload, **own)


class CountingEmbedder(HashEmbedder):
    """The hashing embedder; keeps every text that it was asked to embed."""

    def __init__(self, dim: int = 64) -> None:
        super().__init__(dim)
        self.texts: list[str] = []

    def embed_passages(self, texts: Sequence[str], progress: Progress | None = None) -> NDArray[np.float32]:
        self.texts += texts
        return super().embed_passages(texts, progress)


class Pipeline:
    """One data folder, its log and a Dagster instance in memory."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.instance = dg.DagsterInstance.ephemeral()
        self.log = wiring.open_log(settings)
        self.embedder: Embedder = HashEmbedder()

    def close(self) -> None:
        self.log.close()
        self.instance.dispose()

    @property
    def lake(self) -> Lake:
        return wiring.open_lake(self.settings)

    def say(self, *events: NewEvent) -> None:
        assert {done.status for done in self.log.append(events).result(timeout=30)} <= {"stored", "repeated"}

    def ingest(self, first: str | None = None, last: str | None = None, **options: Any) -> dg.ExecuteInProcessResult:
        """Run a range of days, all that the log has by default; return the run, the first that failed or the last."""
        days = sorted(self.log.day_heads())
        return self._ranges("ingest", days, first, last, **options)

    def reflect(
        self, first: str | None = None, last: str | None = None, *users: str, **options: Any
    ) -> dg.ExecuteInProcessResult:
        """Reflect on a range of days, all that have episodes by default."""
        days = [day for day, stamp in self.lake.stamps("episodes").items() if stamp.rows]
        config = {"ops": {"extractions": {"config": {"users": list(users), "requests": options.pop("requests", [])}}}}
        return self._ranges("reflect", days, first, last, run_config={**QUIET, **config}, **options)

    def _ranges(
        self, job: str, days: list[str], first: str | None, last: str | None, **options: Any
    ) -> dg.ExecuteInProcessResult:
        # As `hindsight run` does: each day of a range, also one on which nobody spoke, is some milliseconds of records.
        pairs = [(first, last or first)] if first else batching.together(days)
        for pair in pairs:
            result = self.run(job, tags=dict(zip(RANGE, pair, strict=True)), **options)
            if not result.success:
                break
        return result

    def fold(self) -> dg.ExecuteInProcessResult:
        """Bring the facts up to date, without an index and a release."""
        return self.publish(asset_selection=[dg.AssetKey("fact_operations"), dg.AssetKey("facts")])

    def publish(self, **options: Any) -> dg.ExecuteInProcessResult:
        return self.run("publish", **options)

    def all(self) -> Manifest:
        """Run every day and publish; return the release."""
        assert self.ingest().success
        assert self.publish().success
        current = self.current()
        assert current is not None
        return current

    def run(self, job: str, *, may_fail: bool = False, **options: Any) -> dg.ExecuteInProcessResult:
        resources = {
            "settings": self.settings,
            "event_log": self.log,
            "lake": self.lake,
            "embedder": self.embedder,
            "vector_cache": wiring.open_vector_cache(self.settings),
        }
        made = build(self.settings)
        made = dg.Definitions(
            assets=made.assets,
            asset_checks=made.asset_checks,
            jobs=made.jobs,
            resources=resources,
            executor=made.executor,
        )
        result = made.resolve_job_def(job).execute_in_process(
            instance=self.instance, raise_on_error=not may_fail, **{"run_config": QUIET, **options}
        )
        resources["vector_cache"].close()
        return result

    def facts(self, status: str | None = None) -> list[dict[str, Any]]:
        """Return the rows of ``facts``, or those of one status, by when they were said."""
        found = [row for bucket in range(self.settings.buckets) for row in self.rows("facts", str(bucket))]
        found.sort(key=lambda row: (row["occurred_at"], row["content"]))
        return [row for row in found if status in {None, row["status"]}]

    def extractions(self) -> list[dict[str, Any]]:
        return [row for day in self.lake.stamps("extractions") for row in self.rows("extractions", day)]

    def checks(self, result: dg.ExecuteInProcessResult) -> dict[str, dg.AssetCheckEvaluation]:
        """Return the check results of a run by name."""
        return {c.check_name: c for c in result.get_asset_check_evaluations()}

    def current(self) -> Manifest | None:
        return Releases(self.settings.lake_dir).current()

    def metadata(self, result: dg.ExecuteInProcessResult, asset: str) -> Mapping[str, Any]:
        """Return the metadata of the last materialisation of an asset in a run."""
        return {name: value.value for name, value in result.asset_materializations_for_node(asset)[-1].metadata.items()}

    def rows(self, table: str, day: str) -> list[dict[str, Any]]:
        found = self.lake.read(table, day)
        return found.to_pylist() if found is not None else []

    def files(self, *tables: str) -> dict[str, str]:
        """Return the digest of every file of the tables, by its path in the lake."""
        return {
            str(path.relative_to(self.settings.lake_dir)): hashlib.sha256(path.read_bytes()).hexdigest()
            for table in tables or TABLES
            for path in sorted((self.settings.lake_dir / table).glob("*"))
        }

    def index_rows(self, manifest: Manifest | None = None) -> list[dict[str, Any]]:
        """Return the rows of a release's buckets without their vectors, by id."""
        found = [row for table in self.buckets(manifest) for row in table.drop_columns(["vector"]).to_pylist()]
        return sorted(found, key=lambda row: row["id"])

    def buckets(self, manifest: Manifest | None = None) -> list[pa.Table]:
        release = manifest or self.current()
        assert release is not None
        found = []
        for bucket in release.buckets:
            table = lancedb.connect(self.settings.index_dir).open_table(bucket.table)
            table.checkout(bucket.version)
            found.append(table.to_arrow())
        return found

    def index_files(self) -> set[str]:
        """Return every file of the index: none comes or goes when nothing is written."""
        root: Path = self.settings.index_dir
        return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}


def now() -> datetime:
    return datetime.now(UTC)
