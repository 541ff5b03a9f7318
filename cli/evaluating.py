"""``hindsight eval``: an evaluation set from import to scored answers, through the same parts that serve agents.

The queries are never stored. Each is asked as of the end of its month, where it names one, else of the user's last
event; no usage is recorded.
"""

import calendar
import json
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import typer
from tqdm import tqdm

from cli.importing import append_all, read_events
from cli.running import run_days, run_publish, run_reflection
from domain import metrics
from domain.errors import BadInput
from mcp_app.block import Filters
from mcp_app.embedding import EmbeddingWorker
from mcp_app.retrieval import Retrieval
from resources import wiring
from resources.settings import Settings, load

_RANKED = 50


def evaluate_set(folder: Path, data: Path | None, ranking_file: Path | None) -> None:
    """Import the set into a data folder of its own, run the pipeline, ask every query and print the scores.

    Args:
        folder: with ``interactions.jsonl`` and ``queries.jsonl`` (docs/evaluation.md).
        data: the data folder; None for a temporary one. A run that was cut short goes on where it was.
        ranking_file: where to write each query's ranking, None for nowhere.

    Raises:
        BadInput: a file of the set is missing.
    """
    for name in ("interactions.jsonl", "queries.jsonl"):
        if not (folder / name).is_file():
            raise BadInput(f"{folder} has no {name}; docs/evaluation.md says what an evaluation set is.")
    with tempfile.TemporaryDirectory() as temporary:
        settings = load().model_copy(
            update={"data": (data or Path(temporary)).absolute(), "lake": None, "database_url": "", "review": "auto"}
        )
        took = _build(settings, folder)
        started = time.monotonic()
        rankings, fact_share = _ask_all(settings, folder, frozenset())
        took["queries"] = time.monotonic() - started
        if ranking_file:
            _write(ranking_file, rankings)
        _report(folder, rankings, took)
        _report_facts(settings, folder, rankings, fact_share)


def _build(settings: Settings, folder: Path) -> dict[str, float]:
    took: dict[str, float] = {}
    log = wiring.open_log(settings)
    try:
        started = time.monotonic()
        append_all(log, read_events(folder / "interactions.jsonl", settings.timezone), folder.name)
        took["import"] = time.monotonic() - started
        days = sorted(log.day_heads())
        n_events = log.count()
    finally:
        log.close()
    started = time.monotonic()
    for spent in [*run_days(settings, days), *run_reflection(settings, days), *run_publish(settings)]:
        took[spent.stage] = took.get(spent.stage, 0.0) + spent.seconds
    took["pipeline"] = time.monotonic() - started
    typer.echo(
        f"{n_events} events on {len(days)} days: {n_events / took['pipeline']:.0f} events/s through the pipeline"
    )
    return took


def _ask_all(settings: Settings, folder: Path, kinds: frozenset[str]) -> tuple[dict[str, list[str]], float]:
    """Return each query's records, best first, and the share of the first ten places that facts hold."""
    records, last = _records(folder / "interactions.jsonl")
    log = wiring.open_log(settings)
    worker = EmbeddingWorker(wiring.open_embedder(settings), wiring.open_vector_cache(settings))
    try:
        worker.ready.result()
        retrieval = Retrieval(log, wiring.open_lake(settings), settings, worker)
        rankings: dict[str, list[str]] = {}
        first: list[str] = []  # the kinds of what stands in the first ten places
        for query in tqdm(_lines(folder / "queries.jsonl"), desc="queries", unit=" queries"):
            user_id = query["user_id"]
            until = _end_of_month(query["as_of"], last[user_id]) if query.get("as_of") else None
            filters = Filters(frozenset({"global"}), now=until or last[user_id], until=until, kinds=kinds)
            answer = retrieval.search(user_id, query["query"], filters, deadline_seconds=60)
            found = (records[user_id][event] for hit in answer.hits for event in hit.rows[0]["source_event_ids"])
            rankings[query["query_id"]] = list(dict.fromkeys(found))[:_RANKED]
            first += [hit.rows[0]["kind"] for hit in answer.hits[:10]]
        return rankings, first.count("fact") / max(1, len(first))
    finally:
        worker.close()
        log.close()


def _records(path: Path) -> tuple[dict[str, dict[str, str]], dict[str, datetime]]:
    """Return, by user, the record that each event belongs to; and the time of the user's last event."""
    records: dict[str, dict[str, str]] = defaultdict(dict)
    last: dict[str, datetime] = {}
    for line in _lines(path):
        user_id, occurred_at = line["user_id"], datetime.fromisoformat(line["occurred_at"])
        records[user_id][line["event_id"]] = line["record_id"]
        last[user_id] = max(last.get(user_id, occurred_at), occurred_at)
    return dict(records), last


def _end_of_month(month: str, like: datetime) -> datetime:
    """Return the first instant after the month of ``2025-01`` or ``2025-01-20``, in the offset of the user's data."""
    year, number = map(int, month.split("-")[:2])
    days = calendar.monthrange(year, number)[1]
    return datetime(year, number, 1, tzinfo=like.tzinfo) + timedelta(days=days)


def _lines(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def _write(path: Path, rankings: Mapping[str, list[str]]) -> None:
    with path.open("w", encoding="utf-8") as out:
        for query_id, ranking in rankings.items():
            out.write(json.dumps({"query_id": query_id, "ranking": ranking}, ensure_ascii=False) + "\n")


def _report_facts(settings: Settings, folder: Path, with_facts: Mapping[str, list[str]], fact_share: float) -> None:
    """Print what reflection made of the set, and the same scores over episodes alone, to compare with."""
    lake = wiring.open_lake(settings)
    tables = [lake.read("facts", str(bucket)) for bucket in range(settings.buckets)]
    rows = [row for table in tables if table is not None for row in table.to_pylist()]
    extracted = [lake.read("extractions", day) for day in lake.stamps("extractions")]
    reasons = Counter(
        row["reason"].split(":")[0] for t in extracted if t is not None for row in t.to_pylist() if not row["accepted"]
    )
    operations = [lake.read("fact_operations", str(bucket)) for bucket in range(settings.buckets)]
    kinds = Counter(kind for table in operations if table is not None for kind in table["operation"].to_pylist())
    alone, _ = _ask_all(settings, folder, frozenset({"episode"}))
    both = [_means(folder, rankings) for rankings in (with_facts, alone)]
    users = Counter(row["user_id"] for row in rows)
    other = sum(row["attribute"] == "other" for row in rows)
    typer.echo(f"\nfacts: {dict(Counter(row['status'] for row in rows))}, on `other` {other}, by user {dict(users)}")
    typer.echo(f"operations: {dict(kinds)}; rejected: {dict(reasons)}")
    typer.echo(f"share of the first ten places that facts hold: {fact_share:.3f}")
    for name, means in zip(("with facts", "episodes alone"), both, strict=True):
        typer.echo(f"{name:28}" + "".join(f"{metric:>9} {means[metric]:.4f}" for metric in metrics.NAMES))


def _means(folder: Path, rankings: Mapping[str, list[str]]) -> dict[str, float]:
    queries = _lines(folder / "queries.jsonl")
    return metrics.mean([metrics.scores(rankings[q["query_id"]], q["relevant"]) for q in queries])


def _report(folder: Path, rankings: Mapping[str, list[str]], took: Mapping[str, float]) -> None:
    by_type: dict[str, list[dict[str, float]]] = defaultdict(list)
    for query in _lines(folder / "queries.jsonl"):
        scored = metrics.scores(rankings[query["query_id"]], query["relevant"])
        for group in ("ALL", str(query["type"])):
            by_type[group].append(scored)
    typer.echo(f"\n{'type':28}{'n':>6}" + "".join(f"{name:>9}" for name in metrics.NAMES))
    in_order: Callable[[str], tuple[bool, str]] = lambda group: (group != "ALL", group)  # noqa: E731 - a sort key
    for group in sorted(by_type, key=in_order):
        means = metrics.mean(by_type[group])
        typer.echo(f"{group[:27]:28}{len(by_type[group]):>6}" + "".join(f"{means[n]:>9.4f}" for n in metrics.NAMES))
    typer.echo("\n" + "  ".join(f"{stage} {seconds:.1f} s" for stage, seconds in took.items()))
