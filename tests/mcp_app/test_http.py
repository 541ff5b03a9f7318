"""The server as a process, over plain HTTP: what curl sends is answered, before and after a restart."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pipeline_runs import Pipeline

from .serving import ROOT, Memory, Server, request

# To the letter what the project's first page asks people to send.
STORE = (
    b'{"jsonrpc":"2.0","method":"tools/call","params":{"name":"memory_store","arguments":{"user_id":"test_user",'
    + '"session_id":"test_session","content":"用户对花生过敏","category":"constraint"}},"id":1}'.encode()
)
RETRIEVE = (
    b'{"jsonrpc":"2.0","method":"tools/call","params":{"name":"memory_retrieve","arguments":{"user_id":"test_user",'
    + '"query":"饮食禁忌"}},"id":1}'.encode()
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data")) as running:
        yield running


def ask(server: Server, body: bytes) -> dict:
    status, answer = server.post(body)
    assert status == 200, answer
    return dict(answer["result"]["structuredContent"])


def test_the_two_curls_before_and_after_the_run_and_a_restart(pipeline: Pipeline) -> None:
    data = pipeline.settings.data
    with Server(data) as server:
        stored = ask(server, STORE)
        assert stored["status"] == "success"
        first = ask(server, RETRIEVE)
        best = first["memories"][0]
        assert (best["id"], best["content"], best["category"]) == (stored["memory_id"], "用户对花生过敏", "constraint")
        assert first["pending_events"] == 1
        pipeline.all()
        second = ask(server, RETRIEVE)
        assert (second["pending_events"], second["release"]) == (0, 1)
        assert ask(server, STORE)["status"] == "skipped"
        _, answer = server.post({**request("x"), "method": "initialize", "params": INITIALIZE})
        assert "result" in answer
    with Server(data) as server:
        third = ask(server, RETRIEVE)
        for old in ("3f0c6dd86d1d4a8fb7d5b7f6a5e4c3b2", "made-up"):
            status, answer = server.post(RETRIEVE, {"Mcp-Session-Id": old})
            assert (status, answer["result"]["structuredContent"]["memories"][0]["id"]) == (200, stored["memory_id"])
            status, answer = server.post(
                {**request("x"), "method": "initialize", "params": INITIALIZE},
                {"Mcp-Session-Id": old, "Accept": "application/json, text/event-stream"},
            )
            assert (status, "result" in answer) == (200, True)
    kept = ("id", "content", "category", "occurred_at", "score")
    assert [{k: one["memories"][0][k] for k in kept} for one in (second, third)] == [
        {k: first["memories"][0][k] for k in kept}
    ] * 2


INITIALIZE = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}


@pytest.mark.parametrize("accept", [None, "*/*", "application/json", "application/json, text/event-stream"])
def test_any_usual_accept_header_will_do(server: Server, accept: str | None) -> None:
    assert server.post(RETRIEVE, {"Accept": accept} if accept else {})[0] == 200


@pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1:8080", "127.0.0.1", "[::1]:8080", "[::1]", "LOCALHOST"])
def test_hosts_of_this_machine_are_answered(server: Server, host: str) -> None:
    assert server.post(RETRIEVE, {"Host": host})[0] == 200
    assert server.get("/health", {"Host": host})[0] == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.nip.io", ""]
)
def test_other_hosts_are_refused(server: Server, host: str) -> None:
    assert server.post(STORE, {"Host": host})[0] == 421
    assert server.get("/ready", {"Host": host})[0] == 421


def test_pages_of_other_sites_are_refused(server: Server) -> None:
    assert server.post(STORE, {"Origin": "https://evil.example"})[0] == 403
    assert server.post(RETRIEVE, {"Origin": "http://localhost:6274"})[0] == 200


def test_health_and_ready(server: Server) -> None:
    assert server.get("/health") == (200, {"status": "ok"})
    status, answer = server.get("/ready")
    assert (status, answer["status"], answer["troubles"], answer["release"]) == (200, "ready", [], 0)


def test_ready_names_what_is_wrong(tmp_path: Path) -> None:
    with Server(
        tmp_path, HINDSIGHT_EMBEDDER="openai:none", HINDSIGHT_OPENAI_BASE_URL="http://127.0.0.1:9/v1"
    ) as server:
        assert server.call("memory_store", user_id="ana", content="likes tea")["status"] == "success"
        found = server.call("memory_retrieve", user_id="ana", query="tea")
        assert (found["partial"], found["memories"][0]["content"]) == (True, "likes tea")
        status, answer = server.get("/ready")
        assert status == 503
        assert "embedding model" in answer["troubles"][0]
        releases = tmp_path / "lake" / "releases"
        releases.mkdir(parents=True)
        (releases / "current.json").write_text("{")
        status, answer = server.get("/ready")
        assert (status, len(answer["troubles"])) == (503, 2)
        assert server.call("memory_retrieve", user_id="ana", query="tea")["memories"]


def test_a_megabyte_is_taken(server: Server) -> None:
    assert server.call("memory_store", user_id="big", content="茶" * 1_000_000)["status"] == "success"
    answer = server.call("memory_store", user_id="big", content="茶" * 1_000_001)
    assert (answer["code"], len(answer["message"]) < 200) == ("bad_input", True)
    assert server.post(b" " * 5_000_000)[0] == 413


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'{"jsonrpc":"2.0","id":1,"method":"nope"}'])
def test_what_is_no_call_is_no_fault_of_the_server(server: Server, body: bytes) -> None:
    status, answer = server.post(body)
    assert status in {200, 400, 404}
    assert "Traceback" not in json.dumps(answer)


def test_half_a_surrogate_pair_is_a_clear_error(server: Server) -> None:
    status, answer = server.post(json.dumps(request("memory_store", user_id="a", content="x\ud800")).encode())
    told = json.dumps(answer)
    assert "Traceback" not in told
    assert status == 400 or "whole characters" in told


ZONES = ("UTC", "Asia/Tokyo", "America/New_York")


@pytest.mark.parametrize("zone", ZONES)
def test_instants_decide_in_every_zone(tmp_path: Path, zone: str) -> None:
    moments = {
        "five": "2026-02-01T00:30:00-05:00",
        "four": "2026-02-01T04:00:00Z",
        "before the switch": "2026-03-08T01:30:00-05:00",
        "after the switch": "2026-03-08T03:30:00-04:00",
        "without an offset": "2026-02-10T12:00:00",
    }
    with Server(tmp_path, TZ=zone) as server:
        for name, moment in moments.items():
            server.call("memory_store", user_id="ana", content=f"bell {name}", occurred_at=moment)

        def found(**bounds: str) -> list[str]:
            page = server.call("memory_retrieve", user_id="ana", query="bell", **bounds)
            assert all(one["occurred_at"][19:] in {"-05:00", "+00:00", "-04:00"} for one in page["memories"])
            return sorted(one["content"].removeprefix("bell ") for one in page["memories"])

        assert found(since="2026-02-01T00:00:00-05:00", until="2026-02-02") == ["five"]
        assert found(since="2026-02-01T05:15:00Z", until="2026-02-02") == ["five"]
        assert found(since="2026-03-08T06:45:00Z") == ["after the switch"]
        assert found(since="2026-03-08T01:45:00-05:00", until="2026-03-08T03:30:00.000001-04:00") == [
            "after the switch"
        ]
        assert found(since="2026-02-10T12:00:00+00:00", until="2026-02-10T12:00:01+00:00") == ["without an offset"]


def test_a_folder_that_cannot_be_served_is_one_sentence(tmp_path: Path, server: Server) -> None:
    for wrong, words in (
        ({"HINDSIGHT_MCP_HOST": "0.0.0.0"}, "no tokens"),  # noqa: S104 - refused is what this shows
        ({"HINDSIGHT_EMBEDDER": "best"}, "HINDSIGHT_EMBEDDER"),
        ({"HINDSIGHT_MCP_PROT": "1"}, "HINDSIGHT_MCP_PORT"),
    ):
        environment = {**server.environment, "HINDSIGHT_DATA": str(tmp_path), **wrong}
        told = {"env": environment, "cwd": tmp_path, "capture_output": True, "text": True, "timeout": 50}
        ended = subprocess.run([sys.executable, "-m", "mcp_app"], check=False, **told)
        assert ended.returncode == 1
        assert ended.stderr.startswith("hindsight: ")
        assert words in ended.stderr
        assert "Traceback" not in ended.stderr


def test_the_server_ends_when_told(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        server.call("memory_store", user_id="ana", content="likes tea")
        server.end(signal.SIGTERM)
        assert len(server.log) == 1, server.log  # that it listens; no line for a request, and no trace


def test_the_server_pulls_in_no_pipeline() -> None:
    code = "import sys, mcp_app.server; print({name.split('.')[0] for name in sys.modules})"
    told = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=50, check=True
    )
    assert "lancedb" in told.stdout
    assert not any(f"'{name}'" in told.stdout for name in ("dagster", "assets", "pipelines", "torch"))


def test_a_second_server_serves_the_same_folder(memory: Memory) -> None:
    with Server(memory.settings.data) as other:
        mine = memory.store("likes tea")
        theirs = other.call("memory_store", user_id="ana", content="likes wine")["memory_id"]
        assert {one["id"] for one in memory.find("likes")} == {mine, theirs}
        assert {one["id"] for one in other.call("memory_retrieve", user_id="ana", query="likes")["memories"]} == {
            mine,
            theirs,
        }
