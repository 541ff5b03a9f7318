"""Our JSONL: what becomes an event, and what is refused before it can stop a day of the pipeline."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import episodes, facets, imports, tables
from domain.errors import BadInput
from domain.records import Event

RECORD = {"user_id": "ana", "content": "I like tea", "occurred_at": "2026-03-01T09:30:00+01:00"}


def record(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in (RECORD | fields).items() if value is not ...}


def test_a_memory() -> None:
    given_at = record(category="preference", mood="calm", metadata={"page": 3}, session_id=12, event_id="e1")
    made = imports.event(given_at, "UTC")
    assert (made.kind, made.event_id, made.user_id, made.session_id, made.scope) == (
        "memory",
        "e1",
        "ana",
        "12",
        "global",
    )
    assert made.payload == {"content": "I like tea", "category": "preference", "metadata": {"page": 3, "mood": "calm"}}
    assert made.occurred_at.isoformat() == "2026-03-01T09:30:00+01:00"
    assert made.content_hash is None


def test_a_turn() -> None:
    made = imports.event(record(role="user", speaker="Ana", user_said="ignored"), "UTC")
    assert made.kind == "message"
    assert made.payload == {
        "role": "user",
        "speaker": "Ana",
        "content": "I like tea",
        "metadata": {"user_said": "ignored"},
    }


def test_the_same_record_has_the_same_id_and_another_one_another() -> None:
    own = imports.event(record(), "UTC").event_id
    assert own == imports.event(dict(reversed(RECORD.items())), "UTC").event_id
    others = [record(content="I like Tea"), record(user_id="ben"), record(session_id="s"), record(category="task")]
    assert len({own, *(imports.event(other, "UTC").event_id for other in others)}) == 5


def test_a_stamp_without_offset_is_of_the_zone_that_is_given() -> None:
    made = imports.event(record(occurred_at="2026-03-01 09:30", expires_at="2026-04-01"), "Asia/Shanghai")
    assert made.occurred_at == datetime(2026, 3, 1, 1, 30, tzinfo=UTC)
    assert made.payload["expires_at"] == "2026-04-01T00:00:00+08:00"


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        ([], "not a JSON object but list"),
        (None, "not a JSON object"),
        (record(user_id=...), "user_id must be a text"),
        (record(user_id="  "), "user_id must be a text that is not blank"),
        (record(user_id=7), "user_id"),
        (record(content=...), "no content"),
        (record(content=" \n"), "no content"),
        (record(content=["x"]), "content must be a text"),
        (record(content=5, user_said="x"), "content must be a text, it is 5"),
        (record(occurred_at=...), "occurred_at"),
        (record(occurred_at="yesterday"), "occurred_at is 'yesterday'; it must be ISO 8601"),
        (record(occurred_at=1_700_000_000), "occurred_at"),
        (record(occurred_at="0001-01-01T00:00:00+08:00"), "outside the years 1 to 9999"),
        (record(expires_at="tomorrow"), "expires_at is 'tomorrow'"),
        (record(expires_at=5), "expires_at must be a text"),
        (record(expires_at="9999-12-31T23:59:59-08:00"), "expires_at is '9999"),
        (record(participants="Ann"), "participants must be a list of texts, it is 'Ann'"),
        (record(variants=["a", 1]), "variants must be a list of texts"),
        (record(metadata="x"), "metadata must be an object"),
        (record(role=["user"]), "role must be a text"),
        (record(emotion=1), "emotion must be a text"),
        (record(scope={"a": 1}), "scope must be a text"),
    ],
)
def test_what_is_refused_and_that_it_is_named(bad: Any, named: str) -> None:
    with pytest.raises(BadInput, match=named):
        imports.event(bad, "UTC")


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda x: st.lists(x, max_size=2),
    max_leaves=3,
)


@given(
    st.dictionaries(
        st.sampled_from(["role", "speaker", "category", "emotion", "participants", "variants", "expires_at", "media"]),
        ANYTHING | st.sampled_from(["user", "2026-05-01", ["Ann"]]),
    )
)
def test_whatever_is_taken_gives_rows_for_every_table(fields: dict[str, Any]) -> None:
    """A record that is refused costs its sender a line; one that is taken and fits no column stops a day for all."""
    try:
        made = imports.event(record(**fields), "UTC")
    except BadInput:
        return
    stored = Event(
        seq=1,
        partition_day="2026-03-01",
        recorded_at=made.occurred_at,
        **{name: getattr(made, name) for name in NEEDED},
    )
    (episode,) = episodes.build([stored])
    tables.from_rows(episodes.rows([episode]), tables.EPISODES, "episodes")
    assert facets.index_rows(episode, "2026-03-01", "f")


NEEDED = ("event_id", "kind", "user_id", "agent_id", "scope", "session_id", "occurred_at", "payload")
