"""The day partitions, and how a stage works through the days of its run."""

from collections.abc import Callable, Mapping

import dagster as dg

from domain.errors import Permanent
from resources.settings import load

_settings = load()

# end_offset=1: without it the last partition is yesterday's and today's events have no table.
by_day = dg.DailyPartitionsDefinition(
    start_date=_settings.first_day.isoformat(), timezone=_settings.timezone, end_offset=1
)

# Dagster's own names for the first and last day of a run.
RANGE_START = "dagster/asset_partition_range_start"
RANGE_END = "dagster/asset_partition_range_end"
FAILED_DAYS_TAG = "hindsight/failed_days"
PID_TAG = "hindsight/pid"
_NAMED_DAYS = 10

Metadata = Mapping[str, int | float | str]


def each_day(
    context: dg.AssetExecutionContext,
    work: Callable[[str], Metadata],
    checks: Callable[[list[Metadata]], list[dg.AssetCheckResult]],
) -> dg.MaterializeResult:
    """Do ``work`` for each day of the run; a day that fails does not hold back the others.

    ``work`` takes an ISO day and returns the metadata of its partition; ``checks`` makes the check results of the run
    from those. When days have failed, the good ones are written and reported, the run is tagged with the failed ones
    (the sensor tries those again, alone) and the step fails.

    Raises:
        Permanent: some days failed; names them and the first one's error.
    """
    days = list(context.partition_keys)
    failed: dict[str, Exception] = {}
    done: dict[str, Metadata] = {}
    for n, day in enumerate(days, 1):
        try:
            done[day] = work(day)
        except Exception as error:  # noqa: BLE001 - a day is what fails apart; it is named below and fails the step
            context.log.warning(f"{day} failed: {type(error).__name__}: {error}")
            failed[day] = error
        if n % 50 == 0:
            context.log.info(f"{context.asset_key.to_user_string()}: {n} of {len(days)} days")
    if failed:
        for day, metadata in done.items():
            context.log_event(dg.AssetMaterialization(context.asset_key, partition=day, metadata=dict(metadata)))
        context.instance.add_run_tags(context.run.run_id, {FAILED_DAYS_TAG: ",".join(sorted(failed))})
        first = min(failed)
        named = ", ".join(sorted(failed)[:_NAMED_DAYS]) + (" …" if len(failed) > _NAMED_DAYS else "")
        raise Permanent(f"{len(failed)} of {len(days)} days failed: {named}; {first}: {failed[first]}")
    for day, metadata in done.items():
        context.add_asset_metadata(dict(metadata), asset_key=context.asset_key, partition_key=day)
    return dg.MaterializeResult(check_results=checks(list(done.values())))


def total(done: list[Metadata], name: str) -> int:
    """Return the sum of one number over the days of a run."""
    return sum(int(metadata[name]) for metadata in done)
