"""What of an episode is searched, and that its text can be put together again."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.episodes import build
from domain.facets import index_rows, parts, whole_text

from .test_episodes import said

HUGE = "".join(f"Sentence {n}: 今天我住在柏林。 \n" for n in range(15_000))[:348_853]


def rows(text: str, **payload: Any) -> list[dict[str, Any]]:
    (episode,) = build([said(0, text, payload=payload)])
    return index_rows(episode, "2026-03-01", "f" * 32)


def test_a_huge_text_is_split_and_restored() -> None:
    found = rows(HUGE, speaker="Ann")
    assert len(found) > 290
    assert max(len(row["text"]) for row in found) <= 1_200 + len("Ann: ")
    assert all(row["text"].startswith("Ann: ") for row in found)
    assert whole_text(reversed(found), "content") == HUGE


@given(st.text(st.sampled_from("ab 。\n .\t我"), max_size=4_000), st.sampled_from([None, "Ann", "user"]))
def test_any_text_with_words_is_restored_but_for_the_kind_of_its_white_space(text: str, speaker: str | None) -> None:
    found = rows(f"x{text}y", speaker=speaker)
    whole = whole_text(found, "content")
    assert whole is not None
    assert len(whole) == len(text) + 2
    assert all(a == b or (b.isspace() and a == " ") for a, b in zip(whole, f"x{text}y", strict=True))


@pytest.mark.parametrize("text", ["", " ", "\n\t\u3000"])
def test_blanks_get_no_vector(text: str) -> None:
    (episode,) = build([said(0, text, "user")])
    assert parts(episode) == []
    assert whole_text([], "user_said") is None


def test_signs_are_searched_from_the_first_of_them() -> None:
    (part,) = parts(build([said(0, " " * 2_000 + "!" * 2_000)])[0])
    assert (part.start_char, part.text) == (2_000, "!" * 1_000)


def test_blank_variants_are_left_out_and_the_others_keep_their_places() -> None:
    (episode,) = build([said(0, "tea", payload={"variants": ["green tea", " ", "tea leaves"]})])
    assert [(p.facet, p.part, p.text) for p in parts(episode)][1:] == [
        ("variant", 0, "green tea"),
        ("variant", 2, "tea leaves"),
    ]


def test_the_speaker_stands_before_what_was_said_only() -> None:
    question, answer = said(0, "Why?", "user", payload={"speaker": "Ann"}), said(1, "So.", "assistant")
    assert [p.text for p in parts(build([question, answer])[0])] == ["Ann: Why?", "So."]


def test_a_digest_changes_with_every_column_but_the_day_stays_the_same() -> None:
    base = rows("tea")[0]
    assert base == rows("tea")[0]
    for other in (
        rows("tea", emotion="joy"),
        rows("tea", category="task"),
        rows("tea", metadata={"a": 1}),
        rows("Tea"),
    ):
        assert other[0]["row_digest"] != base["row_digest"]
        assert other[0]["id"] == base["id"]


def test_the_caption_of_a_picture_is_searched_and_the_picture_is_not() -> None:
    found = rows("我们的新厨房", media={"reference": "s3://photos/7.jpg", "caption": "Lin painting the kitchen yellow"})
    assert {row["facet"]: row["text"] for row in found} == {
        "content": "我们的新厨房",
        "caption": "Lin painting the kitchen yellow",
    }


@pytest.mark.parametrize("media", [{"reference": "x"}, {"caption": 7}, ["no object"], {"caption": "我们的新厨房"}])
def test_media_without_a_caption_of_its_own_adds_nothing(media: Any) -> None:
    assert [row["facet"] for row in rows("我们的新厨房", media=media)] == ["content"]
