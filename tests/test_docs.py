"""The documents against the code: what exists is documented, and what is documented exists."""

import asyncio
import json
import re
import shlex
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import typer
from pydantic import SecretStr

from domain import imports, tables
from domain.episodes import build
from domain.records import Event
from resources import settings as settings_module
from resources.settings import PREFIX, Settings

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "examples").glob("*.md")])
SAMPLE = ROOT / "examples" / "sample.jsonl"
NOTHING = ("", None)


def text(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def section(page: str, title: str) -> str:
    """Return what stands below a heading, up to the next one of its depth or higher."""
    found = re.search(rf"^(#+) {re.escape(title)}\n(.*?)(?=^#{{1,2}} |\Z)", page, re.MULTILINE | re.DOTALL)
    assert found, f"no heading {title!r}"
    return found.group(2)


def first_cells(page: str) -> list[str]:
    """Return every name in backticks in the first cell of the rows of a page's tables."""
    cells = re.findall(r"^\| (.*?) \|", page, re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


# --- settings


def documented_settings() -> dict[str, str]:
    rows = re.findall(rf"^\| `{PREFIX}(\w+)` \| (.*?) \|", text("settings.md"), re.MULTILINE)
    assert max(Counter(name for name, _ in rows).values()) == 1
    return {name.lower(): "" if default == "unset" else default.strip("`") for name, default in rows}


def example_settings() -> dict[str, str]:
    rows = re.findall(rf"^#{PREFIX}(\w+)=(.*)$", (ROOT / ".env.example").read_text(encoding="utf-8"), re.MULTILINE)
    return {name.lower(): default for name, default in rows}


def bare(value: object) -> object:
    return value.get_secret_value() if isinstance(value, SecretStr) else value


@pytest.mark.parametrize("written", [documented_settings, example_settings])
def test_every_setting_is_documented_with_its_default(written: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for field in Settings.model_fields:
        monkeypatch.delenv(PREFIX + field.upper(), raising=False)
    defaults = {name: bare(getattr(Settings(_env_file=None), name)) for name in Settings.model_fields}
    found = written()
    assert set(found) == set(defaults)
    for name, value in found.items():
        if value:  # as a user would set it
            monkeypatch.setenv(PREFIX + name.upper(), value)
        else:
            assert defaults[name] in NOTHING, name
    assert {name: bare(getattr(Settings(_env_file=None), name)) for name in defaults} == defaults


def test_no_page_names_a_setting_that_does_not_exist() -> None:
    known = {PREFIX + field.upper() for field in Settings.model_fields}
    for page in [*PAGES, ROOT / ".env.example"]:
        named = set(re.findall(rf"{PREFIX}[A-Z][A-Z_]+", page.read_text(encoding="utf-8")))
        assert named - known <= {"HINDSIGHT_TIMEZON"}, page  # settings.md shows what a slip is answered with


# --- tools


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Return the parameters of every tool, by name, as the server lists them to a client."""
    from fastmcp import Client

    from mcp_app.server import build as build_server

    folder = tmp_path_factory.mktemp("tools")
    app = build_server(Settings(_env_file=None, data=folder, models=folder / "models", embedder="hash"))

    async def tools() -> dict[str, dict[str, Any]]:
        async with Client(app.mcp) as client:
            return {tool.name: tool.input_schema for tool in await client.list_tools()}

    try:
        return asyncio.run(tools())
    finally:
        app.close()


def test_every_tool_and_parameter_is_documented(listed: dict[str, dict[str, Any]]) -> None:
    page = text("tools.md")
    assert set(re.findall(r"^## (memory_\w+)$", page, re.MULTILINE)) == set(listed)
    for name, schema in listed.items():
        arguments = section(page, name).split("```json")[0]  # later tables are of the answer
        assert set(first_cells(arguments)) == set(schema["properties"]), name
        required = set(re.findall(r"^\| `(\w+)` \| [^|]*\*\*required\*\*", arguments, re.MULTILINE))
        assert required == set(schema["required"]), name


# --- tables

SCHEMAS = {
    "interactions": tables.INTERACTIONS,
    "episodes": tables.EPISODES,
    "episode_vectors": tables.episode_vectors(dim=4),
    "extractions": tables.EXTRACTIONS,
    "llm_calls": tables.LLM_CALLS,
    "fact_operations": tables.FACT_OPERATIONS,
    "facts": tables.FACTS,
}


def test_every_schema_is_looked_at() -> None:
    assert set(SCHEMAS) == set(tables.SORT_KEYS)


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_column_is_documented_in_its_order(name: str) -> None:
    assert first_cells(section(text("tables.md"), name)) == SCHEMAS[name].names


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_sort_order_is_documented(name: str) -> None:
    keys = ", ".join(f"`{key}`" for key in tables.SORT_KEYS[name])
    assert f"Sorted by {keys}." in section(text("tables.md"), name)


@pytest.mark.parametrize("name", SCHEMAS)
def test_columns_that_may_be_missing_are_documented_as_such(name: str) -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", section(text("tables.md"), name), re.MULTILINE)
    assert {column for column, kind in rows if "null" in kind} == {f.name for f in SCHEMAS[name] if f.nullable}


def test_the_columns_of_an_index_bucket_are_documented() -> None:
    page = text("tables.md")
    named = set(re.findall(r"`(\w+)`", section(page, "Index buckets")))
    shared = {column for name in ("episodes", "episode_vectors") for column in first_cells(section(page, name))}
    schema: pa.Schema = tables.memories(dim=4)
    assert set(schema.names) <= named | shared
    assert set(schema.names) - set(tables.EPISODES.names) <= named


# --- commands


@cache
def command() -> Any:
    from cli.main import app

    return typer.main.get_command(app)


def test_every_command_is_documented() -> None:
    written = re.findall(r"^## hindsight (\w+)$", text("commands.md"), re.MULTILINE)
    assert sorted(written) == sorted(command().commands)


def test_every_option_and_argument_is_documented() -> None:
    page = text("commands.md")
    for name, sub in command().commands.items():
        wanted = {
            flag
            for parameter in sub.params
            for flag in (parameter.opts if parameter.param_type_name == "option" else [parameter.name.upper()])
        } - {"--help"}
        assert set(first_cells(section(page, f"hindsight {name}"))) == wanted, name


def test_commands_in_the_documents_exist() -> None:
    for page in PAGES:
        written = page.read_text(encoding="utf-8")
        for line in re.findall(r"(?:^|`)(?:\.venv/bin/)?(hindsight [^`\n]+)", written, re.MULTILINE):
            words = shlex.split(line, comments=True)
            sub = command().commands[words[1]]
            known = {flag for parameter in sub.params for flag in parameter.opts}
            assert {word for word in words[2:] if word.startswith("--")} <= known, (page, line)


# --- the pipeline


def test_everything_that_dagster_shows_is_named_in_the_documents() -> None:
    from pipelines.definitions import defs

    page = text("pipeline.md")
    named = set(first_cells(page))
    graph = defs.resolve_asset_graph()
    repository = defs.get_repository_def()
    shown = {key.to_user_string() for key in graph.get_all_asset_keys()}
    shown |= {job.name for job in repository.get_all_jobs() if not job.name.startswith("__")}
    shown |= {sensor.name for sensor in repository.sensor_defs} | {s.name for s in repository.schedule_defs}
    shown |= {key.name for key in graph.asset_check_keys}
    assert named == shown
    for key in graph.asset_check_keys:
        row = re.search(rf"^\| `{key.name}` \| (.*?) \|", section(page, "Checks"), re.MULTILINE)
        assert row, key
        assert f"`{key.asset_key.to_user_string()}`" in row.group(1), key


# --- pages


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def links() -> Iterator[tuple[Path, str]]:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
            if not target.startswith(("http://", "https://")):
                yield page, target


def test_every_relative_link_leads_somewhere() -> None:
    found = list(links())
    assert len(found) > 50
    for page, target in found:
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{page.relative_to(ROOT)}: {target}"
        assert not anchor or anchor in anchors(file), f"{page.relative_to(ROOT)}: {target}"


def test_every_page_is_reached_from_the_readme() -> None:
    reached, todo = {ROOT / "README.md"}, [ROOT / "README.md"]
    while todo:
        page = todo.pop()
        for source, target in links():
            file = (source.parent / target.partition("#")[0]).resolve()
            if source == page and file.suffix == ".md" and file not in reached:
                reached.add(file)
                todo.append(file)
    assert set(PAGES) <= reached


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_curl_calls_of_the_readme_are_json_rpc(name: str, listed: dict[str, dict[str, Any]]) -> None:
    page = (ROOT / name).read_text(encoding="utf-8")
    calls = [json.loads(shlex.split(line)[-1]) for line in re.findall(r"^curl .*$", page, re.MULTILINE)]
    assert [call["params"]["name"] for call in calls] == ["memory_store", "memory_retrieve"]
    for call in calls:
        assert (call["jsonrpc"], call["method"]) == ("2.0", "tools/call")
        assert isinstance(call["id"], int)
        schema = listed[call["params"]["name"]]
        assert set(schema["required"]) <= set(call["params"]["arguments"]) <= set(schema["properties"])
    assert calls[0]["params"]["arguments"]["content"] == "用户对花生过敏"
    assert calls[1]["params"]["arguments"]["query"] == "饮食禁忌"


def test_the_make_targets_in_the_documents_exist() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page in PAGES:
        named = set(re.findall(r"`make (\w+)|^make (\w+)", page.read_text(encoding="utf-8"), re.MULTILINE))
        assert {a or b for a, b in named} <= targets, page


# --- the sample


@cache
def sample() -> list[dict[str, Any]]:
    return [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]


def test_the_sample_is_a_history_of_both_users() -> None:
    counts = Counter(row["user_id"] for row in sample())
    assert set(counts) == {"lin", "maya"}
    assert all(90 <= count <= 130 for count in counts.values())
    assert {row["agent_id"] for row in sample()} == {"calendar", "mail"}


def test_every_event_of_the_sample_is_one_and_in_order() -> None:
    ids = [row["event_id"] for row in sample()]
    assert len(set(ids)) == len(ids)
    for user in ("lin", "maya"):
        mine = [row for row in sample() if row["user_id"] == user]
        assert all(re.fullmatch(rf"sample-{user}-\d{{4}}", row["event_id"]) for row in mine)
        assert [row["event_id"] for row in mine] == sorted(row["event_id"] for row in mine)
        times = [datetime.fromisoformat(row["occurred_at"]) for row in mine]
        assert all(earlier < later for earlier, later in pairwise(times))


def test_the_sample_keeps_the_clock_of_its_users() -> None:
    offsets = {"lin": timedelta(hours=8), "maya": timedelta(hours=-5)}
    for row in sample():
        said = datetime.fromisoformat(row["occurred_at"])
        assert said.utcoffset() == offsets[row["user_id"]]
        assert said.hour >= 6
        assert (said.year, said.month) == (2026, 11)


def test_the_sample_is_read_as_it_is_meant() -> None:
    """The pipeline's own functions on the sample: allergies are constraints, relative days are the right ones."""
    events = [imports.event(row, "UTC") for row in sample()]
    stored = [
        Event(
            seq,
            *(e.event_id, e.kind, e.user_id, e.agent_id, e.scope, e.session_id, e.occurred_at),
            partition_day=e.occurred_at.date().isoformat(),
            recorded_at=e.occurred_at,
            payload=e.payload,
        )
        for seq, e in enumerate(events, 1)
    ]
    made = build(stored)
    constraints = {e.user_id: e.content for e in made if e.category == "constraint"}
    assert "花生" in str(constraints["lin"])
    assert "shellfish" in str(constraints["maya"])
    about = {e.user_said: e.event_start for e in made if e.event_start and e.user_said}
    lin = datetime.fromisoformat("2026-11-11T00:00:00+08:00")
    assert next(start for said, start in about.items() if said.startswith("下周三去北京出差")) == lin
    maya = datetime.fromisoformat("2026-11-13T00:00:00-05:00")
    assert about["Where is the team dinner next Friday?"] == maya


def test_the_settings_page_shows_the_real_answer_to_a_slip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HINDSIGHT_TIMEZON", "UTC")
    with pytest.raises(settings_module.BadSettings) as raised:
        settings_module.load()
    assert f"hindsight: {raised.value}" in text("settings.md")
