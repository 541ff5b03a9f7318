"""Runs in this process, as ``hindsight run`` makes them."""

import sqlite3

import pytest

from pipelines.running import execute
from resources import dagster_home
from resources.releases import Releases
from tests.pipeline_runs import Pipeline, event

pytestmark = pytest.mark.slow  # Dagster sets up its storage on the disk: seconds

DAYS = [f"2026-03-0{n}" for n in range(1, 6)]


@pytest.fixture
def running(pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch) -> Pipeline:
    monkeypatch.setenv("DAGSTER_HOME", str(dagster_home.prepare(pipeline.settings)))
    pipeline.say(*(event("x", when=f"{day}T12:00:00+00:00", event_id=day) for day in DAYS))
    return pipeline


def spoil(pipeline: Pipeline, day: str) -> None:
    with sqlite3.connect(pipeline.settings.data / "events.db") as connection:
        connection.execute("UPDATE events SET payload = '{' WHERE event_id = ?", (day,))
    connection.close()


def test_days_that_fail_are_named_and_all_others_are_done_and_released(running: Pipeline) -> None:
    bad = [DAYS[0], DAYS[3]]
    for day in bad:
        spoil(running, day)
    outcome = execute(running.settings, "ingest", (DAYS[0], DAYS[4]))
    assert len(outcome.failures) == 1
    assert all(day in outcome.failures[0] for day in bad)
    assert set(outcome.seconds) == {"interactions", "episodes", "episode_vectors", "llm_calls"}
    assert [day for day in DAYS if not running.rows("episode_vectors", day)] == bad
    assert execute(running.settings, "publish", None).failures == []
    current = Releases(running.settings.lake_dir).current()
    assert current is not None
    assert list(current.built) == [day for day in DAYS if day not in bad]


def test_the_dagster_settings_are_written_once(running: Pipeline) -> None:
    home = dagster_home.prepare(running.settings)
    before = (home / "dagster.yaml").stat().st_mtime_ns
    assert dagster_home.prepare(running.settings) == home
    assert (home / "dagster.yaml").stat().st_mtime_ns == before
    (home / "dagster.yaml").write_text("telemetry: {enabled: true}\n")
    dagster_home.prepare(running.settings)
    assert "enabled: false" in (home / "dagster.yaml").read_text()
