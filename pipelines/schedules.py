"""The nightly run: yesterday is sealed, and days that still lack events are tried once more."""

from collections.abc import Iterator
from datetime import timedelta

import dagster as dg

from assets.index import ready_days
from domain import batching
from pipelines.jobs import ingest
from pipelines.sensors import range_request
from resources.event_log import EventLog
from resources.lake import Lake
from resources.settings import Settings


def nightly(settings: Settings) -> dg.ScheduleDefinition:
    """Return the schedule of ``HINDSIGHT_NIGHTLY_CRON``; the sensor publishes what its runs have changed."""

    @dg.schedule(
        job=ingest,
        name="nightly",
        cron_schedule=settings.nightly_cron,
        execution_timezone=settings.timezone,
        default_status=dg.DefaultScheduleStatus.RUNNING,
    )
    def schedule(
        context: dg.ScheduleEvaluationContext, event_log: dg.ResourceParam[EventLog], lake: dg.ResourceParam[Lake]
    ) -> Iterator[dg.RunRequest]:
        local = context.scheduled_execution_time.astimezone(settings.day_rule.zone)
        yesterday = (local.date() - timedelta(days=1)).isoformat()
        built = {day: state.max_seq for day, state in ready_days(lake).items()}
        heads = event_log.day_heads()
        due = [
            d for d in batching.due(heads, built) if settings.day_rule.has_tables(d, context.scheduled_execution_time)
        ]
        for first, last in batching.together([*due, max(yesterday, settings.first_day.isoformat())]):
            yield range_request("ingest", first, last)

    return schedule
