"""``hindsight run``: the pipeline in this process, recorded in Dagster like any other run."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

import typer

from domain import batching
from domain.errors import BadInput, Permanent
from resources import dagster_home, wiring
from resources.settings import Settings, load

STAGES = ("all", "ingest", "embeddings", "publish")


@dataclass(frozen=True, slots=True)
class StageTime:
    """How long one stage of a run took."""

    stage: str
    seconds: float


def run_stage(stage: str, first: date | None, last: date | None, *, everything: bool) -> None:
    """Run what was asked for and say what it took.

    Raises:
        BadInput: there is no such stage, or the days make no sense for it.
    """
    if stage not in STAGES:
        raise BadInput(f"There is no stage {stage!r}; choose {', '.join(STAGES)}.")
    if (first is None) != (last is None):
        raise BadInput("--from and --to go together.")
    settings = load()
    days = [] if stage == "publish" else _days(settings, first, last, everything=everything)
    for spent in run_days(settings, days, only_embeddings=stage == "embeddings", publish=stage != "ingest"):
        typer.echo(f"{spent.stage:18} {spent.seconds:8.1f} s")


def _days(settings: Settings, first: date | None, last: date | None, *, everything: bool) -> list[str]:
    log = wiring.open_log(settings)
    try:
        head = log.day_heads()
    finally:
        log.close()
    if first and last:
        return [day for day in head if first.isoformat() <= day <= last.isoformat()]
    if everything:
        return sorted(head)
    stamps = wiring.open_lake(settings).stamps("episode_vectors")
    return sorted(batching.due(head, {day: stamp.max_seq for day, stamp in stamps.items()}))


def run_days(settings: Settings, days: Iterable[str], *, only_embeddings: bool, publish: bool) -> list[StageTime]:
    """Run the days, oldest first, then publish; return the time that each stage took.

    Args:
        settings: of the data folder.
        days: ISO days.
        only_embeddings: leave the tables before the vectors as they are; all days then go in one run, so that a
            change of model meets no day of the old one.
        publish: whether to publish in the end.

    Raises:
        Permanent: a run failed; the day and the reason stand in its message and in Dagster.
    """
    os.environ["DAGSTER_HOME"] = str(dagster_home.prepare(settings))  # noqa: TID251 - Dagster takes it from nowhere else
    wiring.open_lake(settings)
    from pipelines.running import execute

    ranges = batching.together(days)
    if only_embeddings and ranges:
        ranges = [(ranges[0][0], ranges[-1][1])]
    spent: dict[str, float] = {}
    failures: list[str] = []
    jobs = [("ingest", pair) for pair in ranges] + ([("publish", None)] if publish else [])
    for job, pair in jobs:
        outcome = execute(settings, job, pair, only=["episode_vectors"] if only_embeddings and pair else None)
        failures += outcome.failures
        for name, seconds in outcome.seconds.items():
            spent[name] = spent.get(name, 0.0) + seconds
    if failures:
        raise Permanent(" · ".join(failures))
    return [StageTime(name, seconds) for name, seconds in spent.items()]
