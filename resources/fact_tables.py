"""The tables of facts, one file a bucket of users, and up to which extractions and reviews they were folded.

``folded.json`` beside ``facts`` names the state of every extraction day and the last review that are in; it is written
last, so that a fold that was cut short is done again. Only users whose extractions or reviews changed are folded anew,
and only buckets whose rows changed are written.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from domain import consolidation, ids, tables
from domain.consolidation import Fact, Operation, Policy, Review
from domain.facts import Extraction, as_row, quotes_of
from domain.records import Event
from resources.event_log import EventLog
from resources.files import replace_text
from resources.lake import Lake, checked, seen
from resources.releases import Releases
from resources.settings import Settings

_FILE = "folded.json"
_Who = tuple[str, str]  # user and scope


@dataclass(frozen=True, slots=True)
class Folded:
    """What the tables hold.

    Attributes:
        days: digest of the extractions of each day that is in.
        seq: of the event log when its reviews were read.
        policy: by which unreviewed facts were judged.
        version: of the rules of the fold.
    """

    days: Mapping[str, str]
    seq: int
    policy: str
    version: str


NOTHING = Folded({}, 0, "", "")
VERSION = "1"


@dataclass(frozen=True, slots=True)
class Counts:
    """What one fold did.

    Attributes:
        users: how many were folded anew.
        operations: by kind, of these users.
        facts: by status, of all users.
        on_other: how many facts of all users are on the attribute ``other``.
        duplicates: facts that are served and say the same as another.
    """

    users: int
    operations: Mapping[str, int]
    facts: Mapping[str, int]
    on_other: int
    duplicates: int


class FactTables:
    """Folds extractions and reviews of one data folder into facts."""

    def __init__(self, lake: Lake, log: EventLog, settings: Settings) -> None:
        self._lake = lake
        self._log = log
        self._policy: Policy = settings.review
        self._buckets = settings.buckets

    def folded(self) -> Folded:
        """Return what is in the tables; nothing where one of their files is missing or broken."""
        path = self._lake.root / "facts" / _FILE
        try:
            found = Folded(**json.loads(path.read_text(encoding="utf-8")))
            found = Folded(dict(found.days), int(found.seq), found.policy, found.version)
        except (FileNotFoundError, ValueError, TypeError):
            return NOTHING
        is_whole = all(
            self._lake.stamp(table, str(bucket)).digest
            for table in ("fact_operations", "facts")
            for bucket in range(self._buckets)
        )
        return found if is_whole and found.version == VERSION else NOTHING

    def is_due(self) -> bool:
        """Return whether extractions or the policy differ from what was folded; reviews are seen by their day."""
        folded = self.folded()
        return folded.days != self._days() or (folded.policy != self._policy and folded != NOTHING)

    def _days(self) -> dict[str, str]:
        return {day: stamp.digest for day, stamp in self._lake.stamps("extractions").items() if stamp.digest}

    def fold(self) -> Counts:
        """Bring the tables up to the extractions and reviews there are, durable when this returns."""
        folded = self.folded()
        # The end first: a review that comes meanwhile is above it, and read by the next fold.
        seq = self._log.last_seq()
        days = self._days()
        changed = {day for day in {*days, *folded.days} if days.get(day) != folded.days.get(day)}
        fresh = self._extracted(sorted(changed & set(days)))
        reviewed = {(e.user_id, e.scope) for e in self._log.read_kind("review", after_seq=folded.seq)}
        counts = _Counting()
        for bucket in range(self._buckets):
            self._fold_bucket(bucket, changed, fresh, None if folded.policy != self._policy else reviewed, seq, counts)
        state = Folded(days, seq, self._policy, VERSION)
        replace_text(self._lake.root / "facts" / _FILE, json.dumps(asdict(state), sort_keys=True))
        return counts.total()

    def _extracted(self, days: Iterable[str]) -> dict[_Who, list[tuple[str, Extraction]]]:
        """Return the accepted extractions of some days by user and scope."""
        found: dict[_Who, list[tuple[str, Extraction]]] = {}
        for day in days:
            table = self._lake.read("extractions", day)
            if table is not None:
                for row in table.filter(pc.field("accepted")).to_pylist():
                    found.setdefault((row["user_id"], row["scope"]), []).append((day, _extraction(row)))
        return found

    def _fold_bucket(
        self,
        bucket: int,
        changed: set[str],
        fresh: Mapping[_Who, list[tuple[str, Extraction]]],
        reviewed: set[_Who] | None,
        seq: int,
        counts: "_Counting",
    ) -> None:
        operations = self._rows("fact_operations", bucket, tables.FACT_OPERATIONS)
        known_facts = self._rows("facts", bucket, tables.FACTS)
        mine: Callable[[_Who], bool] = lambda who: ids.bucket(who[0], self._buckets) == bucket  # noqa: E731 - a filter
        touched = {who for who in fresh if mine(who)} | {_who(row) for row in operations if row["day"] in changed}
        if reviewed is None:
            touched |= {_who(row) for row in operations}
        else:
            touched |= {who for who in reviewed if mine(who)}
        stored: dict[_Who, list[tuple[str, Extraction]]] = {}
        for row in operations:
            if _who(row) in touched and row["day"] not in changed:
                stored.setdefault(_who(row), []).append((row["day"], _extraction(row)))
        new_operations = [row for row in operations if _who(row) not in touched]
        new_facts = [row for row in known_facts if _who(row) not in touched]
        for who in sorted(touched):
            done = consolidation.operations([*stored.get(who, []), *fresh.get(who, [])])
            made = consolidation.facts(done, self.reviews(*who), self._policy)
            new_operations += map(_operation_row, done)
            new_facts += map(as_row, made)
            counts.add(done)
        counts.add_facts(new_facts)
        self._write("fact_operations", bucket, new_operations, tables.FACT_OPERATIONS, "extraction_id", seq)
        self._write("facts", bucket, new_facts, tables.FACTS, "fact_id", seq)

    def reviews(self, user_id: str, scope: str) -> list[Review]:
        """Return a user's reviews in one scope, in the order in which they were made."""
        return [review_of(e) for e in self._log.read_kind("review", user_id) if e.scope == scope]

    def up_to_date(self, user_id: str | None) -> list[Fact]:
        """Return the facts of a user, or of all, with every review there is, also those that no fold has seen yet."""
        buckets = range(self._buckets) if user_id is None else [ids.bucket(user_id, self._buckets)]
        done: dict[_Who, list[Operation]] = {}
        for bucket in buckets:
            for row in self._rows("fact_operations", bucket, tables.FACT_OPERATIONS):
                if user_id in {None, row["user_id"]}:
                    done.setdefault(_who(row), []).append(operation_of(row))
        return [
            fact
            for who, operations in sorted(done.items())
            for fact in consolidation.facts(consolidation.in_order(operations), self.reviews(*who), self._policy)
        ]

    def retired_since_release(self) -> tuple[int, int]:
        """Return how many facts that the current release serves are retired now, and how many facts are served."""
        release = Releases(self._lake.root).current()
        since = datetime.fromisoformat(release.created_at) if release else None
        rows = [row for bucket in range(self._buckets) for row in self._rows("facts", bucket, tables.FACTS)]
        retired = [
            row for row in rows if since and row["retired_at"] and row["retired_at"] > since >= row["approved_at"]
        ]
        return len(retired), sum(row["status"] == "current" for row in rows)

    def by_day(self) -> dict[str, int]:
        """Return how many facts were said first on each day, days ascending."""
        found: dict[str, int] = {}
        for bucket in range(self._buckets):
            for row in self._rows("facts", bucket, tables.FACTS):
                day = row["occurred_at"].date().isoformat()
                found[day] = found.get(day, 0) + 1
        return dict(sorted(found.items()))

    def _rows(self, table: str, bucket: int, schema: pa.Schema) -> list[dict[str, Any]]:
        found = self._lake.read(table, str(bucket)) if self._lake.stamp(table, str(bucket)).digest else None
        rows: list[dict[str, Any]] = (found if found is not None else schema.empty_table()).to_pylist()
        return rows

    def _write(
        self, table: str, bucket: int, rows: list[dict[str, Any]], schema: pa.Schema, key: str, seq: int
    ) -> None:
        made = checked(tables.from_rows(rows, schema, table), schema, key)
        self._lake.replace(table, str(bucket), made, seen(seq))


def review_of(event: Event) -> Review:
    """Return what a ``review`` event says."""
    told = event.payload
    return Review(
        fact_id=str(told["fact_id"]),
        decision=told["decision"],
        text=str(told.get("text", "")),
        why=str(told.get("why", "")),
        who=str(told.get("who", event.agent_id)),
        recorded_at=event.recorded_at,
        said=tuple(told.get("said", ("", "", ""))),
    )


def fact_of(row: Mapping[str, Any]) -> Fact:
    """Return a row of ``facts`` as the record it was made from."""
    return Fact(**_values(row, Fact))


def operation_of(row: Mapping[str, Any]) -> Operation:
    """Return a row of ``fact_operations`` as the record it was made from."""
    own = {name: row[name] for name in ("operation", "fact_id", "replaces", "why", "key", "day")}
    return Operation(**own, extraction=_extraction(row))


def _extraction(row: Mapping[str, Any]) -> Extraction:
    return Extraction(**_values(row, Extraction))


def _values(row: Mapping[str, Any], record: type[Extraction | Fact]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for field in fields(record):
        value = row[field.name]
        values[field.name] = tuple(value) if isinstance(value, list) else value
    return {**values, "quotes": quotes_of(row)}


def _operation_row(operation: Operation) -> dict[str, Any]:
    own = {name: getattr(operation, name) for name in ("operation", "fact_id", "replaces", "why", "key", "day")}
    return {**own, **as_row(operation.extraction)}


def _who(row: Mapping[str, Any]) -> _Who:
    return row["user_id"], row["scope"]


class _Counting:
    """Counts while the buckets are folded."""

    def __init__(self) -> None:
        self._users = 0
        self._operations: dict[str, int] = {}
        self._facts: dict[str, int] = {}
        self._on_other = 0
        self._duplicates = 0

    def add(self, done: Iterable[Operation]) -> None:
        self._users += 1
        for operation in done:
            self._operations[operation.operation] = self._operations.get(operation.operation, 0) + 1

    def add_facts(self, rows: Iterable[Mapping[str, Any]]) -> None:
        served = set()
        for row in rows:
            self._facts[row["status"]] = self._facts.get(row["status"], 0) + 1
            self._on_other += row["attribute"] == "other"
            said = (*_who(row), row["key"], row["value"], consolidation.canonical(row["object"]))
            self._duplicates += row["status"] == "current" and said in served
            if row["status"] == "current":
                served.add(said)

    def total(self) -> Counts:
        return Counts(self._users, self._operations, self._facts, self._on_other, self._duplicates)
