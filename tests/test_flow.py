"""Data flows one way: stages are known, in order, and no asset reads a later one."""

import re
from pathlib import Path

from pipelines.definitions import build
from resources.settings import Settings

STAGES = ("raw", "episodic", "embeddings", "semantic", "index", "release")
ASSETS = Path(__file__).parents[1] / "assets"


def test_no_asset_reads_a_later_stage(settings: Settings) -> None:
    nodes = build(settings).resolve_asset_graph().asset_nodes
    stage = {node.key: STAGES.index(node.group_name or "") for node in nodes}
    assert [
        (parent, node.key) for node in nodes for parent in node.parent_keys if stage[parent] > stage[node.key]
    ] == []
    assert set(stage.values()) == set(range(len(STAGES)))


def test_a_stage_is_a_file_that_says_its_place() -> None:
    for n, name in enumerate(STAGES, 1):
        first = (ASSETS / f"{name}.py").read_text(encoding="utf-8").splitlines()[0]
        assert re.match(rf'"""Stage {n} of {len(STAGES)}, {name}: \S.*\.$', first), first
