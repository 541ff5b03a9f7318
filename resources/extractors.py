"""Who proposes facts about a chunk: a model that is asked, or the rules where none is set.

An extractor answers from the ledger what was asked before. What it raises says whether it is worth asking again.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from domain import ids, replies
from domain import reflection_prompt as prompt
from domain.errors import HindsightError, Permanent, Temporary
from domain.facts import Candidate
from domain.reflection_chunks import Chunk, count_tokens
from resources.ledger import MAX_ANSWERS, Ledger, Question
from resources.llm import Busy, Chat, Refused, Reply
from resources.openai_embedder import OPENAI_URL
from resources.settings import Settings


@dataclass(frozen=True, slots=True)
class Proposed:
    """What one answer proposes; a chunk whose answer was cut off is asked about in halves, and has several.

    Attributes:
        chunk: the part that it is about.
        request_hash: of the question that it answers.
    """

    chunk: Chunk
    request_hash: str
    candidates: list[Candidate]


Proposals = list[Proposed]
Payload = Mapping[str, Any]

_MAX_HALVINGS = 2
_TRIES = 4  # of one call that is answered by a failure that may pass
_FIRST_PAUSE_SECONDS = 1.0
_LONGEST_PAUSE_SECONDS = 60.0
_OUTAGE_FAILURES = 6  # calls in a row without an answer: the others need not wait for the same
_OUTPUT_SHARE = 0.25  # what an answer is reckoned to take of the longest, when the budget is looked at


class BudgetSpent(Temporary):
    """Today's budget has no room for the call; tomorrow's has."""


class GivenUp(Permanent):
    """No answer to a question could be used, as often as it may be asked.

    Attributes:
        proposals: what the answers about other parts of the chunk propose.
    """

    def __init__(self, message: str, proposals: Proposals | None = None) -> None:
        super().__init__(message)
        self.proposals = proposals or []


class Extractor(Protocol):
    """Proposes facts.

    Attributes:
        name: with its version; part of what every fact says of its origin.
        input_tokens: how large a chunk may be.
    """

    name: str
    input_tokens: int

    def key(self, chunk: Chunk) -> str:
        """Return what stands for the question about a chunk."""
        ...

    async def propose(self, chunk: Chunk, run_id: str) -> Proposals:
        """Return the proposals for a chunk.

        Raises:
            BudgetSpent: today's budget has no room.
            Temporary: the model cannot be asked now.
            GivenUp: its answers cannot be used, and it was asked often enough.
            Permanent: it refuses.
        """
        ...

    async def aclose(self) -> None:
        """Let go of connections."""
        ...


class RulesExtractor:
    """The rules of both languages; costs nothing, says little, guesses nothing."""

    def __init__(self, input_tokens: int) -> None:
        from domain import rules  # noqa: PLC0415 - its patterns take a second to compile, for those who use it

        self._extract = rules.extract
        self.name = f"rules-{rules.VERSION}"
        self.input_tokens = input_tokens

    def key(self, chunk: Chunk) -> str:
        """Return what stands for the rules at work on a chunk."""
        return ids.digest(self.name, chunk.key)

    async def propose(self, chunk: Chunk, run_id: str) -> Proposals:  # noqa: ARG002 - the protocol's
        """Return what the rules find."""
        return [Proposed(chunk, self.key(chunk), self._extract(chunk))]

    async def aclose(self) -> None:
        """Do nothing."""


class ModelExtractor:
    """A model behind an OpenAI-compatible API.

    Args:
        settings: model, limits, prices.
        ledger: where calls are recorded and answers found again.
    """

    def __init__(self, settings: Settings, ledger: Ledger) -> None:
        self.name = f"{settings.llm_model} prompt-{prompt.VERSION}"
        self.input_tokens = settings.llm_input_tokens
        self._settings = settings
        self._ledger = ledger
        self._chat: Chat | None = None
        self._slots: asyncio.Semaphore | None = None
        self._failures_in_a_row = 0
        self._stopped: HindsightError | None = None  # why nobody is asked for any more

    def key(self, chunk: Chunk) -> str:
        """Return the request hash of the question about a chunk."""
        return prompt.request_hash(chunk, prompt.messages(chunk), self._settings.llm_model)

    async def propose(self, chunk: Chunk, run_id: str) -> Proposals:
        """Return the model's proposals; raises as the protocol says."""
        return await self._proposed(chunk, run_id, 0)

    async def aclose(self) -> None:
        """Close the connections."""
        if self._chat is not None:
            await self._chat.aclose()

    async def _proposed(self, chunk: Chunk, run_id: str, depth: int) -> Proposals:
        asked = prompt.messages(chunk)
        question = self._question(chunk, asked, "extract", run_id)
        recorded = self._ledger.answers(question.request_hash)
        for answer in recorded:
            try:
                return await self._read(chunk, asked, answer.payload, run_id, depth, may_ask=False)
            except replies.Unreadable:
                continue
        if len(recorded) >= MAX_ANSWERS:
            raise GivenUp(f"{len(recorded)} answers of {self._settings.llm_model} to the same words could not be used")
        reply = await self._called(question, asked, len(recorded))
        try:
            return await self._read(chunk, asked, _payload(reply), run_id, depth, may_ask=True)
        except replies.Unreadable as bad:
            if len(recorded) + 1 >= MAX_ANSWERS:
                raise GivenUp(f"no answer could be used, the last one: {bad}") from bad
            raise Temporary(f"the answer could not be used, nor the one after a repair question: {bad}") from bad

    async def _read(
        self, chunk: Chunk, asked: Sequence[prompt.Message], answer: Payload, run_id: str, depth: int, *, may_ask: bool
    ) -> Proposals:
        """Return what an answer proposes; one that was cut off is asked for in halves, a broken one once more.

        Raises:
            Unreadable: neither it nor the repaired one can be read.
            Truncated: it was cut off, and so were those about its parts.
        """
        text, finish_reason = str(answer.get("text", "")), str(answer.get("finish_reason", ""))
        try:
            own = self._question(chunk, asked, "extract", run_id).request_hash
            return [Proposed(chunk, own, replies.parse(text, finish_reason))]
        except replies.Truncated:
            halves = chunk.halves() if depth < _MAX_HALVINGS else None
            if halves is None:
                raise
            # Both to their end before one's failure is raised: an answer on its way is paid for.
            parts = await asyncio.gather(
                *(self._proposed(half, run_id, depth + 1) for half in halves), return_exceptions=True
            )
            return _joined(parts)
        except replies.Unreadable as bad:
            again = prompt.repair(asked, text, str(bad))
            question = self._question(chunk, again, "repair", run_id)
            recorded = self._ledger.answers(question.request_hash)
            if not recorded and not may_ask:
                raise
            repaired = recorded[0].payload if recorded else _payload(await self._called(question, again, 0))
            second = replies.parse(str(repaired.get("text", "")), str(repaired.get("finish_reason", "")))
            return [Proposed(chunk, question.request_hash, second)]

    def _question(self, chunk: Chunk, asked: Sequence[prompt.Message], purpose: str, run_id: str) -> Question:
        model = self._settings.llm_model
        return Question(
            chunk.user_id,
            chunk.scope,
            prompt.request_hash(chunk, asked, model),
            purpose,
            prompt.VERSION,
            model,
            run_id,
        )

    async def _called(self, question: Question, asked: Sequence[prompt.Message], place: int) -> Reply:
        """Return the model's answer, recorded; waits and tries again where the server asks for it.

        Raises:
            BudgetSpent: no room.
            Temporary: no answer in so many tries.
            Permanent: refused.
        """
        if self._slots is None:
            self._slots = asyncio.Semaphore(self._settings.llm_concurrency)
        expected = self._ledger.cost(
            sum(count_tokens(m["content"]) for m in asked), int(self._settings.llm_output_tokens * _OUTPUT_SHARE)
        )
        async with self._slots:
            if not self._ledger.reserve(expected):
                raise BudgetSpent(
                    f"the budget of {self._settings.llm_daily_budget} dollars a day is spent; see "
                    "HINDSIGHT_LLM_DAILY_BUDGET"
                )
            try:
                return await self._tried(question, asked, place)
            finally:
                self._ledger.release(expected)

    async def _tried(self, question: Question, asked: Sequence[prompt.Message], place: int) -> Reply:
        for n in range(1, _TRIES + 1):
            self._check_worth_trying()
            started = time.monotonic()
            try:
                reply = await self._open().ask(asked, prompt.SCHEMA)
            except HindsightError as error:
                if isinstance(error, Refused) and error.is_about_request:
                    return await self._cut_off(question, error, started, place)
                await self._record_failure(question, error, started)
                pause = _pause(error, n)
                if not isinstance(error, Temporary) or n == _TRIES or pause > _LONGEST_PAUSE_SECONDS:
                    raise
                await asyncio.sleep(pause)
            else:
                self._failures_in_a_row = 0
                await self._recorded(question, "answered", _payload(reply), place)
                return reply
        raise AssertionError("unreachable: the last try returns or raises")

    def _check_worth_trying(self) -> None:
        if self._stopped is not None:
            raise self._stopped
        if self._failures_in_a_row >= _OUTAGE_FAILURES:
            raise Temporary(
                f"{self._settings.llm_model} has not answered {self._failures_in_a_row} times in a row; the rest waits "
                "for the next run"
            )

    async def _cut_off(self, question: Question, error: Refused, started: float, place: int) -> Reply:
        """Return a refused question, most often one that is too long, as an answer that was cut off before it began."""
        latency_ms = round((time.monotonic() - started) * 1_000)
        reply = Reply("", "length", self._settings.llm_model, 0, 0, 0, latency_ms, "text")
        await self._recorded(question, "refused", {**_payload(reply), "error": str(error)}, place)
        return reply

    async def _recorded(
        self, question: Question, outcome: str, told: Mapping[str, Any], place: int | None = None
    ) -> None:
        """Write to the ledger; when it cannot be written, nothing is asked any more: it would be paid for in vain.

        Raises:
            HindsightError: it cannot be written.
        """
        try:
            await self._ledger.record(question, outcome, told, place)
        except HindsightError as error:
            self._stopped = error
            raise

    async def _record_failure(self, question: Question, error: HindsightError, started: float) -> None:
        if isinstance(error, Refused) and not error.is_about_request:
            self._stopped = error  # the key or the model is wrong: so it is for everybody
        if isinstance(error, Temporary) and not isinstance(error, Busy):
            self._failures_in_a_row += 1
        told = {"error": str(error), "latency_ms": round((time.monotonic() - started) * 1_000)}
        await self._recorded(question, type(error).__name__.lower(), told)

    def _open(self) -> Chat:
        if self._chat is None:
            self._chat = Chat(
                self._settings.llm_base_url or OPENAI_URL,
                self._settings.llm_api_key.get_secret_value(),
                self._settings.llm_model,
                timeout_seconds=self._settings.llm_timeout_seconds,
                max_output_tokens=self._settings.llm_output_tokens,
            )
        return self._chat


def _joined(parts: Sequence[Proposals | BaseException]) -> Proposals:
    """Return the proposals of all parts.

    Raises:
        GivenUp: one was given up; it has those of the others.
    """
    wrong = [part for part in parts if isinstance(part, BaseException)]
    if worse := next((error for error in wrong if not isinstance(error, GivenUp)), None):
        raise worse
    found = [one for part in parts for one in (part.proposals if isinstance(part, GivenUp) else part)]  # type: ignore[union-attr]
    if wrong:
        raise GivenUp(str(wrong[0]), found)
    return found


def _payload(reply: Reply) -> dict[str, object]:
    return {
        "text": reply.text,
        "finish_reason": reply.finish_reason,
        "input_tokens": reply.input_tokens,
        "output_tokens": reply.output_tokens,
        "latency_ms": reply.latency_ms,
        "mode": reply.mode,
        "served_model": reply.model,
    }


def _pause(error: HindsightError, n: int) -> float:
    """Return how long to wait after the n-th failure, in seconds: as long as the server asks, else doubling."""
    asked = error.retry_after_seconds if isinstance(error, Busy) else None
    return _FIRST_PAUSE_SECONDS * float(2 ** (n - 1)) if asked is None else max(0.0, asked)


def build(settings: Settings, ledger: Ledger) -> Extractor:
    """Return the extractor that the settings name; nothing is opened yet."""
    if settings.llm_model:
        return ModelExtractor(settings, ledger)
    return RulesExtractor(settings.llm_input_tokens)
