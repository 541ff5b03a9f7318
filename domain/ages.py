"""How long ago something was, in words, in Chinese or English. Pure: the caller passes now."""

from datetime import datetime

_DAY = 86_400
_STEPS = (  # (below so many seconds, unit in seconds, English, Chinese)
    (3_600, 60, "minute", "分钟"),
    (_DAY, 3_600, "hour", "小时"),
    (14 * _DAY, _DAY, "day", "天"),
    (60 * _DAY, 7 * _DAY, "week", "周"),
    (730 * _DAY, 30 * _DAY, "month", "个月"),
)


def in_words(moment: datetime, now: datetime, language: str = "en") -> str:
    """Return the age of an instant, such as ``3 days ago`` or ``3天前``; for a later one ``in 3 days`` or ``3天后``.

    Args:
        moment: aware.
        now: aware.
        language: ``zh`` for Chinese, anything else for English.
    """
    seconds = (now - moment).total_seconds()
    size = abs(seconds)
    if size < 60:
        return "刚刚" if language == "zh" else "just now"
    unit, en, zh = next(((u, e, z) for below, u, e, z in _STEPS if size < below), (365 * _DAY, "year", "年"))
    count = int(size // unit)
    if language == "zh":
        return f"{count}{zh}{'前' if seconds > 0 else '后'}"
    words = f"{count} {en}{'' if count == 1 else 's'}"
    return f"{words} ago" if seconds > 0 else f"in {words}"


def event_in_words(start: datetime, end: datetime, now: datetime, language: str = "en") -> str:
    """Return where an interval lies relative to now: going on, ahead or past, with how far.

    Args:
        start: aware, first instant.
        end: aware, first instant after it.
        now: aware.
        language: as for ``in_words``.
    """
    if start <= now < end:
        return "正在此时" if language == "zh" else "now"
    return in_words(start if now < start else end, now, language)
