"""A job in this process, recorded in Dagster's storage as a run like any other."""

from dataclasses import dataclass

import dagster as dg

from pipelines.definitions import build
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


def execute(settings: Settings, job: str, days: tuple[str, str] | None, only: list[str] | None = None) -> Outcome:
    """Run a job and wait for its end; a step that fails is in the outcome, not raised.

    Args:
        settings: of the data folder; ``DAGSTER_HOME`` must be set.
        job: ``ingest`` or ``publish``.
        days: first and last ISO day of an ``ingest``.
        only: names of the assets to materialise, None for all of the job.
    """
    definitions = build(settings)
    tags = (
        {"dagster/asset_partition_range_start": days[0], "dagster/asset_partition_range_end": days[1]} if days else {}
    )
    with dg.DagsterInstance.get() as instance:
        result = definitions.resolve_job_def(job).execute_in_process(
            instance=instance,
            tags=tags,
            raise_on_error=False,
            asset_selection=[dg.AssetKey(name) for name in only] if only else None,
        )
        stats = instance.get_run_step_stats(result.run_id)
    seconds = {s.step_key: s.end_time - s.start_time for s in stats if s.start_time and s.end_time}
    failed = [event for event in result.all_events if event.is_step_failure]
    return Outcome(result.run_id, seconds, [_line(event) for event in failed])


def _line(event: dg.DagsterEvent) -> str:
    error = event.step_failure_data.error
    cause = error.cause if error and error.cause else error
    return f"{event.step_key} failed: {cause.message.strip() if cause else 'for an unknown reason'}"
