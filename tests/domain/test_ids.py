"""Ids are the same for ever: the values below are in people's data folders."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import ids


def test_ids_do_not_change_from_one_version_to_the_next() -> None:
    assert ids.digest("a", "b") == "d8f141e4ef8a533b1994f88d4ca33b0f"
    assert ids.from_key("ana", "global", "k1") == "key-" + ids.digest("ana", "global", "k1")
    assert ids.from_source("jsonl", "x") == "imp-" + ids.digest("jsonl", "x")
    assert [ids.bucket(user, 4) for user in ("ana", "ben", "小林", "")] == [0, 0, 2, 0]


@given(st.lists(st.text(), max_size=4), st.lists(st.text(), max_size=4))
def test_parts_do_not_run_together(one: list[str], other: list[str]) -> None:
    assert (ids.digest(*one) == ids.digest(*other)) == (one == other)


def test_a_key_is_of_one_user_and_scope() -> None:
    made = {ids.from_key(*parts) for parts in (("a", "s", "k"), ("b", "s", "k"), ("a", "t", "k"), ("as", "", "k"))}
    assert len(made) == 4


def test_json_text_is_one_text_of_a_value() -> None:
    assert (
        ids.json_text({"b": [1, None], "a": "ü\n"})
        == ids.json_text({"a": "ü\n", "b": [1, None]})
        == '{"a":"ü\\n","b":[1,null]}'
    )


@pytest.mark.parametrize("n_buckets", [1, 4, 7])
def test_users_spread_evenly_over_the_buckets(n_buckets: int) -> None:
    counts = Counter(ids.bucket(f"user {n}", n_buckets) for n in range(7_000))
    assert set(counts) == set(range(n_buckets))
    assert max(counts.values()) < 1.15 * 7_000 / n_buckets
