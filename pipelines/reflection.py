"""When users are reflected on: nightly, on request, and once a user has said enough that is new.

Which days are due stands in the lake, which requests are open in the log; the cursor only spares reading requests that
were answered long ago.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import lru_cache

import dagster as dg

from assets.index import ready_days
from domain import batching, labels
from domain.records import Event
from pipelines.jobs import reflect
from pipelines.sensors import AT_WORK, range_request, recent_failures
from resources.event_log import EventLog
from resources.lake import Lake
from resources.reflect_requests import MAX_STARTS, ReflectRequests
from resources.settings import Settings


def due_days(lake: Lake) -> list[str]:
    """Return the days whose episodes are not all reflected on, ascending."""
    done = lake.stamps("extractions")
    return [
        day
        for day, stamp in lake.stamps("episodes").items()
        if stamp.rows and (day not in done or done[day].made_from != stamp.digest)
    ]


def reflect_requests(days: list[str], users: list[str], requests: list[str]) -> Iterator[dg.RunRequest]:
    """Yield the runs that reflect on some days, of these users or of all."""
    config = {"ops": {"extractions": {"config": {"users": users, "requests": requests}}}}
    pairs = [(days[0], days[-1])] if requests else batching.together(days)
    for first, last in pairs:
        yield range_request("reflect", first, last, run_config=config)


def reflection(settings: Settings) -> dg.ScheduleDefinition:
    """Return the schedule of ``HINDSIGHT_REFLECTION_CRON``."""

    @dg.schedule(
        job=reflect,
        name="reflection",
        cron_schedule=settings.reflection_cron,
        execution_timezone=settings.timezone,
        default_status=dg.DefaultScheduleStatus.RUNNING,
    )
    def schedule(
        _context: dg.ScheduleEvaluationContext, lake: dg.ResourceParam[Lake]
    ) -> Iterator[dg.RunRequest | dg.SkipReason]:
        if days := due_days(lake):
            yield from reflect_requests(days, [], [])
        else:
            yield dg.SkipReason("every day is reflected on")

    return schedule


@dg.sensor(jobs=[reflect], minimum_interval_seconds=5, default_status=dg.DefaultSensorStatus.RUNNING)
def reflection_sensor(
    context: dg.SensorEvaluationContext,
    event_log: dg.ResourceParam[EventLog],
    lake: dg.ResourceParam[Lake],
    settings: dg.ResourceParam[Settings],
) -> Iterator[dg.RunRequest | dg.SkipReason]:
    """Start a run for users who asked to be reflected on, and for those who said enough since the last time."""
    at_work = context.instance.get_runs(filters=dg.RunsFilter(job_name="reflect", statuses=AT_WORK), limit=1)
    trouble = recent_failures(context.instance, "reflect")
    if at_work or not batching.is_rested(trouble, datetime.now(UTC)):
        yield dg.SkipReason("a reflection is at work" if at_work else "the last one failed; it rests")
        return
    asked = ReflectRequests(event_log)
    last_seq = event_log.last_seq()
    unfinished = asked.unfinished(int(context.cursor or 0))
    context.update_cursor(str(min([last_seq, *(request.seq - 1 for request in unfinished)])))
    built = {day: state.max_seq for day, state in ready_days(lake).items()}
    ready = [request for request in unfinished if _is_ingested(request, event_log, built)]
    given_up = [request for request in ready if asked.starts(request) >= MAX_STARTS]
    asked.say(given_up, "failed", {"reason": f"{MAX_STARTS} runs for it were killed; see Dagster's page"})
    request = next((r for r in ready if asked.starts(r) < MAX_STARTS), None)
    days = due_days(lake)
    if request is not None:
        since = request.payload["since"]
        wanted = [day for day in days if day >= since] or [datetime.now(settings.day_rule.zone).date().isoformat()]
        yield from reflect_requests(wanted, [request.user_id], [request.event_id])
    elif settings.reflect_after and (users := talkative(lake, event_log, days, settings.reflect_after)):
        yield from reflect_requests(days, users, [])
    else:
        yield dg.SkipReason("nobody asked, and nobody said enough")


def _is_ingested(request: Event, log: EventLog, built: dict[str, int]) -> bool:
    """Return whether all that the user had said when they asked is in the tables."""
    floors = {day: built.get(day, 0) for day in log.day_heads()}
    tail = log.read_user_tail(request.user_id, floors)
    return not any(event.seq < request.seq for event in tail)


def talkative(lake: Lake, log: EventLog, days: list[str], enough: int) -> list[str]:
    """Return the users who have at least ``enough`` salient episodes that are newer than their last reflection."""
    said: dict[str, list[datetime]] = {}
    for day in days:
        for user_id, recorded_at in _salient(lake, day, lake.stamp("episodes", day).digest):
            said.setdefault(user_id, []).append(recorded_at)
    found = []
    for user_id, moments in sorted(said.items()):
        if len(moments) >= enough:
            last = log.last_of_kind("reflected", user_id)
            if sum(last is None or moment > last.recorded_at for moment in moments) >= enough:
                found.append(user_id)
    return found


# Asked every few seconds: a day is read again only when it has changed.
@lru_cache(maxsize=4_096)
def _salient(lake: Lake, day: str, _digest: str) -> tuple[tuple[str, datetime], ...]:
    """Return user and recorded time of each salient episode of a day."""
    rows = lake.read("episodes", day, ["user_id", "salience", "recorded_at"])
    return tuple(
        (row["user_id"], row["recorded_at"])
        for row in (rows.to_pylist() if rows is not None else [])
        if row["salience"] >= labels.LOW_SALIENCE
    )
