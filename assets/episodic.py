"""Stage 2 of 6, episodic: the turns of a day become episodes with their labels.

Reads ``interactions``, writes ``episodes``. How turns are paired: domain.episodes; labels: domain.labels; what
"next Friday" means: domain.timewords. This file only connects them.
"""

import json
from collections.abc import Mapping
from datetime import timedelta, timezone
from typing import Any

import dagster as dg

from assets.partitions import Metadata, by_day, each_day, total
from domain import episodes as building
from domain import labels, tables
from domain.records import TOLD_KINDS, Event
from resources.lake import Lake, checked, stamp_of


@dg.asset(
    partitions_def=by_day,
    backfill_policy=dg.BackfillPolicy.single_run(),
    deps=["interactions"],
    group_name="episodic",
    code_version="1",
    check_specs=[
        dg.AssetCheckSpec(
            "structure", asset="episodes", description="Columns and types as in domain.tables; ids once."
        ),
        dg.AssetCheckSpec(
            "every_event_is_kept", asset="episodes", description="Each event is in one episode's sources."
        ),
    ],
    kinds={"parquet"},
)
def episodes(context: dg.AssetExecutionContext, lake: dg.ResourceParam[Lake]) -> dg.MaterializeResult:
    """What happened, one row a thing: who said what, what the agent did, how it ended, and when it was about.

    Made from the day's own events alone, so a late event changes its own day only.
    """

    def pair(day: str) -> Metadata:
        raw = lake.read("interactions", day)
        events = [_event(row, day) for row in raw.to_pylist()] if raw is not None else []
        made = building.build(events)
        rows = checked(tables.from_rows(building.rows(made), tables.EPISODES, "episodes"), tables.EPISODES, "memory_id")
        lake.write("episodes", day, rows, stamp_of(raw))
        return {
            "rows": len(made),
            "events": sum(event.kind in TOLD_KINDS for event in events),
            "sources": sum(len(episode.source_event_ids) for episode in made),
            "low_salience": sum(episode.salience < labels.LOW_SALIENCE for episode in made),
            "with_event_time": sum(episode.event_start is not None for episode in made),
        }

    return each_day(context, pair, _checks)


def _checks(done: list[Metadata]) -> list[dg.AssetCheckResult]:
    events, sources = total(done, "events"), total(done, "sources")
    return [
        dg.AssetCheckResult(check_name="structure", passed=True, metadata={"rows": total(done, "rows")}),
        dg.AssetCheckResult(
            check_name="every_event_is_kept",
            passed=events == sources,
            metadata={"events": events, "in_episodes": sources},
        ),
    ]


def _event(row: Mapping[str, Any], day: str) -> Event:
    offset = timezone(timedelta(minutes=row["utc_offset_min"]))
    own = {name: row[name] for name in ("seq", "event_id", "kind", "user_id", "agent_id", "scope", "session_id")}
    return Event(
        **own,
        occurred_at=row["occurred_at"].astimezone(offset),
        partition_day=day,
        recorded_at=row["recorded_at"],
        payload=json.loads(row["payload"]),
    )
