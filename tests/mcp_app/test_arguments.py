"""What clients send is understood, or refused with the parameter's name and its form; never half."""

import json
from typing import Any

import pytest

from .serving import Memory

BOTH = ("memory_store", "memory_retrieve")


def stored(memory: Memory, **arguments: Any) -> dict[str, Any]:
    """Return a memory that was stored with these arguments, as it comes back."""
    memory_id = memory.store("the quarterly figures", **arguments)
    return next(found for found in memory.find("quarterly figures") if found["id"] == memory_id)


@pytest.mark.parametrize("given", [["Lin", "Bo"], '["Lin", "Bo"]'])
def test_a_list_may_come_as_json_text(memory: Memory, given: Any) -> None:
    assert stored(memory, participants=given)["participants"] == ["Lin", "Bo"]


def test_a_list_may_come_as_one_bare_word(memory: Memory) -> None:
    assert stored(memory, participants="billing")["participants"] == ["billing"]


@pytest.mark.parametrize("given", ["a, b", "林，李", "a;b"])
def test_one_text_with_separators_is_refused_where_names_are_wanted(memory: Memory, given: str) -> None:
    assert 'participants is not understood: it must be a list such as ["a", "b"]' in memory.refused(
        "memory_store", user_id="ana", content="x", participants=given
    )
    assert memory.find("x") == []


def test_a_wording_may_hold_a_comma(memory: Memory) -> None:
    memory.store("用户对花生过敏", variants="no peanuts, please")
    assert memory.texts("no peanuts, please", facets="variant") == ["用户对花生过敏"]


@pytest.mark.parametrize("name", ["participants", "variants"])
@pytest.mark.parametrize("given", ["[42]", [42], [["a"]], [None], {"a": 1}, True, 5])
def test_entries_that_are_no_text_are_refused_by_name(memory: Memory, name: str, given: Any) -> None:
    assert name in memory.refused("memory_store", user_id="ana", content="x", **{name: given})
    assert memory.find("x") == []


@pytest.mark.parametrize("given", [{"a": [1, {"b": None}]}, '{"a": [1, {"b": null}]}'])
def test_an_object_may_come_as_json_text(memory: Memory, given: Any) -> None:
    assert stored(memory, metadata=given)["metadata"] == {"a": [1, {"b": None}]}


@pytest.mark.parametrize("given", ["[1]", "word", '{"a": NaN}', "false", False, 0, [], "{" * 5_000])
def test_what_is_no_object_is_refused_and_never_dropped(memory: Memory, given: Any) -> None:
    assert "metadata" in memory.refused("memory_store", user_id="ana", content="x", metadata=given)


def test_an_object_has_a_size(memory: Memory) -> None:
    assert "at most" in memory.refused("memory_store", user_id="ana", content="x", metadata={"a": "x" * 200_000})


def test_numbers_and_booleans_may_come_as_text(memory: Memory) -> None:
    for n in range(4):
        memory.store(f"note number {n} about trains", session_id=str(n))
    page = memory.page("trains", top_k="2", min_similarity="0", explain="false")
    assert len(page["memories"]) == 2
    assert all("explain" not in found for found in page["memories"])
    assert all("explain" in found for found in memory.find("trains", explain="true"))


@pytest.mark.parametrize(
    ("name", "given", "form"),
    [
        ("top_k", "many", "a whole number"),
        ("top_k", True, "a number"),
        ("top_k", 0, "1 to 20"),
        ("top_k", 21, "1 to 20"),
        ("top_k", 1.5, "a whole number"),
        ("explain", "maybe", "true or false"),
        ("min_similarity", "high", "a number"),
        ("min_similarity", 1.1, "0 to 1"),
        ("min_similarity", "nan", "0 to 1"),
        ("kinds", ["facts"], "fact, episode"),
        ("facets", "a, b", "a list"),
        ("facets", ["text"], "user_said"),
        ("since", "yesterday", "ISO 8601"),
        ("since", 1712011200000, "ISO 8601"),
        ("until", "2026-13-01", "ISO 8601"),
        ("cursor", "abc", "leave it out"),
        ("cursor", "WyJ4IiwgMWU5OTksIDFd", "leave it out"),
        ("user_id", "  ", "not be blank"),
        ("user_id", ["ana"], "text"),
        ("user_id", True, "text"),
        ("query", "\n", "not be blank"),
        ("limit", 3, "no parameter"),
    ],
)
def test_a_retrieve_that_is_not_understood_says_what_to_send(memory: Memory, name: str, given: Any, form: str) -> None:
    message = memory.refused("memory_retrieve", **{"user_id": "ana", "query": "x", name: given})
    assert name in message
    assert form in message


@pytest.mark.parametrize(
    ("name", "given", "form"),
    [
        ("tags", ["a"], "no parameter"),
        ("occurred_at", "last week", "ISO 8601"),
        ("occurred_at", "1712011200000", "ISO 8601"),
        ("occurred_at", "20260201", "ISO 8601"),
        ("expires_at", "2020-01-01T00:00:00Z", "past"),
        ("expires_at", "2999-01-01T00:00:00", "offset"),
        ("scope", "private", "leave it out"),
        ("session_id", "s" * 513, "512"),
        ("category", "s" * 513, "512"),
        ("idempotency_key", "s" * 513, "512"),
        ("content", {"a": 1}, "text"),
        ("content", ["a"], "text"),
        ("content", "a\ud800b", "whole characters"),
        ("user_id", "a\0b", "whole characters"),
        ("messages", "hello", "object"),
        ("messages", [{"role": "user", "content": "a"}], "stands alone"),
        ("media", {"caption": 3}, ""),
    ],
)
def test_a_store_that_is_not_understood_stores_nothing(memory: Memory, name: str, given: Any, form: str) -> None:
    message = memory.refused("memory_store", **{"user_id": "ana", "content": "x", name: given} | _alone(name))
    assert form in message
    assert memory.app.service.log.count() == 0


def _alone(name: str) -> dict[str, Any]:
    return {"content": None} if name == "media" else {}


@pytest.mark.parametrize("content", ['{"a": 1}', "[1, 2]", "42", "true", "null", '"quoted"', "NaN"])
def test_content_that_looks_like_json_stays_text(memory: Memory, content: str) -> None:
    memory_id = memory.store(content)
    assert {found["id"]: found["content"] for found in memory.find("anything")} == {memory_id: content}


def test_a_number_is_taken_as_text(memory: Memory) -> None:
    memory.call("memory_store", user_id=7, content=42)
    assert memory.texts("42", user="7") == ["42"]


@pytest.mark.parametrize("tool", BOTH)
def test_null_is_what_was_not_given(memory: Memory, tool: str) -> None:
    needed = {"user_id": "ana", "content": "likes tea", "query": "tea"}
    schema = memory.app.mcp.get_tool(tool)
    names = set(_run(schema).parameters["properties"])
    arguments = {name: needed.get(name) for name in names}
    assert memory.call(tool, **arguments)["status"] == "success"


def _run(waiting: Any) -> Any:
    import asyncio

    return asyncio.run(waiting)


@pytest.mark.parametrize("tool", BOTH)
def test_what_is_missing_is_named(memory: Memory, tool: str) -> None:
    assert "user_id is missing" in memory.refused(tool, query="x") if tool == BOTH[1] else memory.refused(tool)


def test_nothing_to_remember_is_refused(memory: Memory) -> None:
    for given in ({}, {"content": ""}, {"content": " \n"}, {"media": {"reference": "a.png"}}, {"messages": []}):
        assert "Nothing to remember" in memory.refused("memory_store", user_id="ana", **given)


def test_a_caption_is_enough(memory: Memory) -> None:
    memory.call("memory_store", user_id="ana", media={"reference": "a.png", "caption": "the dog Rex on the beach"})
    found = memory.find("dog Rex")[0]
    assert (found["content"], found["media"]["reference"]) == ("the dog Rex on the beach", "a.png")


def test_a_million_characters_are_taken_and_one_more_is_refused_without_an_echo(memory: Memory) -> None:
    memory.store("茶" + "a word " * 142_857)
    message = memory.refused("memory_store", user_id="ana", content="é" * 1_000_001)
    assert "1000001 characters" in message


@pytest.mark.parametrize(
    "name", ["occurred_at", "expires_at", "scope", "messages", "emotion", "participants", "metadata"]
)
def test_no_message_quotes_a_megabyte(memory: Memory, name: str) -> None:
    message = memory.refused("memory_store", user_id="ana", content="x", **{name: "q" * 1_000_000})
    assert len(message) < 700
    assert len(memory.refused("memory_store", user_id="ana", content="x", **{"p" * 1_000_000: 1})) < 700


def test_an_unknown_tool_is_an_error_of_the_same_shape(memory: Memory) -> None:
    answer = memory.call("memory_delete", user_id="ana")
    assert answer == {"status": "error", "code": "unknown_tool", "message": "There is no tool 'memory_delete'."}


def test_a_bug_shows_neither_trace_nor_path(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: object) -> None:
        raise RuntimeError(f"secret text in {__file__}")

    monkeypatch.setattr(memory.app.service, "retrieve", broken)
    answer = memory.call("memory_retrieve", user_id="ana", query="x")
    assert answer["code"] == "internal"
    assert not any(word in json.dumps(answer) for word in ("secret", ".py", "Traceback", "RuntimeError"))


def test_refusals_leave_no_user_text_in_the_log(memory: Memory, caplog: pytest.LogCaptureFixture) -> None:
    memory.refused("memory_store", user_id="ana", content=["my secret"])
    memory.refused("memory_store", user_id="ana", content="my secret", expires_at="2020-01-01T00:00:00Z")
    memory.refused("memory_retrieve", user_id="ana", query="my secret", top_k=99)
    assert "my secret" not in caplog.text
    assert "Traceback" not in caplog.text


def test_both_tools_take_little_of_a_prompt(memory: Memory) -> None:
    tools = [_run(memory.app.mcp.get_tool(name)) for name in BOTH]
    told = [{"name": t.name, "description": t.description, "inputSchema": t.parameters} for t in tools]
    assert len(json.dumps(told, ensure_ascii=False, separators=(",", ":"))) < 3_900
