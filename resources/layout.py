"""What a data folder was made with: choices that must not change under the files that rest on them."""

import json
from contextlib import AbstractContextManager
from pathlib import Path

from domain.errors import BadSettings
from resources.files import locked, replace_text
from resources.settings import Settings

SCHEMA_VERSION = 2
_FILE = "layout.json"


def check(settings: Settings) -> None:
    """Pin the zone, first day, bucket count and schema version in the data folder, or compare with those pinned.

    Raises:
        BadSettings: a setting differs from what the folder was made with; says how to go on.
    """
    wanted: dict[str, str | int] = {
        "HINDSIGHT_TIMEZONE": settings.timezone,
        "HINDSIGHT_FIRST_DAY": settings.first_day.isoformat(),
        "HINDSIGHT_BUCKETS": settings.buckets,
        "schema_version": SCHEMA_VERSION,
    }
    path = settings.data / _FILE
    try:
        settings.data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadSettings(
            f"HINDSIGHT_DATA={settings.data} cannot be a folder ({error.strerror}): choose another one."
        ) from error
    if not path.exists():
        replace_text(path, json.dumps(wanted, indent=1) + "\n")
        return
    pinned = _read(path)
    for name, value in wanted.items():
        if name == "HINDSIGHT_FIRST_DAY" and str(value) > str(pinned.get(name)):
            raise BadSettings(
                f"{name} is {value}, but the data folder {settings.data} has events filed under days from "
                f"{pinned.get(name)} on, which would have no tables: set it back; it can only move to an earlier day."
            )
        if name == "schema_version" and pinned.get(name) != value:
            raise BadSettings(
                f"The data folder {settings.data} has tables of version {pinned.get(name)}, this program makes version "
                f"{value}: stop everything, delete {settings.lake_dir} and {path} (the event log stays) and run "
                "`hindsight run`, which makes them anew."
            )
        if pinned.get(name) != value:
            raise BadSettings(
                f"{name} is {value}, but the data folder {settings.data} was made with {pinned.get(name)}: set it "
                f"back, or stop everything, delete {settings.lake_dir} and {path} (the event log stays) and run "
                "`hindsight run`."
            )


def publish_lock(settings: Settings) -> AbstractContextManager[None]:
    """Return the lock under which alone the index, the releases and what erases from them may change."""
    return locked(settings.lake_dir / ".locks" / "publish.lock", 600, "Publishing")


def _read(path: Path) -> dict[str, str | int]:
    try:
        pinned: dict[str, str | int] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadSettings(
            f"{path} is not readable as JSON ({error}): restore it, or delete it to pin again."
        ) from error
    return pinned
