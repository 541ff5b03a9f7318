"""The tools that agents see. Thin: they check and hand on; what they do is in service, remember and retrieval."""

import asyncio
from datetime import tzinfo
from typing import Annotated, Any

import anyio
from fastmcp import FastMCP
from pydantic import Field

from domain.errors import BadInput, Temporary
from domain.records import Appended, NewEvent
from domain.tables import FACETS
from mcp_app import remember
from mcp_app.arguments import (
    Count,
    Messages,
    Names,
    Object,
    Share,
    Text,
    Texts,
    bound,
    future,
    identifier,
    instant,
    label,
    said,
    shown,
)
from mcp_app.errors import refusals
from mcp_app.service import MAX_PAGE, Narrowing, Request, Service, utc_now

STORE_SECONDS = 10.0
RETRIEVE_SECONDS = 5.0
KINDS = ("fact", "episode")
REFLECT_WAIT_SECONDS = 20

# Defaults that are never changed: a parameter of null, or left out, is an empty one.
_NONE: list[str] = []
_NO_MESSAGES: list[dict[str, Any]] = []
_EMPTY: dict[str, Any] = {}

_STORE = """Remember something about a user for later sessions: what they said, prefer, plan or must avoid, what you \
did for them and how it ended. Give content for one statement, user_said / agent_did / outcome for an exchange, or \
messages for turns as they came. category="constraint" for allergies, bans and hard limits. Keep the user's words and \
language. Do not store greetings or thanks. The very next memory_retrieve finds it."""

_RETRIEVE = """Recall what is known about a user. Call it before you answer whenever their history, preferences, \
constraints, plans or earlier work could matter. Ask in the user's language, as a question or with words you expect in \
the answer. Each memory says when it was said and how long ago that is; a fact brings the quotes it rests on. \
partial=true: not everything was looked at yet, ask again in a few seconds."""

_REFLECT = """Have what a user said turned into lasting facts now; it happens nightly by itself. Answers at once with \
a request_id; call again with it to see how far it is. Not needed before memory_retrieve: what was stored is found."""


class Tools:
    """The tools of one server.

    Args:
        service: what does the work.
        zone: of times that come without an offset.
    """

    def __init__(self, service: Service, zone: tzinfo) -> None:
        self._service = service
        self._zone = zone

    def register(self, mcp: FastMCP) -> None:
        """Add the tools to a server."""
        mcp.tool(description=_STORE)(self.memory_store)
        mcp.tool(description=_RETRIEVE)(self.memory_retrieve)
        mcp.tool(description=_REFLECT)(self.memory_reflect)

    async def memory_store(
        self,
        *,
        user_id: Annotated[Text, Field(description="Whose memory")],
        content: Annotated[Text, Field(description="One statement, in the user's words")] = "",
        user_said: Text = "",
        agent_did: Text = "",
        outcome: Annotated[Text, Field(description="How it ended")] = "",
        messages: Annotated[
            Messages,
            Field(description="[{role: user|assistant|tool|system|other, content, speaker?, occurred_at?}]"),
        ] = _NO_MESSAGES,
        session_id: Annotated[Text, Field(description="The conversation it belongs to")] = "",
        category: Annotated[Text, Field(description="constraint, preference, plan, fact, …")] = "",
        emotion: Annotated[Text, Field(description="The user's: positive, negative, neutral, …")] = "",
        participants: Annotated[Names, Field(description="People it is about")] = _NONE,
        occurred_at: Annotated[Text, Field(description="When, ISO 8601; default now")] = "",
        expires_at: Annotated[Text, Field(description="No longer recalled then; ISO 8601 with offset")] = "",
        scope: Annotated[Text, Field(description="Leave out unless told otherwise")] = "",
        variants: Annotated[Texts, Field(description="Other wordings to find it by")] = _NONE,
        metadata: Annotated[Object, Field(description="Comes back with it")] = _EMPTY,
        media: Annotated[Object, Field(description="{reference, caption} of a picture or file")] = _EMPTY,
        idempotency_key: Annotated[Text, Field(description="Same key, same memory: safe to send again")] = "",
    ) -> dict[str, Any]:
        """Append one memory, or the turns of a conversation, and answer when they are durable.

        Raises:
            BadInput: what is given cannot be stored as it is.
        """
        texts = {"content": content, "user_said": user_said, "agent_did": agent_did, "outcome": outcome}
        with refusals():
            who = self._service.who(identifier(user_id, "user_id"), label(session_id, "session_id"), scope)
            now = utc_now()
            moment = instant(occurred_at, "occurred_at", self._zone) if occurred_at.strip() else now
            labels = {
                "category": label(category, "category"),
                "emotion": label(emotion, "emotion"),
                "participants": [label(name, "participants") for name in participants],
                "metadata": metadata,
                "expires_at": future(expires_at, "expires_at", now).isoformat() if expires_at.strip() else "",
            }
            if messages:
                if any(texts.values()) or variants or media:
                    raise BadInput(
                        "messages stands alone: leave out content, user_said, agent_did, outcome, variants, media."
                    )
                events = remember.message_events(who, messages, labels, moment, self._zone, idempotency_key)
            else:
                wordings = [text for variant in variants if (text := said(variant, "variants"))]
                told = {**{k: said(v, k) for k, v in texts.items()}, **labels, "variants": wordings, "media": media}
                events = [remember.memory_event(who, told, moment, idempotency_key)]
            return _stored(await self._appended(events), is_conversation=bool(messages))

    async def _appended(self, events: list[NewEvent]) -> list[Appended]:
        try:
            return await asyncio.wait_for(asyncio.wrap_future(self._service.store(events)), STORE_SECONDS)
        except TimeoutError as error:
            raise Temporary(
                f"Not confirmed within {STORE_SECONDS:.0f} s: send it again with the same idempotency_key to be sure."
            ) from error

    async def memory_retrieve(
        self,
        *,
        user_id: Annotated[Text, Field(description="Whose memories")],
        query: Annotated[Text, Field(description="What you want to know")],
        top_k: Annotated[Count, Field(description="1 to 20")] = 10,
        cursor: Annotated[Text, Field(description="From the answer before: the next page")] = "",
        kinds: Annotated[Names, Field(description="fact, episode; default both")] = _NONE,
        facets: Annotated[Names, Field(description="content, user_said, agent_did, outcome, variant")] = _NONE,
        categories: Names = _NONE,
        emotion: Text = "",
        since: Annotated[Text, Field(description="Said at or after; ISO 8601 date or instant")] = "",
        until: Annotated[Text, Field(description="Said before; a bare date includes that day")] = "",
        min_similarity: Annotated[Share, Field(description="0 unrelated to 1 a paraphrase")] = 0.0,
        include_pending: Annotated[bool, Field(description="Also facts that wait for review")] = False,
        explain: Annotated[bool, Field(description="Show how each score came about")] = False,
    ) -> dict[str, Any]:
        """Answer with a page of memories, within five seconds.

        Raises:
            BadInput: an argument is out of its range.
        """
        with refusals():
            if not 1 <= top_k <= MAX_PAGE:
                raise BadInput(f"top_k is {shown(top_k)}; it must be 1 to {MAX_PAGE} (more come by cursor).")
            if not 0 <= min_similarity <= 1:
                raise BadInput(f"min_similarity is {min_similarity}; it must be 0 to 1.")
            if not said(query, "query"):
                raise BadInput("query must not be blank: say what you want to know.")
            narrowing = Narrowing(
                kinds=_known(kinds, KINDS, "kinds"),
                facets=_known(facets, FACETS, "facets"),
                categories=frozenset(label(one, "categories") for one in categories),
                emotion=label(emotion, "emotion") or None,
                since=bound(since, "since", self._zone, is_end=False),
                until=bound(until, "until", self._zone, is_end=True),
            )
            if narrowing.since and narrowing.until and narrowing.since >= narrowing.until:
                raise BadInput(f"since {shown(since)} is not before until {shown(until)}: nothing lies between them.")
            request = Request(
                identifier(user_id, "user_id"),
                query,
                top_k,
                narrowing,
                min_similarity,
                cursor,
                include_pending=include_pending,
                explain=explain,
            )
            with anyio.move_on_after(RETRIEVE_SECONDS):
                return await anyio.to_thread.run_sync(
                    self._service.retrieve, request, utc_now(), abandon_on_cancel=True
                )
        return {
            "status": "success",
            "memories": [],
            "has_more": True,
            "partial": True,
            "message": f"Nothing was ready within {RETRIEVE_SECONDS:.0f} s; ask again in a few seconds.",
        }

    async def memory_reflect(
        self,
        *,
        user_id: Annotated[Text, Field(description="On whom to reflect")],
        request_id: Annotated[Text, Field(description="From the answer before: how far it is")] = "",
        since: Annotated[Text, Field(description="Only days from this ISO date on")] = "",
        wait_seconds: Annotated[Count, Field(description="0 to 20: answer when done, if it is done by then")] = 0,
    ) -> dict[str, Any]:
        """Answer where a reflection stands: at once, or as soon as it is done within ``wait_seconds``.

        Raises:
            BadInput: an argument is out of its range, or the request is not this user's.
            Temporary: the log does not answer.
        """
        with refusals():
            if not 0 <= wait_seconds <= REFLECT_WAIT_SECONDS:
                raise BadInput(f"wait_seconds is {shown(wait_seconds)}; it must be 0 to {REFLECT_WAIT_SECONDS}.")
            who = identifier(user_id, "user_id")
            first = bound(since, "since", self._zone, is_end=False)
            asked = (who, request_id.strip(), first.date() if first else None)
            with anyio.move_on_after(RETRIEVE_SECONDS + wait_seconds):
                state = await anyio.to_thread.run_sync(self._service.reflect, *asked, utc_now(), abandon_on_cancel=True)
                deadline = anyio.current_time() + wait_seconds
                while state["status"] != "finished" and anyio.current_time() < deadline:
                    await anyio.sleep(min(1.0, max(0.0, deadline - anyio.current_time())))
                    again = (who, state["request_id"], None)
                    state = await anyio.to_thread.run_sync(
                        self._service.reflect, *again, utc_now(), abandon_on_cancel=True
                    )
                return state
            raise Temporary(f"The memory did not answer within {RETRIEVE_SECONDS:.0f} s; ask again in a few seconds.")


def _stored(done: list[Appended], *, is_conversation: bool) -> dict[str, Any]:
    if clashing := [str(n) for n, one in enumerate(done) if one.status == "conflict"]:
        which = f" for turn {', '.join(clashing[:20])}; the other turns are stored" if is_conversation else ""
        raise BadInput(f"idempotency_key was used before with other content{which}. Take a new key for new content.")
    first = done[0]
    if first.status == "duplicate":
        return {
            "status": "skipped",
            "memory_id": first.event_id,
            "message": "The same was stored a short while ago; it is one memory.",
        }
    answer: dict[str, Any] = {"status": "success", "memory_id": first.event_id}
    if is_conversation:
        answer["memory_ids"] = [one.event_id for one in done]
    return answer


def _known(values: list[str], allowed: tuple[str, ...], name: str) -> frozenset[str]:
    unknown = sorted(set(values) - set(allowed))
    if unknown:
        raise BadInput(f"{name} has {', '.join(map(shown, unknown[:3]))}; it takes {', '.join(allowed)}.")
    return frozenset(values)
