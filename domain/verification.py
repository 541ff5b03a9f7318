"""Whether a proposed fact is supported by what was said, without asking any model. Pure.

A proposal stands when the episodes that it names were given, its quotes are in them, the right person said them, its
object is named there, its dates come from there and its language is theirs. What fails is kept, with the reason.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

from domain import attributes, consolidation, ids, labels
from domain.facts import CONFIDENCES, USER, VALUES, Candidate, Extraction, Quote
from domain.reflection_chunks import Chunk, Said
from domain.text import tokens

MAX_CONTENT_CHARS = 500
_MIN_QUOTE_CHARS = 2
_I = frozenset({"i", "me", "self", "speaker", "我", "本人", "自己"})
_USER = frozenset({USER, "the user", "用户", "用戶", "使用者"})
# Their object need not stand in the words: "I don't smoke", "she is my wife", "I feel low every Monday".
_UNSPOKEN = frozenset({"smoking", "alcohol", "marital_status", "gender", "mood", "opinion", "age", attributes.OTHER})
_MOMENTARY = re.compile(
    r"\b(?:today|tonight|right now|at the moment|this (?:morning|afternoon|evening|time)|just now|not in the mood)\b"
    r"|今天|今晚|今早|现在|此刻|这会儿|这次|这顿|刚刚|現在|這次",
    re.IGNORECASE,
)
_TASTES = frozenset({"preference", "diet", "allergy"}) | {
    n for n in attributes.ATTRIBUTES if n.startswith("favourite_")
}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_EARLIEST = date(1900, 1, 1)


class _Refused(Exception):
    """Why a proposal does not stand."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where proposals come from.

    Attributes:
        chunk: request hash of the question.
        extractor: name and version.
        recorded_at: when they were learnt, UTC.
    """

    chunk: str
    extractor: str
    recorded_at: datetime


def verified(proposed: Iterable[Candidate], chunk: Chunk, origin: Provenance) -> list[Extraction]:
    """Return every proposal as accepted or rejected, those that say the same once; sorted by id."""
    found: dict[str, Extraction] = {}
    for candidate in proposed:
        made = _extraction(candidate, chunk, origin)
        known = found.get(made.extraction_id)
        found[made.extraction_id] = _joined(known, made) if known else made
    return sorted(found.values(), key=lambda e: e.extraction_id)


def _joined(first: Extraction, second: Extraction) -> Extraction:
    """Return two extractions that say the same as one with the sources of both."""
    return replace(
        first,
        quotes=tuple(dict.fromkeys((*first.quotes, *second.quotes))),
        source_memory_ids=tuple(dict.fromkeys((*first.source_memory_ids, *second.source_memory_ids))),
        source_event_ids=tuple(dict.fromkeys((*first.source_event_ids, *second.source_event_ids))),
        occurred_at=max(first.occurred_at, second.occurred_at),
    )


def _extraction(candidate: Candidate, chunk: Chunk, origin: Provenance) -> Extraction:
    given = {str(n): said for n, said in enumerate(chunk.said, 1)}
    sources = [given[number] for number in candidate.sources if number in given]
    unknown = [number for number in candidate.sources if number not in given]
    notes = [f"left out source {', '.join(unknown)}, which was not given"] if unknown else []
    last = max(sources or chunk.said, key=lambda said: said.episode.occurred_at)
    attribute = attributes.named(candidate.attribute)
    made = replace(_bare(candidate, chunk, origin, last), attribute=attribute.name)
    if sources:
        made = _with_sources(made, candidate, sources, given)
    try:
        made = _checked(made, candidate, sources, given)
    except _Refused as refused:
        return _named(replace(made, accepted=False, reason="; ".join([str(refused), *notes])))
    return _named(replace(made, reason="; ".join(filter(None, [made.reason, *notes]))))


def _bare(candidate: Candidate, chunk: Chunk, origin: Provenance, last: Said) -> Extraction:
    return Extraction(
        extraction_id="",
        user_id=chunk.user_id,
        scope=chunk.scope,
        chunk=origin.chunk,
        subject=candidate.subject.strip(),
        attribute=candidate.attribute,
        object=candidate.object.strip(),
        value=candidate.value,
        content=candidate.content.strip(),
        category=candidate.category,
        confidence=candidate.confidence if candidate.confidence in CONFIDENCES else "low",
        language=last.episode.language,
        occurred_at=last.episode.occurred_at.astimezone(UTC),
        utc_offset_min=last.episode.utc_offset_min,
        valid_from=last.said_at.date(),
        valid_until=None,
        quotes=candidate.quotes,
        source_memory_ids=(),
        source_event_ids=(),
        recorded_at=origin.recorded_at,
        extractor=origin.extractor,
        accepted=True,
        reason="",
    )


def _with_sources(
    made: Extraction, candidate: Candidate, sources: Sequence[Said], given: dict[str, Said]
) -> Extraction:
    quotes = [
        Quote(given[q.source].episode.memory_id if q.source in given else q.source, q.text) for q in candidate.quotes
    ]
    return replace(
        made,
        subject=_subject(made.subject, sources),
        quotes=tuple(dict.fromkeys(quotes)),
        source_memory_ids=tuple(dict.fromkeys(said.episode.memory_id for said in sources)),
        source_event_ids=tuple(dict.fromkeys(e for said in sources for e in said.episode.source_event_ids)),
    )


def _subject(name: str, sources: Sequence[Said]) -> str:
    """Return whom a proposal is about: "I" is who speaks, and the user's own name is the user."""
    if name.casefold() in _I:
        return sources[0].subject
    if name.casefold() in _USER:
        return USER
    own = {str(s.episode.speaker).casefold() for s in sources if s.subject == USER and s.episode.speaker}
    return USER if name.casefold() in own else name


def _checked(made: Extraction, candidate: Candidate, sources: Sequence[Said], given: dict[str, Said]) -> Extraction:
    """Return the extraction as it stands.

    Raises:
        _Refused: it does not stand.
    """
    if not candidate.sources:
        raise _Refused("names no source")
    if not sources:
        raise _Refused(f"names only sources that were not given: {', '.join(candidate.sources)}")
    if not made.content or not made.subject:
        raise _Refused("says nothing" if not made.content else "says of nobody")
    if len(made.content) > MAX_CONTENT_CHARS:
        raise _Refused(f"content has {len(made.content)} characters, more than {MAX_CONTENT_CHARS}")
    if made.value not in VALUES:
        raise _Refused(f"value is {made.value[:40]!r}, none of {', '.join(VALUES)}")
    _check_quotes(made, candidate, sources, given)
    _check_object(made, sources)
    _check_language(made)
    made = replace(made, valid_from=_valid_from(candidate.valid_from, made, sources))
    return _placed(made)


def _check_quotes(made: Extraction, candidate: Candidate, sources: Sequence[Said], given: dict[str, Said]) -> None:
    if not candidate.quotes:
        raise _Refused("has no quote")
    for quote in candidate.quotes:
        said = given.get(quote.source)
        if said is None or said not in sources:
            raise _Refused(f"quotes episode {quote.source or '?'}, which is not among its sources")
        words = normalised(quote.text)
        if len(words) < _MIN_QUOTE_CHARS:
            raise _Refused("has an empty quote")
        if words in normalised(said.own_words):
            if made.subject == USER and said.subject != USER:
                raise _Refused(f"is about the user, but {said.subject} said it")
        elif any(words in normalised(text) for _, text in said.texts):
            raise _Refused("rests on what the agent said, not on the user's words")
        else:
            raise _Refused(f"quotes words that are not in episode {quote.source}")


def _check_object(made: Extraction, sources: Sequence[Said]) -> None:
    if not made.object:
        if made.attribute not in _UNSPOKEN:
            raise _Refused("has no object")
        return
    if made.attribute in _UNSPOKEN:
        return
    words = {word for said in sources for _, text in said.texts for word in tokens(text)}
    is_named = any(normalised(made.object) in normalised(text) for said in sources for _, text in said.texts)
    if not is_named and not words & set(tokens(made.object)):
        raise _Refused("has an object that its sources do not name")


def _check_language(made: Extraction) -> None:
    quoted = " ".join(quote.text for quote in made.quotes)
    told, kept = labels.language(quoted), labels.language(made.content)
    if told in {kept, "und"} or kept == "und":
        return
    if kept == "en" and normalised(made.content) in normalised(quoted):
        return  # a name or a word in Latin letters, as it was said
    if made.language == kept:
        return  # the quote alone is a name; the whole episode is in the language of the content
    raise _Refused(f"is in another language ({kept}) than what was said ({told})")


def _valid_from(text: str, made: Extraction, sources: Sequence[Said]) -> date:
    """Return the date from which it holds.

    Raises:
        _Refused: the date does not come from what was said.
    """
    if not text.strip():
        return made.valid_from
    try:
        given = date.fromisoformat(text.strip()[:10])
    except ValueError as error:
        raise _Refused(f"has the date {text[:20]!r}, which is none") from error
    if given < _EARLIEST:
        raise _Refused(f"has the date {given}, which is too long ago")
    if any(_is_told(given, said) for said in sources):
        return given
    raise _Refused(f"has the date {given}, which nothing in its sources says")


def _is_told(given: date, said: Said) -> bool:
    """Return whether a date is that of the episode, lies in what its time words mean, or stands in it."""
    if given == said.said_at.date():
        return True
    start, end = said.episode.event_start, said.episode.event_end
    zone = said.said_at.tzinfo
    if (
        start
        and end
        and start.astimezone(zone).date() <= given <= (end - timedelta(microseconds=1)).astimezone(zone).date()
    ):
        return True
    text = said.own_words.casefold()
    if str(given.year) in text:
        return True
    names_month = _MONTHS[given.month - 1] in text or re.search(rf"(?<!\d)0?{given.month}[月/.-]", text)
    return bool(names_month and abs(given - said.said_at.date()) < timedelta(days=366))


def _placed(made: Extraction) -> Extraction:
    """Return the extraction under its attribute's category; what was meant for the moment holds that day only."""
    quoted = " ".join(quote.text for quote in made.quotes)
    category = made.category if made.category in attributes.CATEGORIES else attributes.named(made.attribute).category
    if made.attribute in _TASTES and _MOMENTARY.search(quoted):
        until = made.valid_from + timedelta(days=1)
        return replace(
            made,
            attribute=attributes.OTHER,
            category="fact",
            confidence="low",
            valid_until=until,
            reason="said of that moment only",
        )
    if made.attribute != attributes.OTHER:
        category = attributes.named(made.attribute).category
    return replace(made, category=category)


def _named(made: Extraction) -> Extraction:
    what = (made.content,) if made.attribute == attributes.OTHER else (consolidation.canonical(made.object), made.value)
    kept = ("accepted",) if made.accepted else ("rejected", made.reason, made.content)
    key = ids.digest(made.user_id, made.scope, made.chunk, made.subject, made.attribute, *what, *kept)
    return replace(made, extraction_id=key)


def normalised(text: str) -> str:
    """Return the letters and digits of a text, NFKC and casefolded: what two ways of writing the same words share."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in folded if char.isalnum())
