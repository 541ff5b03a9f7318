"""The rules of the house that a machine can check: sizes, names, who catches what, and who imports whom."""

import ast
import configparser
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("domain", "resources", "assets", "pipelines", "mcp_app", "cli")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
EVERYTHING = [*MODULES, *sorted((ROOT / "tests").rglob("*.py")), *sorted((ROOT / "benchmarks").rglob("*.py"))]
MAX_MODULE_LINES = 400
MAX_FUNCTION_LINES = 60
MAX_P90_LINES = 30
BANNED_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
# STYLE.md §4, rule 8: each day of a run fails apart, no agent ever sees a trace, and a bug in a model ends neither the
# only thread that embeds nor those that ask it.
MAY_CATCH_EVERYTHING = {
    "assets/partitions.py",  # a day
    "resources/reflector.py",  # a user
    "mcp_app/errors.py",
    "mcp_app/embedding.py",
    "mcp_app/queries.py",
}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the name and length of every function of a module, its decorators not counted."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, Function):
            yield f"{name_of(path)}:{node.name}", (node.end_lineno or node.lineno) - node.lineno + 1


def test_modules_are_short() -> None:
    lengths = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {name: n for name, n in lengths.items() if n > MAX_MODULE_LINES} == {}


def test_functions_are_short() -> None:
    lengths = [found for path in MODULES for found in functions(path)]
    assert [found for found in lengths if found[1] > MAX_FUNCTION_LINES] == []
    in_order = sorted(n for _, n in lengths)
    assert in_order[int(0.9 * len(in_order))] <= MAX_P90_LINES


def test_no_module_is_named_after_nothing() -> None:
    assert [name_of(path) for path in EVERYTHING if BANNED_NAMES & set(path.stem.split("_"))] == []


def catches_everything(node: ast.AST) -> bool:
    if not isinstance(node, ast.ExceptHandler):
        return False
    names = {n.id for n in ast.walk(node.type) if isinstance(n, ast.Name)} if node.type else {"Exception"}
    ends_in_raise = isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None
    return bool(names & {"Exception", "BaseException"}) and not ends_in_raise


def test_only_the_outermost_doors_catch_everything() -> None:
    found = {
        name_of(p) for p in MODULES if any(map(catches_everything, ast.walk(ast.parse(p.read_text(encoding="utf-8")))))
    }
    assert found <= MAY_CATCH_EVERYTHING


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module or ""}
    return names


def test_nothing_of_ours_is_mocked() -> None:
    assert [
        name_of(path) for path in EVERYTHING if any(n.startswith(("unittest.mock", "mock")) for n in imported(path))
    ] == []


@pytest.mark.parametrize(
    "door", [("lancedb", {"resources/vector_index.py"}), ("torch", {"resources/sentence_embedder.py"})]
)
def test_one_door_for_each_outside_thing(door: tuple[str, set[str]]) -> None:
    package, doors = door
    users = {name_of(p) for p in MODULES if any(n.split(".")[0] == package for n in imported(p))}
    assert users <= doors


def test_assets_have_their_annotations_at_import() -> None:
    """Dagster reads the type of ``context`` at import; as text it fails there (dagster #26837, #28342)."""
    assert [name_of(p) for p in (ROOT / "assets").glob("*.py") if "__future__.annotations" in imported(p)] == []


def test_every_package_is_under_the_contracts() -> None:
    parser = configparser.ConfigParser()
    parser.read(ROOT / ".importlinter")
    assert set(parser["importlinter"]["root_packages"].split()) == set(PACKAGES)


@pytest.mark.slow
def test_nobody_imports_whom_they_may_not() -> None:
    lint_imports = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([lint_imports, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "0 broken" in done.stdout


@pytest.mark.slow
def test_the_server_starts_without_dagster() -> None:
    heavy = {"dagster", "assets", "pipelines", "torch"}
    code = f"import sys, mcp_app.server; print([m for m in sys.modules if m.split('.')[0] in {heavy}])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
