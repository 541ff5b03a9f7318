"""A job in this process, recorded in Dagster's storage as a run like any other."""

import os
from dataclasses import dataclass

import dagster as dg

from assets.partitions import FAILED_DAYS_TAG, PID_TAG, RANGE_END, RANGE_START
from domain import batching
from pipelines.definitions import build
from resources import wiring
from resources.settings import Settings


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run did.

    Attributes:
        run_id: Dagster's.
        seconds: by stage.
        failures: one line for each step that failed.
    """

    run_id: str
    seconds: dict[str, float]
    failures: list[str]

    def and_then(self, later: "Outcome") -> "Outcome":
        """Return this and a later outcome as one."""
        seconds = {
            name: self.seconds.get(name, 0.0) + later.seconds.get(name, 0.0)
            for name in {**self.seconds, **later.seconds}
        }
        return Outcome(later.run_id, seconds, [*self.failures, *later.failures])


def execute(settings: Settings, job: str, days: tuple[str, str] | None, only: list[str] | None = None) -> Outcome:
    """Run a job and wait for its end; a step that fails is in the outcome, not raised.

    A day that fails ends its stage, and with it the stages after it: the other days then run again without it.

    Args:
        settings: of the data folder; ``DAGSTER_HOME`` must be set.
        job: ``ingest`` or ``publish``.
        days: first and last ISO day of an ``ingest``.
        only: names of the assets to materialise, None for all of the job.
    """
    with dg.DagsterInstance.get() as instance:
        whole, bad = _run(instance, settings, job, days, only)
        if days and bad and not only:
            log = wiring.open_log(settings)
            others = [day for day in log.day_heads() if days[0] <= day <= days[1]]
            log.close()
            waiting = batching.together(set(others) - bad, barriers=bad)
            while waiting:
                pair = waiting.pop()
                outcome, more = _run(instance, settings, job, pair, None)
                whole = whole.and_then(outcome)
                inside = {day for day in others if pair[0] <= day <= pair[1]} - more
                waiting += batching.together(inside, barriers=more) if more else []
    return whole


def _run(
    instance: dg.DagsterInstance, settings: Settings, job: str, days: tuple[str, str] | None, only: list[str] | None
) -> tuple[Outcome, set[str]]:
    """Return what one run did, and the days that failed in it."""
    tags = {PID_TAG: str(os.getpid()), **({RANGE_START: days[0], RANGE_END: days[1]} if days else {})}
    result = (
        build(settings)
        .resolve_job_def(job)
        .execute_in_process(
            instance=instance,
            tags=tags,
            raise_on_error=False,
            run_config={"loggers": {"console": {"config": {"log_level": "WARNING"}}}},  # the rest is in Dagster
            asset_selection=[dg.AssetKey(name) for name in only] if only else None,
        )
    )
    stats = instance.get_run_step_stats(result.run_id)
    seconds = {s.step_key: s.end_time - s.start_time for s in stats if s.start_time and s.end_time}
    failed = [event for event in result.all_events if event.is_step_failure]
    run = instance.get_run_by_id(result.run_id)
    named = run.tags.get(FAILED_DAYS_TAG, "") if run else ""
    return Outcome(result.run_id, seconds, [_line(event) for event in failed]), set(filter(None, named.split(",")))


def _line(event: dg.DagsterEvent) -> str:
    error = event.step_failure_data.error
    cause = error.cause if error and error.cause else error
    return f"{event.step_key} failed: {cause.message.strip() if cause else 'for an unknown reason'}"
