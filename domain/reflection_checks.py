"""Whether rows of ``extractions`` rest on the episodes: verification's questions once more, asked of the tables. Pure.

A second look from the other side: from rows and episodes alone, whoever wrote the rows.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta, timezone
from typing import Any

from domain import labels
from domain.episodes import Episode
from domain.verification import holds, normalised


def faults(rows: Iterable[Mapping[str, Any]], episodes: Sequence[Episode]) -> dict[str, str]:
    """Return, by extraction_id, what is wrong with accepted rows of ``extractions``; none when all is well.

    Args:
        rows: accepted ones.
        episodes: of the day.
    """
    known = {episode.memory_id: episode for episode in episodes}
    return {row["extraction_id"]: wrong for row in rows if (wrong := _fault(row, known))}


def is_dated_as_learnt(row: Mapping[str, Any]) -> bool:
    """Return whether a row is dated by the day on which it was learnt, though it was said on another."""
    offset = timezone(timedelta(minutes=row["utc_offset_min"]))
    said, learnt = (row[name].astimezone(offset).date() for name in ("occurred_at", "recorded_at"))
    return bool(row["valid_from"] == learnt != said)


def _fault(row: Mapping[str, Any], known: Mapping[str, Episode]) -> str:
    name = row["extraction_id"]
    missing = [source for source in row["source_memory_ids"] if source not in known]
    if missing or not row["source_memory_ids"]:
        return f"{name} names {', '.join(missing) or 'no source'}, which is no episode of the day"
    sources = [known[source] for source in row["source_memory_ids"]]
    if any((s.user_id, s.scope) != (row["user_id"], row["scope"]) for s in sources):
        return f"{name} rests on another user's or scope's episode"
    for quote in row["quotes"]:
        source = known.get(quote["memory_id"])
        if source is None or not holds(_words(source), quote["text"]):
            return f"{name} quotes words that {quote['memory_id']} does not hold"
    if not row["quotes"]:
        return f"{name} has no quote"
    kept, told = labels.language(row["content"]), {s.language for s in sources}
    told |= {labels.language(quote["text"]) for quote in row["quotes"]}
    if kept not in {*told, "und"} and normalised(row["content"]) not in normalised(" ".join(map(_words, sources))):
        return f"{name} is in {kept}, its sources are in {', '.join(sorted(told))}"
    return ""


def _words(episode: Episode) -> str:
    return "\n".join(text for text in (episode.content, episode.user_said) if text)
