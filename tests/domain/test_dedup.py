"""What the duplicate rule takes for the same, and what for another memory."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dedup import content_hash, normalised

MEMORY = {"content": "Prefers metric units", "category": "preference"}


@pytest.mark.parametrize(
    ("said", "seen"),
    [
        ("  Prefers\tmetric\n\nUNITS ", "prefers metric units"),
        ("我喜欢　喝茶。", "我喜欢 喝茶。"),
        ("ＡＢＣ１２３", "abc123"),
        ("Straße", "strasse"),
        ("cafe\u0301", "café"),
        ("👍🏽 ok", "👍🏽 ok"),
        ("", ""),
        (" \u3000\n", ""),
    ],
)
def test_case_width_and_white_space_do_not_matter(said: str, seen: str) -> None:
    assert normalised(said) == seen


@given(st.text())
def test_normalising_twice_changes_nothing_more(text: str) -> None:
    once = normalised(text)
    assert normalised(once) == once


@pytest.mark.parametrize("said", ["prefers metric units ", "PREFERS METRIC UNITS", "Prefers  metric\u00a0units"])
def test_the_same_words_are_the_same_memory(said: str) -> None:
    assert content_hash("ana", "global", {**MEMORY, "content": said}) == content_hash("ana", "global", MEMORY)


@pytest.mark.parametrize(
    "other",
    [
        {"category": "constraint"},
        {"emotion": "joy"},
        {"expires_at": "2026-01-01T00:00:00+00:00"},
        {"participants": ["Ben"]},
        {"metadata": {"room": 4}},
        {"media": {"uri": "file:///a.png"}},
        {"variants": ["Uses metres"]},
        {"content": "Prefers imperial units"},
        {"user_said": "metric please"},
        {"agent_did": "switched to metres"},
        {"outcome": "worked"},
    ],
)
def test_another_text_or_label_is_another_memory(other: dict[str, Any]) -> None:
    assert content_hash("ana", "global", {**MEMORY, **other}) != content_hash("ana", "global", MEMORY)


def test_a_text_in_another_field_is_another_memory() -> None:
    assert content_hash("ana", "global", {"user_said": "hi"}) != content_hash("ana", "global", {"agent_did": "hi"})


@pytest.mark.parametrize(("user", "scope"), [("ben", "global"), ("ana", "private"), ("anaglobal", "")])
def test_another_user_or_scope_is_another_memory(user: str, scope: str) -> None:
    assert content_hash(user, scope, MEMORY) != content_hash("ana", "global", MEMORY)


def test_an_empty_field_counts_as_one_that_is_missing() -> None:
    empty = {"outcome": "", "user_said": None, "participants": [], "emotion": None, "metadata": {}}
    assert content_hash("ana", "global", {**MEMORY, **empty}) == content_hash("ana", "global", MEMORY)


def test_half_a_surrogate_pair_has_a_hash() -> None:
    assert content_hash("ana", "global", {"content": "\ud83d"}) != content_hash("ana", "global", {"content": "\ude00"})
