"""What Dagster loads."""

import os
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest

from assets.release import BLOCKING
from pipelines.definitions import build
from resources.settings import Settings

ROOT = Path(__file__).parents[2]


@pytest.fixture
def definitions(settings: Settings) -> dg.Definitions:
    return build(settings)


def test_every_asset_says_what_it_is(definitions: dg.Definitions) -> None:
    nodes = definitions.resolve_asset_graph().asset_nodes
    assert {node.key.to_user_string() for node in nodes} == {
        "interactions",
        "episodes",
        "episode_vectors",
        "llm_calls",
        "extractions",
        "fact_operations",
        "facts",
        "memories_index",
        "release",
    }
    assert [
        n.key for n in nodes if not (n.description and n.code_version and n.group_name not in {None, "default"})
    ] == []


def test_daily_assets_are_backfilled_in_one_run_up_to_today(definitions: dg.Definitions) -> None:
    daily = [n for n in definitions.resolve_asset_graph().asset_nodes if n.partitions_def]
    assert len(daily) == 5
    for node in daily:
        assert node.backfill_policy == dg.BackfillPolicy.single_run()
        assert isinstance(node.partitions_def, dg.DailyPartitionsDefinition)
        assert node.partitions_def.end_offset == 1


def test_all_jobs_run_in_one_process(definitions: dg.Definitions) -> None:
    for name in ("ingest", "reflect", "publish"):
        assert definitions.resolve_job_def(name).executor_def.name == "in_process"


def test_the_checks_that_block_a_release(definitions: dg.Definitions) -> None:
    nodes = definitions.resolve_asset_graph().asset_check_nodes
    assert (
        {node.key.name for node in nodes if node.blocking}
        == {
            "index_rows_equal_table_rows",
            "every_row_is_keyword_searchable",
            "share_of_facts_retired",
            "no_duplicate_facts",
        }
        == set(BLOCKING)
    )


def test_building_opens_nothing_but_pins_the_folder(settings: Settings) -> None:
    build(settings)
    assert {p.name for p in settings.data.iterdir()} == {"layout.json", "lake"}


@pytest.mark.slow
def test_the_workspace_loads(tmp_path: Path) -> None:
    environment = {**os.environ, "HINDSIGHT_DATA": str(tmp_path / "data"), "DAGSTER_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "dagster", "definitions", "validate", "-w", str(ROOT / "workspace.yaml")]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert "All code locations passed validation" in done.stderr + done.stdout
