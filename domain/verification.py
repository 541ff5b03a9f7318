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
MAX_NAME_CHARS = 80
_MIN_QUOTE_CHARS = 2
_MIN_ASCII_QUOTE_CHARS = 4  # "an" stands everywhere
_I = frozenset({"i", "me", "self", "myself", "speaker", "我", "本人", "自己"})
_USER = frozenset({USER, "users", "the user", "you", "用户", "用戶", "使用者", "用户本人", "你", "您"})
# Their object need not stand in the words: "I don't smoke", "she is my wife", "I feel low every Monday".
_UNSPOKEN = frozenset({"smoking", "alcohol", "marital_status", "gender", "mood", "opinion", "age", attributes.OTHER})
_MOMENTARY = re.compile(
    r"\b(?:today|tonight|right now|at the moment|this (?:morning|afternoon|evening|time)|not in the mood)\b"
    r"|今天|今晚|今早|此刻|这会儿|这次|这顿|這次",
    re.IGNORECASE,
)
# An allergy that is found today is one for life.
_TASTES = frozenset({"preference"}) | {n for n in attributes.ATTRIBUTES if n.startswith("favourite_")}
_DENIED = re.compile(
    r"(?:\b(?:not|never|no longer|cannot|without)|n[’']t|不再|不太|不是|没有|不|没|別|别)"
    r"\s*(?:really |so |that |much |很|太|怎么)?$",
    re.IGNORECASE,
)
_UNSHOWN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")
_MONTHS = (
    "jan(?:uary)?", "feb(?:ruary)?", "mar(?:ch)?", "apr(?:il)?", "may", "june?", "july?", "aug(?:ust)?",
    "sept?(?:ember)?", "oct(?:ober)?", "nov(?:ember)?", "dec(?:ember)?",
)  # fmt: skip
_EARLIEST, _LATEST = date(1900, 1, 1), date(2200, 1, 1)


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
        return _named(replace(made, accepted=False, reason="; ".join([str(refused), *notes])), chunk.day)
    return _named(replace(made, reason="; ".join(filter(None, [made.reason, *notes]))), chunk.day)


def _bare(candidate: Candidate, chunk: Chunk, origin: Provenance, last: Said) -> Extraction:
    return Extraction(
        extraction_id="",
        user_id=chunk.user_id,
        scope=chunk.scope,
        chunk=origin.chunk,
        subject=_shown(candidate.subject),
        attribute=candidate.attribute,
        object=_shown(candidate.object),
        value=candidate.value,
        content=_shown(candidate.content),
        category=candidate.category,
        confidence=candidate.confidence if candidate.confidence in CONFIDENCES else "low",
        language=last.episode.language,
        occurred_at=last.episode.occurred_at.astimezone(UTC),
        utc_offset_min=last.episode.utc_offset_min,
        start_char=0,
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


def _shown(text: str) -> str:
    """Return a text without what is not seen: control characters, marks of direction, spaces of no width."""
    return " ".join(_UNSHOWN.sub(" ", text).split())


def _subject(name: str, sources: Sequence[Said]) -> str:
    """Return whom a proposal is about: "I" is who speaks, and the user's own name is the user."""
    if name.casefold() in _I:
        return sources[0].subject
    if name.casefold() in _USER:
        return USER
    own = {str(s.episode.speaker).casefold() for s in sources if s.subject == USER and s.episode.speaker}
    own |= {s.episode.user_id.casefold() for s in sources}
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
    if max(len(made.subject), len(made.object)) > MAX_NAME_CHARS:
        raise _Refused(f"names something in more than {MAX_NAME_CHARS} characters")
    if made.value not in VALUES:
        raise _Refused(f"value is {made.value[:40]!r}, none of {', '.join(VALUES)}")
    _check_quotes(made, candidate, sources, given)
    _check_subject(made, sources)
    _check_object(made, sources)
    _check_language(made, sources)
    first = candidate.quotes[0]
    start = max(0, given[first.source].own_words.casefold().find(first.text.strip().casefold()))
    made = replace(made, start_char=start, valid_from=_valid_from(candidate.valid_from, made, sources))
    return _placed(made)


def _check_quotes(made: Extraction, candidate: Candidate, sources: Sequence[Said], given: dict[str, Said]) -> None:
    if not candidate.quotes:
        raise _Refused("has no quote")
    for quote in candidate.quotes:
        said = given.get(quote.source)
        if said is None or said not in sources:
            raise _Refused(f"quotes episode {quote.source or '?'}, which is not among its sources")
        words = normalised(quote.text)
        if len(words) < (_MIN_ASCII_QUOTE_CHARS if words.isascii() else _MIN_QUOTE_CHARS):
            raise _Refused("has an empty quote")
        if holds(said.own_words, quote.text):
            if made.subject == USER and said.subject != USER:
                raise _Refused(f"is about the user, but {said.subject} said it")
            if made.value in {"yes", "like"} and _is_denied(said.own_words, quote.text):
                raise _Refused("leaves out a denial right before its quote")
        elif any(holds(text, quote.text) for _, text in said.texts):
            raise _Refused("rests on what the agent said, not on the user's words")
        else:
            raise _Refused(f"quotes words that are not in episode {quote.source}")


def _is_denied(text: str, quote: str) -> bool:
    place = text.casefold().find(quote.strip().casefold())
    return place > 0 and bool(_DENIED.search(text[max(0, place - 20) : place]))


def _check_subject(made: Extraction, sources: Sequence[Said]) -> None:
    """Refuse a fact about somebody of whom its sources do not speak.

    Raises:
        _Refused: so it is.
    """
    if made.subject == USER or any(made.subject == said.subject for said in sources):
        return
    name = normalised(made.subject)
    # A relation is told by its first character as well: 我妈 for 妈妈.
    wanted = name if name.isascii() else name[:1]
    if not any(wanted in normalised(text) for said in sources for _, text in said.texts):
        raise _Refused(f"is about {made.subject}, whom its sources do not name")


def _check_object(made: Extraction, sources: Sequence[Said]) -> None:
    if not made.object:
        if made.attribute not in _UNSPOKEN:
            raise _Refused("has no object")
        return
    if made.attribute in _UNSPOKEN:
        return
    words = {word for said in sources for _, text in said.texts for word in tokens(text)}
    is_named = any(normalised(made.object) in normalised(text) for said in sources for _, text in said.texts)
    if not is_named and not set(tokens(made.object)) <= words:
        raise _Refused("has an object that its sources do not name")


def _check_language(made: Extraction, sources: Sequence[Said]) -> None:
    """Refuse a sentence in another language than what was said.

    Raises:
        _Refused: so it is.
    """
    quoted = " ".join(quote.text for quote in made.quotes)
    told = {labels.language(quoted), *(said.episode.language for said in sources)}
    kept = labels.language(made.content)
    if kept in {*told, "und"} or any(normalised(made.content) in normalised(said.own_words) for said in sources):
        return  # a name or a word in Latin letters is as it was said
    raise _Refused(f"is in another language ({kept}) than what was said ({', '.join(sorted(told - {'und'}))})")


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
    if not _EARLIEST <= given <= _LATEST:
        raise _Refused(f"has the date {given}, which is no plausible one")
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
    names_year = bool(re.search(rf"(?<!\d){given.year}(?!\d)", text))
    month = rf"\b{_MONTHS[given.month - 1]}\b|(?<!\d)0?{given.month}(?:月|[/.-]\d)"
    if re.search(month, text):
        return names_year or abs(given - said.said_at.date()) < timedelta(days=366)
    return names_year and (given.month, given.day) == (1, 1)


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


def _named(made: Extraction, day: str) -> Extraction:
    what = (made.content,) if made.attribute == attributes.OTHER else (consolidation.canonical(made.object), made.value)
    kept = ("accepted",) if made.accepted else ("rejected", made.reason, made.content)
    key = ids.digest(made.user_id, made.scope, day, made.chunk, made.subject, made.attribute, *what, *kept)
    return replace(made, extraction_id=key)


def normalised(text: str) -> str:
    """Return the letters and digits of a text, NFKC and casefolded: what two ways of writing the same words share."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in folded if char.isalnum())


def holds(text: str, quote: str) -> bool:
    """Return whether a text holds words, in whatever case, width and spacing, but not in the middle of a word."""
    inside, wanted = _spaced(text), _spaced(quote)
    return bool(wanted) and re.search(rf"(?<![a-z0-9]){re.escape(wanted)}(?![a-z0-9])", inside) is not None


def _spaced(text: str) -> str:
    """Return letters and digits with one space between words; none beside scripts that are written without."""
    folded = unicodedata.normalize("NFKC", text.replace("’", "'")).casefold().replace("'", "")
    words = "".join(char if char.isalnum() else " " for char in folded).split()
    return re.sub(r"(?<=[^\x00-\x7f]) | (?=[^\x00-\x7f])", "", " ".join(words))
