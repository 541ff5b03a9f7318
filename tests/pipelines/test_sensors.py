"""The sensor and the nightly schedule, asked as Dagster's daemon asks them, on a real log, lake and run storage."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import dagster as dg
import pytest
from dagster._core.remote_origin import RegisteredCodeLocationOrigin, RemoteJobOrigin, RemoteRepositoryOrigin

from assets.partitions import FAILED_DAYS_TAG, PID_TAG, RANGE_END, RANGE_START
from domain.batching import MAX_RETRIES
from pipelines import sensors
from pipelines.definitions import build
from pipelines.schedules import nightly
from pipelines.sensors import event_log_sensor
from tests.pipeline_runs import Pipeline, event

Ask = Callable[..., list[str]]
ORIGIN = RemoteJobOrigin(RemoteRepositoryOrigin(RegisteredCodeLocationOrigin("here"), "all"), "ingest")
DAYS = ("2026-03-01", "2026-03-02", "2026-03-03")


@pytest.fixture
def pipeline(new_pipeline: Callable[..., Pipeline]) -> Pipeline:
    return new_pipeline(batch_events=3, batch_seconds=3600)


def named(request: dg.RunRequest) -> str:
    """Return a request as ``publish``, a day, or ``first..last``."""
    if request.job_name == "publish":
        return "publish"
    assert request.job_name in {"ingest", None}
    return request.partition_key or f"{request.tags[RANGE_START]}..{request.tags[RANGE_END]}"


def ask(pipeline: Pipeline) -> list[str]:
    resources = {"event_log": pipeline.log, "lake": pipeline.lake, "settings": pipeline.settings}
    loaded = build(pipeline.settings)  # so that a day that has no partition is refused as the daemon refuses it
    with dg.build_sensor_context(instance=pipeline.instance, resources=resources, definitions=loaded) as context:
        data = event_log_sensor.evaluate_tick(context)
    assert bool(data.run_requests) == (data.skip_message is None)
    return [named(request) for request in data.run_requests]


def record(pipeline: Pipeline, status: dg.DagsterRunStatus, job: str = "ingest", **tags: str) -> dg.DagsterRun:
    """Put a run into the instance as if it had come that far."""
    spelled = {
        RANGE_START: tags.pop("first", ""),
        RANGE_END: tags.pop("last", ""),
        FAILED_DAYS_TAG: tags.pop("failed", ""),
        PID_TAG: tags.pop("pid", ""),
    }
    tags = {name: value for name, value in spelled.items() if value}
    return pipeline.instance.add_run(dg.DagsterRun(job_name=job, status=status, tags=tags, remote_job_origin=ORIGIN))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[timedelta], None]:
    """Return a function that puts the sensor's clock forward."""

    def forward(by: timedelta) -> None:
        class Later(datetime):
            @classmethod
            def now(cls, tz: Any = None) -> datetime:
                return datetime.now(tz) + by

        monkeypatch.setattr(sensors, "datetime", Later)

    return forward


def test_nothing_was_said(pipeline: Pipeline) -> None:
    assert ask(pipeline) == []


def test_enough_events_start_a_run_and_fewer_wait(pipeline: Pipeline) -> None:
    pipeline.say(event("one"), event("two"))
    assert ask(pipeline) == []
    pipeline.say(event("three", when="2026-03-02T12:00:00+00:00"))
    assert ask(pipeline) == ["2026-03-01..2026-03-02"]


def test_one_old_event_starts_a_run(pipeline: Pipeline, clock: Callable[[timedelta], None]) -> None:
    pipeline.say(event("one"))
    clock(timedelta(seconds=3599))
    assert ask(pipeline) == []
    clock(timedelta(seconds=3601))
    assert ask(pipeline) == ["2026-03-01"]


@pytest.mark.parametrize("status", sensors.AT_WORK)
def test_what_is_queued_or_running_is_not_asked_for_again(pipeline: Pipeline, status: dg.DagsterRunStatus) -> None:
    pipeline.say(*(event("x", when=f"{day}T12:00:00+00:00") for day in DAYS))
    record(pipeline, status, first=DAYS[1], last=DAYS[1])
    assert ask(pipeline) == [DAYS[0], DAYS[2]]
    record(pipeline, status, first=DAYS[0], last=DAYS[2])
    assert ask(pipeline) == []


def test_the_run_of_a_killed_process_holds_nothing_back(pipeline: Pipeline) -> None:
    pipeline.say(*(event("x", when=f"{DAYS[0]}T12:00:00+00:00") for _ in range(3)))
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    record(pipeline, dg.DagsterRunStatus.STARTED, first=DAYS[0], last=DAYS[0], pid=str(gone.pid))
    assert ask(pipeline) == [DAYS[0]]
    record(pipeline, dg.DagsterRunStatus.STARTED, first=DAYS[0], last=DAYS[0], pid=str(os.getpid()))
    assert ask(pipeline) == []


def test_the_lake_ahead_of_the_release_starts_one_publish(pipeline: Pipeline) -> None:
    pipeline.say(*(event("x", when=f"{day}T12:00:00+00:00") for day in DAYS))
    pipeline.ingest()
    assert ask(pipeline) == ["publish"]
    queued = record(pipeline, dg.DagsterRunStatus.QUEUED, job="publish")
    assert ask(pipeline) == []
    pipeline.instance.delete_run(queued.run_id)
    pipeline.publish()
    assert ask(pipeline) == []
    pipeline.say(*(event("late", when=f"{DAYS[1]}T13:00:00+00:00") for _ in range(3)))
    assert ask(pipeline) == [DAYS[1]]
    pipeline.ingest(DAYS[1])
    assert ask(pipeline) == ["publish"]


def test_a_lost_lake_is_made_again_and_a_lost_index_published_again(pipeline: Pipeline) -> None:
    import shutil

    pipeline.say(*(event("x", when=f"{day}T12:00:00+00:00") for day in DAYS))
    pipeline.all()
    assert ask(pipeline) == []
    shutil.rmtree(pipeline.settings.index_dir)
    assert ask(pipeline) == ["publish"]
    pipeline.publish()
    assert ask(pipeline) == []
    shutil.rmtree(pipeline.settings.lake_dir)
    assert ask(pipeline) == [f"{DAYS[0]}..{DAYS[2]}"]


def test_a_run_that_died_between_episodes_and_vectors_is_done_again(pipeline: Pipeline) -> None:
    pipeline.say(*(event("x", when=f"{day}T12:00:00+00:00") for day in DAYS))
    pipeline.all()
    pipeline.say(*(event("late", when=f"{DAYS[1]}T13:00:00+00:00") for _ in range(3)))
    pipeline.ingest(DAYS[1], asset_selection=[dg.AssetKey("interactions"), dg.AssetKey("episodes")])
    assert ask(pipeline) == [DAYS[1]]


def test_a_failed_day_is_tried_alone_with_growing_pause_and_the_others_go_on(
    new_pipeline: Callable[..., Pipeline], clock: Callable[[timedelta], None]
) -> None:
    pipeline = new_pipeline(batch_events=1)
    pipeline.say(*(event("x", when=f"{day}T12:00:00+00:00") for day in DAYS))
    with sqlite3.connect(pipeline.settings.data / "events.db") as connection:
        connection.execute("UPDATE events SET payload = '[' WHERE seq = 2")
    connection.close()
    assert ask(pipeline) == ["2026-03-01..2026-03-03"]
    pipeline.ingest(may_fail=True)
    assert ask(pipeline) == [DAYS[0], DAYS[2]]
    assert pipeline.ingest(DAYS[0]).success
    assert pipeline.ingest(DAYS[2]).success
    assert ask(pipeline) == ["publish"]
    pipeline.publish()
    for pause in (30, 60, 120, 240, 480):
        clock(timedelta(seconds=pause - 10))
        assert ask(pipeline) == []
        clock(timedelta(seconds=pause + 1))
        assert ask(pipeline) == [DAYS[1]]
        pipeline.ingest(DAYS[1], may_fail=True)
    with sqlite3.connect(pipeline.settings.data / "events.db") as connection:
        connection.execute("UPDATE events SET payload = '{}' WHERE seq = 2")
    connection.close()
    assert pipeline.ingest(DAYS[1]).success
    clock(timedelta(0))
    assert ask(pipeline) == ["publish"]
    pipeline.say(*(event("more", when=f"{DAYS[1]}T13:00:00+00:00") for _ in range(3)))
    assert "2026-03-02" in ask(pipeline)  # its failures are forgotten once it did well


def test_failures_do_not_become_a_storm(pipeline: Pipeline, clock: Callable[[timedelta], None]) -> None:
    """A model that is away: every run fails with all its days, again and again."""
    days = [(datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=n)).date().isoformat() for n in range(60)]
    pipeline.say(*(event("x", when=f"{day}T12:00:00+00:00") for day in days[::2]))
    n_runs = 0
    for second in range(0, 300, 5):
        clock(timedelta(seconds=second))
        for request in ask(pipeline):
            n_runs += 1
            first, _, last = request.partition("..")
            run = record(
                pipeline, dg.DagsterRunStatus.FAILURE, first=first, last=last or first, failed=",".join(days[::2])
            )
            put_end(pipeline, run, second)
    assert 3 <= n_runs <= 5  # at 0, 30, 90 and 210 s


def test_crashes_do_not_become_a_storm(pipeline: Pipeline, clock: Callable[[timedelta], None]) -> None:
    days = [(datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=n)).date().isoformat() for n in range(60)]
    pipeline.say(*(event("x", when=f"{day}T12:00:00+00:00") for day in days))
    n_runs = 0
    for second in range(0, 200, 5):
        clock(timedelta(seconds=second))
        requests = ask(pipeline)
        assert len(requests) <= MAX_RETRIES
        n_runs += len(requests)
        for request in requests:
            first, _, last = request.partition("..")
            put_end(pipeline, record(pipeline, dg.DagsterRunStatus.FAILURE, first=first, last=last or first), second)
    assert n_runs < 40


def put_end(pipeline: Pipeline, run: dg.DagsterRun, seconds_from_now: int) -> None:
    at = datetime.now(UTC).replace(tzinfo=None) + timedelta(seconds=seconds_from_now)
    storage: Any = pipeline.instance.run_storage
    with storage.connect() as connection:
        connection.exec_driver_sql("UPDATE runs SET update_timestamp = ? WHERE run_id = ?", (str(at), run.run_id))


@pytest.mark.parametrize("status", [dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.FAILURE])
def test_days_go_on_while_a_publish_is_at_work_and_after_one_was_killed(
    pipeline: Pipeline, clock: Callable[[timedelta], None], status: dg.DagsterRunStatus
) -> None:
    pipeline.say(*(event("x", when=f"{DAYS[0]}T12:00:00+00:00") for _ in range(3)))
    pipeline.ingest()
    record(pipeline, status, job="publish")
    pipeline.say(*(event("more", when=f"{day}T13:00:00+00:00") for day in DAYS))
    assert ask(pipeline) == [f"{DAYS[0]}..{DAYS[2]}"]
    clock(timedelta(seconds=60))
    assert ("publish" in ask(pipeline)) == (status is dg.DagsterRunStatus.FAILURE)


def test_a_publish_that_failed_rests_and_one_that_succeeded_since_does_not(
    pipeline: Pipeline, clock: Callable[[timedelta], None]
) -> None:
    pipeline.say(*(event("x", when=f"{day}T12:00:00+00:00") for day in DAYS))
    pipeline.ingest()
    for _ in range(3):
        record(pipeline, dg.DagsterRunStatus.FAILURE, job="publish")
    assert ask(pipeline) == []
    clock(timedelta(seconds=119))
    assert ask(pipeline) == []
    clock(timedelta(seconds=122))
    assert ask(pipeline) == ["publish"]
    pipeline.publish()
    pipeline.say(*(event("more", when=f"{DAYS[0]}T13:00:00+00:00") for _ in range(3)))
    pipeline.ingest(DAYS[0])
    clock(timedelta(seconds=1))
    assert ask(pipeline) == ["publish"]


def test_no_publish_while_everything_is_embedded_again(pipeline: Pipeline) -> None:
    from resources.embedder import HashEmbedder

    pipeline.say(*(event("x", when=f"{day}T12:00:00+00:00") for day in DAYS))
    pipeline.all()
    pipeline.embedder = HashEmbedder(dim=32)
    aside = {day: pipeline.lake.path("episode_vectors", day) for day in DAYS[1:]}
    for path in aside.values():
        path.rename(path.with_suffix(".aside"))
    pipeline.ingest(DAYS[0])
    for path in aside.values():
        path.with_suffix(".aside").rename(path)
    assert ask(pipeline) == []
    pipeline.ingest(asset_selection=[dg.AssetKey("episode_vectors")])
    assert ask(pipeline) == ["publish"]


def test_a_day_that_has_no_partition_yet_does_not_stop_the_others(pipeline: Pipeline) -> None:
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).date().isoformat()
    pipeline.say(*(event("x", when=f"{day}T12:00:00+00:00") for day in DAYS))
    with sqlite3.connect(pipeline.settings.data / "events.db") as connection:  # the clock was set back
        connection.execute("UPDATE events SET partition_day = ? WHERE seq = 3", (tomorrow,))
    connection.close()
    assert ask(pipeline) == ["2026-03-01..2026-03-02"]


def test_the_nightly_run_seals_yesterday_and_what_still_waits(pipeline: Pipeline) -> None:
    pipeline.say(event("x"), event("y", when="2026-03-09T23:30:00+00:00"))
    schedule = nightly(pipeline.settings)
    assert (schedule.cron_schedule, schedule.execution_timezone) == ("0 2 * * *", "UTC")
    resources = {"event_log": pipeline.log, "lake": pipeline.lake}
    with dg.build_schedule_context(
        instance=pipeline.instance,
        resources=resources,
        repository_def=build(pipeline.settings).get_repository_def(),
        scheduled_execution_time=datetime(2026, 3, 10, 2, tzinfo=UTC),
    ) as context:
        found = schedule.evaluate_tick(context).run_requests
        assert [named(request) for request in found or []] == ["2026-03-01..2026-03-09"]
        pipeline.ingest()
        found = schedule.evaluate_tick(context).run_requests
        assert [named(request) for request in found or []] == ["2026-03-09"]
