"""The ledger: each call of the model as an event, written before anybody reads the answer. Costs, cache and proof.

An answer is found again by its request hash: the same question is never paid for twice. The n-th answer to a question
has the event id ``llm-{hash}-{n}``, so that no two processes can record the same one; calls without an answer have ids
of their own and only count.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import uuid_utils

from domain.records import Event, NewEvent
from resources.event_log import EventLog
from resources.settings import Settings

MAX_ANSWERS = 3  # unusable ones to the same question, over all runs; then it is given up
AGENT = "pipeline"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and for whom.

    Attributes:
        request_hash: of the model, the prompt's version and the messages.
        purpose: ``extract`` or ``repair``.
    """

    user_id: str
    scope: str
    request_hash: str
    purpose: str
    prompt_version: str
    model: str
    run_id: str


class Ledger:
    """The calls of one data folder.

    Args:
        log: where they are kept.
        settings: prices, budget, and the zone whose midnight begins a day of it.
    """

    def __init__(self, log: EventLog, settings: Settings) -> None:
        self._log = log
        self._price = settings.llm_prices.get(settings.llm_model, (0.0, 0.0))
        self._budget = settings.llm_daily_budget
        self._zone = settings.day_rule.zone
        self._reserved = 0.0
        self._seen = (0, "", 0.0)  # seq up to which was counted, of which day, dollars

    def answers(self, request_hash: str) -> list[Event]:
        """Return the recorded answers to a question, in their order."""
        names = [f"llm-{request_hash}-{n}" for n in range(MAX_ANSWERS)]
        found = self._log.find(names)
        return [found[name] for name in names if name in found and found[name].kind == "llm_call"]

    async def record(
        self, question: Question, outcome: str, reply: Mapping[str, Any], place: int | None = None
    ) -> None:
        """Write one call; durable when this returns.

        Args:
            question: what was asked.
            outcome: ``answered``, or the kind of failure.
            reply: text, finish_reason, tokens, latency_ms, error: what is known of it.
            place: the how manieth answer it is, from 0; None for a call without an answer.
        """
        tokens = (int(reply.get("input_tokens", 0)), int(reply.get("output_tokens", 0)))
        payload = {
            "request_hash": question.request_hash,
            "purpose": question.purpose,
            "prompt_version": question.prompt_version,
            "model": question.model,
            "run_id": question.run_id,
            "outcome": outcome,
            "cost_usd": self.cost(*tokens),
            **{name: value for name, value in reply.items() if value not in (None, "")},
        }
        name = f"llm-{question.request_hash}-{place}" if place is not None else f"llm-{uuid_utils.uuid7()}"
        event = NewEvent(
            event_id=name,
            kind="llm_call",
            user_id=question.user_id,
            agent_id=AGENT,
            scope=question.scope,
            session_id="",
            occurred_at=datetime.now(UTC),
            payload=payload,
        )
        await asyncio.wrap_future(self._log.append([event]))

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        """Return what so many tokens cost, in dollars."""
        return round((input_tokens * self._price[0] + output_tokens * self._price[1]) / 1e6, 9)

    def reserve(self, dollars: float) -> bool:
        """Set aside what a call may cost; return False, and set aside nothing, where today's budget has no room."""
        if self._budget and self.spent_today() + self._reserved + dollars > self._budget:
            return False
        self._reserved += dollars
        return True

    def release(self, dollars: float) -> None:
        """Give back what was set aside, once the call is recorded."""
        self._reserved -= dollars

    def spent_today(self) -> float:
        """Return the dollars of all calls since midnight; reads what is new only."""
        day = datetime.now(self._zone).date().isoformat()
        seq, counted, dollars = self._seen
        if counted != day:  # a call is filed under the day on which it is made
            seq, dollars = self._log.last_seq(), 0.0  # before the day is read: what comes meanwhile is counted below
            calls = [e for e in self._log.read_day(day, seq) if e.kind == "llm_call"]
        else:
            calls = self._log.read_kind("llm_call", after_seq=seq)
        for event in calls:
            seq = max(seq, event.seq)
            dollars += float(event.payload.get("cost_usd", 0.0))
        self._seen = (seq, day, dollars)
        return dollars
