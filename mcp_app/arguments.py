"""What clients send, understood: text for numbers and lists, times with and without zone. Pure but for nothing.

Clients differ: some send a list as JSON text or as one bare word, a number as text, null for "not given". What is
meant is taken; what is not clear is refused with the parameter's name and its form.
"""

import json
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Annotated, Any

from pydantic import BeforeValidator

from domain.errors import BadInput

MAX_TEXT_CHARS = 1_000_000
MAX_ID_CHARS = 512


def _as_text(value: Any) -> Any:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _as_list(value: Any) -> Any:
    """Return a list for a list, for the JSON text of one, and for one bare word."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if text.startswith("["):
        try:
            return json.loads(text)
        except ValueError:
            return [value]
    return [value] if text else []


def _as_object(value: Any) -> Any:
    if isinstance(value, str) and value.strip().startswith("{"):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value or None


Text = Annotated[str, BeforeValidator(_as_text)]
Texts = Annotated[list[str], BeforeValidator(_as_list)]
Messages = Annotated[list[dict[str, Any]], BeforeValidator(_as_list)]
Object = Annotated[dict[str, Any], BeforeValidator(_as_object)]


def identifier(value: str, name: str) -> str:
    """Return an id that is usable as one.

    Raises:
        BadInput: it is blank or longer than 512 characters.
    """
    if not value.strip() or len(value) > MAX_ID_CHARS:
        raise BadInput(f"{name} must be 1 to {MAX_ID_CHARS} characters and not blank, got {len(value)}.")
    return value


def said(value: str | None, name: str) -> str | None:
    """Return a text that somebody said, None where nothing was given.

    Raises:
        BadInput: it is longer than a million characters.
    """
    if value is not None and len(value) > MAX_TEXT_CHARS:
        raise BadInput(f"{name} has {len(value)} characters, at most {MAX_TEXT_CHARS} fit: send it in parts.")
    return value if value and value.strip() else None


def instant(value: str, name: str, zone: tzinfo) -> datetime:
    """Return an ISO 8601 instant; one without an offset is taken in ``zone``.

    Raises:
        BadInput: it is no such instant.
    """
    try:
        parsed = datetime.fromisoformat(value.strip())
        aware = parsed if parsed.tzinfo else parsed.replace(tzinfo=zone)
        aware.astimezone(UTC)  # the first and last days of the calendar overflow in some zones
    except (ValueError, OverflowError) as error:
        raise BadInput(
            f"{name} is {value!r}; it must be an ISO 8601 date and time such as 2026-02-01T09:30:00+08:00."
        ) from error
    return aware


def bound(value: str | None, name: str, zone: tzinfo, *, is_end: bool) -> datetime | None:
    """Return a filter's bound; a bare date means its first instant, or as an end the first instant after it.

    Raises:
        BadInput: it is neither a date nor an instant.
    """
    if value is None or not value.strip():
        return None
    try:
        day = date.fromisoformat(value.strip())
    except ValueError:
        return instant(value, name, zone)
    return datetime.combine(day + timedelta(days=1 if is_end else 0), time(), zone)


def future(value: str, name: str, now: datetime) -> datetime:
    """Return an instant that lies ahead and says its offset.

    Raises:
        BadInput: it has no offset, or is past.
    """
    parsed = instant(value, name, UTC)
    if datetime.fromisoformat(value.strip()).tzinfo is None:
        raise BadInput(
            f"{name} is {value!r} without an offset; say which clock, such as {value.strip()}+08:00 or ...Z."
        )
    if parsed <= now:
        raise BadInput(
            f"{name} is {value!r}, which is past (it is {now.isoformat(timespec='seconds')}); give a later one."
        )
    return parsed
