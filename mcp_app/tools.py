"""The tools that agents see. Thin: they check and hand on; what they do is in service, remember and retrieval."""

import asyncio
from datetime import datetime, tzinfo
from typing import Annotated, Any

import anyio
from fastmcp import FastMCP
from pydantic import Field

from domain.errors import BadInput, Temporary
from domain.records import Appended
from domain.tables import FACETS
from mcp_app import remember
from mcp_app.arguments import Messages, Object, Text, Texts, bound, future, identifier, instant, said
from mcp_app.service import MAX_PAGE, Request, Service, utc_now

STORE_SECONDS = 10.0
RETRIEVE_SECONDS = 5.0
KINDS = ("episode",)

_STORE = """Remember something about a user for later sessions: what they said, prefer, plan, decided or must avoid, what \
you did for them and how it ended. Give `content` for a single statement, or `user_said` / `agent_did` / `outcome` for \
an exchange, or `messages` for turns as they came. Use category="constraint" for allergies, bans and hard limits. Keep \
the user's own words and language. Do not store greetings or thanks. What was stored is found by the very next \
memory_retrieve."""

_RETRIEVE = """Recall what is known about a user. Call it before you answer whenever the user's history, preferences, \
constraints, plans or earlier work could matter. Ask in the user's language with the words you would expect in the \
answer, or as a question. Each memory comes with when it was said and how long ago that is. An answer with \
partial=true was made without looking at everything: ask again in a few seconds."""


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

    async def memory_store(
        self,
        *,
        user_id: Annotated[Text, Field(description="Whose memory")],
        content: Annotated[Text | None, Field(description="One statement, in the user's words")] = None,
        user_said: Annotated[Text | None, Field(description="What the user said")] = None,
        agent_did: Annotated[Text | None, Field(description="What you answered or did")] = None,
        outcome: Annotated[Text | None, Field(description="How it ended")] = None,
        messages: Annotated[
            Messages | None,
            Field(description="Turns: [{role: user|assistant|tool|other, content, speaker?, occurred_at?}]"),
        ] = None,
        session_id: Annotated[Text | None, Field(description="The conversation it belongs to")] = None,
        category: Annotated[Text | None, Field(description="Such as constraint, preference, plan, fact")] = None,
        emotion: Annotated[
            Text | None, Field(description="The user's: positive, negative, neutral or a word of yours")
        ] = None,
        participants: Annotated[Texts | None, Field(description="People it is about")] = None,
        occurred_at: Annotated[Text | None, Field(description="When it was said, ISO 8601; default now")] = None,
        expires_at: Annotated[Text | None, Field(description="When to stop recalling it, ISO 8601 with offset")] = None,
        scope: Annotated[Text | None, Field(description="Leave out unless told otherwise")] = None,
        variants: Annotated[Texts | None, Field(description="Other wordings to find it by")] = None,
        metadata: Annotated[Object | None, Field(description="Anything to get back with it")] = None,
        media: Annotated[Object | None, Field(description="{reference, caption} of a picture or file")] = None,
        idempotency_key: Annotated[Text | None, Field(description="Same key, same memory: safe to send again")] = None,
    ) -> dict[str, Any]:
        """Append one memory, or the turns of a conversation, and answer when they are durable."""
        who = self._service.who(identifier(user_id, "user_id"), session_id or "", scope)
        now = utc_now()
        moment = instant(occurred_at, "occurred_at", self._zone) if occurred_at else now
        labels = {"category": category, "emotion": emotion, "participants": participants, "metadata": metadata}
        if expires_at:
            labels["expires_at"] = future(expires_at, "expires_at", now).isoformat()
        texts = {"content": content, "user_said": user_said, "agent_did": agent_did, "outcome": outcome}
        told = {**{k: said(v, k) for k, v in texts.items()}, **labels, "variants": _variants(variants), "media": media}
        if messages:
            if any(texts.values()) or variants or media:
                raise BadInput(
                    "messages stands alone: leave out content, user_said, agent_did, outcome, variants, media."
                )
            events = remember.message_events(who, messages, labels, moment, self._zone, idempotency_key)
        else:
            events = [remember.memory_event(who, told, moment, idempotency_key)]
        try:
            done = await asyncio.wait_for(asyncio.wrap_future(self._service.store(events)), STORE_SECONDS)
        except TimeoutError as error:
            raise Temporary(
                f"Not confirmed within {STORE_SECONDS:.0f} s: send it again with the same idempotency_key to be sure."
            ) from error
        return _stored(done, is_conversation=bool(messages))

    async def memory_retrieve(
        self,
        *,
        user_id: Annotated[Text, Field(description="Whose memories")],
        query: Annotated[Text, Field(description="What you want to know")],
        top_k: Annotated[int, Field(description="How many, 1 to 20")] = 10,
        cursor: Annotated[Text | None, Field(description="From the answer before, for the next page")] = None,
        kinds: Annotated[Texts | None, Field(description="Only these: episode")] = None,
        facets: Annotated[
            Texts | None, Field(description="Search only these: content, user_said, agent_did, outcome, variant")
        ] = None,
        categories: Annotated[Texts | None, Field(description="Only these categories")] = None,
        emotion: Annotated[Text | None, Field(description="Only this emotion: positive, negative, neutral")] = None,
        since: Annotated[Text | None, Field(description="Said at or after, ISO 8601 date or instant")] = None,
        until: Annotated[Text | None, Field(description="Said before; a bare date includes that day")] = None,
        min_similarity: Annotated[float, Field(description="0 unrelated to 1 a paraphrase")] = 0.0,
        explain: Annotated[bool, Field(description="Show how each score came about")] = False,
    ) -> dict[str, Any]:
        """Answer with a page of memories, within five seconds."""
        if not 1 <= top_k <= MAX_PAGE:
            raise BadInput(f"top_k is {top_k}; it must be 1 to {MAX_PAGE} (more come by cursor).")
        if not 0 <= min_similarity <= 1:
            raise BadInput(f"min_similarity is {min_similarity}; it must be 0 to 1.")
        if not said(query, "query"):
            raise BadInput("query must not be blank: say what you want to know.")
        narrowing: dict[str, frozenset[str] | str | datetime | None] = {
            "kinds": _known(kinds, KINDS, "kinds"),
            "facets": _known(facets, FACETS, "facets"),
            "categories": frozenset(categories or ()),
            "emotion": emotion,
            "since": bound(since, "since", self._zone, is_end=False),
            "until": bound(until, "until", self._zone, is_end=True),
        }
        request = Request(
            identifier(user_id, "user_id"), query, top_k, narrowing, min_similarity, cursor or None, explain=explain
        )
        with anyio.move_on_after(RETRIEVE_SECONDS):
            return await anyio.to_thread.run_sync(self._service.retrieve, request, utc_now(), abandon_on_cancel=True)
        return {
            "status": "success",
            "memories": [],
            "has_more": True,
            "partial": True,
            "message": f"Nothing was ready within {RETRIEVE_SECONDS:.0f} s; ask again in a few seconds.",
        }


def _stored(done: list[Appended], *, is_conversation: bool) -> dict[str, Any]:
    first = done[0]
    if any(one.status == "conflict" for one in done):
        raise BadInput(
            "idempotency_key was used before with other content; nothing was stored. Take a new key for new content."
        )
    if first.status == "duplicate":
        return {
            "status": "skipped",
            "memory_id": first.event_id,
            "message": "The same was stored within the last hour; it is one memory.",
        }
    answer: dict[str, Any] = {"status": "success", "memory_id": first.event_id}
    if is_conversation:
        answer["memory_ids"] = [one.event_id for one in done]
    return answer


def _variants(variants: list[str] | None) -> list[str]:
    return [text for variant in variants or () if (text := said(variant, "variants"))]


def _known(values: list[str] | None, allowed: tuple[str, ...], name: str) -> frozenset[str]:
    unknown = sorted(set(values or ()) - set(allowed))
    if unknown:
        raise BadInput(f"{name} has {', '.join(map(repr, unknown))}; it takes {', '.join(allowed)}.")
    return frozenset(values or ())
