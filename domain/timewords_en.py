"""English time words: where they stand in a text and which stretch of local time they mean. Pure.

What is not plain from the words: a week begins on Monday. "This Friday" is that of this week, "next Friday" that of
the next week, "last Friday" the most recent one before today; a bare or "on" Friday is the coming one (today counts),
or the last one if its verb is in the past tense; a month, a date without a year and a feast are the nearest, or the
last or the next by the tense (``timewords_en_tense``), and the weekday beside a date must agree; "the 25th" is the
coming one, or by a past verb the last. "Last summer" or "last May" is the most recent that is over, "next May" that of
the next calendar year, "next Christmas" the coming one. Morning, afternoon and evening (or night) are 06-12, 12-18 and
18-24. A bare "at 3:30" is in the waking hours, 07:00 to 18:59. 05/07/2023 may be two days and is none; so are "a few
days ago", "recently", a month or year without a word before it, what recurs, and "after 5 pm" without a date.
"""

import re
from collections.abc import Callable, Iterator
from datetime import datetime

from domain import named_days, spans
from domain import timewords_en_words as en
from domain.spans import Found, Span, Tense
from domain.timewords_en_tense import tense as _tense


def find(text: str, at: datetime) -> Iterator[Found]:
    """Return the time words of a text, in no order, some within others.

    Args:
        text: with ASCII digits and apostrophes.
        at: aware; when it was said.
    """
    text = en.RANGE_OF_WEEKDAYS.sub(lambda match: "\0" * len(match.group()), text)
    for match in en.ANY.finditer(text):
        if not en.EVERY.search(text, max(0, match.start() - 60), match.start()):
            yield from _tried(match, lambda m: _dated(text, m, at))
    for match in en.CLOCK_ALONE.finditer(text):
        if not en.RECURS.search(text, max(0, match.start() - 40), match.start()):
            yield from _tried(match, lambda m: _today(text, m, at))
    for match in en.HOUR_ALONE.finditer(text):
        yield from _tried(match, lambda m: _bare(m, spans.day(at), "", needs_date=True))
    for match in en.BESIDE.finditer(text):
        yield from _tried(match, lambda m: _beside(text, m, at))
    for match in en.AWAY.finditer(text):
        yield from _tried(match, lambda m: _away(m, at, _tense(text, m)))


def _tried(match: re.Match[str], rule: Callable[[re.Match[str]], Found | None]) -> Iterator[Found]:
    try:
        found = rule(match)
    except (OverflowError, ValueError):  # 31 June, the year 99999
        return
    if found:
        yield found


def _dated(text: str, match: re.Match[str], at: datetime) -> Found | None:
    """Return a date, narrowed by the part of the day and the clock, which may stand before it, if it is one day."""
    first, last = match.span()
    span = _date_span(match, at, _tense(text, match))
    if span is None:
        return None
    clock, part = match["clock"] or match["hour"], (match["day_part"] or "").lower()
    if before := en.BEFORE_DATE.search(text, max(0, first - 40), first):
        clock, first = before["clock"], before.start()
    if match["part"]:
        part = next(one for one in _PARTS if one in match["part"].lower().replace("tonight", "night"))
    length = span[1] - span[0]
    if length == spans.ONE_DAY and clock:
        return Found(first, last, _at_clock(span, clock, part))
    if length < spans.ONE_DAY and clock:
        return Found(first, last, _at_clock(spans.day(span[0]), clock, part))
    if length == spans.ONE_DAY and part:
        return Found(first, last, spans.hours(span, *_PARTS[part]))
    return Found(match.start(), last, span)


def _date_span(match: re.Match[str], at: datetime, tense: Tense) -> Span | None:
    name = next(name for name, _ in en.DATES if match[name])
    raw = match[name]
    return _RULES[name](raw if name in {"date", "month", "month_year"} else raw.lower(), at, tense)


# --- times of day

_PARTS = {"morning": (6, 12), "afternoon": (12, 18), "evening": (18, 24), "night": (18, 24)}


def _at_clock(of: Span, clock: str, part: str) -> Span:
    words = clock.lower().replace(".", "")
    if words == "noon":
        return spans.clock(of, 12, None)
    digits = re.findall(r"\d+", words)
    minute = int(digits[1]) if len(digits) > 1 else None
    named = digits[0] if digits else next(word for word in reversed(words.split()) if word in en.NUMBERS)
    hour = int(named) if named.isdecimal() else en.NUMBERS.index(named)
    if words.startswith("half"):
        minute = 30
    elif "quarter" in words:
        hour, minute = (hour - 1, 45) if " to " in words else (hour, 15)
    if words.endswith(("am", "pm")):
        return spans.clock(of, hour % 12 + (12 if words.endswith("pm") else 0), minute)
    if named.startswith("0") or hour > 12:
        return spans.clock(of, hour, minute)
    return spans.clock(of, _hour(hour, part), minute)


def _hour(hour: int, part: str) -> int:
    """Return the hour of 24 that a part of the day, or the waking hours, make of an hour of 12."""
    if part in {"evening", "night"}:
        return 24 + hour % 12 if hour == 12 or (part == "night" and hour < 5) else hour + 12
    if part == "morning":
        return hour % 12
    return hour + 12 if hour <= 6 else hour


_OPEN = re.compile(r"(?:[1-9]|1[0-2])(?::[0-5]\d)?|.*(?:\bpast|\bto|o'clock)\b.*")  # no am, pm or hour of 24


def _bare(match: re.Match[str], of: Span, part: str, *, needs_date: bool) -> Found:
    """Return a clock time without a date of its own."""
    clock = match["clock"].lower()
    is_open = not part and _OPEN.fullmatch(clock) is not None
    span = _at_clock(of, clock, part)
    return Found(match.start(), match.end(), span, is_dated=False, needs_date=needs_date, is_open=is_open)


def _today(text: str, match: re.Match[str], at: datetime) -> Found | None:
    """Return a clock time of today; digits that may be a score or a verse need a word before, or two for the hour."""
    clock, lead = match["clock"].lower(), (match["lead"] or "").lower()
    is_sure = lead or not re.fullmatch(r"\d:\d\d(?::\d\d)?", clock)
    if not is_sure or (clock == "noon" and not lead):
        return None
    before = text[max(0, match.start() - 60) : match.start()]
    is_bound = en.BOUND.fullmatch(lead) and not (lead == "from " and en.RANGE_AFTER.match(text, match.end()))
    needs_date = is_bound or en.ONWARDS.match(text, match.end()) or en.BETWEEN.search(before)
    needs_date = needs_date or en.HOURS_OF.search(before)
    return _bare(match, spans.day(at), (match["part"] or "").lower(), needs_date=bool(needs_date))


# --- dates

_SHIFTS = {"last": -1, "past": -1, "next": 1, "this": 0, "the": 0, "coming": 0}
_SHIFT = re.compile(r"\b(last|past|next|this|coming)\b")


def _shift(word: str) -> int | None:
    found = _SHIFT.findall(word)
    return _SHIFTS[found[-1]] if found else None


def _near_day(word: str, at: datetime, _tense: Tense) -> Span:
    shifts = {"today": 0, "yesterday": -1, "tomorrow": 1}
    shift = shifts[word.rsplit(maxsplit=1)[-1]]
    return spans.day(at, shift * 2 if "day " in word else shift)


def _part(word: str, at: datetime, _tense: Tense) -> Span:
    shift = -1 if word.startswith(("last", "yesterday")) else 1 if word.startswith("tomorrow") else 0
    return spans.hours(spans.day(at, shift), *next(_PARTS[part] for part in _PARTS if part in word))


def _near(word: str, at: datetime, _tense: Tense) -> Span:
    shift = -2 if word.endswith("before last") else _shift(word) or 0
    if "week" in word:
        return spans.week(at, shift)
    return spans.month(at.year, at.month + shift) if "month" in word else spans.year(at.year + shift)


def _weekend(word: str, at: datetime, tense: Tense) -> Span:
    if word.endswith("before last"):
        return spans.weekend(at, -2)
    shift = _shift(word)
    return spans.weekend(at, (-1 if tense == "past" else 0) if shift is None else shift)


def _part_near(word: str, at: datetime, tense: Tense) -> Span:
    return spans.third(_near(word, at, tense), _third(word))


def _third(word: str) -> spans.Part:
    if re.search("early|beginning|start", word):
        return "early"
    return "mid" if "mid" in word else "late"


def _weekday(word: str, at: datetime, tense: Tense) -> Span:
    number = next(n for n, name in enumerate(en.WEEKDAYS) if re.search(rf"\b{name[:3]}", word))
    past, coming = -((at.weekday() - number - 1) % 7 + 1), (number - at.weekday()) % 7
    if re.search(r"\b(?:last|past)\b", word):
        return spans.day(at, past)
    if "coming" in word:
        return spans.day(at, coming or 7)
    if "next" in word or "this" in word:
        return spans.weekday(at, number, 1 if "next" in word else 0)
    return spans.day(at, past if tense == "past" else coming)


_WEEKDAY_NAME = re.compile(rf"\b(?:{en.WD}|{en.WD_SHORT})", en.FLAGS)


def _weekday_named(word: str) -> int | None:
    """Return the weekday that stands beside a date, Monday is 0."""
    found = _WEEKDAY_NAME.search(word)
    return next(n for n, name in enumerate(en.WEEKDAYS) if name[:3] == found.group()[:3].lower()) if found else None


def _month_number(word: str) -> int:
    """Return the month that a word names, 1 to 12.

    Raises:
        ValueError: "march" and "may" in small letters, where nothing says that they are months.
    """
    found = re.search(en.MON, word, en.FLAGS)
    if found is None:
        raise ValueError(f"no month: {word}")
    name = found.group()
    if name in {"may", "march", "mar"} and not re.search(
        r"\b(?:on|in|of|since|until|by)\b|\d(?:st|nd|rd|th)|\d{4}", word
    ):
        raise ValueError(f"no month for sure: {word}")
    return en.MONTHS.index(name[:3].lower()) + 1


def _years(at: datetime) -> range:
    return range(max(1, at.year - 1), min(9999, at.year + 1) + 1)


def _date(word: str, at: datetime, tense: Tense) -> Span | None:
    month, year = _month_number(word), re.search(rf"\b{en.YEAR}\b", word)
    days = [int(found) for found in re.findall(r"\b(\d{1,2})(?:st|nd|rd|th)?\b", word)]

    def of(number: int) -> Span:
        first, last = spans.date(number, month, days[0]), spans.date(number, month, days[-1])
        return (first[0], last[1]) if first[0] <= last[0] else first

    if year:
        return of(int(year.group()))
    found = [of(number) for number in _years(at) if days[-1] <= spans.month_length(number, month)]
    return spans.chosen(spans.on_weekday(found, _weekday_named(word)), at, tense)


def _month(word: str, at: datetime, tense: Tense) -> Span:
    number, shift = _month_number(word), _shift(word.lower())
    found = [spans.month(year, number) for year in (at.year - 1, at.year, at.year + 1)]
    month = _of_years(found, at, shift, tense)
    is_part = re.search(r"\b(?:early|mid|late|beginning|start|middle|end)\b", word.lower())
    return spans.third(month, _third(word.lower())) if is_part else month


def _of_years(found: list[Span], at: datetime, shift: int | None, tense: Tense) -> Span:
    """Return one of last, this and next year's: "last" is the latest that is over, "next" that of the next year.

    Raises:
        ValueError: there are not three, at the ends of the calendar.
    """
    if len(found) != 3:
        raise ValueError("the calendar ends here")
    if shift == -1:
        now = at.replace(tzinfo=None)
        return next((span for span in reversed(found) if span[1] <= now), found[0])
    return spans.chosen(found, at, tense) if shift is None else found[1 + shift]


def _month_year(word: str, _at: datetime, _tense: Tense) -> Span:
    month = spans.month(int(word[-4:]), _month_number(word))
    is_part = re.search(r"\b(?:early|mid|late|beginning|start|middle|end)\b", word.lower())
    return spans.third(month, _third(word.lower())) if is_part else month


def _day_of_month(word: str, at: datetime, tense: Tense) -> Span | None:
    number = int(re.findall(r"\d+", word)[0])
    if word.endswith("month"):
        start, end = spans.month(at.year, at.month + (_shift(word.rpartition(" of ")[2]) or 0))
        return spans.day(start, number - 1) if number <= (end - start).days else None
    return spans.day_of_month(at, number, _weekday_named(word), tense)


def _season(word: str, at: datetime, tense: Tense) -> Span:
    name = next(name for name in ("spring", "summer", "autumn", "fall", "winter") if name in word)
    name = "autumn" if name == "fall" else name
    if word[-4:].isdecimal():
        return spans.season(int(word[-4:]), name)
    found = [spans.season(year, name) for year in (at.year - 1, at.year, at.year + 1)]
    return _of_years(found, at, _shift(word), tense)


def _named(word: str, at: datetime, tense: Tense) -> Span:
    rule = named_days.EN[next(name for name in sorted(named_days.EN, key=len, reverse=True) if name in word)]
    if word[-4:].isdecimal():
        return rule(int(word[-4:]))
    found, shift = named_days.around(rule, at.year), _shift(word)
    # "Next Christmas" is the coming one, where "next May" is next year's: nobody says it of a feast just past.
    return spans.chosen(found, at, "future") if shift == 1 else _of_years(found, at, shift, tense)


def _year(word: str, _at: datetime, _tense: Tense) -> Span:
    year = spans.year(int(word[-4:]))
    return spans.third(year, _third(word)) if re.search("early|mid|late|beginning|start|end", word) else year


def _instant(word: str, at: datetime, _tense: Tense) -> Span:
    """Return the minute of an ISO instant in the zone of ``at``, in which it also is if it names no offset."""
    there = datetime.fromisoformat(word.upper())
    local = there.astimezone(at.tzinfo).replace(tzinfo=None) if there.tzinfo else there
    return spans.clock(spans.day(local), local.hour, local.minute)


def _iso(word: str, _at: datetime, _tense: Tense) -> Span:
    year, month, day = (int(digits) for digits in re.findall(r"\d+", word))
    return spans.date(year, month, day)


def _slashes(word: str, _at: datetime, _tense: Tense) -> Span | None:
    first, second, year = (int(digits) for digits in word.split("/"))
    if first == second or second > 12:
        return spans.date(year, first, second)
    return spans.date(year, second, first) if first > 12 else None


def _beside(text: str, match: re.Match[str], at: datetime) -> Found | None:
    """Return the day, weekday, weekend, week or month before, after or of a date."""
    date = en.ANY.match(text, match.end())
    span = _date_span(date, at, _tense(text, match)) if date else None
    if date is None or span is None:
        return None
    what, way = match["what"].lower(), match["way"].lower()
    last = date.end(next(name for name, _ in en.DATES if date[name]))
    return Found(match.start(), last, _step(span, what, {"before": -1, "of": 0, "after": 1}[way]))


def _step(span: Span, what: str, way: int) -> Span:
    if what in en.WEEKDAYS:
        number = en.WEEKDAYS.index(what)
        if way == 0:
            return spans.weekday(span[0], number)
        edge = span[0] if way < 0 else span[1] - spans.ONE_DAY
        distance = (edge.weekday() - number - 1) % 7 + 1 if way < 0 else (number - edge.weekday() - 1) % 7 + 1
        return spans.day(edge, way * distance)
    if what == "day":
        return spans.day(span[0] if way <= 0 else span[1], min(way, 0))
    if what == "weekend":
        return _step(span, "saturday", way)[0], _step(span, "saturday", way)[0] + 2 * spans.ONE_DAY
    return spans.week(span[0], way) if what == "week" else spans.month(span[0].year, span[0].month + way)


_UNITS = {"min": (1, "minute"), "yr": (1, "year"), "fortnight": (2, "week"), "decade": (10, "year")}


def _away(match: re.Match[str], at: datetime, tense: Tense) -> Found | None:
    """Return the span of "three days ago", "in two weeks"; "I did it in two days" is how long it took."""
    if match["n_in"] and tense == "past":
        return None
    words = (match["n"] or match["n_in"]).lower()
    unit = (match["unit"] or match["unit_in"]).lower().removesuffix("s")
    amount: float
    if words.startswith("half"):
        amount = 0.5
    elif words.startswith("a couple"):
        amount = 2
    else:
        amount = int(words) if words.isdecimal() else 1 if words in {"a", "an"} else en.NUMBERS.index(words)
    if match["half"] or match["half_more"]:
        amount += 0.5
    factor, unit = _UNITS.get(unit, (1, unit))
    sign = -1 if (match["way"] or "").lower() == "ago" else 1
    if match["today"] and unit == "year":
        return Found(match.start(), match.end(), spans.same_day(at, int(sign * amount)))
    last = match.start("today") if match["today"] else match.end()
    if unit == "weekend":
        return Found(match.start(), last, spans.weekend(at, int(sign * amount)))
    return Found(match.start(), last, spans.away(at, sign * amount * factor, unit))


_RULES: dict[str, Callable[[str, datetime, Tense], Span | None]] = {
    "near_day": _near_day,
    "part": _part,
    "near": _near,
    "weekend": _weekend,
    "part_near": _part_near,
    "weekday": _weekday,
    "date": _date,
    "month_year": _month_year,
    "month": _month,
    "day_of_month": _day_of_month,
    "season": _season,
    "named": _named,
    "year": _year,
    "instant": _instant,
    "iso": _iso,
    "slashes": _slashes,
}
