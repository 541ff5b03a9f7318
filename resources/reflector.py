"""Reflecting on the users of a day: each user's chunks to the extractor, verified, and recorded as done.

What was reflected is an event (``reflected``), so that when a fact was learnt outlives the lake, and a day that is
reflected again gives the same rows. One user's failure touches no other's.
"""

import asyncio
import logging
import traceback
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

import uuid_utils

from domain import ids
from domain.errors import HindsightError
from domain.facts import Extraction
from domain.records import NewEvent
from domain.reflection_chunks import Chunk
from domain.verification import Provenance, verified
from resources.event_log import EventLog
from resources.extractors import BudgetSpent, Extractor, GivenUp, Proposals
from resources.ledger import AGENT

_log = logging.getLogger(__name__)

_NOT_YET = datetime(1970, 1, 1, tzinfo=UTC)

# failed and waiting users stay due; one that was given up, and one that is unknown here, do not.
Result = Literal["ok", "failed", "waiting", "given_up"]
_DONE = frozenset({"ok", "given_up"})
Learnt = Mapping[str, datetime]  # when the question of each chunk was first answered


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one user's day.

    Attributes:
        result: ``ok``; ``failed`` or ``waiting`` for the budget: it stays due; ``given_up``: no answer is usable.
        reason: why not ``ok``.
        extractions: accepted and rejected, empty unless ``ok`` or ``given_up``.
        is_new: whether anything was asked or found that was not recorded before.
    """

    user_id: str
    scope: str
    result: Result
    reason: str
    extractions: tuple[Extraction, ...]
    is_new: bool

    @property
    def is_done(self) -> bool:
        """Return whether the day is not due for this user any more."""
        return self.result in _DONE


class Reflector:
    """Reflects with one extractor; a context, in which its connections stay open.

    Args:
        log: takes the ``reflected`` events.
        extractor: proposes.
        run_id: of the run that it works for.
    """

    def __init__(self, log: EventLog, extractor: Extractor, run_id: str) -> None:
        self._log = log
        self._extractor = extractor
        self._run_id = run_id
        self._runner = asyncio.Runner()
        self._last: dict[tuple[str, str, str], str] = {}  # by user, scope and day: the last result
        self._learnt: dict[str, tuple[int, dict[str, datetime]]] = {}  # by user: as of which seq

    def __enter__(self) -> "Reflector":
        return self

    def __exit__(self, *_error: object) -> None:
        with self._runner as runner:
            runner.run(self._extractor.aclose())

    def learnt(self, user_id: str) -> Learnt:
        """Return when each question about a user that is answered was so first."""
        seq, found = self._learnt.get(user_id, (0, {}))
        for event in self._log.read_kind("reflected", user_id, seq):
            seq = event.seq
            if "day" in event.payload:
                self._last[user_id, event.scope, event.payload["day"]] = event.payload["result"]
            if event.payload["result"] in _DONE:
                for key in event.payload["chunks"]:
                    found.setdefault(key, event.recorded_at)
        self._learnt[user_id] = (seq, found)
        return found

    def is_owed(self, user_id: str, scope: str, day: str) -> bool:
        """Return whether a user's day failed, or waits for the budget, since it was last tried."""
        self.learnt(user_id)
        return self._last.get((user_id, scope, day), "ok") not in _DONE

    def is_known(self, chunks: Iterable[Chunk], learnt: Learnt) -> bool:
        """Return whether all the questions about the chunks have been answered."""
        return all(self._extractor.key(chunk) in learnt for chunk in chunks)

    def reflect(self, chunks: Sequence[Chunk], max_seq: int) -> list[Outcome]:
        """Return what became of every user of a day's chunks, one each; side by side as far as the extractor goes.

        Args:
            chunks: all of one day, those of a user and scope together.
            max_seq: of the episodes that they were made from.
        """
        return self._runner.run(self._reflect(chunks, max_seq))

    async def _reflect(self, chunks: Sequence[Chunk], max_seq: int) -> list[Outcome]:
        groups = [list(group) for _, group in groupby(chunks, key=lambda chunk: (chunk.user_id, chunk.scope))]
        return list(await asyncio.gather(*(self._guarded(group, max_seq) for group in groups)))

    async def _guarded(self, chunks: list[Chunk], max_seq: int) -> Outcome:
        try:
            return await self._user(chunks, max_seq)
        except Exception as error:  # noqa: BLE001 - one user's text that trips a bug touches no other user
            _log.warning("Reflecting on one user of %s failed: %s", chunks[0].day, _in_words(error))
            return Outcome(chunks[0].user_id, chunks[0].scope, "failed", _in_words(error), (), is_new=True)

    async def _user(self, chunks: list[Chunk], max_seq: int) -> Outcome:
        # All to their end, whatever one of them raises: an answer on its way is paid for.
        answers = await asyncio.gather(
            *(self._extractor.propose(chunk, self._run_id) for chunk in chunks), return_exceptions=True
        )
        wrong = [answer for answer in answers if isinstance(answer, BaseException)]
        keys = [self._extractor.key(chunk) for chunk in chunks]
        result = _result(wrong)
        found: dict[str, tuple[str, Extraction]] = {}  # by id, with the question that it answers
        if result in _DONE:
            for key, got in zip(keys, answers, strict=True):
                kept = got.proposals if isinstance(got, GivenUp) else got
                if not isinstance(kept, BaseException):
                    found |= {made.extraction_id: (key, made) for made in self._verified(kept)}
        reason = "; ".join(dict.fromkeys(map(_in_words, wrong)))
        is_new = result not in _DONE or not all(key in self.learnt(chunks[0].user_id) for key in keys)
        if is_new:
            event = self._event(chunks[0], keys, max_seq, result, reason, [made for _, made in found.values()])
            await asyncio.wrap_future(self._log.append([event]))
        learnt = self.learnt(chunks[0].user_id)
        known = tuple(replace(made, recorded_at=learnt[key]) for key, made in found.values())
        return Outcome(chunks[0].user_id, chunks[0].scope, result, reason, known, is_new)

    def _verified(self, answer: Proposals) -> list[Extraction]:
        return [
            extraction
            for one in answer
            for extraction in verified(
                one.candidates, one.chunk, Provenance(one.request_hash, self._extractor.name, _NOT_YET)
            )
        ]

    def _event(
        self, chunk: Chunk, keys: list[str], max_seq: int, result: Result, reason: str, found: Collection[Extraction]
    ) -> NewEvent:
        """Return the event that says so; the same success has the same id: a run that was killed says it once."""
        same = ids.digest(chunk.user_id, chunk.scope, chunk.day, result, *keys)
        payload: dict[str, Any] = {
            "day": chunk.day,
            "extractor": self._extractor.name,
            "result": result,
            "reason": reason,
            "chunks": keys,
            "max_seq": max_seq,
            "accepted": sum(e.accepted for e in found),
            "rejected": sum(not e.accepted for e in found),
        }
        return NewEvent(
            event_id=f"reflected-{same}" if result in _DONE else f"reflected-{uuid_utils.uuid7()}",
            kind="reflected",
            user_id=chunk.user_id,
            agent_id=AGENT,
            scope=chunk.scope,
            session_id="",
            occurred_at=datetime.now(UTC),
            payload=payload,
        )


def _result(wrong: Sequence[BaseException]) -> Result:
    if not wrong:
        return "ok"
    if all(isinstance(error, GivenUp) for error in wrong):
        return "given_up"
    return "waiting" if any(isinstance(error, BudgetSpent) for error in wrong) else "failed"


def _in_words(error: BaseException) -> str:
    """Return what is said of a failure; a bug's own message may hold a user's words, its place does not."""
    if isinstance(error, HindsightError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{where}"
