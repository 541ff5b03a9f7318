"""Days that have names: feasts of the solar, the Chinese lunisolar and the church calendar. Pure.

The lunisolar calendar is lunar_python's; Easter is python-dateutil's.
"""

from collections.abc import Callable
from datetime import timedelta
from functools import lru_cache

from dateutil.easter import easter  # type: ignore[import-untyped]
from lunar_python import Lunar  # type: ignore[import-untyped]

from domain import spans
from domain.spans import ONE_DAY, Span

LUNAR_YEARS = range(1, 9_999)


def _fixed(month: int, day: int, n_days: int = 1) -> Callable[[int], Span]:
    def of(year: int) -> Span:
        start, _ = spans.date(year, month, day)
        return start, start + n_days * ONE_DAY

    return of


def _nth(month: int, weekday: int, n: int) -> Callable[[int], Span]:
    """Return the rule of the n-th weekday (Monday is 0) of a month; -1 is the last."""

    def of(year: int) -> Span:
        first, following = spans.month(year, month)
        if n < 0:
            return spans.day(following, -1 - (following.weekday() - 1 - weekday) % 7)
        return spans.day(first, (weekday - first.weekday()) % 7 + 7 * (n - 1))

    return of


@lru_cache(maxsize=4096)
def lunar(year: int, month: int, day: int) -> Span:
    """Return the day of the Chinese calendar's year that begins in the spring of ``year``.

    Raises:
        ValueError: a number is out of range.
    """
    if year not in LUNAR_YEARS or not (1 <= month <= 12 and 1 <= day <= 30):
        raise ValueError(f"no day of the lunar calendar: {year}-{month}-{day}")
    first = Lunar.fromYmd(year, month, 1).getSolar()
    return spans.day(spans.date(first.getYear(), first.getMonth(), first.getDay())[0], day - 1)


def _lunar(month: int, day: int, n_days: int = 1, shift: int = 0) -> Callable[[int], Span]:
    def of(year: int) -> Span:
        start = lunar(year, month, day)[0] + timedelta(days=shift)
        return start, start + n_days * ONE_DAY

    return of


@lru_cache(maxsize=1024)
def _qingming(year: int) -> Span:
    if year not in LUNAR_YEARS:
        raise ValueError(f"no solar terms for the year {year}")
    found = Lunar.fromYmd(year, 1, 1).getJieQiTable()["清明"]
    return spans.date(found.getYear(), found.getMonth(), found.getDay())


def _easter(shift: int) -> Callable[[int], Span]:
    def of(year: int) -> Span:
        sunday = easter(year)  # ValueError before 1583 and after 4099
        return spans.day(spans.date(sunday.year, sunday.month, sunday.day)[0], shift)

    return of


# The three long holidays of China last the week that they have had at the least; the State Council moves single days.
_SPRING_FESTIVAL = _lunar(1, 1, n_days=7)
_NATIONAL_DAY = _fixed(10, 1, n_days=7)
_MAY_DAYS = _fixed(5, 1, n_days=5)

ZH: dict[str, Callable[[int], Span]] = {
    "元旦": _fixed(1, 1),
    "春节": _SPRING_FESTIVAL,
    "大年初一": _lunar(1, 1),
    "大年三十": _lunar(1, 1, shift=-1),
    "除夕": _lunar(1, 1, shift=-1),
    "元宵": _lunar(1, 15),
    "情人节": _fixed(2, 14),
    "妇女节": _fixed(3, 8),
    "清明": _qingming,
    "五一": _MAY_DAYS,
    "劳动节": _MAY_DAYS,
    "母亲节": _nth(5, 6, 2),
    "儿童节": _fixed(6, 1),
    "六一": _fixed(6, 1),
    "端午": _lunar(5, 5),
    "父亲节": _nth(6, 6, 3),
    "七夕": _lunar(7, 7),
    "教师节": _fixed(9, 10),
    "中秋": _lunar(8, 15),
    "国庆": _NATIONAL_DAY,
    "重阳": _lunar(9, 9),
    "万圣节": _fixed(10, 31),
    "双十一": _fixed(11, 11),
    "双11": _fixed(11, 11),
    "感恩节": _nth(11, 3, 4),
    "平安夜": _fixed(12, 24),
    "圣诞": _fixed(12, 25),
}
EN: dict[str, Callable[[int], Span]] = {
    "new year's day": _fixed(1, 1),
    "new years day": _fixed(1, 1),
    "new year's eve": _fixed(12, 31),
    "new years eve": _fixed(12, 31),
    "chinese new year": _SPRING_FESTIVAL,
    "lunar new year": _SPRING_FESTIVAL,
    "valentine's day": _fixed(2, 14),
    "valentines day": _fixed(2, 14),
    "st patrick's day": _fixed(3, 17),
    "good friday": _easter(-2),
    "easter sunday": _easter(0),
    "easter monday": _easter(1),
    "easter": _easter(0),
    "mother's day": _nth(5, 6, 2),
    "memorial day": _nth(5, 0, -1),
    "father's day": _nth(6, 6, 3),
    "juneteenth": _fixed(6, 19),
    "independence day": _fixed(7, 4),
    "fourth of july": _fixed(7, 4),
    "4th of july": _fixed(7, 4),
    "labor day": _nth(9, 0, 1),
    "halloween": _fixed(10, 31),
    "thanksgiving day": _nth(11, 3, 4),
    "thanksgiving": _nth(11, 3, 4),
    "christmas eve": _fixed(12, 24),
    "christmas day": _fixed(12, 25),
    "christmas": _fixed(12, 25),
    "boxing day": _fixed(12, 26),
}


def around(rule: Callable[[int], Span], year: int) -> list[Span]:
    """Return the day in the year before, in the year and in the year after, as far as the calendar has them."""
    return [rule(number) for number in (year - 1, year, year + 1) if 1583 <= number <= 4000]
