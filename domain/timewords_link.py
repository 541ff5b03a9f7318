"""Clock times that stand without a date, given the date near by that they belong to. Pure.

"Tomorrow afternoon ... at 4": the clock belongs to the last date before it in its sentence, or in the sentence before;
else to the date that follows it in its clause. A date that is over takes up a later clock only where the words do not
speak of something to come ("I was ill yesterday. Call me at 3 pm" is today), and in the next sentence only where they
are plainly past. A clock beside a week or month that is not now has no day, and is left out.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from domain import spans
from domain import timewords_zh_words as zh
from domain.spans import Found, Tense
from domain.timewords_en_tense import clause_tense

NEAR_CHARS = 300  # a date further back is another matter
_SENTENCE = re.compile(r"(?:[。！？!?\n；;]|\.(?=\s|$))[\s。！？!?；;.]*")
_CLAUSE = re.compile(r"[，。！？；：!?;\n]|[,.:](?=\s|$)")
_OTHER_MATTER = re.compile(r"改|挪|推|调|\b(?:move|reschedule|push|shift|change|switch|instead)", re.IGNORECASE)
_BREAK = re.compile(_CLAUSE.pattern + "|[\u4e00-\u9fff]")  # in Chinese a clock follows its date
_HAN = re.compile("[\u4e00-\u9fff]")


def linked(found: Sequence[Found], text: str, at: datetime) -> list[Found]:
    """Return the words in order, clock times on the days that they belong to; without those that mean nothing.

    Args:
        found: in order of appearance, none overlapping.
        text: the places are places in it.
        at: when it was said.
    """
    if all(word.is_dated and not word.needs_date for word in found):
        return list(found)
    kept: list[Found] = []
    anchor: Found | None = None
    for n, word in enumerate(found):
        if word.is_dated:
            anchor = word
            kept.append(word)
            continue
        following = found[n + 1] if n + 1 < len(found) else None
        if made := _placed(word, anchor, following, text, at):
            kept.append(made)
            anchor = made if made.is_dated else anchor
    return kept


def _placed(word: Found, anchor: Found | None, following: Found | None, text: str, at: datetime) -> Found | None:
    """Return a clock time on the day of its date, on today if there is none, or nothing if it has no day."""
    if anchor:
        n_between = _sentences_between(text[anchor.last : word.first][:NEAR_CHARS])
        if n_between <= 1 and word.first - anchor.last < NEAR_CHARS and _takes(anchor, word, text, at, n_between):
            if _is_day(anchor):
                return _on(word, anchor, at)
            if n_between == 0 and not anchor.span[0] <= at.replace(tzinfo=None) < anchor.span[1]:
                return None
    if following and following.is_dated and _is_day(following):
        between = text[word.last : following.first]
        if len(between) < 60 and not _BREAK.search(between) and not _OTHER_MATTER.search(between):
            return _on(word, following, at)
    return None if word.needs_date else word


def _sentences_between(between: str) -> int:
    return len(_SENTENCE.findall(between))


def _is_day(word: Found) -> bool:
    return word.span[1] - word.span[0] <= spans.ONE_DAY


def _takes(anchor: Found, word: Found, text: str, at: datetime, n_between: int) -> bool:
    """Return whether a clock time may belong to the date before it."""
    tense = _tense(text, word)
    if anchor.span[1] > at.replace(tzinfo=None):
        return n_between == 0 or tense != "past"
    return tense == "past" if n_between else tense != "future"


def _tense(text: str, word: Found) -> Tense:
    before, after = text[max(0, word.first - 60) : word.first], text[word.last : word.last + 60]
    clause = _CLAUSE.split(before)[-1] + " ， " + _CLAUSE.split(after)[0]
    if not _HAN.search(clause):
        return clause_tense(clause)
    if zh.FUTURE.search(clause):
        return "future"
    return "past" if zh.PAST.search(clause) else None


def _on(word: Found, date: Found, at: datetime) -> Found:
    """Return the clock time on the day of a date; in the evening of it if that is what the date names."""
    shift = spans.midnight(date.span[0]) - spans.midnight(at)
    start, end = word.span[0] + shift, word.span[1] + shift
    half = timedelta(hours=12)
    is_part = timedelta(hours=2) <= date.span[1] - date.span[0] < spans.ONE_DAY
    if word.is_open and is_part and not date.span[0] <= start < date.span[1] and start.hour < 12:
        later = start + half
        if date.span[0] <= later < date.span[1]:
            start, end = later, end + half
    return word._replace(span=(start, end), is_dated=True, needs_date=False)
