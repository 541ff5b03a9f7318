"""``hindsight review``: the queue of facts and decisions about them."""

import getpass
import sys
from collections.abc import Sequence

import typer

from domain.consolidation import DECISIONS, Fact
from domain.errors import BadInput
from resources import wiring
from resources.fact_tables import FactTables
from resources.reviews import Reviews
from resources.settings import load

_STATUSES = ("pending", "current", "superseded", "rejected")


def review_facts(
    decision: str, fact_ids: Sequence[str], user: str, status: str, text: str, why: str, *, everything: bool
) -> None:
    """List facts, or decide about some.

    Raises:
        BadInput: the arguments make no sense together, or name no fact.
    """
    if decision not in {"list", *DECISIONS}:
        raise BadInput(f"There is no decision {decision!r}: choose list, {', '.join(DECISIONS)}.")
    if status not in _STATUSES:
        raise BadInput(f"There is no status {status!r}: choose {', '.join(_STATUSES)}.")
    if fact_ids and (decision == "list" or everything):
        raise BadInput("Fact ids go with a decision and without --all: the list is narrowed by --user and --status.")
    settings = load()
    log = wiring.open_log(settings)
    try:
        reviews = Reviews(log, FactTables(wiring.open_lake(settings), log, settings))
        if decision == "list":
            _show(reviews.listed(user or None, status))
            return
        listed = reviews.listed(user or None, status) if everything else []
        if decision == "undo":
            listed = [fact for fact in listed if fact.decision]  # the others follow from those
        chosen = [fact.fact_id for fact in listed] if everything else _given(fact_ids)
        if decision == "edit" and len(chosen) > 1:
            raise BadInput(f"One text is the wording of one fact, you name {len(chosen)}: edit them one by one.")
        if not chosen:
            raise BadInput("Name facts by their ids, give - to read them from standard input, or --all.")
        for fact_id in chosen:
            fact = reviews.decide(fact_id, decision, getpass.getuser(), text, why)
            typer.echo(f"{fact.fact_id}  {fact.status:10}  {fact.content}")
    finally:
        log.close()


def _given(fact_ids: Sequence[str]) -> list[str]:
    return [line.split()[0] for line in sys.stdin if line.strip()] if list(fact_ids) == ["-"] else list(fact_ids)


def _show(facts: Sequence[Fact]) -> None:
    for fact in facts:
        typer.echo(f"{fact.fact_id}  {fact.user_id}  {fact.confidence:6}  {fact.valid_from}  {fact.content}")
        typer.echo(f"    {fact.subject} / {fact.attribute} / {fact.object} / {fact.value}   {fact.extractor}")
        for quote in fact.quotes:
            typer.echo(f"    “{quote.text}”  {quote.source}")
    typer.echo(f"{len(facts)} {'fact' if len(facts) == 1 else 'facts'}")
