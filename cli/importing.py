"""``hindsight import``: events from JSONL files into the log."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

import typer
from tqdm import tqdm

from domain import imports
from domain.errors import BadInput
from domain.records import NewEvent
from resources import wiring
from resources.event_log import EventLog
from resources.settings import load

_BATCH_EVENTS = 500
_SHOWN_BAD = 20


def import_files(paths: Sequence[Path], *, dry_run: bool) -> None:
    """Store the events of the files and say what became of them.

    Raises:
        BadInput: a file cannot be read, or some lines are no events; names the first ones. All others are stored.
    """
    settings = load()
    log = wiring.open_log(settings)
    bad: list[str] = []
    try:
        for path in paths:
            events = read_events(path, settings.timezone, bad)
            counts = Counter(readable=sum(1 for _ in events)) if dry_run else append_all(log, events, path.name)
            typer.echo(f"{path}: {', '.join(f'{n} {what}' for what, n in sorted(counts.items())) or 'no events'}")
    finally:
        log.close()
    if bad:
        more = f"\n… and {len(bad) - _SHOWN_BAD} more" if len(bad) > _SHOWN_BAD else ""
        raise BadInput(f"{len(bad)} lines are no events, all others were taken:\n" + "\n".join(bad[:_SHOWN_BAD]) + more)


def read_events(path: Path, timezone: str, bad: list[str] | None = None) -> Iterator[NewEvent]:
    """Yield the events of a JSONL file.

    Args:
        path: the file.
        timezone: IANA name, for stamps without an offset.
        bad: takes a sentence for each line that is no event; None: the first such line is an error.

    Raises:
        BadInput: the file is not there, or a line is no event.
    """
    try:
        lines = path.open(encoding="utf-8-sig")  # with or without the mark that Windows programs put first
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}.") from error
    with lines:
        for number, line in enumerate(_decoded(lines, path), 1):
            if line.strip():
                try:
                    yield imports.event(_parsed(line), timezone)
                except BadInput as error:
                    sentence = f"{path}, line {number}: {error} (docs/import.md shows the form)"
                    if bad is None:
                        raise BadInput(sentence) from error
                    bad.append(sentence)


def _decoded(lines: TextIO, path: Path) -> Iterator[str]:
    try:
        yield from lines
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8 ({error.reason} at byte {error.start}): convert it first.") from error


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError as error:
        raise BadInput(f"not JSON: {error}") from error


def append_all(log: EventLog, events: Iterator[NewEvent], label: str) -> Counter[str]:
    """Append the events in batches, each durable before the next, and count what became of them."""
    counts: Counter[str] = Counter()
    with tqdm(desc=f"import {label}", unit=" events") as bar:
        while batch := list(islice(events, _BATCH_EVENTS)):
            counts.update(done.status for done in log.append(batch).result())
            bar.update(len(batch))
    return counts
