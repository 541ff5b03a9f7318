"""memory_store: what is acknowledged is there once, under the id that was answered, whoever else stores what."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from resources.settings import Settings

from .serving import Memory, at_once

TURNS: list[dict[str, Any]] = [
    {"role": "user", "content": "Which trains go to Bern?"},
    {"role": "assistant", "content": "The one at nine."},
    {"role": "tool", "content": "ticket 4711 bought"},
    {"role": "user", "content": "谢谢，下周再去", "speaker": "林"},
]


def tell(memory: Memory, messages: Any = TURNS, **arguments: Any) -> dict[str, Any]:
    return memory.call("memory_store", user_id="ana", session_id="s", messages=messages, **arguments)


def test_turns_become_pairs_under_the_first_ones_id(memory: Memory) -> None:
    answer = tell(memory)
    assert answer["memory_id"] == answer["memory_ids"][0]
    found = {one["id"]: one for one in memory.find("trains Bern")}
    pair = found[answer["memory_ids"][0]]
    assert (pair["user_said"], pair["agent_did"], pair["outcome"]) == tuple(turn["content"] for turn in TURNS[:3])
    assert pair["source_event_ids"] == answer["memory_ids"][:3]
    assert found[answer["memory_ids"][3]]["participants"] == ["林"]
    assert len(found) == 2


def test_an_answer_that_comes_later_joins_its_question(memory: Memory) -> None:
    first = tell(memory, TURNS[:1])["memory_id"]
    assert [one["id"] for one in memory.find("trains")] == [first]
    tell(memory, TURNS[1:2])
    assert [(one["id"], one["agent_did"]) for one in memory.find("trains")] == [(first, "The one at nine.")]


def test_turns_may_come_as_json_text(memory: Memory) -> None:
    assert len(tell(memory, '[{"role": "user", "content": "hello from Bern"}]')["memory_ids"]) == 1


def test_the_same_turns_with_the_same_key_are_the_same(memory: Memory) -> None:
    first = tell(memory, idempotency_key="k")
    assert tell(memory, idempotency_key="k") == first
    assert memory.app.service.log.count() == 4


def test_a_key_with_other_turns_names_those_that_clash(memory: Memory) -> None:
    tell(memory, idempotency_key="k")
    other = [*TURNS[:1], {**TURNS[1], "content": "The one at ten."}, *TURNS[2:], {"role": "user", "content": "more"}]
    message = memory.refused("memory_store", user_id="ana", session_id="s", messages=other, idempotency_key="k")
    assert "for turn 1; the other turns are stored" in message
    assert memory.app.service.log.count() == 5


@pytest.mark.parametrize(
    ("turn", "form"),
    [
        ({"role": "boss", "content": "x"}, "messages[1].role is 'boss'"),
        ({"role": ["user"], "content": "x"}, "messages[1].role"),
        ({"content": "x"}, "messages[1].role is None"),
        ({"role": "user"}, "messages[1].content"),
        ({"role": "user", "content": "  "}, "messages[1].content"),
        ({"role": "user", "content": 5}, "messages[1].content"),
        ({"role": "user", "content": "x", "speaker": {"a": 1}}, "messages[1].speaker"),
        ({"role": "user", "content": "x", "occurred_at": "noon"}, "messages[1].occurred_at"),
        ({"role": "user", "content": "x", "timestamp": 1712011200000}, "messages[1].occurred_at"),
        ("hello", "messages.1"),
    ],
)
def test_a_faulty_turn_is_named_and_nothing_is_stored(memory: Memory, turn: Any, form: str) -> None:
    assert form in memory.refused("memory_store", user_id="ana", messages=[TURNS[0], turn])
    assert memory.app.service.log.count() == 0


def test_too_many_turns_are_refused(memory: Memory) -> None:
    assert "at most 1000" in memory.refused("memory_store", user_id="ana", messages=TURNS[:1] * 1_001)


def test_turns_keep_their_order_and_their_own_times(memory: Memory) -> None:
    given = [{"role": "other", "content": f"turn {n}"} for n in range(5)]
    given[3]["occurred_at"] = "2026-01-02T03:04:05+08:00"
    tell(memory, given)
    told = sorted(memory.find("turn"), key=lambda one: str(one["content"]))
    assert told[3]["occurred_at"] == "2026-01-02T03:04:05+08:00"
    assert [datetime.fromisoformat(one["occurred_at"]) for one in told[:3]] == sorted(
        datetime.fromisoformat(one["occurred_at"]) for one in told[:3]
    )


def test_a_key_makes_a_store_safe_to_send_again(memory: Memory) -> None:
    first = memory.store("likes tea", idempotency_key="k")
    assert memory.store("likes tea", idempotency_key="k") == first
    assert "used before with other content" in memory.refused(
        "memory_store", user_id="ana", content="likes coffee", idempotency_key="k"
    )
    assert memory.store("likes tea", user="ben", idempotency_key="k") != first


def test_a_blank_key_is_none(memory: Memory) -> None:
    assert memory.store("likes tea", idempotency_key="") != memory.store("likes wine", idempotency_key=" ")


def test_the_key_of_a_turn_is_no_other_key(memory: Memory) -> None:
    tell(memory, TURNS[:1], idempotency_key="k")
    for key in ("k#0", "k0", "k"):
        memory.store(f"likes tea {key}", idempotency_key=key)


def test_the_same_again_is_one_memory(memory: Memory) -> None:
    first = memory.store("Prefers metric units")
    again = memory.call("memory_store", user_id="ana", content="  prefers METRIC units ")
    assert (again["status"], again["memory_id"]) == ("skipped", first)
    assert memory.store("Prefers metric units", category="constraint") != first
    assert len(memory.find("metric")) == 2


def test_the_same_of_two_users_is_two_memories(memory: Memory) -> None:
    ana, ben = memory.store("Prefers metric units"), memory.store("Prefers metric units", user="ben")
    assert ana != ben
    for user, own in (("ana", ana), ("ben", ben)):
        assert [(one["id"], one["source_event_ids"]) for one in memory.find("units", user)] == [(own, [own])]


def test_the_same_at_once_is_one_memory(memory: Memory) -> None:
    answers = at_once(
        12,
        lambda _n: memory.call("memory_store", user_id="ana", content="likes tea", occurred_at="2026-01-01T00:00:00Z"),
    )
    assert sorted(answer["status"] for answer in answers) == ["skipped"] * 11 + ["success"]
    assert len({answer["memory_id"] for answer in answers}) == 1


def test_different_ones_at_once_are_all_there(memory: Memory) -> None:
    ids = at_once(16, lambda n: memory.store(f"note {n}", session_id=str(n)))
    assert {one["id"] for one in memory.find("note", top_k=20)} == set(ids)


@pytest.mark.parametrize(
    "value",
    ["O'Brien", "' OR 1=1 --", "x' OR 'a'='a", "back\\", 'say "hi"', "a;b", "50%", "_", "../../etc/passwd", "名;DROP"],
)
def test_whatever_a_value_holds_it_is_data(memory: Memory, value: str) -> None:
    memory.store("somebody else's", user="ben", category="other")
    labels = {
        "category": value,
        "emotion": value,
        "session_id": value,
        "participants": [value],
        "metadata": {value: value},
    }
    memory_id = memory.store(f"about {value}", user=value, idempotency_key=value, variants=[value], **labels)
    found = memory.find("about", user=value, categories=[value], emotion=value)
    assert [one["id"] for one in found] == [memory_id]
    assert {name: found[0][name] for name in labels} == labels
    assert memory.find("about", user=value, categories=[value + "x"]) == []
    assert memory.texts("else", user="ben") == ["somebody else's"]


def test_an_expired_memory_is_hidden_the_second_it_passes(memory: Memory) -> None:
    soon = datetime.now(UTC) + timedelta(seconds=1.5)
    memory.store("parking place 12", expires_at=soon.isoformat())
    memory.store("parking is dear", expires_at=(soon + timedelta(days=1)).isoformat())
    assert len(memory.find("parking")) == 2
    while datetime.now(UTC) <= soon:
        pass
    assert memory.texts("parking") == ["parking is dear"]


def test_a_restart_keeps_everything(settings: Settings) -> None:
    with Memory(settings) as before:
        stored = before.store("用户对花生过敏", category="constraint")
    with Memory(settings) as after:
        found = after.find("饮食禁忌")
    assert [(one["id"], one["content"], one["category"]) for one in found] == [(stored, "用户对花生过敏", "constraint")]
