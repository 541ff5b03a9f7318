"""Stage 4 of 6, semantic: what users said becomes facts that can prove where they came from.

Reads ``episodes``, writes ``extractions`` (what the reflection of a day proposed) and ``facts`` with the operations
that made them; ``llm_calls`` is the ledger by day. Who proposes: resources.extractors; whether it stands:
domain.verification; what becomes of it: domain.consolidation. This file only connects them.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any

import dagster as dg
import pyarrow as pa
from pydantic import Field

from assets.partitions import Metadata, by_day, each_day, total
from assets.pictures import bars
from domain import reflection_chunks, tables
from domain.episodes import Episode, from_row
from domain.facts import as_row
from domain.records import Event
from domain.reflection_checks import faults, is_dated_as_learnt
from domain.reflection_chunks import Chunk
from resources import extractors
from resources.event_log import EventLog
from resources.fact_tables import Counts, FactTables
from resources.files import locked
from resources.lake import Lake, checked, stamp_of
from resources.layout import publish_lock
from resources.ledger import Ledger
from resources.reflect_requests import ReflectRequests
from resources.reflector import Outcome, Reflector
from resources.settings import Settings

_MIN_RETIRED = 20  # of fewer facts a share says nothing
_MIN_DATED = 5
_NAMED_FAILURES = 50


class ReflectConfig(dg.Config):
    """Whom to reflect on: user ids, none for everybody; and the requests that the run answers."""

    users: list[str] = Field(default_factory=list)
    requests: list[str] = Field(default_factory=list)


@dg.asset(
    partitions_def=by_day,
    backfill_policy=dg.BackfillPolicy.single_run(),
    deps=["interactions"],
    group_name="semantic",
    code_version="1",
    check_specs=[
        dg.AssetCheckSpec(
            "structure", asset="llm_calls", description="Columns and types as in domain.tables; ids once."
        )
    ],
    kinds={"parquet"},
)
def llm_calls(context: dg.AssetExecutionContext, lake: dg.ResourceParam[Lake]) -> dg.MaterializeResult:
    """The ledger: each call of a model on the day it was made, failures too, without the answers' texts."""

    def copy(day: str) -> Metadata:
        raw = lake.read("interactions", day)
        rows = [_call(row) for row in raw.to_pylist() if row["kind"] == "llm_call"] if raw is not None else []
        made = checked(tables.from_rows(rows, tables.LLM_CALLS, "llm_calls"), tables.LLM_CALLS, "event_id")
        lake.write("llm_calls", day, made, stamp_of(raw))
        return {"rows": len(rows), "cost_usd": round(sum(row["cost_usd"] for row in rows), 6)}

    return each_day(
        context,
        copy,
        lambda done: [dg.AssetCheckResult(check_name="structure", passed=True, metadata={"rows": total(done, "rows")})],
    )


def _call(row: Mapping[str, Any]) -> dict[str, Any]:
    told = json.loads(row["payload"])
    own = {name: row[name] for name in ("event_id", "seq", "user_id", "scope", "recorded_at")}
    empty: dict[str, Any] = {
        field.name: 0 if pa.types.is_integer(field.type) else 0.0 if pa.types.is_floating(field.type) else ""
        for field in tables.LLM_CALLS
    }
    return {**empty, **{name: value for name, value in told.items() if name in empty}, **own}


_EXTRACTION_CHECKS = {
    "structure": "Columns and types as in domain.tables; ids once.",
    "facts_rest_on_what_was_said": "Sources exist, quotes are in them, language and scope are theirs; "
    "what does not hold is rejected, and is a fault of the program.",
    "dates_are_not_the_run_s": "Facts about other days are not all dated by the day of the run.",
    "users_reflected": "Nobody's reflection failed; who failed stays due and is tried again.",
    "llm_budget": "No user waits for tomorrow because HINDSIGHT_LLM_DAILY_BUDGET is spent.",
}


@dg.asset(
    partitions_def=by_day,
    backfill_policy=dg.BackfillPolicy.single_run(),
    deps=["episodes"],
    group_name="semantic",
    code_version="1",
    check_specs=[
        dg.AssetCheckSpec(name, asset="extractions", description=text) for name, text in _EXTRACTION_CHECKS.items()
    ],
    kinds={"parquet"},
)
def extractions(
    context: dg.AssetExecutionContext,
    config: ReflectConfig,
    event_log: dg.ResourceParam[EventLog],
    lake: dg.ResourceParam[Lake],
    settings: dg.ResourceParam[Settings],
) -> dg.MaterializeResult:
    """What the reflection of a day proposed, with quotes and sources: accepted, or rejected with the reason.

    Asks a model (or the rules) only about what it was not asked before. A user who fails keeps their earlier rows and
    stays due; nobody else is touched.
    """
    ledger = Ledger(event_log, settings)
    extractor = extractors.build(settings, ledger)
    outcomes_of: dict[str, list[Outcome]] = {}
    before = event_log.last_seq()

    def reflect(day: str) -> Metadata:
        if lake.stamp("extractions", day).is_of(lake.stamp("episodes", day), extractor.name):
            return {
                **_numbers([], []),
                "without_grounds": 0,
                "users_owed": 0,
            }  # by these words, with this extractor: nothing can have changed
        told = lake.read("episodes", day)
        episodes = [from_row(row) for row in told.to_pylist()] if told is not None else []
        chunks = reflection_chunks.build(episodes, day, extractor.input_tokens)
        wanted = _wanted(chunks, config.users, reflector)
        outcomes = reflector.reflect(wanted, stamp_of(told).max_seq)
        outcomes_of[day] = outcomes
        rows = [as_row(made) for outcome in outcomes if outcome.is_done for made in outcome.extractions]
        n_faults = _reject_groundless(rows, episodes)
        done = {(outcome.user_id, outcome.scope) for outcome in outcomes if outcome.is_done}
        kept = _kept(lake, day, {(chunk.user_id, chunk.scope) for chunk in chunks} - done)
        made = checked(tables.from_rows([*rows, *kept], tables.EXTRACTIONS, "extractions"), tables.EXTRACTIONS)
        others = {(chunk.user_id, chunk.scope) for chunk in chunks} - {(o.user_id, o.scope) for o in outcomes}
        n_owed = sum(reflector.is_owed(*who, day) for who in others)
        is_whole = done == {(chunk.user_id, chunk.scope) for chunk in chunks}
        source = stamp_of(told) if is_whole else stamp_of(told).of_nothing()
        lake.write("extractions", day, made, source, extractor.name)
        return {**_numbers(outcomes, rows), "without_grounds": n_faults, "users_owed": n_owed}

    with (
        locked(lake.root / ".locks" / "reflect.lock", 3_600, "Reflecting"),
        _answering(event_log, config, outcomes_of),
        Reflector(event_log, extractor, context.run.run_id) as reflector,
    ):

        def checks(done: list[Metadata]) -> list[dg.AssetCheckResult]:
            return _checks(done, outcomes_of, _spent(event_log, context.run.run_id, before))

        return each_day(context, reflect, checks)


@contextmanager
def _answering(log: EventLog, config: ReflectConfig, outcomes_of: Mapping[str, Sequence[Outcome]]) -> Iterator[None]:
    """Say of the requests that they are at work, and in the end what came of them; a kill leaves them open."""
    asked = ReflectRequests(log)
    requests = asked.named(config.requests)
    asked.say(requests, "started")
    failed = True
    try:
        yield
        failed = False
    finally:
        for request in requests:
            asked.say([request], *_answer(request, outcomes_of, failed=failed))


def _answer(
    request: Event, outcomes_of: Mapping[str, Sequence[Outcome]], *, failed: bool
) -> tuple[str, dict[str, Any]]:
    """Return the result of a request and what there is to say of it."""
    mine = [
        outcome
        for outcomes in outcomes_of.values()
        for outcome in outcomes
        if (outcome.user_id, outcome.scope) == (request.user_id, request.scope)
    ]
    rows = [made for outcome in mine if outcome.is_new for made in outcome.extractions]
    worst = next((r for r in ("failed", "waiting", "given_up") if any(o.result == r for o in mine)), "ok")
    reasons = "; ".join(dict.fromkeys(outcome.reason for outcome in mine if outcome.reason))
    told = {
        "days": sum(outcome.is_new for outcome in mine),
        "accepted": sum(made.accepted for made in rows),
        "rejected": sum(not made.accepted for made in rows),
        "reason": reasons or ("the run failed; Dagster's page says why" if failed else ""),
    }
    return ("failed" if failed else worst), told


def _wanted(chunks: Sequence[Chunk], users: Sequence[str], reflector: Reflector) -> list[Chunk]:
    """Return the chunks of those to reflect on: who is named (or all), and who is known already.

    The latter cost nothing, and a file made for one user then holds what the log knows of all others as well.
    """
    found: list[Chunk] = []
    for (user_id, _), group in groupby(chunks, key=lambda chunk: (chunk.user_id, chunk.scope)):
        mine = list(group)
        if not users or user_id in users or reflector.is_known(mine, reflector.learnt(user_id)):
            found += mine
    return found


def _kept(lake: Lake, day: str, others: set[tuple[str, str]]) -> list[dict[str, Any]]:
    """Return the rows there are of users who were not reflected on now."""
    is_there = others and lake.stamp("extractions", day).digest  # a broken file holds nothing
    table = lake.read("extractions", day) if is_there else None
    rows = table.to_pylist() if table is not None else []
    return [row for row in rows if (row["user_id"], row["scope"]) in others]


def _reject_groundless(rows: Sequence[dict[str, Any]], episodes: Sequence[Episode]) -> int:
    """Reject the accepted rows that do not rest on the episodes, a fault of verification; return how many there are."""
    wrong = faults([row for row in rows if row["accepted"]], episodes)
    for row in rows:
        if row["extraction_id"] in wrong:
            row |= {"accepted": False, "reason": f"check: {wrong[row['extraction_id']]}"}
    return len(wrong)


def _numbers(outcomes: Sequence[Outcome], rows: Sequence[Mapping[str, Any]]) -> Metadata:
    results = [outcome.result for outcome in outcomes]
    return {
        "users": len(outcomes),
        **{f"users_{name}": results.count(name) for name in ("ok", "failed", "waiting", "given_up")},
        "accepted": sum(row["accepted"] for row in rows),
        "rejected": sum(not row["accepted"] for row in rows),
        "newly_reflected": sum(outcome.is_new for outcome in outcomes),
        "dated_as_the_run": sum(is_dated_as_learnt(row) for row in rows if row["accepted"]),
    }


def _spent(log: EventLog, run_id: str, after_seq: int) -> dict[str, Any]:
    """Return what the calls of this run took."""
    calls = [e.payload for e in log.read_kind("llm_call", after_seq=after_seq) if e.payload.get("run_id") == run_id]
    return {
        "llm_calls": len(calls),
        "llm_calls_without_answer": sum(call["outcome"] != "answered" for call in calls),
        "input_tokens": sum(int(call.get("input_tokens", 0)) for call in calls),
        "output_tokens": sum(int(call.get("output_tokens", 0)) for call in calls),
        "cost_usd": round(sum(float(call.get("cost_usd", 0)) for call in calls), 6),
    }


def _checks(
    done: list[Metadata], outcomes_of: Mapping[str, Sequence[Outcome]], spent: Mapping[str, Any]
) -> list[dg.AssetCheckResult]:
    failures = [outcome for outcomes in outcomes_of.values() for outcome in outcomes if outcome.result != "ok"]
    waiting = [outcome for outcome in failures if outcome.result == "waiting"]
    failed = [outcome for outcome in failures if outcome.result != "waiting"]
    accepted, dated = total(done, "accepted"), total(done, "dated_as_the_run")
    warn = dg.AssetCheckSeverity.WARN
    return [
        dg.AssetCheckResult(check_name="structure", passed=True, metadata={"rows": accepted + total(done, "rejected")}),
        dg.AssetCheckResult(
            check_name="facts_rest_on_what_was_said",
            passed=not total(done, "without_grounds"),
            metadata={"facts": accepted, "rejected_by_this_check": total(done, "without_grounds")},
        ),
        dg.AssetCheckResult(
            check_name="dates_are_not_the_run_s",
            passed=dated < _MIN_DATED or dated * 2 < accepted,
            metadata={"dated_as_the_run": dated, "facts": accepted},
        ),
        dg.AssetCheckResult(
            check_name="users_reflected",
            passed=not failed and not total(done, "users_owed"),
            severity=warn,
            metadata={
                "users_ok": total(done, "users_ok"),
                "users_failed": len(failed),
                "users_failed_before": total(done, "users_owed"),
                "failures": dg.MetadataValue.md(_table(failed)),
            },
        ),
        dg.AssetCheckResult(
            check_name="llm_budget",
            passed=not waiting,
            severity=warn,
            metadata={"users_waiting": len({o.user_id for o in waiting}), **spent},
        ),
    ]


def _table(failed: Iterable[Outcome]) -> str:
    rows = [f"| {o.user_id} | {o.scope} | {o.result} | {o.reason} |".replace("\n", " ") for o in failed]
    more = [f"| … {len(rows) - _NAMED_FAILURES} more | | | |"] if len(rows) > _NAMED_FAILURES else []
    return "\n".join(["| user | scope | result | reason |", "|---|---|---|---|", *rows[:_NAMED_FAILURES], *more])


@dg.multi_asset(
    specs=[
        dg.AssetSpec(
            "fact_operations",
            deps=["extractions"],
            group_name="semantic",
            code_version="1",
            kinds={"parquet"},
            description="What each accepted extraction did: CREATE, CONFIRM, UPDATE, SUPERSEDE or RETIRE, and why.",
        ),
        dg.AssetSpec(
            "facts",
            deps=["fact_operations"],
            group_name="semantic",
            code_version="1",
            kinds={"parquet"},
            description="What is known: one row a fact with status, validity, quotes and sources, reviews applied.",
        ),
    ],
    check_specs=[
        dg.AssetCheckSpec(
            "share_of_facts_retired",
            asset="facts",
            blocking=True,
            description="No release retires more than HINDSIGHT_MAX_RETIRED_SHARE of the facts (from 20 on).",
        ),
        dg.AssetCheckSpec(
            "no_duplicate_facts", asset="facts", blocking=True, description="No two served facts say the same."
        ),
    ],
)
def fact_tables(
    event_log: dg.ResourceParam[EventLog],
    lake: dg.ResourceParam[Lake],
    settings: dg.ResourceParam[Settings],
) -> Iterable[dg.MaterializeResult | dg.AssetCheckResult]:
    """Fold what was extracted and reviewed since the last time; users without news are not read."""
    with publish_lock(settings):
        facts = FactTables(lake, event_log, settings)
        counts = facts.fold()
        retired, kept = facts.retired_since_release()
        by_day = facts.by_day()
    yield dg.MaterializeResult(asset_key="fact_operations", metadata={"users": counts.users, **counts.operations})
    yield dg.MaterializeResult(
        asset_key="facts",
        metadata={**_facts_metadata(counts), "facts_by_day": dg.MetadataValue.md(bars("facts by day", by_day))},
        check_results=[
            dg.AssetCheckResult(
                check_name="share_of_facts_retired",
                passed=retired < _MIN_RETIRED or retired <= settings.max_retired_share * (retired + kept),
                metadata={"retired": retired, "kept": kept, "largest_share": settings.max_retired_share},
            ),
            dg.AssetCheckResult(
                check_name="no_duplicate_facts",
                passed=not counts.duplicates,
                metadata={"duplicates": counts.duplicates},
            ),
        ],
    )


def _facts_metadata(counts: Counts) -> dict[str, Any]:
    return {
        "facts": sum(counts.facts.values()),
        **{f"facts_{status}": n for status, n in sorted(counts.facts.items())},
        "facts_on_other": counts.on_other,
    }
