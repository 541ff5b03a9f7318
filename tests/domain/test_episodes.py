"""How turns become episodes, whatever was said by whom and however it arrived."""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import episodes, ids, tables
from domain.episodes import Episode, build, from_row, rows
from domain.records import Event

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def said(n: int, text: str, role: str | None = None, **fields: Any) -> Event:
    payload = {"content": text, **({"role": role} if role else {}), **fields.pop("payload", {})}
    kind = "message" if role is not None else "memory"
    own: dict[str, Any] = {"user_id": "ana", "session_id": "s", "occurred_at": NOON + timedelta(seconds=n), **fields}
    return Event(
        seq=n + 1,
        event_id=f"e{n}",
        kind=kind,
        agent_id="a",
        scope="global",
        partition_day="2026-03-01",
        recorded_at=NOON,
        payload=payload,
        **own,
    )


def facets(made: list[Episode]) -> list[dict[str, str]]:
    names = ("user_said", "agent_did", "outcome", "content")
    return [{name: getattr(e, name) for name in names if getattr(e, name) is not None} for e in made]


def turns(*roles: str, **fields: Any) -> list[Event]:
    return [said(n, f"t{n}", role, **fields) for n, role in enumerate(roles)]


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        (["user", "assistant", "tool"], [{"user_said": "t0", "agent_did": "t1", "outcome": "t2"}]),
        (["user", "tool", "assistant"], [{"user_said": "t0", "outcome": "t1", "agent_did": "t2"}]),
        (["human", "ai"], [{"user_said": "t0", "agent_did": "t1"}]),
        (["user", "user", "assistant"], [{"user_said": "t0"}, {"user_said": "t1", "agent_did": "t2"}]),
        (["user", "assistant", "assistant"], [{"user_said": "t0", "agent_did": "t1"}, {"agent_did": "t2"}]),
        (["assistant", "user"], [{"agent_did": "t0"}, {"user_said": "t1"}]),
        (["tool"], [{"content": "t0"}]),
        (["user", "Bob", "assistant"], [{"user_said": "t0"}, {"content": "t1"}, {"agent_did": "t2"}]),
        (["narrator", ""], [{"content": "t0"}, {"content": "t1"}]),
    ],
)
def test_how_turns_are_paired(roles: list[str], expected: list[dict[str, str]]) -> None:
    made = build(turns(*roles))
    assert facets(made) == expected
    assert [e.memory_id for e in made] == [e.source_event_ids[0] for e in made]


def test_no_pair_across_sessions_users_or_scopes() -> None:
    question = said(0, "q", "user")
    for other in ({"session_id": "t"}, {"user_id": "ben"}):
        assert len(build([question, said(1, "a", "assistant", **other)])) == 2
    assert len(build([question, replace(said(1, "a", "assistant"), scope="private")])) == 2


def test_other_kinds_are_passed_over() -> None:
    assert build([replace(said(0, "x"), kind="forget")]) == []


def test_an_answer_that_arrived_before_its_question_joins_it() -> None:
    question, answer = said(0, "q", "user"), said(1, "a", "assistant")
    assert build([replace(answer, seq=1), replace(question, seq=2)]) == [
        replace(build([question, answer])[0], source_event_ids=("e0", "e1"))
    ]


def test_labels_and_forms_come_through() -> None:
    payload = {
        "emotion": "joy",
        "category": "constraint",
        "expires_at": "2026-03-02T00:00:00+08:00",
        "metadata": {"b": 1, "a": 2},
        "media": {"url": "x"},
        "participants": ["Ben", "Ann"],
        "speaker": "Ann",
        "variants": ["v1", "v2"],
    }
    (made,) = build([said(0, "I am allergic to peanuts", payload=payload)])
    assert (made.emotion, made.category, made.participants) == ("joy", "constraint", ("Ben", "Ann"))
    assert made.expires_at == datetime(2026, 3, 1, 16, tzinfo=UTC)
    assert (made.metadata, made.media) == ('{"a":2,"b":1}', '{"url":"x"}')
    assert made.variants == ("v1", "v2")


def test_time_words_are_of_the_events_own_offset() -> None:
    late = datetime.fromisoformat("2026-03-01T23:30:00-08:00")  # already the 2nd in UTC
    (made,) = build([said(0, "I go to the dentist tomorrow", occurred_at=late)])
    assert made.time_words == ("tomorrow",)
    assert made.event_start == datetime.fromisoformat("2026-03-02T00:00:00-08:00")
    assert made.utc_offset_min == -480


CONVERSATIONS = st.lists(
    st.tuples(
        st.sampled_from(["user", "assistant", "tool", "Bob", None]),
        st.sampled_from(["ana", "ben", "cyd"]),
        st.sampled_from(["s", "t"]),
        st.sampled_from(["hello", "", " ", "我明天去北京", "I like tea", "x" * 3_000]),
    ),
    max_size=25,
)


@given(CONVERSATIONS, st.randoms())
def test_every_event_is_in_one_episode_whatever_the_order_of_arrival(
    told: list[tuple[str | None, str, str, str]], rng: random.Random
) -> None:
    events = [said(n, text, role, user_id=user, session_id=s) for n, (role, user, s, text) in enumerate(told)]
    made = build(events)
    sources = [event_id for e in made for event_id in e.source_event_ids]
    assert sorted(sources) == sorted(e.event_id for e in events)
    seqs = list(range(1, len(events) + 1))
    rng.shuffle(seqs)
    arrived = [replace(e, seq=seq) for e, seq in zip(events, seqs, strict=True)]
    rng.shuffle(arrived)
    assert build(arrived) == made
    by_bucket = [e for n in range(3) for e in build(events, keep=lambda user, n=n: ids.bucket(user, 3) == n)]  # type: ignore[misc]
    assert sorted(by_bucket, key=lambda e: (e.user_id, e.occurred_at, e.memory_id)) == made
    table = tables.from_rows(rows(made), tables.EPISODES, "episodes")
    assert [from_row(row).source_event_ids for row in table.to_pylist()] == [e.source_event_ids for e in made]
    assert table.column("memory_id").to_pylist() == [e.memory_id for e in made]


def test_a_row_gives_back_its_record() -> None:
    made = build([said(0, "Ich mag Tee 👍", payload={"variants": ["a"], "metadata": {"x": None}})])
    table = tables.from_rows(rows(made), tables.EPISODES, "episodes")
    back = [from_row(row) for row in table.to_pylist()]
    assert [replace(e, salience=0) for e in back] == [replace(e, salience=0) for e in made]
    assert back[0].salience == pytest.approx(made[0].salience)


@pytest.mark.parametrize(
    ("speaker", "named"), [(None, False), ("User", False), ("AI", False), ("", False), ("Ann", True)]
)
def test_who_is_somebody_by_name(speaker: str | None, *, named: bool) -> None:
    assert episodes.is_named(speaker) is named
