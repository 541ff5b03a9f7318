"""Chunks have fixed borders; a day that grows changes its last one only."""

from datetime import timedelta

import pytest

from domain import reflection_chunks, reflection_prompt
from domain.reflection_chunks import build, count_tokens, tokens

from .said import NOON, chunk, told

WORDS = {
    "zh": "我明天要去北京开会，记得提醒我带护照。",
    "en": "Tomorrow I fly to Beijing for a meeting, remind me of it. ",
}


def test_users_and_scopes_never_share_a_chunk() -> None:
    episodes = (
        told("我对花生过敏", user="lin")
        + told("I am a nurse", user="maya")
        + told("I am a cook", user="maya", scope="work")
    )
    found = build(episodes, "2026-03-02", 1_000)
    assert [(c.user_id, c.scope, len(c.said)) for c in found] == [
        ("lin", "global", 1),
        ("maya", "global", 1),
        ("maya", "work", 1),
    ]


def test_small_talk_is_not_asked_about() -> None:
    assert build(told("hello!", "谢谢", "ok"), "2026-03-02", 1_000) == []


@pytest.mark.parametrize("language", WORDS)
def test_a_day_that_grows_changes_its_last_chunk_only(language: str) -> None:
    lines = [{"content": WORDS[language] * 4 + str(n), "session_id": f"s{n // 3}"} for n in range(30)]
    whole = build(told(*lines), "2026-03-02", 600)
    assert len(whole) > 4
    for n in (7, 12, 29):
        before = build(told(*lines[:n]), "2026-03-02", 600)
        assert [c.key for c in before[:-1]] == [c.key for c in whole[: len(before) - 1]]


@pytest.mark.parametrize("language", WORDS)
def test_a_chunk_keeps_its_budget_and_nothing_is_lost(language: str) -> None:
    lines = [WORDS[language] * 3 + str(n) for n in range(20)] + [WORDS[language] * 400]
    found = build(told(*lines), "2026-03-02", 500)
    assert all(sum(map(tokens, c.said)) <= 500 for c in found)
    kept = " ".join(text for c in found for s in c.said for _, text in s.texts)
    assert all(f"{n}" in kept for n in range(20))
    assert kept.count(WORDS[language].strip()[:10]) >= 400


def test_halves_hold_the_whole_and_end() -> None:
    whole = chunk("I am a nurse", "I live in Leeds", "I love tea")
    first, second = whole.halves() or pytest.fail("it can be halved")
    assert first.said + second.said == whole.said
    single = chunk(WORDS["en"] * 20)
    halves = single.halves()
    assert halves
    assert "".join(t for half in halves for s in half.said for _, t in s.texts) == WORDS["en"] * 20
    assert chunk("I am a nurse").halves() is None


def test_the_question_names_day_speaker_and_roles_and_no_ids() -> None:
    words = chunk(
        {"role": "user", "content": "What\nnow?", "session_id": "a"},
        {"role": "assistant", "content": "Book it.", "session_id": "a"},
        {
            "role": "other",
            "speaker": "Mel",
            "content": "我在上海",
            "session_id": "b",
            "occurred_at": NOON + timedelta(hours=1),
        },
    )
    system, user = reflection_prompt.messages(words)
    assert user["content"].splitlines() == [
        "[1] 2026-03-02 Mon 12:01 user: What / now?",
        "    assistant: Book it.",
        "[2] 2026-03-02 Mon 13:00 Mel: 我在上海",
    ]
    assert "ana-global" not in str(system) + str(user)


def test_equal_words_of_one_user_are_one_question_and_every_change_is_another() -> None:
    def asked(*lines: str, model: str = "m", **who: str) -> str:
        words = chunk(*lines, **who)
        return reflection_prompt.request_hash(words, reflection_prompt.messages(words), model)

    assert asked("I am a nurse") == asked("I am a nurse")
    others = [
        asked("I am a cook"),
        asked("I am a nurse", "I am a cook"),
        asked("I am a nurse", model="n"),
        asked("I am a nurse", user="ben"),
        asked("I am a nurse", scope="work"),
    ]
    assert len({asked("I am a nurse"), *others}) == 6


def test_the_instructions_are_short_and_tokens_are_counted_high() -> None:
    assert count_tokens(reflection_prompt.SYSTEM) < 1_000
    assert count_tokens("我对花生过敏") >= 6
    assert reflection_chunks.count_tokens("allergic") >= 2
