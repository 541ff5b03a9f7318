"""A publish that is killed at its worst moments: readers go on, the next publish mends all. Real processes, kill -9."""

import signal
import subprocess
import sys

import pytest

from resources.releases import Releases
from resources.vector_index import BucketReader
from tests.pipeline_runs import Pipeline, event

pytestmark = pytest.mark.slow

# A publish in a process of its own, which kills itself before the n-th call of a function.
KILLED = """
import importlib, os, signal, sys
from pathlib import Path
import dagster as dg
from pipelines.definitions import build
from resources.settings import Settings
module, _, rest = sys.argv[2].partition(":")
*owner, name = rest.split(".")
place = importlib.import_module(module)
for part in owner:
    place = getattr(place, part)
own, calls = getattr(place, name), []
def killing(*args, **kwargs):
    calls.append(None)
    if len(calls) == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
    return own(*args, **kwargs)
setattr(place, name, killing)
settings = Settings(data=Path(sys.argv[1]), embedder="hash")
build(settings).resolve_job_def("publish").execute_in_process(instance=dg.DagsterInstance.ephemeral())
"""
MOMENTS = {
    "some buckets written": ("resources.vector_index:VectorIndex.sync", 3),
    "staged, not tagged": ("resources.vector_index:VectorIndex.tag", 1),
    "numbered, not current": ("resources.releases:replace_text", 3),
    "half a view file": ("resources.sql:_create_views", 1),
}
USERS = ("ana", "ben", "cyd", "dan", "eve")


def say(pipeline: Pipeline, what: str) -> None:
    for day in ("2026-03-01", "2026-03-02"):
        pipeline.say(*(event(f"{what} of {u} on {day}", user=u, when=f"{day}T12:00:00+00:00") for u in USERS))


@pytest.mark.parametrize(
    ("moment", "is_first"), [*((moment, False) for moment in MOMENTS), ("some buckets written", True)]
)
def test_a_killed_publish(pipeline: Pipeline, moment: str, *, is_first: bool) -> None:
    say(pipeline, "news")
    before = None if is_first else pipeline.all()
    released = [] if before is None else pipeline.index_rows(before)
    say(pipeline, "more")
    pipeline.ingest()
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-c",
        KILLED,
        str(pipeline.settings.data),
        MOMENTS[moment][0],
        str(MOMENTS[moment][1]),
    ]
    died = subprocess.run(command, capture_output=True, text=True, check=False, timeout=50)
    assert died.returncode == -signal.SIGKILL, died.stderr[-2000:]
    if before is not None:
        readers = [BucketReader(pipeline.settings.index_dir, bucket) for bucket in before.buckets]
        assert sum(reader.count_user(user) for reader in readers for user in USERS) == len(released)
        assert pipeline.index_rows(before) == released
    assert pipeline.publish().success
    rows = pipeline.index_rows()
    assert len({row["id"] for row in rows}) == len(rows) == 20
    current = Releases(pipeline.settings.lake_dir).current()
    assert current is not None
    assert current.built == pipeline.log.day_heads()
    calm = pipeline.index_files()
    pipeline.publish()
    assert pipeline.index_files() == calm


def test_a_killed_ingest_leaves_whole_files_and_the_next_run_goes_on(pipeline: Pipeline) -> None:
    say(pipeline, "news")
    code = KILLED.replace('"publish"', '"ingest"').replace(
        "execute_in_process(", 'execute_in_process(partition_key="2026-03-01", '
    )
    command = [sys.executable, "-W", "ignore", "-c", code, str(pipeline.settings.data), "resources.files:_sync", "7"]
    died = subprocess.run(command, capture_output=True, text=True, check=False, timeout=50)
    assert died.returncode == -signal.SIGKILL, died.stderr[-2000:]
    pipeline.all()
    assert len(pipeline.index_rows()) == 10
