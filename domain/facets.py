"""What of an episode is embedded and searched: each facet apart, long ones in overlapping parts. Pure."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, timezone
from typing import Any

from domain import chunks, ids
from domain.consolidation import Fact
from domain.episodes import Episode, is_named
from domain.facts import USER

_BINARY_KEPT_CHARS = 1_000
_FACETS = ("content", "user_said", "agent_did", "outcome")
_SPEAKER_FACETS = frozenset({"content", "user_said"})
CURRENT = "current"  # the status of what is served: every episode, and the facts that hold
_HAS_TEXT = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class FacetPart:
    """One text that gets a vector.

    Attributes:
        facet: which side of the episode, one of ``domain.tables.FACETS``.
        part: position of a long facet's part, from 0.
        start_char: where the part begins in the facet's own text.
        text: what is searched: the part, after the speaker's name where there is one.
    """

    facet: str
    part: int
    start_char: int
    text: str


def parts(episode: Episode) -> list[FacetPart]:
    """Return every text of an episode that gets a vector; none for an episode of blanks, by which nothing is found.

    Text that looks binary (base64, hex) or has no word takes part with its first 1,000 characters only: it is kept
    whole in ``episodes``, and nothing could be found by the rest.
    """
    found: list[FacetPart] = []
    for facet in _FACETS:
        text = getattr(episode, facet)
        if text is not None:
            found += _split(facet, text, prefix(facet, episode.speaker))
    if (caption := _caption(episode)) and caption != episode.content:
        found += _split("caption", caption, "")
    found += [FacetPart("variant", i, 0, text) for i, text in enumerate(episode.variants) if text.strip()]
    return found


def _caption(episode: Episode) -> str:
    """Return what the memory's picture or file is said to show; the picture itself is not searched."""
    media = json.loads(episode.media) if episode.media else None
    caption = media.get("caption") if isinstance(media, dict) else None
    return caption if isinstance(caption, str) else ""


def prefix(facet: str, speaker: str | None) -> str:
    """Return what stands before each part's own text: the speaker's name, where somebody is named."""
    return f"{speaker}: " if facet in _SPEAKER_FACETS and is_named(speaker) else ""


def _split(facet: str, text: str, before: str) -> list[FacetPart]:
    if chunks.is_binary_looking(text) or not _HAS_TEXT.search(text):  # only signs: findable by exactly these
        start = len(text) - len(text.lstrip())
        kept = text[start : start + _BINARY_KEPT_CHARS]
        return [FacetPart(facet, 0, start, before + kept)] if kept else []
    return [FacetPart(facet, i, c.start_char, before + c.text) for i, c in enumerate(chunks.split(text))]


def index_rows(episode: Episode, day: str, fingerprint: str) -> list[dict[str, Any]]:
    """Return the rows of an index bucket that stand for an episode, all but their vectors."""
    shared = {name: getattr(episode, name) for name in Episode.__slots__ if name not in {*_FACETS, "variants"}}
    made = []
    for part in parts(episode):
        row = {
            "id": f"{episode.memory_id}:{part.facet}:{part.part}",
            "kind": "episode",
            "day": day,
            **shared,
            "facet": part.facet,
            "part": part.part,
            "start_char": part.start_char,
            "text": part.text,
            "fingerprint": fingerprint,
            "status": CURRENT,
            "confidence": None,
            "fact": None,
        }
        made.append({**row, "row_digest": _row_digest(row)})
    return made


def fact_index_row(fact: Fact, day: str, fingerprint: str) -> dict[str, Any]:
    """Return the row of an index bucket that stands for a fact, all but its vector.

    A fact of somebody else than the user has that name as its speaker. One that held for a time expires with it.
    """
    speaker = None if fact.subject == USER else fact.subject
    offset = timezone(timedelta(minutes=fact.utc_offset_min))
    ends = datetime.combine(fact.valid_to, time(), offset) if fact.valid_to and fact.status == CURRENT else None
    row = {
        "id": f"{fact.fact_id}:content:0",
        "kind": "fact",
        "day": day,
        "memory_id": fact.fact_id,
        "user_id": fact.user_id,
        "agent_id": "pipeline",
        "scope": fact.scope,
        "session_id": "",
        "speaker": speaker,
        "role": None,
        "participants": (),
        "category": fact.category,
        "emotion": "neutral",
        "language": fact.language,
        "salience": 1.0,
        "occurred_at": fact.occurred_at.astimezone(UTC),
        "utc_offset_min": fact.utc_offset_min,
        "recorded_at": fact.recorded_at.astimezone(UTC),
        "event_start": None,
        "event_end": None,
        "time_words": (),
        "expires_at": ends.astimezone(UTC) if ends else None,
        "metadata": None,
        "media": None,
        "source_event_ids": fact.source_event_ids,
        "facet": "content",
        "part": 0,
        "start_char": 0,
        "text": prefix("content", speaker) + fact.content,
        "fingerprint": fingerprint,
        "status": fact.status,
        "confidence": fact.confidence,
        "fact": ids.json_text(_told(fact)),
    }
    return {**row, "row_digest": _row_digest(row)}


def _told(fact: Fact) -> dict[str, Any]:
    """Return what a retrieval says of a fact beside its sentence."""
    return {
        "subject": fact.subject,
        "attribute": fact.attribute,
        "object": fact.object,
        "value": fact.value,
        "valid_from": fact.valid_from.isoformat(),
        "valid_to": fact.valid_to.isoformat() if fact.valid_to else None,
        "replaced_by": fact.replaced_by or None,
        "quotes": [{"memory_id": quote.source, "text": quote.text} for quote in fact.quotes],
        "source_memory_ids": list(fact.source_memory_ids),
    }


def _row_digest(row: Mapping[str, Any]) -> str:
    return ids.digest(*(str(value) for value in row.values()))


def whole_text(found: Iterable[Mapping[str, Any]], facet: str) -> str | None:
    """Return a facet's own text, put together from its index rows; None where the memory has no such facet."""
    pieces = sorted((row["start_char"], row["text"], row["speaker"]) for row in found if row["facet"] == facet)
    text = ""
    for start, piece, speaker in pieces:
        own = piece.removeprefix(prefix(facet, speaker))
        text = text.ljust(start) + own[max(0, len(text) - start) :]  # a gap between two parts is white space
    return text if pieces else None
