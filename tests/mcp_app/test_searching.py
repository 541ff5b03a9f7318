"""The parts that score, against the plain way to do it; and no user ever sees another's row."""

import math
from collections import Counter
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as trials
from hypothesis import strategies as st

from domain import ages, bm25, ranking
from domain.records import NewEvent
from domain.text import tokens
from mcp_app.block import Filters, block_of_rows
from mcp_app.search import Part, Query, hits

from .serving import Memory

WORDS = st.lists(st.sampled_from(["tea", "red", "sea", "茶叶", "叶子", "子时"]), max_size=8)


def plain_scores(rows: list[list[str]], mask: list[bool], query: list[str]) -> list[float]:
    readable = [row for row, use in zip(rows, mask, strict=True) if use]
    mean = (sum(map(len, readable)) / len(readable) if readable else 0) or 1.0
    found = []
    for row, use in zip(rows, mask, strict=True):
        score = 0.0
        for word in dict.fromkeys(query):
            n, tf = sum(word in other for other in readable), Counter(row)[word]
            idf = math.log(1 + (len(readable) - n + 0.5) / (n + 0.5))
            score += idf * tf * 2.2 / (tf + 1.2 * (1 - 0.75 + 0.75 * len(row) / mean)) if use else 0.0
        found.append(score)
    return found


@given(st.lists(st.tuples(WORDS, st.booleans()), max_size=12), st.integers(0, 12), WORDS)
@trials(max_examples=150, deadline=None)
def test_bm25_is_the_textbooks_however_the_rows_are_parted(
    told: list[tuple[list[str], bool]], cut: int, query: list[str]
) -> None:
    rows, mask = [row for row, _ in told], [use for _, use in told]
    masks = [np.array(mask[:cut], np.bool_), np.array(mask[cut:], np.bool_)]
    found = bm25.scores([bm25.corpus(rows[:cut]), bm25.corpus(rows[cut:])], masks, query)
    assert np.concatenate(found).tolist() == pytest.approx(plain_scores(rows, mask, query))


def test_one_character_counts_where_it_stands() -> None:
    rows = [tokens(text) for text in ("喝茶和茶叶", "咖啡", "茶", "tea 茶", "叶子")]
    found = bm25.scores([bm25.corpus(rows)], [np.ones(5, np.bool_)], tokens("茶"))[0]
    assert (found > 0).tolist() == [True, False, True, True, False]
    assert bm25.scores([bm25.corpus([["at"], ["t"]])], [np.ones(2, np.bool_)], ["t"])[0].tolist()[0] == 0


def test_scores_lie_in_bounds_and_first_in_all_is_one() -> None:
    found = ranking.fuse({"a": ["x", "y"], "b": ["x"], "c": []}, frozenset({"y"}), {"x": 0.0, "y": 1.0})
    assert [one.key for one in found] == ["x", "y"]
    assert found[0].score == pytest.approx(1)
    assert all(0 < one.score <= 1 for one in found)
    assert ranking.fuse({}, frozenset(), {}) == []


@given(st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)), st.sampled_from(["zh", "en"]))  # noqa: DTZ001
def test_every_age_has_words(moment: datetime, language: str) -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    words = ages.in_words(moment.replace(tzinfo=UTC), now, language)
    assert words
    assert not words.startswith(("0", "-"))


def row(n: int, **fields: object) -> dict[str, object]:
    moment = datetime(2026, 1, 1 + n, tzinfo=UTC)
    plain = {
        "memory_id": f"m{n}", "user_id": "ana", "scope": "global", "kind": "episode", "facet": "content", "day": "d",
        "category": None, "emotion": "neutral", "status": "current", "confidence": None,
        "occurred_at": moment, "recorded_at": moment, "expires_at": None,
        "salience": 0.5, "text": f"text number {n}",
    }  # fmt: skip
    return {**plain, **fields}


def test_filters_of_a_block_agree_with_those_of_rows() -> None:
    now = datetime(2026, 1, 5, tzinfo=UTC)
    rows = [
        row(n, scope=scope, expires_at=expires, category=category, emotion=emotion)
        for n, (scope, expires, category, emotion) in enumerate(
            (scope, expires, category, emotion)
            for scope in ("global", "glob", "global/x")
            for expires in (None, now, datetime(2026, 1, 5, 0, 0, 1, tzinfo=UTC))
            for category, emotion in ((None, "neutral"), ("constraint", "negative"))
        )
    ]
    block = block_of_rows(rows)
    for filters in (
        Filters(frozenset({"global"}), now),
        Filters(frozenset({"global", "glob"}), now, since=now, until=datetime(2026, 1, 12, tzinfo=UTC)),
        Filters(frozenset({"global"}), now, categories=frozenset({"constraint", "nope"})),
        Filters(frozenset({"global/x"}), now, emotion="negative", known_by=datetime(2026, 1, 17, tzinfo=UTC)),
        Filters(frozenset(), now),
    ):
        plain = [
            one["scope"] in filters.scopes
            and (one["expires_at"] is None or one["expires_at"] > now)
            and (not filters.categories or one["category"] in filters.categories)
            and (filters.emotion is None or one["emotion"] == filters.emotion)
            and (filters.since is None or one["occurred_at"] >= filters.since)
            and (filters.until is None or one["occurred_at"] < filters.until)
            and (filters.known_by is None or one["recorded_at"] <= filters.known_by)
            for one in rows
        ]
        assert block.readable(filters).tolist() == plain
    assert np.flatnonzero(block.of_memories({"m3", "m5", "other"})).tolist() == [3, 5]


def test_the_parts_make_no_difference() -> None:
    """One block, or pieces of it with rows that were replaced: the same hits."""
    generator = np.random.default_rng(0)
    rows = [row(n % 28, memory_id=f"m{n // 2}", text=f"word{n % 7} word{n % 5} text") for n in range(400)]
    vectors = generator.standard_normal((400, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    embedded = generator.random(400) > 0.1
    query = Query(
        "word3 word2", vectors[7], Filters(frozenset({"global"}), datetime(2027, 1, 1, tzinfo=UTC)), 0.0, (0.0, 1.0)
    )

    def part(start: int, end: int, stale: int = 0) -> Part:
        held = [*rows[start:end], *(dict(one, text="word3 word2 word3") for one in rows[:stale])]
        block = block_of_rows(held)
        visible = np.arange(len(held)) < end - start
        matrix = np.concatenate([vectors[start:end], vectors[:stale]])
        return Part(block, visible, matrix, np.concatenate([embedded[start:end], np.ones(stale, np.bool_)]))

    whole = hits([part(0, 400)], query)
    parted = hits([part(0, 0), part(0, 150, 20), part(150, 390, 7), part(390, 400)], query)
    assert [(hit.ranked.key, hit.ranked.score) for hit in parted] == [
        (hit.ranked.key, hit.ranked.score) for hit in whole
    ]
    assert [[r["memory_id"] for r in hit.rows] for hit in parted] == [[hit.ranked.key] * 2 for hit in parted]


NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=6).filter(str.strip)


@given(st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=8), NAMES)
@trials(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_user_ever_sees_another(memory: Memory, told: list[tuple[str, str]], query: str) -> None:
    owners = {}
    service = memory.app.service
    for user, text in told:
        event = NewEvent(
            f"h{service.log.last_seq()}", "memory", user, "a", "global", "s", datetime.now(UTC), {"content": text}
        )
        owners[service.store([event]).result(10)[0].event_id] = user
    for user in {user for user, _ in told} | {query}:
        found = memory.find(query, user, top_k=20)
        assert all(owners.get(one["id"], user) == user for one in found)
        assert {key for key, owner in owners.items() if owner != user}.isdisjoint(one["id"] for one in found)
