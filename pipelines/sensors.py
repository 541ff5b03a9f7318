"""When the pipeline runs: as soon as enough events wait, or the oldest has waited long enough.

The sensor keeps no cursor. It compares the log with the lake and the lake with the release, so that a late event, a
failed day or a lake that was deleted are all the same to it: days whose tables lack events.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import dagster as dg

from assets.index import ready_days
from assets.partitions import FAILED_DAYS_TAG
from domain import batching
from domain.batching import Trouble
from pipelines.jobs import ingest, publish
from resources.event_log import EventLog
from resources.lake import Lake
from resources.releases import Releases
from resources.settings import Settings

_FIRST, _LAST, _DAY = "dagster/asset_partition_range_start", "dagster/asset_partition_range_end", "dagster/partition"
_AT_WORK = [
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
    dg.DagsterRunStatus.CANCELING,
]
_TROUBLE_MEMORY = timedelta(days=1)
_PUBLISH = "publish"


@dg.sensor(jobs=[ingest, publish], minimum_interval_seconds=5, default_status=dg.DefaultSensorStatus.RUNNING)
def event_log_sensor(
    context: dg.SensorEvaluationContext,
    event_log: dg.ResourceParam[EventLog],
    lake: dg.ResourceParam[Lake],
    settings: dg.ResourceParam[Settings],
) -> Iterator[dg.RunRequest | dg.SkipReason]:
    """Start a run for the days that lack events, and a publish for the days that the release lacks."""
    head = event_log.day_heads()
    built = {day: stamp.max_seq for day, stamp in lake.stamps("episode_vectors").items()}
    days = batching.due(head, built)
    now = datetime.now(UTC)
    running, trouble = _runs(context.instance, now)
    requests: list[dg.RunRequest] = []
    if days and _is_time(event_log, head, built, settings, now):
        requests += [ingest_request(*pair) for pair in batching.plan(set(days), running, trouble, now)]
    if is_publish_due(lake) and _PUBLISH not in running and _rested(trouble.get(_PUBLISH), now):
        requests.append(dg.RunRequest(job_name="publish"))
    yield from requests
    if not requests:
        yield dg.SkipReason(f"{len(days)} days wait, {len(running)} are at work, nothing is due yet")


def is_publish_due(lake: Lake) -> bool:
    """Return whether the lake has days, or states of days, that the current release lacks."""
    current = Releases(lake.root).current()
    known = current.days if current else {}
    return any(day not in known or known[day] != state for day, state in ready_days(lake).items())


def _is_time(
    event_log: EventLog, head: dict[str, int], built: dict[str, int], settings: Settings, now: datetime
) -> bool:
    waiting, oldest = event_log.backlog({day: built.get(day, 0) for day in head})
    age = (now - oldest).total_seconds() if oldest else 0.0
    return batching.is_time(waiting, age, settings.batch_events, settings.batch_seconds)


def _rested(trouble: Trouble | None, now: datetime) -> bool:
    return trouble is None or now >= trouble.last_at + batching.pause(trouble.failures)


def ingest_request(first: str, last: str) -> dg.RunRequest:
    """Return the request for one run over the days from ``first`` to ``last``."""
    if first == last:
        return dg.RunRequest(job_name="ingest", partition_key=first)
    return dg.RunRequest(job_name="ingest", tags={_FIRST: first, _LAST: last})


def _runs(instance: dg.DagsterInstance, now: datetime) -> tuple[set[str], dict[str, Trouble]]:
    """Return what runs are at work on, and what has failed of late: days, and ``publish``."""
    at_work = instance.get_runs(filters=dg.RunsFilter(statuses=_AT_WORK))
    running = {what for run in at_work for what in _subjects(run, only_failed=False)}
    lately = dg.RunsFilter(statuses=[dg.DagsterRunStatus.FAILURE], updated_after=now - _TROUBLE_MEMORY)
    trouble: dict[str, Trouble] = {}
    for record in instance.get_run_records(filters=lately, limit=500):  # newest first
        for what in _subjects(record.dagster_run, only_failed=True):
            known = trouble.get(what, Trouble(0, record.update_timestamp.replace(tzinfo=UTC)))
            trouble[what] = Trouble(known.failures + 1, known.last_at)
    return running, trouble


def _subjects(run: dg.DagsterRun, *, only_failed: bool) -> set[str]:
    """Return the days of a run, or those that failed in it; ``publish`` for a run that publishes."""
    if run.job_name == "publish" or dg.AssetKey("release") in (run.asset_selection or ()):
        return {_PUBLISH}
    if only_failed and (named := run.tags.get(FAILED_DAYS_TAG)):
        return set(named.split(","))
    first = run.tags.get(_FIRST) or run.tags.get(_DAY)
    last = run.tags.get(_LAST) or run.tags.get(_DAY)
    if not first or not last:
        return set()
    begin, end = datetime.fromisoformat(first), datetime.fromisoformat(last)
    return {(begin + timedelta(days=n)).date().isoformat() for n in range((end - begin).days + 1)}
