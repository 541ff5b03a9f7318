"""What clients send, understood: text for numbers and lists, times with and without zone. Pure.

Clients differ: some send a list as JSON text or as one bare word, a number as text, null for "not given" (dropped in
errors.PlainErrors). What is meant is taken; what is not clear is refused with the parameter's name and its form.
"""

import json
import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Annotated, Any, NoReturn

from pydantic import AfterValidator, BeforeValidator

from domain.errors import BadInput

MAX_TEXT_CHARS = 1_000_000
MAX_ID_CHARS = 512
MAX_LIST = 100
MAX_OBJECT_CHARS = 100_000
_SHOWN_CHARS = 60
# Python reads more as ISO 8601 than people mean by it: a number of milliseconds becomes a day of the year 1712.
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?![\d-])")


def shown(value: object) -> str:
    """Return a value for an error message: quoted, on one line, and not longer than a glance."""
    text = ascii(value) if isinstance(value, str) and not _is_whole(value) else repr(value)
    return text if len(text) <= _SHOWN_CHARS else text[:_SHOWN_CHARS] + "…"


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text


def _as_text(value: Any) -> Any:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _whole(value: str) -> str:
    if not _is_whole(value):
        raise ValueError("it holds a NUL or half of a surrogate pair; send whole characters")
    return value


def _as_number(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("it must be a number")  # noqa: TRY004 - pydantic takes this for "not valid", no other
    return value


def _json(text: str) -> Any:
    return json.loads(text, parse_constant=_no_number)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _as_list(value: Any) -> Any:
    """Return a list for a list, for the JSON text of one, and for one bare text."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text.startswith("["):
        try:
            return _json(text)
        except (ValueError, RecursionError):
            return [value]
    return [value] if text else []


def _as_names(value: Any) -> Any:
    """Return a list of names as ``_as_list`` does.

    Raises:
        ValueError: one text with a comma may be one name or two.
    """
    if isinstance(value, str) and not value.strip().startswith("[") and re.search("[,，、;；]", value):
        raise ValueError('it must be a list such as ["a", "b"], not one text with separators')
    return _as_list(value)


def _as_object(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return _json(value) if value.strip() else {}
    except (ValueError, RecursionError):
        return value


def _few(values: list[str]) -> list[str]:
    if len(values) > MAX_LIST:
        raise ValueError(f"it has {len(values)} entries, at most {MAX_LIST} fit")
    return values


def _storable(value: dict[str, Any]) -> dict[str, Any]:
    try:
        size = len(json.dumps(value, ensure_ascii=False, allow_nan=False))
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError("it must be plain JSON") from error
    if size > MAX_OBJECT_CHARS:
        raise ValueError(f"it has {size} characters as JSON, at most {MAX_OBJECT_CHARS} fit")
    return value


Text = Annotated[str, BeforeValidator(_as_text), AfterValidator(_whole)]
_Entry = Annotated[str, AfterValidator(_whole)]
Texts = Annotated[list[_Entry], BeforeValidator(_as_list), AfterValidator(_few)]
Names = Annotated[list[_Entry], BeforeValidator(_as_names), AfterValidator(_few)]
Messages = Annotated[list[dict[str, Any]], BeforeValidator(_as_list)]
Object = Annotated[dict[str, Any], BeforeValidator(_as_object), AfterValidator(_storable)]
Count = Annotated[int, BeforeValidator(_as_number)]
Share = Annotated[float, BeforeValidator(_as_number)]


def identifier(value: str, name: str) -> str:
    """Return an id that is usable as one.

    Raises:
        BadInput: it is blank or longer than 512 characters.
    """
    if not value.strip():
        raise BadInput(f"{name} must not be blank.")
    return label(value, name)


def label(value: str, name: str) -> str:
    """Return a short text; may be empty.

    Raises:
        BadInput: it is longer than 512 characters.
    """
    if len(value) > MAX_ID_CHARS:
        raise BadInput(f"{name} has {len(value)} characters, at most {MAX_ID_CHARS} fit.")
    return value


def said(value: str, name: str) -> str | None:
    """Return a text that somebody said, None where nothing was given.

    Raises:
        BadInput: it is longer than a million characters.
    """
    if len(value) > MAX_TEXT_CHARS:
        raise BadInput(f"{name} has {len(value)} characters, at most {MAX_TEXT_CHARS} fit: send it in parts.")
    return value if value.strip() else None


def instant(value: str, name: str, zone: tzinfo) -> datetime:
    """Return an ISO 8601 instant; one without an offset is taken in ``zone``.

    Raises:
        BadInput: it is no such instant.
    """
    try:
        parsed = datetime.fromisoformat(value.strip() if _DATE.match(value.strip()) else "")
        aware = parsed if parsed.tzinfo else parsed.replace(tzinfo=zone)
        aware.astimezone(UTC)  # the first and last days of the calendar overflow in some zones
    except (ValueError, OverflowError) as error:
        raise BadInput(
            f"{name} is {shown(value)}; it must be an ISO 8601 date and time such as 2026-02-01T09:30:00+08:00."
        ) from error
    return aware


def bound(value: str, name: str, zone: tzinfo, *, is_end: bool) -> datetime | None:
    """Return a filter's bound; a bare date means its first instant, or as an end the first instant after it.

    Raises:
        BadInput: it is neither a date nor an instant.
    """
    if not value.strip():
        return None
    moment = instant(value, name, zone)
    try:
        day = date.fromisoformat(value.strip())
    except ValueError:
        return moment
    if is_end and day < date.max:
        day += timedelta(days=1)
    return datetime.combine(day, time(), zone)


def future(value: str, name: str, now: datetime) -> datetime:
    """Return an instant that lies ahead and says its offset.

    Raises:
        BadInput: it has no offset, or is past.
    """
    parsed = instant(value, name, UTC)
    if datetime.fromisoformat(value.strip()).tzinfo is None:
        raise BadInput(
            f"{name} is {value.strip()} without an offset; say which clock, such as 2026-02-01T09:30:00+08:00 or ...Z."
        )
    if parsed <= now:
        raise BadInput(
            f"{name} is {value.strip()}, which is past (it is {now.isoformat(timespec='seconds')}); give a later one."
        )
    return parsed
