"""``hindsight run``: the pipeline in this process, recorded in Dagster like any other run."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

import typer

from domain import batching
from domain.errors import BadInput, Permanent
from resources import dagster_home, wiring
from resources.event_log import EventLog
from resources.settings import Settings, load

STAGES = ("all", "ingest", "embeddings", "reflect", "publish")


@dataclass(frozen=True, slots=True)
class StageTime:
    """How long one stage of a run took."""

    stage: str
    seconds: float


def run_stage(stage: str, first: date | None, last: date | None, *, everything: bool) -> None:
    """Run what was asked for and say what it took.

    Raises:
        BadInput: there is no such stage, or the days make no sense for it.
        Permanent: something failed; the day and the reason stand in its message and in Dagster.
    """
    if stage not in STAGES:
        raise BadInput(f"There is no stage {stage!r}; choose {', '.join(STAGES)}.")
    if (first is None) != (last is None):
        raise BadInput("--from and --to go together.")
    settings = load()
    chosen = _days(settings, first, last, everything=everything)
    work: list[Callable[[], list[StageTime]]] = []
    if stage in {"all", "ingest", "embeddings"}:
        work.append(lambda: run_days(settings, chosen, only_embeddings=stage == "embeddings"))
    if stage in {"all", "reflect"}:
        work.append(lambda: run_reflection(settings, None if chosen is None else sorted(chosen)))
    if stage != "ingest":
        work.append(lambda: run_publish(settings))
    failures = []
    for part in work:
        try:
            for spent in part():
                typer.echo(f"{spent.stage:18} {spent.seconds:8.1f} s")
        except Permanent as error:  # what went well is published all the same
            failures.append(str(error))
    if failures:
        raise Permanent(" · ".join(failures))


def _days(settings: Settings, first: date | None, last: date | None, *, everything: bool) -> list[str] | None:
    """Return the days that were asked for, None for those that are due."""
    if first is None and last is None and not everything:
        return None
    log = wiring.open_log(settings)
    try:
        head = log.day_heads()
    finally:
        log.close()
    if first and last:
        return [day for day in head if first.isoformat() <= day <= last.isoformat()]
    return sorted(head)


def _due(settings: Settings) -> list[str]:
    log = wiring.open_log(settings)
    try:
        head = log.day_heads()
    finally:
        log.close()
    stamps = wiring.open_lake(settings).stamps("episode_vectors")
    return sorted(batching.due(head, {day: stamp.max_seq for day, stamp in stamps.items()}))


def run_days(settings: Settings, days: Iterable[str] | None, *, only_embeddings: bool = False) -> list[StageTime]:
    """Run the days, oldest first; return the time that each stage took.

    Args:
        settings: of the data folder.
        days: ISO days, None for those that lack events.
        only_embeddings: leave the tables before the vectors as they are; all days then go in one run, so that a
            change of model meets no day of the old one.

    Raises:
        Permanent: a run failed; the day and the reason stand in its message and in Dagster.
    """
    ranges = batching.together(_due(settings) if days is None else days)
    if only_embeddings and ranges:
        ranges = [(ranges[0][0], ranges[-1][1])]
    return _run(settings, "ingest", ranges, only=["episode_vectors"] if only_embeddings else None)


def run_reflection(settings: Settings, days: list[str] | None) -> list[StageTime]:
    """Reflect on the days, None for those that are due; what the runs recorded of it is ingested as well.

    Raises:
        Permanent: a run failed.
    """
    _prepare(settings)
    from pipelines.reflection import due_days

    wanted = due_days(wiring.open_lake(settings)) if days is None else days
    log = wiring.open_log(settings)
    before = log.last_seq()
    try:
        spent = _run(settings, "reflect", batching.together(wanted))
    finally:
        typer.echo(_told(log, before))
        log.close()
    return spent + (run_days(settings, None) if wanted else [])


def _told(log: EventLog, after_seq: int) -> str:
    """Return one line on what became of the users who were reflected on since, and what it cost."""
    done = [e.payload for e in log.read_kind("reflected", after_seq=after_seq) if "day" in e.payload]
    calls = [e.payload for e in log.read_kind("llm_call", after_seq=after_seq)]
    results = Counter(event["result"] for event in done)
    reasons = list(dict.fromkeys(event["reason"] for event in done if event["reason"]))
    parts = [f"{n} {name.replace('_', ' ')}" for name, n in sorted(results.items())] or ["nothing new"]
    if calls:
        parts.append(f"{len(calls)} calls, {sum(float(call.get('cost_usd', 0)) for call in calls):.4f} dollars")
    more = f" (and {len(reasons) - 1} other reasons)" if len(reasons) > 1 else ""
    return f"users' days reflected on: {', '.join(parts)}" + (f"; {reasons[0]}{more}" if reasons else "")


def run_publish(settings: Settings) -> list[StageTime]:
    """Publish.

    Raises:
        Permanent: the run failed.
    """
    return _run(settings, "publish", [None])


def _prepare(settings: Settings) -> None:
    os.environ["DAGSTER_HOME"] = str(dagster_home.prepare(settings))  # noqa: TID251 - Dagster takes it from nowhere else
    wiring.open_lake(settings)


def _run(
    settings: Settings, job: str, ranges: Sequence[tuple[str, str] | None], only: list[str] | None = None
) -> list[StageTime]:
    _prepare(settings)
    from pipelines.running import execute

    spent: dict[str, float] = {}
    failures: list[str] = []
    for pair in ranges:
        outcome = execute(settings, job, pair, only=only)
        failures += outcome.failures
        for name, seconds in outcome.seconds.items():
            spent[name] = spent.get(name, 0.0) + seconds
    if failures:
        raise Permanent(" · ".join(failures))
    return [StageTime(name, seconds) for name, seconds in spent.items()]
