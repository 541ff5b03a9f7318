"""Facts on their way: what an extractor proposes, what verification makes of it, and the facts that last. Pure records.

A fact is (subject, attribute, object, value): "user / allergy / peanuts / yes", "user / preference / Thai food /
dislike". Which attributes there are: domain.attributes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

Confidence = Literal["high", "medium", "low"]
CONFIDENCES: tuple[Confidence, ...] = ("high", "medium", "low")

# What is said of the object. ``ended``: it was so and no longer is (no other value known).
Value = Literal["yes", "no", "like", "dislike", "ended"]
VALUES: tuple[Value, ...] = ("yes", "no", "like", "dislike", "ended")

USER = "user"  # the subject of facts about the user; others are named


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that a fact rests on.

    Attributes:
        source: where they stand: in a proposal the number that the prompt gave the episode ("3"), later its memory_id.
        text: the words, as they were said.
    """

    source: str
    text: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """What an extractor proposes, before verification: any text may be wrong.

    Attributes:
        subject: ``user``, or a name.
        attribute: of ``domain.attributes``; what is none of them counts as ``other``.
        object: what it is about: "peanuts", "Shanghai", 泰国菜; in the source's language.
        value: one of ``VALUES``.
        content: the fact as one sentence in the source's language.
        category: one of ``domain.attributes.CATEGORIES``.
        valid_from: ISO date from which it holds, "" for since it was said.
        quotes: at least one, or verification rejects it.
        sources: numbers of the episodes in the prompt, as text: ("1", "4").
    """

    subject: str
    attribute: str
    object: str
    value: str
    content: str
    category: str
    confidence: str
    valid_from: str
    quotes: tuple[Quote, ...]
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Extraction:
    """One row of ``extractions``: a proposal, and whether it is supported by what was said.

    Attributes:
        chunk: request hash of the chunk that it was proposed for.
        occurred_at: when the latest of its sources was said, UTC.
        start_char: where its first quote stands in that source: of two statements in one text the later one wins.
        valid_from: local date from which it holds.
        valid_until: local date from which it no longer holds ("not today"), None for open.
        recorded_at: when it was learnt: of the ``reflected`` event.
        extractor: name and version of who proposed it.
        accepted: whether verification found it supported.
        reason: why not, or what was corrected; empty for neither.
    """

    extraction_id: str
    user_id: str
    scope: str
    chunk: str
    subject: str
    attribute: str
    object: str
    value: str
    content: str
    category: str
    confidence: str
    language: str
    occurred_at: datetime
    utc_offset_min: int
    start_char: int
    valid_from: date
    valid_until: date | None
    quotes: tuple[Quote, ...]
    source_memory_ids: tuple[str, ...]
    source_event_ids: tuple[str, ...]
    recorded_at: datetime
    extractor: str
    accepted: bool
    reason: str


def as_row(record: Any) -> dict[str, Any]:
    """Return a record of this module as a row of its table; quotes become plain pairs."""
    row = {name: getattr(record, name) for name in record.__slots__}
    if "quotes" in row:
        row["quotes"] = [{"memory_id": quote.source, "text": quote.text} for quote in row["quotes"]]
    return row


def quotes_of(row: Mapping[str, Any]) -> tuple[Quote, ...]:
    """Return the quotes of a table's row."""
    return tuple(Quote(pair["memory_id"], pair["text"]) for pair in row["quotes"])
