"""Stage 1 of 6, raw: the events of a day as they came, verbatim.

Reads the event log, writes ``interactions``. Which day an event belongs to: domain.days. This file only connects them.
"""

from datetime import datetime

import dagster as dg

from assets.partitions import Metadata, by_day, each_day, total
from domain import ids, tables
from domain.records import Event
from resources.event_log import EventLog
from resources.lake import Lake, checked, seen
from resources.settings import Settings


@dg.asset(
    partitions_def=by_day,
    backfill_policy=dg.BackfillPolicy.single_run(),
    group_name="raw",
    code_version="1",
    check_specs=[
        dg.AssetCheckSpec(
            "structure", asset="interactions", description="Columns and types as in domain.tables; ids once."
        ),
        dg.AssetCheckSpec(
            "events_outside_the_day_range",
            asset="interactions",
            description="Events filed under their recorded day because their own has no tables (2011, next year). "
            "They are searchable like all others; only a backfill of their own day does not touch them.",
        ),
    ],
    kinds={"parquet"},
)
def interactions(
    context: dg.AssetExecutionContext,
    event_log: dg.ResourceParam[EventLog],
    lake: dg.ResourceParam[Lake],
    settings: dg.ResourceParam[Settings],
) -> dg.MaterializeResult:
    """Every event of a day as agents and imports handed it in: what all later tables are made from.

    One row an event, by user and time. Sealing a day again gives the same bytes until a later event arrives for it.
    """

    def seal(day: str) -> Metadata:
        events = event_log.read_day(day)
        rows = tables.from_rows([_row(event) for event in events], tables.INTERACTIONS, "interactions")
        newest = max((event.seq for event in events), default=0)
        written = lake.write("interactions", day, checked(rows, tables.INTERACTIONS, "event_id"), seen(newest))
        return {
            "rows": len(rows),
            "users": len(rows["user_id"].unique()),
            "max_seq": newest,
            "events_outside": sum(settings.day_rule.is_outside(event.occurred_at, day) for event in events),
            "replaced": str(written),
        }

    return each_day(context, seal, _checks)


def _row(event: Event) -> dict[str, str | int | datetime]:
    offset = event.occurred_at.utcoffset()
    return {
        "event_id": event.event_id,
        "seq": event.seq,
        "kind": event.kind,
        "user_id": event.user_id,
        "agent_id": event.agent_id,
        "scope": event.scope,
        "session_id": event.session_id,
        "occurred_at": event.occurred_at,
        "utc_offset_min": int(offset.total_seconds() // 60) if offset else 0,
        "recorded_at": event.recorded_at,
        "payload": ids.json_text(event.payload),
    }


def _checks(done: list[Metadata]) -> list[dg.AssetCheckResult]:
    outside = total(done, "events_outside")
    return [
        dg.AssetCheckResult(check_name="structure", passed=True, metadata={"rows": total(done, "rows")}),
        dg.AssetCheckResult(
            check_name="events_outside_the_day_range",
            passed=outside == 0,
            severity=dg.AssetCheckSeverity.WARN,
            metadata={"events_outside": outside},
        ),
    ]
