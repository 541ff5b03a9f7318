"""Chat models behind the OpenAI chat completions protocol: one question, one answer, nothing tried twice.

Retries with their ledger are the caller's. What is tried again here is only what a server cannot understand: the
response format, the name of the token limit, and the temperature; what works is remembered.
"""

import asyncio
import json
import math
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from domain.errors import BadSettings, Permanent, Temporary

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

Mode = Literal["json_schema", "json_object", "text"]
MODES: tuple[Mode, ...] = ("json_schema", "json_object", "text")

_MOST_TOKENS = 1_000_000_000  # an answer that claims more counts as so many
_MAX_STYLES = 6  # as asked for; then no lengths, object, text, the other limit, no temperature
_SCHEMA_NAME = "facts"


class Busy(Temporary):
    """The server has too much to do; it may have said how long to wait.

    Args:
        message: what happened.
        retry_after_seconds: the wait that the server asks for, >= 0; None when it names none.
    """

    def __init__(self, message: str, retry_after_seconds: float | None) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class Unreachable(Temporary):
    """No answer, or none in the protocol: refused, reset, timed out, broken."""


class Refused(Permanent):
    """The server will not answer.

    Args:
        message: what happened.
        is_about_request: True: this request (too long, filtered), others may succeed; False: the key, the model, the
            address or the account, so that every request will fail.
    """

    def __init__(self, message: str, *, is_about_request: bool) -> None:
        super().__init__(message)
        self.is_about_request = is_about_request


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer.

    Attributes:
        text: of the answer alone; what a server gives as reasoning apart is left out.
        finish_reason: as the server gave it ("stop", "length"), ``content_filter`` for a refusal, "" for none.
        model: that answered, as the server names it.
        input_tokens: 0 when the server does not say; so are the next two.
        cached_tokens: of the input tokens, those that the server had in its cache.
        latency_ms: from sending the accepted request to its whole answer.
        mode: how the answer was asked to be JSON.
    """

    text: str
    finish_reason: str
    model: str
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    latency_ms: int
    mode: Mode


@dataclass(frozen=True, slots=True)
class _Style:
    """How to ask; each field is weakened once the server refuses it."""

    mode: Mode = "json_schema"
    has_lengths: bool = True
    limit: str = "max_tokens"
    sends_temperature: bool = True


class Chat:
    """A chat model on a server; safe for many asks side by side in one event loop.

    Args:
        base_url: with the path, such as ``http://127.0.0.1:8000/v1``.
        api_key: may be empty for a server that asks for none.
        model: its name there.
        timeout_seconds: for one request, from connecting to the last byte.
        max_output_tokens: for one answer, thinking included.
        temperature: left out once the server refuses it.

    Raises:
        BadSettings: the base URL is none, or the key cannot stand in a header.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        model: str,
        *,
        timeout_seconds: float,
        max_output_tokens: int,
        temperature: float = 0.0,
    ) -> None:
        self._base_url = base_url
        self._api_key = api_key.strip()
        self._model = model
        self._timeout_seconds = timeout_seconds
        self._max_output_tokens = max_output_tokens
        self._temperature = temperature
        self._style = _Style()
        self._at = f"the model {model} at {_shown(base_url)}"
        if not (self._api_key.isascii() and (self._api_key + "x").isprintable()):
            # the client would put it into its error
            raise BadSettings("HINDSIGHT_LLM_API_KEY holds characters that no HTTP header can; copy the key again")

    async def ask(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any]) -> Reply:
        """Return the model's answer.

        Args:
            messages: with ``role`` and ``content``.
            schema: JSON schema of the answer, sent to servers that take one.

        Raises:
            Busy: the server asks to come back later.
            Unreachable: it cannot be reached, hangs, is broken or does not speak the protocol.
            Refused: it will not answer this request, or none.
        """
        learnt: dict[str, Any] = {}
        for _ in range(_MAX_STYLES):
            style = replace(self._style, **learnt)
            started = time.monotonic()
            try:
                answer = await self._sent(messages, schema, style)
            except _NotUnderstood as refused:
                learnt |= refused.change
                continue
            reply = self._reply(answer, style, round((time.monotonic() - started) * 1000))
            # remembered once it has helped, and no more than was learnt here: other asks may have learnt the rest
            self._style = replace(self._style, **learnt)
            return reply
        raise Refused(f"{self._at} understands none of our requests; {_WAY_OUT}", is_about_request=False)

    async def aclose(self) -> None:
        """Close the connections; asking afterwards fails."""
        if "_client" in self.__dict__:
            await self._client.close()

    @cached_property
    def _client(self) -> "AsyncOpenAI":
        from openai import AsyncOpenAI  # noqa: PLC0415 - half a second, for those who use it

        return AsyncOpenAI(
            base_url=self._base_url,
            api_key=self._api_key or "none",
            timeout=self._timeout_seconds,
            max_retries=0,
        )

    async def _sent(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any], style: _Style) -> str:
        """Return the body of the answer; raises as ``ask`` does, and _NotUnderstood."""
        options: dict[str, Any] = {style.limit: self._max_output_tokens}
        if style.sends_temperature:
            options["temperature"] = self._temperature
        if style.mode == "json_schema":
            shape = dict(schema) if style.has_lengths else _without_lengths(schema)
            named = {"name": _SCHEMA_NAME, "strict": True, "schema": shape}
            options["response_format"] = {"type": "json_schema", "json_schema": named}
        elif style.mode == "json_object":
            options["response_format"] = {"type": "json_object"}
        sendable: Any = [{key: _sendable(text) for key, text in message.items()} for message in messages]
        raw = self._client.chat.completions.with_raw_response
        with _openai_errors(self._at, style):
            # the client's own timeout starts anew with each byte that arrives
            async with asyncio.timeout(self._timeout_seconds):
                answer = await raw.create(model=self._model, messages=sendable, **options)
        return str(answer.text)

    def _reply(self, body: str, style: _Style, latency_ms: int) -> Reply:
        """Return what an answer says.

        Raises:
            Busy: a gateway wrapped a 429 in a 200.
            Unreachable: it is not in the protocol.
        """
        answer = _parsed(body)
        choices = answer.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(choice, dict) or not isinstance(message, dict) or choice.get("finish_reason") == "error":
            if str(_dict(answer.get("error")).get("code")) == "429":
                raise Busy(f"{self._at} is busy; try again later", None)
            raise Unreachable(
                f"{self._at} answers, but not in the OpenAI chat protocol; is HINDSIGHT_LLM_BASE_URL right, "
                "with its path (most end in /v1)?"
            )
        refusal = message.get("refusal")
        usage = _dict(answer.get("usage"))
        return Reply(
            text=_content(refusal or message.get("content")),
            finish_reason="content_filter" if refusal else str(choice.get("finish_reason") or ""),
            model=str(answer.get("model") or self._model),
            input_tokens=_count(usage.get("prompt_tokens")),
            output_tokens=_count(usage.get("completion_tokens")),
            cached_tokens=_count(_dict(usage.get("prompt_tokens_details")).get("cached_tokens")),
            latency_ms=latency_ms,
            mode=style.mode,
        )


_WAY_OUT = "check HINDSIGHT_LLM_BASE_URL, HINDSIGHT_LLM_API_KEY and HINDSIGHT_LLM_MODEL"


class _NotUnderstood(Exception):
    """The server does not know something that it was asked with; ``change`` says how to ask instead."""

    def __init__(self, change: dict[str, Any]) -> None:
        super().__init__()
        self.change = change


@contextmanager
def _openai_errors(at: str, style: _Style) -> Iterator[None]:
    """Turn the client's errors into ours; theirs hold the server's words, which may repeat the prompt or the key.

    Raises:
        Busy: HTTP 429, or a wait is asked for.
        Unreachable: no answer in time, or a broken server.
        Refused: any other answer.
        _NotUnderstood: another style may work.
    """
    import openai  # noqa: PLC0415 - half a second, for those who use it

    try:
        yield
    except (TimeoutError, openai.APITimeoutError):
        raise Unreachable(f"{at} gave no answer in time; is the server up, or the timeout too short?") from None
    except openai.APIConnectionError as error:
        raise Unreachable(
            f"{at} cannot be reached ({type(error.__cause__).__name__}); is the server up, and HINDSIGHT_LLM_BASE_URL "
            "right?"
        ) from None
    except openai.APIStatusError as error:
        problem = _of_status(at, style, error)
        raise problem from None


def _of_status(at: str, style: _Style, error: "APIStatusError") -> Exception:
    """Return what a refused request becomes."""
    status = error.status_code
    code = _code(error)
    what = f"HTTP {status}{f', {code}' if code else ''}"
    words = _words(error)
    change = _weaker(style, status, words)
    if change:
        return _NotUnderstood(change)
    if status == 429 and "insufficient_quota" in words:
        return Refused(f"{at} refuses ({what}): the account has no credit left; {_WAY_OUT}", is_about_request=False)
    wait = _retry_after_seconds(error.response.headers)
    if status == 429 or (status >= 500 and wait is not None):
        return Busy(f"{at} is busy ({what}); try again later", wait)
    if status >= 500 or status in {408, 409, 425}:
        return Unreachable(f"{at} is broken or overloaded ({what}); try again later")
    if (status in {400, 413, 422} and not _ABOUT_ACCESS.search(words)) or (status == 403 and _MODERATED.search(words)):
        return Refused(f"{at} refuses this request ({what}); a shorter one may do", is_about_request=True)
    return Refused(f"{at} refuses ({what}); {_WAY_OUT}", is_about_request=False)


_ABOUT_FORMAT = re.compile(r"response_?\s?format|json_schema|json_object|schema|grammar|guided|structured output")
_UNSUPPORTED = re.compile(r"unsupported|not supported|unknown|unrecognized|unexpected|not permitted|extra_forbidden")
_LENGTHS = ("maxLength", "maxItems")
_ABOUT_LENGTHS = re.compile("|".join(_LENGTHS).lower())
_ABOUT_ACCESS = re.compile(
    r"api[ _-]?key|model_not_found|model[^.]{0,80}(?:not found|not exist|does not exist|is unknown|is invalid)"
    r"|(?:unknown|invalid|no such) model"
)
_TOO_LONG = re.compile(r"context[ _](?:length|window|size)|maximum context|too long|string_above_max_length")
_MODERATED = re.compile(r"moderation|flagged|content_filter")


def _weaker(style: _Style, status: int, words: str) -> dict[str, Any]:
    """Return the field of the style that the server does not know, weakened; nothing if it refuses something else."""
    if status not in {400, 422, 501} or _TOO_LONG.search(words):
        return {}
    is_limit = "max_tokens" in words and ("max_completion_tokens" in words or _UNSUPPORTED.search(words))
    if style.limit == "max_tokens" and is_limit:
        return {"limit": "max_completion_tokens"}
    if style.sends_temperature and "temperature" in words:
        return {"sends_temperature": False}
    about_format = status == 501 or _ABOUT_FORMAT.search(words) or "unsupported parameter" in words
    if about_format and style.mode == "json_schema" and style.has_lengths and _ABOUT_LENGTHS.search(words):
        return {"has_lengths": False}
    if style.mode != "text" and about_format:
        return {"mode": MODES[MODES.index(style.mode) + 1]}
    return {}


def _without_lengths(schema: Any) -> Any:
    """Return a schema without the bounds that some servers do not know; a small model needs them, a large one not."""
    if isinstance(schema, Mapping):
        return {name: _without_lengths(value) for name, value in schema.items() if name not in _LENGTHS}
    return schema


def _words(error: "APIStatusError") -> str:
    """Return what the server says, in small letters: it decides what the error is and goes nowhere else."""
    body = error.body
    detail = body.get("detail") if isinstance(body, dict) else body
    if isinstance(detail, list):  # of FastAPI, with the input beside it, which could hold any of our words
        detail = [(_dict(part).get("loc"), _dict(part).get("msg")) for part in detail]
    return f"{error.message} {error.code} {error.param} {error.type} {detail}".lower()


def _code(error: "APIStatusError") -> str:
    """Return the machine-readable code of an error, "" for none: sentences could repeat the prompt."""
    named = (name for name in (error.code, error.type) if name and re.fullmatch(r"[a-z][a-z_]{2,40}", str(name)))
    return next(named, "")


def _retry_after_seconds(headers: Mapping[str, str]) -> float | None:
    """Return the wait that a server asks for; None for none or one that cannot be read."""
    for name, per_second in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            seconds = float(headers.get(name, "")) / per_second
        except ValueError:
            continue
        return max(0.0, seconds) if math.isfinite(seconds) else None
    try:
        at = parsedate_to_datetime(headers.get("retry-after", ""))
    except ValueError:
        return None
    at_utc = at.replace(tzinfo=UTC) if at.tzinfo is None else at
    return max(0.0, (at_utc - datetime.now(UTC)).total_seconds())


def _parsed(body: str) -> dict[str, Any]:
    try:
        return _dict(json.loads(body))
    except (ValueError, RecursionError):
        return {}


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _content(value: Any) -> str:
    """Return the text of a message, which some servers give in parts; parts with reasoning are left out."""
    if isinstance(value, list):
        return "".join(str(_dict(part).get("text") or "") for part in value if _dict(part).get("type") == "text")
    return value if isinstance(value, str) else ""


def _count(value: Any) -> int:
    is_count = isinstance(value, (int, float)) and math.isfinite(value) and value > 0
    return min(int(value), _MOST_TOKENS) if is_count else 0


def _sendable(text: str) -> str:
    """Return the text without halves of surrogate pairs, which cannot be sent as UTF-8."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _shown(base_url: str) -> str:
    """Return a base URL as messages may show it: without credentials and query.

    Raises:
        BadSettings: it is no http address.
    """
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or parts.scheme not in {"http", "https"}:
        raise BadSettings("HINDSIGHT_LLM_BASE_URL is no address; give one such as http://127.0.0.1:8000/v1")
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{f':{port}' if port else ''}{parts.path}"
