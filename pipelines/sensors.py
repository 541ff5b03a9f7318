"""When the pipeline runs: as soon as enough events wait, or the oldest has waited long enough.

The sensor keeps no cursor. It compares the log with the lake and the lake with the release, so that a late event, a
failed day or a lake that was deleted are all the same to it: days whose tables lack events.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import dagster as dg
import psutil

from assets.index import models, ready_days
from assets.partitions import FAILED_DAYS_TAG, PID_TAG, RANGE_END, RANGE_START
from domain import batching
from domain.batching import Cause, Trouble
from pipelines.jobs import ingest, publish
from resources.event_log import EventLog
from resources.fact_tables import FactTables
from resources.lake import Lake
from resources.releases import Releases
from resources.settings import Settings
from resources.vector_index import are_there

_DAY = "dagster/partition"
AT_WORK = [
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
    built = {day: state.max_seq for day, state in ready_days(lake).items()}
    now = datetime.now(UTC)
    # A clock that was set back leaves events of tomorrow, which has no partition yet.
    days = [day for day in batching.due(head, built) if settings.day_rule.has_tables(day, now)]
    running, trouble = _runs(context.instance, now, set(head))
    days_running, day_trouble = running - {_PUBLISH}, {k: v for k, v in trouble.items() if k != _PUBLISH}
    requests: list[dg.RunRequest] = []
    if days and _is_time(event_log, head, built, settings, now):
        requests += [
            range_request("ingest", *pair) for pair in batching.plan(set(days), days_running, day_trouble, now)
        ]
    if (
        _PUBLISH not in running
        and batching.is_rested(trouble.get(_PUBLISH), now)
        and is_publish_due(lake, event_log, settings)
    ):
        requests.append(dg.RunRequest(job_name="publish"))
    yield from requests
    if not requests:
        yield dg.SkipReason(f"{len(days)} days wait, {len(running)} are at work, nothing is due yet")


def is_publish_due(lake: Lake, event_log: EventLog, settings: Settings) -> bool:
    """Return whether the lake has days, or states of days, that the current release lacks, or its index is gone.

    So it is when the facts lack extractions. Not while days hold vectors of two models: they are being embedded again,
    and the publish would refuse.
    """
    if len(models(lake)) > 1:
        return False
    current = Releases(lake.root).current()
    known = current.days if current else {}
    is_gone = current is not None and not are_there(settings.index_dir, current.buckets)
    return (
        is_gone
        or FactTables(lake, event_log, settings).is_due()
        or any(day not in known or known[day] != state for day, state in ready_days(lake).items())
    )


def _is_time(
    event_log: EventLog, head: dict[str, int], built: dict[str, int], settings: Settings, now: datetime
) -> bool:
    waiting, oldest = event_log.backlog({day: built.get(day, 0) for day in head})
    age = (now - oldest).total_seconds() if oldest else 0.0
    return batching.is_time(waiting, age, settings.batch_events, settings.batch_seconds)


def range_request(job: str, first: str, last: str, run_config: dict[str, Any] | None = None) -> dg.RunRequest:
    """Return the request for one run of a job over the days from ``first`` to ``last``."""
    if first == last:
        return dg.RunRequest(job_name=job, partition_key=first, run_config=run_config or {})
    return dg.RunRequest(job_name=job, tags={RANGE_START: first, RANGE_END: last}, run_config=run_config or {})


def recent_failures(instance: dg.DagsterInstance, job: str) -> Trouble | None:
    """Return how often a job has failed since it last succeeded, None for not at all."""
    since = datetime.now(UTC) - _TROUBLE_MEMORY
    failed = [at for run, at in _ended(instance, dg.DagsterRunStatus.FAILURE, since) if run.job_name == job]
    well = [at for run, at in _ended(instance, dg.DagsterRunStatus.SUCCESS, since) if run.job_name == job]
    later = [at for at in failed if not well or at > well[0]]
    return Trouble(len(later), later[0]) if later else None


def _runs(instance: dg.DagsterInstance, now: datetime, told: set[str]) -> tuple[set[str], dict[str, Trouble]]:
    """Return what runs are at work on, and what has failed since it last succeeded: days, and ``publish``.

    Args:
        instance: knows the runs.
        now: aware.
        told: the days that have events; the others of a run do not fail for whatever reason its days fail.
    """
    at_work = instance.get_runs(filters=dg.RunsFilter(statuses=AT_WORK))
    running = {what for run in at_work if _is_alive(run) for what in _subjects(run)}
    failed = _ended(instance, dg.DagsterRunStatus.FAILURE, now - _TROUBLE_MEMORY)
    well: dict[str, datetime] = {}
    for run, at in _ended(instance, dg.DagsterRunStatus.SUCCESS, failed[-1][1]) if failed else []:
        well |= {what: at for what in _subjects(run) if what not in well}
    trouble: dict[str, Trouble] = {}
    for run, at in failed:
        for what, cause in _blamed(run, {*told, _PUBLISH}).items():
            if what not in well or at > well[what]:
                last = trouble.get(what, Trouble(0, at, cause))
                trouble[what] = replace(last, failures=last.failures + 1)
    return running, trouble


def _is_alive(run: dg.DagsterRun) -> bool:
    """Return False for a run of a `hindsight run` whose process has been killed: nobody else would ever end it."""
    pid = run.tags.get(PID_TAG)
    return pid is None or psutil.pid_exists(int(pid))


def _ended(
    instance: dg.DagsterInstance, status: dg.DagsterRunStatus, since: datetime
) -> list[tuple[dg.DagsterRun, datetime]]:
    """Return the runs that ended so and when (UTC), newest first."""
    records = instance.get_run_records(filters=dg.RunsFilter(statuses=[status], updated_after=since), limit=500)
    ended = [(record.dagster_run, record.update_timestamp.replace(tzinfo=UTC)) for record in records]
    return sorted(ended, key=lambda pair: pair[1], reverse=True)


def _blamed(run: dg.DagsterRun, told: set[str]) -> dict[str, Cause]:
    """Return what failed in a run, and what is to blame."""
    subjects = _subjects(run) & told
    named = set(run.tags.get(FAILED_DAYS_TAG, "").split(",")) & subjects
    if not named:
        return dict.fromkeys(subjects, "crash")
    return dict.fromkeys(named, "run" if named == subjects else "day")


def _subjects(run: dg.DagsterRun) -> set[str]:
    """Return the days of a run; ``publish`` for a run that publishes."""
    selected = run.asset_selection or set()
    if run.job_name == "reflect" or selected == {dg.AssetKey("extractions")}:
        return set()  # it reads what ingest writes, and holds nothing back
    if run.job_name == "publish" or dg.AssetKey("release") in selected:
        return {_PUBLISH}
    first = run.tags.get(RANGE_START) or run.tags.get(_DAY)
    last = run.tags.get(RANGE_END) or run.tags.get(_DAY)
    if not first or not last:
        return set()
    begin, end = datetime.fromisoformat(first), datetime.fromisoformat(last)
    return {(begin + timedelta(days=n)).date().isoformat() for n in range((end - begin).days + 1)}
