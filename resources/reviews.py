"""Reviews of facts: what waits for one, and decisions as events. The command and the explorer share it."""

from datetime import UTC, datetime
from typing import Any

import uuid_utils

from domain.consolidation import DECISIONS, Fact, said
from domain.errors import BadInput
from domain.records import NewEvent
from domain.verification import MAX_CONTENT_CHARS
from resources.event_log import EventLog
from resources.fact_tables import FactTables


class Reviews:
    """Lists facts and decides about them."""

    def __init__(self, log: EventLog, facts: FactTables) -> None:
        self._log = log
        self._facts = facts

    def listed(self, user_id: str | None = None, status: str = "pending") -> list[Fact]:
        """Return the facts of a status, of one user or of all, newest first; decisions just made are in."""
        found = [fact for fact in self._facts.up_to_date(user_id) if fact.status == status]
        return sorted(found, key=lambda fact: (fact.recorded_at, fact.occurred_at, fact.fact_id), reverse=True)

    def decide(self, fact_id: str, decision: str, who: str, text: str = "", why: str = "") -> Fact:
        """Record a decision, durable when this returns, and return the fact as it is now.

        Args:
            fact_id: whole, or its beginning where no other fact begins so.
            decision: approve, reject, edit (with the new text; it approves too) or undo (takes the last one back).
            who: the reviewer.
            text: of an edit.
            why: in words.

        Raises:
            BadInput: there is no such fact or decision, or nothing to undo.
        """
        if decision not in DECISIONS:
            raise BadInput(f"There is no decision {decision!r}: choose {', '.join(DECISIONS)}.")
        if (decision == "edit") != bool(text.strip()):
            raise BadInput("An edit needs the new text; the other decisions take none.")
        if len(text) > MAX_CONTENT_CHARS:
            raise BadInput(
                f"The text has {len(text)} characters; a fact is one sentence, of {MAX_CONTENT_CHARS} at most."
            )
        fact = self._one(fact_id)
        if decision == "undo" and not fact.decision:
            raise BadInput(f"Nobody has decided about {fact.fact_id} yet: there is nothing to undo.")
        payload: dict[str, Any] = {"fact_id": fact.fact_id, "decision": decision, "who": who, "said": list(said(fact))}
        payload |= {name: value for name, value in (("text", text.strip()), ("why", why.strip())) if value}
        event = NewEvent(
            event_id=str(uuid_utils.uuid7()),
            kind="review",
            user_id=fact.user_id,
            agent_id=who,
            scope=fact.scope,
            session_id="",
            occurred_at=datetime.now(UTC),
            payload=payload,
        )
        self._log.append([event]).result()
        return next(f for f in self._facts.up_to_date(fact.user_id) if f.fact_id == fact.fact_id)

    def _one(self, fact_id: str) -> Fact:
        facts = self._facts.up_to_date(None)
        found = [fact for fact in facts if fact.fact_id == fact_id] or [
            fact
            for fact in facts
            if fact_id.strip() and fact.fact_id.removeprefix("fact-").startswith(fact_id.removeprefix("fact-"))
        ]
        if len(found) != 1:
            which = f"{len(found)} facts begin with" if found else "There is no fact"
            raise BadInput(f"{which} {fact_id[:80]!r}; `hindsight review` lists those that wait.")
        return found[0]
