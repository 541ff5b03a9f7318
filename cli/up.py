"""``hindsight up``: Dagster's web page and daemon and the MCP server as children of one process."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from types import FrameType

import typer

from cli.importing import append_all, read_events
from domain.errors import BadSettings, Permanent, Temporary
from resources import dagster_home, layout, wiring
from resources.files import locked
from resources.model_files import ensure_bundled
from resources.releases import Releases
from resources.settings import Settings, load

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "examples" / "sample.jsonl"
_START_SECONDS = 180
_STOP_SECONDS = 15
_RESTARTS = 5
_HEALTHY_SECONDS = 60


@dataclass(slots=True)
class _Child:
    name: str
    command: list[str]
    environment: dict[str, str]
    log: Path
    process: "subprocess.Popen[bytes] | None" = None
    started_at: float = 0.0
    restarts: list[float] = field(default_factory=list)

    def start(self) -> None:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as out:
            self.process = subprocess.Popen(  # noqa: S603 - our own modules, no shell
                self.command,
                env=self.environment,
                stdout=out,
                stderr=out,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        self.started_at = time.monotonic()

    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def signal_all(self, number: signal.Signals) -> None:
        """Signal the child and its own children."""
        if self.process is not None:
            try:
                os.killpg(self.process.pid, number)
            except ProcessLookupError:
                return


class _Stop(Exception):
    """Raised by the signal handlers to leave whatever is being waited for."""


def run_everything(*, with_sample: bool) -> None:
    """Start everything, say where it is, and keep it running until told to stop.

    Raises:
        BadSettings: a port is taken, or a setting is wrong.
        Permanent: a part ended again and again.
        Temporary: another ``hindsight up`` holds the data folder.
    """
    settings = load()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, _stop)
    wiring.open_embedder(settings)  # both say at once, before anything is written, what is wrong with a setting
    layout.check(settings)
    with _only_one(settings):
        _require_free(settings)
        home = dagster_home.prepare(settings)
        _prepare(settings, with_sample=with_sample)
        _end_orphans(home)
        children = _children(settings, home)
        try:
            for child in children:
                child.start()
            _wait_until_ready(settings, children)
            _say_where(settings)
            _keep_running(children)
        except _Stop:
            typer.echo("Stopping …")
        finally:
            _end(children)


@contextmanager
def _only_one(settings: Settings) -> Iterator[None]:
    """Hold the data folder.

    Raises:
        Temporary: another ``hindsight up`` holds it.
    """
    with ExitStack() as held:
        try:
            held.enter_context(locked(settings.data.absolute() / "up.lock", 1, "hindsight up"))
        except Temporary as error:
            raise Temporary(
                f"`hindsight up` is already running on {settings.data.absolute()}: stop it first."
            ) from error
        yield


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise _Stop


def _require_free(settings: Settings) -> None:
    for name, port in (("HINDSIGHT_MCP_PORT", settings.mcp_port), ("HINDSIGHT_DAGSTER_PORT", settings.dagster_port)):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((settings.mcp_host, port))
            except OSError as error:
                raise BadSettings(
                    f"{name}={port} cannot be used ({error.strerror}): stop what listens there, or choose another port."
                ) from error


def _prepare(settings: Settings, *, with_sample: bool) -> None:
    if settings.embedder == "bundled":
        # In a process of its own: making the model takes a gigabyte, which this one would keep for as long as it runs.
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as maker:
            maker.submit(ensure_bundled, settings.models, print).result()
    wiring.open_lake(settings)
    log = wiring.open_log(settings)
    try:
        if with_sample:
            counts = append_all(log, read_events(SAMPLE, settings.timezone), "sample")
            typer.echo(f"Sample: {', '.join(f'{n} events {what}' for what, n in sorted(counts.items()))}")
        typer.echo(f"Event log: {log.count()} events")
    finally:
        log.close()


def _end_orphans(home: Path) -> None:
    """Mark runs as ended that a killed ``up`` left behind: nobody is at work on them, and their days wait."""
    import dagster as dg

    started = [dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.CANCELING]
    with dg.DagsterInstance.from_config(str(home)) as instance:
        for run in instance.get_runs(filters=dg.RunsFilter(statuses=started)):
            instance.report_run_canceled(
                run, "Its process ended with the last `hindsight up`; the sensor starts it again."
            )


def _children(settings: Settings, home: Path) -> list[_Child]:
    logs = settings.data.absolute() / "logs"
    environment = {**os.environ, "DAGSTER_HOME": str(home), "PYTHONUNBUFFERED": "1"}  # noqa: TID251 - handed on whole
    web = ["-h", "127.0.0.1", "-p", str(settings.dagster_port)]
    pipeline = [sys.executable, "-m", "dagster", "dev", "-w", str(ROOT / "workspace.yaml"), *web]
    return [
        _Child("MCP server", [sys.executable, "-m", "mcp_app"], environment, logs / "mcp.log"),
        _Child("Dagster", pipeline, environment, logs / "dagster.log"),
    ]


def _wait_until_ready(settings: Settings, children: list[_Child]) -> None:
    web = f"http://127.0.0.1:{settings.dagster_port}"
    _wait_for("the MCP server", lambda: _has_started(settings), settings, children)
    _wait_for("Dagster's web page", lambda: _fetched(f"{web}/server_info") is not None, settings, children)
    _wait_for("the pipeline's code", lambda: _is_loaded(f"{web}/graphql"), settings, children)
    troubles = _troubles(settings) or []
    for trouble in troubles:  # it serves as well as it can: nobody is helped by stopping it
        typer.echo(f"Note: {trouble}")
    if not troubles:
        _wait_for("the first release", lambda: _is_released(settings), settings, children)


def _wait_for(what: str, is_so: Callable[[], bool], settings: Settings, children: list[_Child]) -> None:
    typer.echo(f"Waiting for {what} …")
    deadline = time.monotonic() + _START_SECONDS
    while not is_so():
        _restart_ended(children)
        if time.monotonic() > deadline:
            raise Temporary(
                f"Not there within {_START_SECONDS} s: {what}; see {settings.data}/logs, or run `hindsight doctor`."
            )
        time.sleep(0.5)


def _has_started(settings: Settings) -> bool:
    troubles = _troubles(settings)
    return troubles is not None and not any("still loading" in trouble for trouble in troubles)


def _troubles(settings: Settings) -> list[str] | None:
    """Return what the MCP server says is wrong with it, None when it does not answer."""
    answer = _fetched(f"http://{settings.mcp_host}:{settings.mcp_port}/ready")
    return None if answer is None else [str(trouble) for trouble in json.loads(answer)["troubles"]]


def _fetched(url: str) -> bytes | None:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310 - our own http address
            return bytes(answer.read())
    except urllib.error.HTTPError as error:
        return bytes(error.read()) if error.code == 503 else None
    except (urllib.error.URLError, OSError):
        return None


def _is_loaded(url: str) -> bool:
    """Return whether Dagster has loaded the pipeline.

    Raises:
        Permanent: it tried and could not; with its reason.
    """
    fields = "... on PythonError { message errorChain { error { message } } } ... on RepositoryLocation { name }"
    query = (
        f"{{ workspaceOrError {{ ... on Workspace {{ locationEntries {{ locationOrLoadError {{ {fields} }} }} }} }} }}"
    )
    body = json.dumps({"query": query}).encode()
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})  # noqa: S310 - our own http address
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
            entries = json.load(answer)["data"]["workspaceOrError"]["locationEntries"]
    except (urllib.error.URLError, OSError):
        return False
    found = [entry["locationOrLoadError"] for entry in entries if entry["locationOrLoadError"]]
    for entry in found:
        if "message" in entry:
            causes = [entry["message"], *(link["error"]["message"] for link in entry["errorChain"])]
            raise Permanent(f"Dagster cannot load the pipeline: {causes[-1].strip()}")
    return bool(found)


def _is_released(settings: Settings) -> bool:
    log = wiring.open_log(settings)
    try:
        heads = log.day_heads()
    finally:
        log.close()
    current = Releases(settings.lake_dir).current()
    return not heads or (current is not None and set(heads) <= set(current.built))


def _say_where(settings: Settings) -> None:
    mcp = f"http://localhost:{settings.mcp_port}/mcp"
    call = {
        "jsonrpc": "2.0",
        "method": "tools/call",
        "params": {"name": "memory_retrieve", "arguments": {"user_id": "lin", "query": "饮食禁忌"}},
        "id": 1,
    }
    typer.echo(
        f"\nHindsight is up.\n  MCP server  {mcp}\n  Dagster     http://localhost:{settings.dagster_port}\n"
        f"  Logs        {settings.data}/logs\n\nTry:\n  curl -X POST {mcp} -H 'Content-Type: application/json' "
        f"-d '{json.dumps(call, ensure_ascii=False)}'\n\nCtrl-C stops everything."
    )


def _keep_running(children: list[_Child]) -> None:
    while True:
        time.sleep(1)
        _restart_ended(children)


def _restart_ended(children: list[_Child]) -> None:
    for child in children:
        if child.is_running():
            continue
        now = time.monotonic()
        child.restarts = [moment for moment in child.restarts if now - moment < _HEALTHY_SECONDS]
        if len(child.restarts) >= _RESTARTS:
            raise Permanent(f"{child.name} ended {_RESTARTS} times within a minute; the end of {child.log} says why.")
        code = child.process.returncode if child.process else None
        typer.echo(f"{child.name} ended (exit {code}); starting it again. Its log: {child.log}")
        child.signal_all(signal.SIGKILL)  # what it left behind would hold its port
        child.restarts.append(now)
        time.sleep(1)
        child.start()


def _end(children: list[_Child]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        for child in children:
            child.signal_all(number)
        deadline = time.monotonic() + _STOP_SECONDS / 2
        while any(child.is_running() for child in children) and time.monotonic() < deadline:
            time.sleep(0.1)
    for child in children:
        child.signal_all(signal.SIGKILL)
