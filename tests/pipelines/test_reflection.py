"""When users are reflected on: on request, after they said enough, nightly. Asked as Dagster's daemon asks."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import dagster as dg
import pytest

from assets.partitions import RANGE_END, RANGE_START
from pipelines.definitions import build
from pipelines.reflection import reflection, reflection_sensor
from resources.reflect_requests import MAX_STARTS, ReflectRequests
from tests.pipeline_runs import Pipeline, event

from .test_sensors import record

DAY_1, DAY_2 = "2026-03-01", "2026-03-02"
NOON = "T12:00:00+00:00"
Asked = list[tuple[str, list[str]]]


@pytest.fixture
def pipeline(new_pipeline: Callable[..., Pipeline]) -> Pipeline:
    return new_pipeline(reflect_after=5, review="auto")


def ticked(pipeline: Pipeline) -> list[dg.RunRequest]:
    resources = {"event_log": pipeline.log, "lake": pipeline.lake, "settings": pipeline.settings}
    loaded = build(pipeline.settings)
    with dg.build_sensor_context(instance=pipeline.instance, resources=resources, definitions=loaded) as context:
        return reflection_sensor.evaluate_tick(context).run_requests or []


def days_and_users(request: dg.RunRequest) -> tuple[str, list[str]]:
    days = request.partition_key or f"{request.tags[RANGE_START]}..{request.tags[RANGE_END]}"
    return days, request.run_config["ops"]["extractions"]["config"]["users"]


def ask(pipeline: Pipeline) -> Asked:
    return [days_and_users(request) for request in ticked(pipeline)]


def do(pipeline: Pipeline, request: dg.RunRequest) -> None:
    """Run what was requested."""
    day = {RANGE_START: request.partition_key, RANGE_END: request.partition_key} if request.partition_key else {}
    tags = {**day, **{k: v for k, v in request.tags.items() if k in {RANGE_START, RANGE_END}}}
    assert pipeline.run("reflect", tags=tags, run_config=request.run_config).success


def said(user: str, n: int, day: str = DAY_1, what: str = "I love dish number") -> list[object]:
    return [event(f"{what} {k}", user, f"{day}T12:{k:02}:00+00:00") for k in range(n)]


def test_nobody_asked_and_nobody_said_enough(pipeline: Pipeline) -> None:
    assert ask(pipeline) == []
    pipeline.say(*said("ana", 4), *(event("谢谢！", "ben", f"{DAY_1}T12:{n:02}:00+00:00") for n in range(9)))  # type: ignore[arg-type]
    pipeline.ingest()
    assert ask(pipeline) == []


def test_a_request_waits_for_what_was_said_before_it_and_is_answered_once(pipeline: Pipeline) -> None:
    requests = ReflectRequests(pipeline.log)
    pipeline.say(event("我对花生过敏", "lin", DAY_1 + NOON), event("I'm allergic to eggs", "ana", DAY_2 + NOON))
    state = requests.ask("lin", "global", None, "agent")
    assert state.status == "accepted"
    assert ask(pipeline) == []
    pipeline.ingest()
    (wanted,) = ticked(pipeline)
    assert days_and_users(wanted) == (f"{DAY_1}..{DAY_2}", ["lin"])
    do(pipeline, wanted)
    done = requests.state("lin", state.request_id)
    assert (done.status, done.result, done.told["accepted"], done.days) == ("finished", "ok", 1, 1)
    assert {row["user_id"] for row in pipeline.extractions()} == {"lin"}
    assert ask(pipeline) == []


def test_a_request_with_nothing_new_is_answered_too(pipeline: Pipeline) -> None:
    pipeline.say(event("I'm allergic to eggs", "ana", DAY_1 + NOON))
    pipeline.ingest()
    pipeline.reflect()
    state = ReflectRequests(pipeline.log).ask("ana", "global", None, "agent")
    pipeline.ingest()
    (wanted,) = ticked(pipeline)
    do(pipeline, wanted)
    done = ReflectRequests(pipeline.log).state("ana", state.request_id)
    assert (done.status, done.result, done.told["accepted"]) == ("finished", "ok", 0)


def test_only_the_days_since_are_reflected_on(pipeline: Pipeline) -> None:
    pipeline.say(event("I'm allergic to eggs", "ana", DAY_1 + NOON), event("I'm allergic to nuts", "ana", DAY_2 + NOON))
    ReflectRequests(pipeline.log).ask("ana", "global", date.fromisoformat(DAY_2), "agent")
    pipeline.ingest()
    assert ask(pipeline) == [(DAY_2, ["ana"])]


def test_who_said_enough_that_is_new_is_reflected_on_once(pipeline: Pipeline) -> None:
    pipeline.say(*said("ana", 5), *said("ben", 4), *said("lin", 3), *said("lin", 3, DAY_2))  # type: ignore[arg-type]
    pipeline.ingest()
    (wanted,) = ticked(pipeline)
    assert days_and_users(wanted) == (f"{DAY_1}..{DAY_2}", ["ana", "lin"])
    do(pipeline, wanted)
    assert ask(pipeline) == []
    pipeline.say(*said("ben", 1, what="I hate dish"), *said("ana", 4, what="I hate dish"))  # type: ignore[arg-type]
    pipeline.ingest()
    assert ask(pipeline) == [(DAY_1, ["ben"])]


@pytest.mark.parametrize("status", [dg.DagsterRunStatus.QUEUED, dg.DagsterRunStatus.STARTED])
def test_one_reflection_at_a_time(pipeline: Pipeline, status: dg.DagsterRunStatus) -> None:
    pipeline.say(*said("ana", 5))  # type: ignore[arg-type]
    pipeline.ingest()
    record(pipeline, status, job="reflect", first=DAY_1, last=DAY_1)
    assert ask(pipeline) == []


def test_a_reflection_that_failed_rests_and_holds_no_ingest_back(pipeline: Pipeline) -> None:
    from .test_sensors import ask as ask_for_ingest

    pipeline.say(*said("ana", 5))  # type: ignore[arg-type]
    pipeline.ingest()
    record(pipeline, dg.DagsterRunStatus.FAILURE, job="reflect", first=DAY_1, last=DAY_1)
    assert ask(pipeline) == []
    pipeline.settings = pipeline.settings.model_copy(update={"batch_events": 1})
    pipeline.say(event("more", "ana", DAY_1 + NOON))
    assert DAY_1 in ask_for_ingest(pipeline)


def test_a_request_whose_runs_are_killed_fails_in_the_end(pipeline: Pipeline) -> None:
    requests = ReflectRequests(pipeline.log)
    pipeline.say(event("I'm allergic to eggs", "ana", DAY_1 + NOON))
    state = requests.ask("ana", "global", None, "agent")
    pipeline.ingest()
    for _ in range(MAX_STARTS):
        assert len(ask(pipeline)) == 1
        requests.say(requests.named([state.request_id]), "started")  # and killed
    assert ask(pipeline) == []
    assert requests.state("ana", state.request_id).result == "failed"


@pytest.mark.parametrize("zone", ["UTC", "Asia/Shanghai", "America/New_York"])
def test_the_schedule_reflects_on_every_day_that_is_due(new_pipeline: Callable[..., Pipeline], zone: str) -> None:
    pipeline = new_pipeline(timezone=zone, reflection_cron="0 */4 * * *")
    pipeline.say(event("I'm allergic to eggs", "ana", DAY_1 + NOON), event("I'm allergic to nuts", "ana", DAY_2 + NOON))
    schedule = reflection(pipeline.settings)
    assert (schedule.cron_schedule, schedule.execution_timezone) == ("0 */4 * * *", zone)
    now = datetime.now(UTC) + timedelta(hours=1)
    with dg.build_schedule_context(resources={"lake": pipeline.lake}, scheduled_execution_time=now) as context:
        assert schedule.evaluate_tick(context).run_requests == []
        pipeline.ingest()
        (wanted,) = schedule.evaluate_tick(context).run_requests or []
    assert days_and_users(wanted) == (f"{DAY_1}..{DAY_2}", [])
    do(pipeline, wanted)
    with dg.build_schedule_context(resources={"lake": pipeline.lake}, scheduled_execution_time=now) as context:
        assert schedule.evaluate_tick(context).run_requests == []
