"""Huge texts in pieces, and what is no text at all."""

import base64
import hashlib
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.chunks import is_binary_looking, split
from domain.errors import BadInput

ZH = "今天我们去了公园，天气很好。孩子们在草地上跑来跑去！你知道吗？后来下雨了，我们就回家了。\n"
EN = "We went to the park today, and the weather was fine. The children ran about! Then it rained, so we left.\n"


@pytest.mark.parametrize("sentence", [ZH, EN])
def test_a_huge_text_is_cut_after_sentences(sentence: str) -> None:
    text = (sentence * 10_000)[:348_853]
    pieces = split(text)
    assert max(len(piece.text) for piece in pieces) <= 1200
    assert len(pieces) < 400
    assert all(piece.text.rstrip()[-1] in "。！？!.?" for piece in pieces[:-1])
    assert all(0 < a.start_char + len(a.text) - b.start_char <= 150 for a, b in pairwise(pieces))


def test_a_short_text_is_one_piece() -> None:
    (piece,) = split("  hello ")
    assert (piece.start_char, piece.text) == (0, "  hello ")


def test_paragraphs_come_before_sentences() -> None:
    first, second = split("One. " * 14 + "\n\n" + "Two. " * 10, max_chars=100, overlap_chars=0)
    assert first.text == "One. " * 14 + "\n\n"
    assert second.text == "Two. " * 10


def test_nothing_but_white_space_is_no_piece() -> None:
    assert split(" \n\t　" * 1000) == []
    assert all(piece.text.strip() for piece in split("a" + " " * 9000 + "b", max_chars=100, overlap_chars=20))


def test_a_number_is_no_end_of_a_sentence() -> None:
    pieces = split("about 3.14159 and 2.71828 " * 20, max_chars=50, overlap_chars=10)
    assert all(piece.text.endswith(" ") for piece in pieces)


@pytest.mark.parametrize("cluster", ["e\u0301", "👩\u200d👩\u200d👧", "👍🏽", "\ud83d\ude00", "नि", "\r\n"])
def test_a_combined_character_stays_whole(cluster: str) -> None:
    pieces = split(cluster * 200, max_chars=67, overlap_chars=11)
    starts = {n * len(cluster) for n in range(201)}
    if cluster.isspace():
        assert pieces == []
    assert all(piece.start_char in starts and piece.start_char + len(piece.text) in starts for piece in pieces)


@given(st.text(st.sampled_from("ab中。. \n\u0301\u200d🇨"), max_size=400), st.integers(1, 60), st.integers(0, 40))
def test_every_character_is_in_a_piece(text: str, max_chars: int, overlap_chars: int) -> None:
    if overlap_chars * 2 >= max_chars:
        with pytest.raises(BadInput):
            split(text, max_chars, overlap_chars)
        return
    pieces = split(text, max_chars, overlap_chars)
    covered: set[int] = set()
    for piece in pieces:
        assert 0 < len(piece.text) <= max_chars
        assert piece.text.strip()
        assert text.startswith(piece.text, piece.start_char)
        covered.update(range(piece.start_char, piece.start_char + len(piece.text)))
    assert all(place in covered or char.isspace() for place, char in enumerate(text))
    assert [p.start_char for p in pieces] == sorted({p.start_char for p in pieces})
    assert split(text, max_chars, overlap_chars) == pieces


NOISE = b"".join(hashlib.sha256(bytes([n])).digest() for n in range(64))
HEX = NOISE.hex()


@pytest.mark.parametrize(
    "text",
    [
        base64.b64encode(NOISE).decode(),
        base64.encodebytes(NOISE).decode(),
        "data:image/png;base64," + base64.b64encode(NOISE).decode(),
        "look at this picture: " + base64.urlsafe_b64encode(NOISE).decode(),
        NOISE.decode("latin-1"),
        NOISE.decode("utf-8", errors="replace"),
        HEX,
        " ".join(HEX[i : i + 2] for i in range(0, len(HEX), 2)),
        "\n".join(
            f"{i:08x}: {HEX[i : i + 4]} " + f"{HEX[i + 4 : i + 8]} " * 7 + " ....@..#" for i in range(0, 900, 16)
        ),
        "\x00\x01\x02PNG\x1a",
    ],
)
def test_binary(text: str) -> None:
    assert is_binary_looking(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        ZH * 100,
        EN * 100,
        "哈" * 500,
        "hahaha" * 100,
        "-" * 300,
        "The commit is "
        + HEX[:40]
        + " and the checksum "
        + HEX[:64]
        + ", please check that both are right before noon.",
        "https://example.org/" + "a-long-path-of-words/" * 20,
        "def f(x):\n    return {'a': x + 1}\n" * 20,
        "1234567890 " * 40,
        "\x1b[31mred\x1b[0m text in a terminal, with tabs\tand\r\nlines",
        "😀😀😀" * 50,
        "3.14, 2.71, 1.41, 1.73, 99, 100, 12, 14, 15, 16, 17 " * 10,
    ],
)
def test_text(text: str) -> None:
    assert not is_binary_looking(text)
