"""Chinese time words: where they stand in a text and which stretch of local time they mean. Pure.

What is not plain from the words: a week begins on Monday. 下周五 is the next week's, 上周五 the last week's; a bare
周五 is this week's, or the next's if that is over and the clause does not say 了. 5月 is the nearest one, or the
last or next if the clause says 了 or 要; 5号 is the coming one, or the last if it says 了. 约好了周五 points forward
for all its 了. Parts of a day are ``_PARTS``, of a month and year ``spans.third``. A bare 三点半 is in the waking
hours, 07:00 to 18:59. Bare 下午 or 春天 name no day or year and stay unresolved, and so do 刚才, 最近, 几天前, 下学期,
what recurs (每周五) and a bound without a date (七点以后).
"""

import re
from collections.abc import Callable, Iterator
from datetime import datetime

from domain import named_days, spans
from domain import timewords_zh_words as zh
from domain.spans import Found, Span, Tense

_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2}


def find(text: str, at: datetime) -> Iterator[Found]:
    """Return the time words of a text, in no order, some within others.

    Args:
        text: with ASCII digits.
        at: aware; when it was said.
    """
    if zh.SPACED.search(text) is None:
        yield from _find(text, at)
        return
    squeezed, places = _squeezed(text)
    for found in _find(squeezed, at):
        yield found._replace(first=places[found.first], last=places[found.last - 1] + 1)


def _squeezed(text: str) -> tuple[str, list[int]]:
    """Return a text without the spaces between digits and Chinese (11 月 16 日), and where each character stood."""
    pieces: list[str] = []
    places: list[int] = []
    end = 0
    for space in [*(match.span() for match in zh.SPACED.finditer(text)), (len(text), len(text))]:
        pieces.append(text[end : space[0]])
        places += range(end, space[0])
        end = space[1]
    return "".join(pieces), places


def _find(text: str, at: datetime) -> Iterator[Found]:
    for match in zh.ANY.finditer(text):
        if not zh.RECURS.search(text, max(0, match.start() - 8), match.start()):
            yield from _tried(match, lambda m: _dated(m, at, _tense(text, m)))
    for match in zh.TODAY.finditer(text):
        if not zh.RECURS.search(text, max(0, match.start() - 8), match.start()):
            part, clock = match["part"] or "", match["clock"] or match["sure"]
            for found in _tried(match, lambda m: _at_clock(spans.day(at), m["part"] or "", m["clock"] or m["sure"])):
                is_bound, is_open = zh.BOUND.match(text, match.end()) is not None, not part and clock[0] != "0"
                yield found._replace(is_dated=False, needs_date=is_bound, is_open=is_open)
    for match in zh.HOUR_ALONE.finditer(text):
        for found in _tried(match, lambda m: _at_clock(spans.day(at), "", m["clock"])):
            yield found._replace(is_dated=False, needs_date=True, is_open=True)
    for match in zh.AWAY.finditer(text):
        yield from _tried(match, lambda m: _away(m, at))


def _tried(match: re.Match[str], rule: Callable[[re.Match[str]], Span | None]) -> Iterator[Found]:
    try:
        span = rule(match)
    except (OverflowError, ValueError):  # 35 March, the year 99999
        return
    if span:
        yield Found(match.start(), match.end(), span)


def _tense(text: str, match: re.Match[str]) -> Tense:
    """Return what the clause of a time says of it, or the next clause if the time is all there is: 周二，我去了."""
    before = zh.CLAUSE.split(text[max(0, match.start() - 60) : match.start()])[-1]
    clauses = zh.CLAUSE.split(zh.SENTENCE.split(text[match.end() : match.end() + 60])[0])
    after = clauses[0]
    if not before.strip() and not after.strip() and len(clauses) > 1:
        after = clauses[1]
        return "past" if zh.PAST.search(after) and not zh.FUTURE.search(after) else None
    if zh.ARRANGED_ANOTHER.match(after):
        return "past"
    if zh.FUTURE.search(before) or zh.FUTURE.search(after) or (after.startswith("的") and zh.GOT.search(before)):
        return "future"
    return "past" if zh.PAST.search(before) or zh.PAST.search(after) else None


def _dated(match: re.Match[str], at: datetime, tense: Tense) -> Span | None:
    """Return the span of a date, narrowed by the part of the day and the clock if it is one day."""
    name = next(name for name, _ in zh.DATES if match[name])
    word = match[name] + (match["beside"] or match["next"] or "")
    span = _RULES[name](word, at, tense)
    if span and (match["part"] or match["clock"]) and span[1] - span[0] == spans.ONE_DAY:
        return _at_clock(span, match["part"] or "", match["clock"])
    return span


# --- times of day

_PARTS = {"凌": (0, 6), "中": (11, 13), "正": (11, 13), "午": (12, 18), "下": (12, 18), "傍": (17, 19), "黄": (17, 19)}
_PARTS |= dict.fromkeys("早清上大", (6, 12)) | dict.fromkeys("晚夜深半", (18, 24))
_CLOCK_PIECES = re.compile(r"(?P<h>\d+|[零一二两三四五六七八九十]+)(?:[:：](?P<m>\d\d)|[点时](?P<zh>.*))?")


def _at_clock(of: Span, part: str, clock: str | None) -> Span:
    if not clock:
        return spans.hours(of, *_PARTS[part[0]])
    pieces = _CLOCK_PIECES.match(clock)
    if pieces is None:
        raise ValueError(f"no clock time: {clock}")
    hour, minute = number(pieces["h"]), _minute(pieces["m"] or pieces["zh"] or "")
    if not part and (pieces["h"].startswith("0") or hour > 12):
        return spans.clock(of, hour, minute)
    return spans.clock(of, _hour(hour, part), minute)


def _hour(hour: int, part: str) -> int:
    """Return the hour of 24 (those after midnight are 24 to 29) that a part of the day makes of an hour of 12."""
    first, _ = _PARTS.get(part[:1], (None, None))
    if first is None:  # waking hours
        return hour + 12 if 1 <= hour <= 6 else hour
    if first == 0 and hour == 12:
        return 0
    if first == 18 and (hour == 12 or hour < 5):
        return 24 + hour % 12
    if (first >= 12 and hour < 12) or (first == 11 and hour < 6):
        return hour + 12
    return hour


def _minute(words: str) -> int | None:
    words = words.strip("过分钟整零〇")
    if not words:
        return None
    if words == "半":
        return 30
    return number(words[0]) * 15 if words.endswith("刻") else number(words)


def number(words: str) -> int:
    """Return a whole number from 0 to 9999 that is written in digits or Chinese (三十五, 两百, 二〇二三).

    Raises:
        ValueError: it is something else.
    """
    if words.isdecimal():
        return int(words)
    if not any(char in "十百" for char in words):
        return int("".join(str(_DIGITS[char]) for char in words if char in _DIGITS))
    total, pending = 0, 0
    for char in words:
        if char in "十百":
            total += (pending or 1) * (10 if char == "十" else 100)
            pending = 0
        else:
            pending = _DIGITS.get(char, 0)
    return total + pending


# --- dates

_SHIFTS = {"上上": -2, "上": -1, "下下": 2, "下": 1, "这": 0, "本": 0}
_DAY_SHIFTS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_YEAR_SHIFTS = {"大前": -3, "前": -2, "去": -1, "今": 0, "明": 1, "后": 2}
_THIRDS: dict[str, spans.Part] = {"初": "early", "上": "early", "中": "mid", "底": "late", "末": "late", "下": "late"}
_SEASONS = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}
_PREFIX = re.compile("上上|下下|大前|大后|[上下这本昨今明前后去]")
_NUMBERS = re.compile(r"[\d一二两三四五六七八九十〇零]+")


def _shift(word: str, shifts: dict[str, int]) -> int:
    found = _PREFIX.match(word)
    return shifts[found.group()] if found else 0


def _relative_day(word: str, at: datetime, _tense: Tense) -> Span:
    return spans.day(at, _shift(word, _DAY_SHIFTS))


def _in_week(word: str, at: datetime, shift: int) -> Span:
    if word.endswith("末"):
        return spans.weekend(at, shift)
    day = "一二三四五六日".find(word[-1].replace("天", "日"))
    return spans.weekday(at, day, shift) if day >= 0 else spans.week(at, shift)


def _week(word: str, at: datetime, _tense: Tense) -> Span:
    return _in_week(word, at, _shift(word, _SHIFTS))


def _weekday(word: str, at: datetime, tense: Tense) -> Span:
    """Return the weekday of this week; the last or next week's where the sentence's tense speaks against it."""
    this, now = _in_week(word, at, 0), at.replace(tzinfo=None)
    if tense == "past":
        return _in_week(word, at, -1) if this[0] > now else this
    return _in_week(word, at, 1) if this[1] <= now else this


def _in_month(tail: str, month: Span) -> Span:
    """Return the days of a month that the words after it name: 5号, 1日至7日, 初, 底."""
    days = [number(found) for found in _NUMBERS.findall(tail)]
    if days:
        first = spans.date(month[0].year, month[0].month, days[0])
        last = spans.date(month[0].year, month[0].month, days[-1])
        return (first[0], last[1]) if first[0] <= last[0] else first
    tail = tail.strip("的份")
    return spans.third(month, _THIRDS[tail[0]]) if tail else month


def _near_month(word: str, at: datetime, _tense: Tense) -> Span:
    head, _, tail = word.partition("月")
    return _in_month(tail, spans.month(at.year, at.month + _shift(head, _SHIFTS)))


def _of_month(word: str, year: int) -> Span:
    head, _, tail = word.partition("月")
    month = number(head)
    if not 1 <= month <= 12:
        raise ValueError(f"no month: {month}")
    return _in_month(tail, spans.month(year, month))


def _possible(rule: Callable[[int], Span], numbers: range) -> list[Span]:
    """Return the spans of those numbers that have one: 29 February is not in every year."""
    found = []
    for one in numbers:
        try:
            found.append(rule(one))
        except ValueError:
            continue
    return found


_BESIDE = re.compile("(?:周|星期|礼拜)([一二三四五六日天])")


def _parted(word: str) -> tuple[str, int | None]:
    """Return a date without the weekday beside it, and the weekday, Monday is 0."""
    found = _BESIDE.search(word)
    if found is None:
        return word, None
    return word[: found.start()] + word[found.end() :], "一二三四五六日".find(found[1].replace("天", "日"))


def _month(word: str, at: datetime, tense: Tense) -> Span | None:
    date, number_beside = _parted(word)
    found = _possible(lambda year: _of_month(date, year), range(at.year - 1, at.year + 2))
    return spans.chosen(spans.on_weekday(found, number_beside), at, tense)


def _day_of_month(word: str, at: datetime, tense: Tense) -> Span | None:
    date, number_beside = _parted(word)
    return spans.day_of_month(at, number(date[:-1]), number_beside, tense)


def _weekday_date(word: str, at: datetime, tense: Tense) -> Span | None:
    """Return the date that stands beside a weekday: 周三25号, 下周二（11月24日）."""
    beside = _BESIDE.search(word)
    date = word[beside.end() :].strip("，,、 （()）") + beside.group() if beside else word
    return (_month if "月" in date else _day_of_month)(date, at, tense)


def _year(word: str, at: datetime, _tense: Tense) -> Span:
    head, _, tail = word.partition("年")
    year = at.year + _YEAR_SHIFTS[head] if head in _YEAR_SHIFTS else number(head)
    tail = tail.removeprefix("的")
    return spans.same_day(at, year - at.year) if tail in {"今天", "今日"} else _in_year(tail, year)


def _in_year(tail: str, year: int) -> Span:
    if not tail:
        return spans.year(year)
    if tail in {"上半年", "下半年"}:
        first = 1 if tail[0] == "上" else 7
        return spans.month(year, first)[0], spans.month(year, first + 6)[0]
    if named := next((name for name in named_days.ZH if tail.startswith(name)), None):
        return named_days.ZH[named](year)
    if "月" in tail:
        return _of_month(tail, year)
    if tail[0] in _SEASONS:
        return spans.season(year, _SEASONS[tail[0]])
    return spans.third(spans.year(year), _THIRDS[tail[-1]])


def _year_part(word: str, at: datetime, _tense: Tense) -> Span:
    return _in_year(word, at.year)


def _short_year(word: str, at: datetime, _tense: Tense) -> Span:
    year = 2000 + int(word[:2])
    return _in_year(word[3:], year if year <= at.year + 20 else year - 100)


def _season(word: str, at: datetime, _tense: Tense) -> Span:
    return spans.season(at.year, next(name for char, name in _SEASONS.items() if char in word))


def _named(word: str, at: datetime, tense: Tense) -> Span:
    name = max((name for name in named_days.ZH if word.startswith(name)), key=len)
    return spans.chosen(named_days.around(named_days.ZH[name], at.year), at, tense)


def _iso(word: str, _at: datetime, _tense: Tense) -> Span:
    year, month, day = (int(digits) for digits in re.findall(r"\d+", word))
    return spans.date(year, month, day)


def _lunar(word: str, at: datetime, tense: Tense) -> Span:
    head, _, tail = word.lstrip("农阴旧历").replace("大年", "正月").partition("月")
    month = {"正": 1, "冬": 11, "腊": 12}.get(head) or number(head)
    day = number(tail.replace("廿", "二十").strip("初"))
    found = named_days.around(lambda year: named_days.lunar(year, month, day), at.year)
    return spans.chosen(found, at, tense)


def _away(match: re.Match[str], at: datetime) -> Span:
    """Return the span of 三天前, 半年后, 一个半小时后, 一年前的今天.

    Raises:
        ValueError: the distance has four digits or more.
    """
    word = (match["unit"] or match["half_unit"] or match["half"]).lstrip("个")
    amount: float = 0.5 if match["half"] else number(match["n"])
    if match["and_half"] or word == "年半":
        amount += 0.5
    if amount >= 1000:  # 2000年前 may be the year 2000, or 2000 years ago
        raise ValueError(f"not a distance: {amount}")
    sign = -1 if match["way"] else 1
    units = {"年": "year", "年半": "year", "月": "month", "周": "week", "星期": "week", "礼拜": "week", "天": "day"}
    unit = (units | {"小时": "hour", "钟头": "hour", "分钟": "minute"})[word]
    if match["today"]:
        return spans.same_day(at, sign * int(amount))
    return spans.away(at, sign * amount, unit)


_RULES: dict[str, Callable[[str, datetime, Tense], Span | None]] = {
    "year": _year,
    "short_year": _short_year,
    "year_part": _year_part,
    "iso": _iso,
    "lunar": _lunar,
    "relative_day": _relative_day,
    "weekday_date": _weekday_date,
    "week": _week,
    "weekday": _weekday,
    "near_month": _near_month,
    "season": _season,
    "month": _month,
    "day_of_month": _day_of_month,
    "named": _named,
}
