"""Time words of a text, Chinese and English, resolved against the moment at which it was said. Pure.

"下周三上午九点" or "the Friday before 20 May" become stretches of time in the event's own offset; how each language
is read stands at the top of ``timewords_zh`` and ``timewords_en``. What is vague, recurs or may mean something else is
left out: a wrong date is worse than none.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from domain import timewords_en, timewords_en_words, timewords_link, timewords_zh, timewords_zh_words
from domain.spans import Found, Span

READ_CHARS = 4_000  # a time word further on says nothing about when the whole happened

# Of the same length as the text, so that places stay: full-width digits and signs as the ASCII ones.
_WIDE = str.maketrans("０１２３４５６７８９：／－．　\u00a0\u2009\u202f’‘", "0123456789:/-.    ''")
# Links, addresses and opening hours are no time of anything that happened.
_NO_TIME = re.compile(
    r"(?a:(?:https?://|www\.)[^\s\u3000-\u9fff，。；！？]+|[\w.+-]+@[\w-]+\.[\w.]+)|(?:营业|开放)时间[^，。；！？\n]{0,30}",
    re.IGNORECASE,
)
_HAN = re.compile("[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class TimeWord:
    """Words that name a time, as they stand in the text, and the time: [start, end), aware, in the event's offset."""

    text: str
    start: datetime
    end: datetime
    is_dated: bool = True  # False: a clock time that is today's only because no date stands near by


def resolve(text: str, occurred_at: datetime) -> list[TimeWord]:
    """Return the time words of the first ``READ_CHARS`` characters, in order of appearance, none inside another.

    A word is as long as the smallest unit that it names: a year, a month, a week, a day, part of a day, an hour, a
    minute. A clock time without a date of its own is that of the date near by, as ``timewords_link`` has it, or else of
    today. Dates outside the years 1 to 9999 are left out.

    Args:
        text: any text.
        occurred_at: aware; the moment it was said, in the offset or zone that the calendar is read in.
    """
    read = text[:READ_CHARS].translate(_WIDE)
    is_zh, is_en = timewords_zh_words.HINT.search(read), timewords_en_words.HINT.search(read)
    if not (is_zh or is_en):
        return []
    read = _NO_TIME.sub(lambda match: "\0" * len(match.group()), read)
    found = list(timewords_zh.find(read, occurred_at)) if is_zh and _HAN.search(read) else []
    if is_en:
        found += timewords_en.find(read, occurred_at)
    try:
        found = timewords_link.linked(_longest(found), read, occurred_at)
    except OverflowError:  # a day after the last of the calendar
        return []
    words = (_word(text, one, occurred_at) for one in found)
    return [word for word in words if word]


def _longest(found: list[Found]) -> list[Found]:
    """Return the words that overlap no longer one (of equals: no earlier one), in order of appearance."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda word: (word.first - word.last, word.first)):
        if all(one.last <= other.first or other.last <= one.first for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda word: word.first)


def _word(text: str, found: Found, at: datetime) -> TimeWord | None:
    raw = text[found.first : found.last]
    try:
        start, end = _aware(found.span, at)
    except (OverflowError, ValueError):  # the first or last hours of the calendar, in UTC
        return None
    return TimeWord(raw.strip(), start, end, found.is_dated)


def _aware(span: Span, at: datetime) -> tuple[datetime, datetime]:
    """Return the span in the zone of ``at``; an hour that summer time skips begins where the clock goes on."""
    start, end = span[0].replace(tzinfo=at.tzinfo), span[1].replace(tzinfo=at.tzinfo)
    start_utc, end_utc = start.astimezone(UTC), end.astimezone(UTC)
    if start_utc >= end_utc:
        end_utc = start_utc + (span[1] - span[0])
        return start_utc.astimezone(at.tzinfo), end_utc.astimezone(at.tzinfo)
    return start, end


def event_time(words: Sequence[TimeWord]) -> tuple[datetime, datetime] | None:
    """Return the interval an episode is filed under, or None.

    It is that of the shortest time word, of equals the first, among those that have a date, their own or one near by;
    a bare clock time of today counts only if there is no date at all.
    """
    if not words:
        return None
    best = min([word for word in words if word.is_dated] or words, key=lambda word: word.end - word.start)
    return best.start, best.end
