"""The chat client against a real server on loopback: every error, every fallback, nothing tried twice."""

import asyncio
import logging
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import anyio
import pytest

from domain.errors import BadSettings, HindsightError
from resources.llm import Busy, Chat, Refused, Reply, Unreachable
from tests import llm_server
from tests.llm_server import Answer, Body, LLMServer

KEY = "sk-secret-1"
SCHEMA = {"type": "object", "properties": {"facts": {"type": "array"}}, "required": ["facts"]}
MESSAGES = [{"role": "system", "content": "You read."}, {"role": "user", "content": "我只喝乌龙茶 🍵 secret-words"}]


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as made:
        yield made


def asked(server: LLMServer, n: int = 1, messages: Any = MESSAGES, schema: Any = SCHEMA, **options: Any) -> list[Reply]:
    """Ask n times one after the other."""

    async def ask() -> list[Reply]:
        chat = Chat(server.base_url, KEY, "m", **{"timeout_seconds": 5, "max_output_tokens": 100, **options})
        try:
            return [await chat.ask(messages, schema) for _ in range(n)]
        finally:
            await chat.aclose()

    return asyncio.run(ask())


def constantly(answer: Answer) -> Callable[[Body], Answer]:
    return lambda _: answer


def failures(server: LLMServer, answers: Iterable[Answer], **options: Any) -> list[HindsightError]:
    """Return the error of each answer; none of them holds the key or the words of the prompt."""

    async def ask() -> list[HindsightError]:
        chat = Chat(server.base_url, KEY, "m", **{"timeout_seconds": 5, "max_output_tokens": 100, **options})
        found = []
        for answer in answers:
            server.answer(constantly(answer))
            with pytest.raises(HindsightError) as caught:
                await chat.ask(MESSAGES, SCHEMA)
            found.append(caught.value)
        await chat.aclose()
        return found

    errors = asyncio.run(ask())
    for error in errors:
        told = "".join(traceback.format_exception(error))
        assert KEY not in told
        assert "secret-words" not in told
        assert f"the model m at {server.base_url}" in str(error)
    return errors


def failed(server: LLMServer, answer: Answer, **options: Any) -> HindsightError:
    return failures(server, [answer], **options)[0]


def test_a_question_and_its_answer(server: LLMServer) -> None:
    server.answer(lambda body: f"你说：{body['messages'][-1]['content']}")
    [reply] = asked(server)
    assert reply.text == "你说：我只喝乌龙茶 🍵 secret-words"
    assert (reply.finish_reason, reply.model, reply.mode) == ("stop", "scripted-1", "json_schema")
    assert (reply.input_tokens, reply.output_tokens, reply.cached_tokens) == (11, 7, 3)
    assert 0 <= reply.latency_ms < 5000
    [request] = server.requests
    assert request["path"] == "/v1/chat/completions"
    assert request["authorization"] == f"Bearer {KEY}"
    assert request["messages"] == MESSAGES
    assert (request["model"], request["max_tokens"], request["temperature"]) == ("m", 100, 0.0)
    assert request["response_format"]["json_schema"]["schema"] == SCHEMA


def test_half_of_a_surrogate_pair_can_be_sent(server: LLMServer) -> None:
    asked(server, messages=[{"role": "user", "content": "half \ud83d pair \ud83c\udf75"}])
    assert server.requests[0]["messages"][0]["content"] == "half \ufffd pair 🍵"


def test_usage_may_be_missing(server: LLMServer) -> None:
    server.answer(lambda _: llm_server.no_usage("text"))
    [reply] = asked(server)
    assert (reply.text, reply.input_tokens, reply.output_tokens, reply.cached_tokens) == ("text", 0, 0, 0)


@pytest.mark.parametrize(
    "usage", [None, {}, {"prompt_tokens": None, "prompt_tokens_details": None}, {"prompt_tokens": "many"}, ["odd"]]
)
def test_odd_usage_counts_nothing(server: LLMServer, usage: Any) -> None:
    server.answer(lambda _: {**llm_server.completion("text"), "usage": usage})
    assert asked(server)[0].input_tokens == 0


def test_a_truncated_answer_says_so(server: LLMServer) -> None:
    server.answer(lambda _: llm_server.truncated('{"facts": ['))
    [reply] = asked(server)
    assert (reply.text, reply.finish_reason) == ('{"facts": [', "length")


def test_reasoning_apart_is_left_out(server: LLMServer) -> None:
    server.answer(lambda _: llm_server.completion("answer", reasoning_content="thought", reasoning="thought"))
    assert asked(server)[0].text == "answer"
    parts = [{"type": "thinking", "text": "thought"}, {"type": "text", "text": "an"}, {"type": "text", "text": "swer"}]
    server.answer(lambda _: llm_server.completion(parts))  # type: ignore[arg-type]
    assert asked(server)[0].text == "answer"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (llm_server.completion(None, refusal="I can't help"), "I can't help"),
        (llm_server.completion(None, finish_reason="content_filter"), ""),
        (llm_server.completion("par", finish_reason="content_filter"), "par"),
    ],
)
def test_a_refusal_is_a_filtered_answer(server: LLMServer, body: Body, text: str) -> None:
    server.answer(lambda _: body)
    [reply] = asked(server)
    assert (reply.text, reply.finish_reason) == (text, "content_filter")


# --- errors


def test_a_busy_server_says_how_long(server: LLMServer) -> None:
    for error in failures(server, [llm_server.status(code, {"Retry-After": "7"}) for code in (429, 503, 529)]):
        assert isinstance(error, Busy)
        assert error.retry_after_seconds == 7
    assert len(server.requests) == 3


def test_forms_of_retry_after(server: LLMServer) -> None:
    forms: list[tuple[dict[str, str], float | None]] = [
        ({}, None),
        ({"Retry-After": "1.5"}, 1.5),
        ({"Retry-After": "-3"}, 0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "9" * 400}, None),
        ({"Retry-After": "9", "Retry-After-Ms": "250"}, 0.25),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0),
        ({"Retry-After": "Wed, 99 Oct 2015 07:28:00 GMT"}, None),
    ]
    errors = failures(server, [llm_server.status(429, headers) for headers, _ in forms])
    assert [getattr(error, "retry_after_seconds", "not busy") for error in errors] == [seconds for _, seconds in forms]


@pytest.mark.parametrize("zone", ["GMT", "+0000", "-0000"])
def test_retry_after_as_a_date(server: LLMServer, zone: str) -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=30)).replace("+0000", zone)
    error = failed(server, llm_server.status(503, {"Retry-After": date}))
    assert isinstance(error, Busy)
    assert error.retry_after_seconds == pytest.approx(29, abs=2)


BROKEN: list[Answer] = [
    *(llm_server.status(code) for code in (408, 409, 500, 502, 503, 504)),
    llm_server.status(500, body="Internal"),
    llm_server.drop(),
    llm_server.html(),
    llm_server.status(200, body="not json"),
    llm_server.status(200, body="[" * 5000),
    llm_server.status(200, body=""),
    llm_server.status(200, body=["a", "list"]),
    {"object": "chat.completion"},
    {"choices": []},
    {"choices": None},
    {"choices": ["odd"]},
    {"choices": [{"index": 0}]},
    {"choices": [{"message": None}]},
    {"error": {"message": "upstream", "code": 502}},
    llm_server.completion("x", finish_reason="error"),
]


def test_broken_servers_may_answer_later(server: LLMServer) -> None:
    for answer, error in zip(BROKEN, failures(server, BROKEN), strict=True):
        assert isinstance(error, Unreachable), answer
    assert len(server.requests) == len(BROKEN)


def test_a_wrapped_429_is_busy(server: LLMServer) -> None:
    assert isinstance(failed(server, {"error": {"message": "slow down", "code": 429}}), Busy)


@pytest.mark.parametrize("answer", [llm_server.hang(20), llm_server.trickle(20)], ids=["hang", "trickle"])
def test_a_server_that_hangs(server: LLMServer, answer: Answer) -> None:
    begun = time.monotonic()
    error = failed(server, answer, timeout_seconds=0.3)
    assert isinstance(error, Unreachable)
    assert "in time" in str(error)
    assert time.monotonic() - begun < 3


def test_no_server_at_all() -> None:
    with LLMServer() as gone:
        pass
    with pytest.raises(Unreachable, match="is the server up"):
        asked(gone)


REFUSALS: list[tuple[int, Any, bool]] = [
    (400, llm_server.error("maximum context length is 4096 tokens", code="context_length_exceeded"), True),
    (400, llm_server.error("The temperature of secret-words' schema is too long"), True),
    (400, llm_server.error("filtered", code="content_filter"), True),
    (413, llm_server.error("too large"), True),
    (422, llm_server.error("no"), True),
    (422, {"detail": [{"loc": ["messages"], "msg": "bad", "input": "temperature schema secret-words"}]}, True),
    (403, llm_server.error("flagged by moderation: secret-words"), True),
    (400, llm_server.error("API key not valid"), False),
    (400, llm_server.error("Model Not Exist"), False),
    (401, llm_server.error(f"Incorrect API key provided: {KEY}", code="invalid_api_key"), False),
    (402, llm_server.error("Insufficient Balance"), False),
    (403, llm_server.error("not for your country"), False),
    (404, llm_server.error("The model `m` does not exist", code="model_not_found"), False),
    (404, {"detail": "Not Found"}, False),
    (405, "", False),
    (429, llm_server.error("quota", code="insufficient_quota"), False),
]


def test_refusals(server: LLMServer) -> None:
    errors = failures(server, [llm_server.status(code, body=body) for code, body, _ in REFUSALS])
    for (code, body, is_about_request), error in zip(REFUSALS, errors, strict=True):
        assert isinstance(error, Refused), body
        assert error.is_about_request is is_about_request, body
        assert f"HTTP {code}" in str(error)
        settings = ("HINDSIGHT_LLM_BASE_URL", "HINDSIGHT_LLM_API_KEY", "HINDSIGHT_LLM_MODEL")
        assert is_about_request or all(setting in str(error) for setting in settings)
    assert len(server.requests) == len(REFUSALS)


def test_a_code_is_named_but_no_sentence(server: LLMServer) -> None:
    error = failed(
        server, llm_server.status(400, body=llm_server.error("secret-words", code="context_length_exceeded"))
    )
    assert "HTTP 400, context_length_exceeded" in str(error)
    error = failed(server, llm_server.status(400, body=llm_server.error("no", code="user said secret-words")))
    assert "(HTTP 400, invalid_request_error)" in str(error)


@pytest.mark.parametrize(
    "base_url", ["", "127.0.0.1:8000/v1", "ftp://host/v1", "http://", "http://[", "http://h:port/v1"]
)
def test_an_address_that_is_none(base_url: str) -> None:
    with pytest.raises(BadSettings, match="HINDSIGHT_LLM_BASE_URL"):
        Chat(base_url, KEY, "m", timeout_seconds=1, max_output_tokens=1)


@pytest.mark.parametrize("api_key", ["sk-密钥", "sk-\x00", "sk-a\nb"])
def test_a_key_that_no_header_can_hold(api_key: str) -> None:
    with pytest.raises(BadSettings, match="HINDSIGHT_LLM_API_KEY") as caught:
        Chat("http://127.0.0.1:1/v1", api_key, "m", timeout_seconds=1, max_output_tokens=1)
    assert api_key not in str(caught.value)


def test_credentials_of_the_address_are_not_shown() -> None:
    async def ask() -> None:
        chat = Chat(f"http://me:{KEY}@127.0.0.1:1/v1?key={KEY}", "", "m", timeout_seconds=1, max_output_tokens=1)
        try:
            await chat.ask(MESSAGES, SCHEMA)
        finally:
            await chat.aclose()

    with pytest.raises(Unreachable, match=r"the model m at http://127\.0\.0\.1:1/v1 ") as caught:
        asyncio.run(ask())
    assert KEY not in str(caught.value)


def test_nothing_secret_is_logged(server: LLMServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    server.answer(lambda _: "answered secret-words")
    asked(server)
    failed(server, llm_server.status(400, body=llm_server.error(f"{KEY} secret-words")))
    assert caplog.records
    for record in caplog.records:
        told = f"{record.getMessage()} {record.args}"
        assert KEY not in told
        assert "secret-words" not in told


# --- what a server does not understand


@pytest.mark.parametrize(
    ("modes", "sent"),
    [
        ({"json_schema"}, ["json_schema"]),
        ({"json_object", "text"}, ["json_schema", "json_object"]),
        ({"text"}, ["json_schema", "json_object", "text"]),
    ],
)
def test_the_best_format_that_the_server_takes_is_remembered(
    server: LLMServer, modes: set[str], sent: list[str]
) -> None:
    server.modes = modes
    assert [reply.mode for reply in asked(server, n=2)] == [sent[-1]] * 2
    formats = [request.get("response_format", {"type": "text"})["type"] for request in server.requests]
    assert formats == [*sent, sent[-1]]
    assert server.requests[-1].get("response_format") in (
        {"type": "json_object"},
        None,
        server.requests[0]["response_format"],
    )


@pytest.mark.parametrize(
    ("code", "body"),
    [
        (400, llm_server.error("Invalid schema for response_format 'facts'")),
        (400, llm_server.error("Unsupported parameter", param="response_format")),
        (400, {"error": "failed to parse grammar"}),
        (400, {"object": "error", "message": "guided decoding is off", "type": "BadRequestError"}),
        (422, {"detail": [{"loc": ["body", "response_format"], "msg": "extra fields not permitted"}]}),
        (422, {"detail": "json_schema is not supported"}),
        (501, llm_server.error("not implemented")),
    ],
    ids=str,
)
def test_words_for_an_unknown_format(server: LLMServer, code: int, body: Any) -> None:
    server.answer(lambda request: llm_server.status(code, body=body) if "response_format" in request else "plain")
    assert [reply.mode for reply in asked(server)] == ["text"]


def test_the_newer_name_of_the_limit_is_remembered(server: LLMServer) -> None:
    words = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    refusal = llm_server.status(400, body=llm_server.error(words, code="unsupported_parameter", param="max_tokens"))
    server.answer(lambda body: refusal if "max_tokens" in body else "ok")
    assert [reply.mode for reply in asked(server, n=2)] == ["json_schema"] * 2
    assert ["max_tokens" in body for body in server.requests] == [True, False, False]
    assert [body.get("max_completion_tokens") for body in server.requests] == [None, 100, 100]


def test_a_refused_temperature_is_left_out_from_then_on(server: LLMServer) -> None:
    words = "Unsupported value: 'temperature' does not support 0.0 with this model."
    refusal = llm_server.status(400, body=llm_server.error(words, code="unsupported_value", param="temperature"))
    server.answer(lambda body: refusal if "temperature" in body else "ok")
    assert [reply.mode for reply in asked(server, n=2)] == ["json_schema"] * 2
    assert ["temperature" in body for body in server.requests] == [True, False, False]


def test_a_server_that_knows_nothing_of_all_this(server: LLMServer) -> None:
    server.modes = {"text"}

    def answer(body: Body) -> Answer:
        for name in ("max_tokens", "temperature"):
            if name in body:
                return llm_server.status(400, body=llm_server.error(f"Unsupported parameter: {name}", param=name))
        return "ok"

    server.answer(answer)
    assert [reply.text for reply in asked(server)] == ["ok"]
    assert len(server.requests) == 5


def test_a_fallback_that_did_not_help_is_forgotten(server: LLMServer) -> None:
    errors = failures(server, [llm_server.status(501), llm_server.status(400, body={"error": "bad schema"})])
    assert [type(error) for error in errors] == [Unreachable, Refused]
    formats = [request.get("response_format", {"type": "text"})["type"] for request in server.requests]
    assert formats == ["json_schema", "json_object", "text"] * 2


def test_a_server_that_refuses_whatever_the_style(server: LLMServer) -> None:
    error = failed(server, llm_server.status(400, body=llm_server.error("unknown: max_tokens, temperature, schema")))
    assert isinstance(error, Refused)
    assert len(server.requests) == 5


# --- side by side


def test_questions_side_by_side(server: LLMServer) -> None:
    server.modes = {"text"}
    server.answer(lambda body: llm_server.delay(0.2, body["messages"][0]["content"]))

    async def ask() -> list[str]:
        chat = Chat(server.base_url, KEY, "m", timeout_seconds=10, max_output_tokens=10)
        asks = (chat.ask([{"role": "user", "content": f"第{n}个"}], SCHEMA) for n in range(20))
        try:
            return [reply.text for reply in await asyncio.gather(*asks)]
        finally:
            await chat.aclose()

    begun = time.monotonic()
    assert asyncio.run(ask()) == [f"第{n}个" for n in range(20)]
    assert time.monotonic() - begun < 2
    assert server.n_at_once_max > 10
    assert server.n_answered == len(server.requests) >= 20


def test_a_question_that_is_given_up(server: LLMServer) -> None:
    """Under anyio, too: what is cancelled from outside is no time-out of ours."""
    server.answer(lambda _: llm_server.hang(20))

    async def ask() -> bool:
        chat = Chat(server.base_url, KEY, "m", timeout_seconds=10, max_output_tokens=10)
        with anyio.move_on_after(0.2) as scope:
            await chat.ask(MESSAGES, SCHEMA)
        await chat.aclose()
        return scope.cancelled_caught

    assert anyio.run(ask)


def test_a_chat_that_never_asked_closes() -> None:
    asyncio.run(Chat("http://127.0.0.1:1/v1", "", "m", timeout_seconds=1, max_output_tokens=1).aclose())


def test_bounds_that_a_server_does_not_know_are_left_out_from_then_on(server: LLMServer) -> None:
    bounded = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}}
    words = "Invalid schema for response_format 'facts': 'maxLength' is not permitted."
    refusal = llm_server.status(400, body=llm_server.error(words))
    server.answer(lambda body: refusal if "maxLength" in str(body["response_format"]) else "{}")
    assert [reply.mode for reply in asked(server, n=2, schema=bounded)] == ["json_schema"] * 2
    shapes = [body["response_format"]["json_schema"]["schema"]["properties"] for body in server.requests]
    assert shapes == [bounded["properties"], {"a": {"type": "string"}}, {"a": {"type": "string"}}]
