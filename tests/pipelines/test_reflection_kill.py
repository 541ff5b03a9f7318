"""A reflection killed at any point and started again loses nothing and pays for nothing twice. Real kill -9."""

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from typing import Any

import pytest

from tests.llm_server import Body, LLMServer, delay
from tests.pipeline_runs import Pipeline, event
from tests.reflecting import lines, reads

pytestmark = pytest.mark.slow

RUN = """
import sys
import dagster as dg
from pathlib import Path
from pipelines.definitions import build
from resources.settings import Settings
llm = {"llm_model": "tiny", "llm_base_url": sys.argv[2], "llm_concurrency": 2}
settings = Settings(data=Path(sys.argv[1]), embedder="hash", **llm)
tags = {"dagster/asset_partition_range_start": "2026-03-01", "dagster/asset_partition_range_end": "2026-03-04"}
print("ready", flush=True)
job = build(settings).resolve_job_def("reflect")
result = job.execute_in_process(instance=dg.DagsterInstance.ephemeral(), tags=tags)
sys.exit(0 if result.success else 1)
"""
USERS = ("ana", "李雷", "maya")


def rows(pipeline: Pipeline) -> list[dict[str, Any]]:
    """Return all rows of extractions but for when they were learnt."""
    return [{k: v for k, v in row.items() if k != "recorded_at"} for row in pipeline.extractions()]


@pytest.mark.timeout(300)
def test_a_killed_reflection(pipeline: Pipeline) -> None:
    for day in range(1, 5):
        pipeline.say(
            *(event(f"I love dish {day}", u, f"2026-03-0{day}T12:00:00+00:00", event_id=f"{u}{day}") for u in USERS)
        )
    pipeline.ingest()
    chance = random.Random(7)  # noqa: S311 - moments to kill at, not secrets
    in_flight = 0
    with LLMServer() as model:

        def answer(body: Body) -> Any:
            return delay(0.15, str(reads(body)))

        model.answer(answer)
        command = [sys.executable, "-c", RUN, str(pipeline.settings.data), model.base_url]
        for _ in range(5):
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            assert process.stdout
            assert process.stdout.readline() == "ready\n"
            asked = len(model.requests)
            deadline = time.monotonic() + 30
            while len(model.requests) == asked and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.02)
            time.sleep(chance.uniform(0, 0.4))
            process.send_signal(signal.SIGKILL)
            process.wait(timeout=30)
            process.stdout.close()
            in_flight += 2  # the calls that were on their way, at most
        final = subprocess.run(command, check=False, capture_output=True, timeout=120)
        assert final.returncode == 0, final.stderr[-2_000:]
        asked_about = Counter(str(lines(body)) for body in model.requests)
        n_requests = len(model.requests)
        once = rows(pipeline)
        assert subprocess.run(command, check=False, capture_output=True, timeout=120).returncode == 0
        assert len(model.requests) == n_requests  # all is in the ledger
    recorded = Counter(e.payload["request_hash"] for e in pipeline.log.read_kind("llm_call"))
    assert set(recorded.values()) == {1}  # no answer that was recorded was asked for again
    assert n_requests - len(asked_about) * len(USERS) <= in_flight
    assert len(once) == 4 * len(USERS)
    assert {(row["user_id"], row["content"]) for row in once} == {
        (u, f"I love dish {d}") for u in USERS for d in range(1, 5)
    }
    assert rows(pipeline) == once
    done = [e for e in pipeline.log.read_kind("reflected") if e.payload["result"] == "ok"]
    assert len(done) == len({e.event_id for e in done}) == 4 * len(USERS)
