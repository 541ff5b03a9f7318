"""Everything at once, as a person starts it: `hindsight up` with its real children, over HTTP and GraphQL."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

ROOT = Path(__file__).resolve().parents[2]
STORE = {"user_id": "test_user", "session_id": "test_session", "content": "用户对花生过敏", "category": "constraint"}

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]


@dataclass(frozen=True)
class Stack:
    """A running `hindsight up`."""

    process: "subprocess.Popen[bytes]"
    environment: dict[str, str]
    data: Path
    mcp_port: int
    dagster_port: int

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        body = {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": tool, "arguments": arguments}, "id": 1}
        answer = post(f"http://localhost:{self.mcp_port}/mcp", body)
        return dict(answer["result"]["structuredContent"])

    def graphql(self, query: str, **variables: Any) -> dict[str, Any]:
        answer = post(f"http://localhost:{self.dagster_port}/graphql", {"query": query, "variables": variables})
        assert "errors" not in answer, answer
        return dict(answer["data"])

    def child(self, word: str) -> psutil.Process:
        found = [p for p in psutil.Process(self.process.pid).children() if word in " ".join(p.cmdline())]
        assert len(found) == 1
        return found[0]


def post(url: str, body: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(
        url, json.dumps(body).encode(), {"Content-Type": "application/json", "Accept": "*/*"}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return dict(json.load(answer))


def wait_for(what: str, is_so: Callable[[], bool], seconds: float = 90) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if is_so():
                return
        except OSError:
            pass
        time.sleep(0.5)
    pytest.fail(f"{what} did not come about within {seconds} s")


def is_up(process: "subprocess.Popen[bytes]", printed: Path) -> bool:
    assert process.poll() is None, printed.read_text()
    return "Hindsight is up" in printed.read_text()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    folder = tmp_path_factory.mktemp("up")
    data, ports = folder / "data", (free_port(), free_port())
    environment = {
        **os.environ,
        "HINDSIGHT_DATA": str(data),
        "HINDSIGHT_EMBEDDER": "hash",
        "HINDSIGHT_BATCH_SECONDS": "1",
        "HINDSIGHT_MCP_PORT": str(ports[0]),
        "HINDSIGHT_DAGSTER_PORT": str(ports[1]),
    }
    said = (folder / "up.txt").open("wb")
    process = subprocess.Popen(
        [sys.executable, "-m", "cli.main", "up", "--sample"], cwd=folder, env=environment, stdout=said
    )
    try:
        wait_for("`hindsight up`", lambda: is_up(process, folder / "up.txt"), 200)
        yield Stack(process, environment, data, *ports)
    finally:
        children = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
        said.close()
        _, alive = psutil.wait_procs(children, timeout=10)
        assert not alive, [p.cmdline() for p in alive]


def test_the_sample_is_in_a_release_made_by_sensor_started_runs(stack: Stack) -> None:
    runs = stack.graphql("{ runsOrError { ... on Runs { results { jobName status tags { key value } } } } }")
    results = runs["runsOrError"]["results"]
    assert {"ingest", "publish"} <= {run["jobName"] for run in results} <= {"ingest", "publish", "reflect"}
    sensors = {tag["value"] for run in results for tag in run["tags"] if tag["key"] == "dagster/sensor_name"}
    assert "event_log_sensor" in sensors <= {"event_log_sensor", "reflection_sensor"}
    wait_for("the end of all runs", lambda: in_flight(stack) == 0)
    found = stack.call("memory_retrieve", user_id="lin", query="花生过敏")
    assert found["release"] >= 1
    assert any("花生" in memory["content"] for memory in found["memories"])


def in_flight(stack: Stack) -> int:
    query = "{ runsOrError(filter: {statuses: [QUEUED, STARTING, STARTED]}) { ... on Runs { results { runId } } } }"
    return len(stack.graphql(query)["runsOrError"]["results"])


def test_what_is_stored_is_found_at_once_and_after_the_run_under_the_same_id(stack: Stack) -> None:
    stored = stack.call("memory_store", **STORE)
    assert stored["status"] == "success"

    def find() -> dict[str, Any]:
        return stack.call("memory_retrieve", user_id="test_user", query="花生")

    at_once = find()
    assert [m["id"] for m in at_once["memories"]] == [stored["memory_id"]]
    assert at_once["pending_events"] == 1
    wait_for("the run that indexes it", lambda: find()["pending_events"] == 0)
    assert [m["content"] for m in find()["memories"]] == ["用户对花生过敏"]
    assert find()["memories"][0]["id"] == stored["memory_id"]


def test_a_server_killed_with_9_is_started_again_and_has_lost_nothing(stack: Stack) -> None:
    ids = [stack.call("memory_store", user_id="killed", content=f"note number {n}")["memory_id"] for n in range(20)]
    stack.child("mcp_app").send_signal(signal.SIGKILL)

    def found() -> set[str]:
        return {
            m["id"] for m in stack.call("memory_retrieve", user_id="killed", query="note number", top_k=20)["memories"]
        }

    wait_for("the server's return", lambda: found() == set(ids))


def test_a_backfill_launched_as_the_web_page_does_writes_while_agents_store_and_read(stack: Stack) -> None:
    days = sorted(p.stem for p in (stack.data / "lake" / "episodes").glob("2*.parquet"))
    before = {day: (stack.data / "lake" / "episodes" / f"{day}.parquet").read_bytes() for day in days[:-1]}
    launched = stack.graphql(
        "mutation($p: LaunchBackfillParams!) { launchPartitionBackfill(backfillParams: $p) "
        "{ __typename ... on LaunchBackfillSuccess { backfillId } ... on PythonError { message } } }",
        p={
            "assetSelection": [{"path": [name]} for name in ("interactions", "episodes", "episode_vectors")],
            "partitionNames": days,
        },
    )["launchPartitionBackfill"]
    assert launched["__typename"] == "LaunchBackfillSuccess", launched
    stored: list[str] = []

    def is_done() -> bool:
        stored.append(
            stack.call("memory_store", user_id="busy", content=f"during the backfill {len(stored)}")["memory_id"]
        )
        assert stack.call("memory_retrieve", user_id="lin", query="过敏")["status"] == "success"
        count = hindsight(stack, "sql", "SELECT count(*) AS n FROM episodes", "--csv")
        assert int(count.splitlines()[1]) > 0
        query = (
            "query($id: String!) { partitionBackfillOrError(backfillId: $id) { ... on PartitionBackfill { status } } }"
        )
        status = stack.graphql(query, id=launched["backfillId"])["partitionBackfillOrError"]["status"]
        assert status not in {"FAILED", "COMPLETED_FAILED", "CANCELED"}
        return bool(status == "COMPLETED_SUCCESS")

    wait_for("the backfill", is_done, 180)
    for day, content in before.items():
        assert (stack.data / "lake" / "episodes" / f"{day}.parquet").read_bytes() == content
    found = stack.call("memory_retrieve", user_id="busy", query="during the backfill", top_k=20)
    assert {m["id"] for m in found["memories"]} <= set(stored)
    assert len(found["memories"]) == min(20, len(stored))


def hindsight(stack: Stack, *arguments: str) -> str:
    command = [sys.executable, "-m", "cli.main", *arguments]
    done = subprocess.run(command, env=stack.environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_doctor_is_content(stack: Stack) -> None:
    wait_for("the end of all runs", lambda: in_flight(stack) == 0)
    assert not re.search(r"^FAIL", hindsight(stack, "doctor"), re.MULTILINE)


def test_a_second_up_on_the_same_folder_says_so_and_harms_nobody(stack: Stack) -> None:
    command = [sys.executable, "-m", "cli.main", "up"]
    done = subprocess.run(command, env=stack.environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0
    assert "is already running on" in done.stderr
    assert stack.call("memory_retrieve", user_id="lin", query="过敏")["status"] == "success"
