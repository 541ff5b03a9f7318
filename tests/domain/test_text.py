"""The words that keyword search compares."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import text

HAN = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=2, max_size=12)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Running shoes, size 42!", ["run", "shoe", "size", "42"]),
        ("The cats and the dogs", ["cat", "dog"]),
        ("to be or not to be", ["not"]),
        ("I am", ["am"]),
        ("it's", ["it", "s"]),
        ("who's", ["who"]),
        ("vitamin B12", ["vitamin", "b12"]),
        ("snake_case-and.dots", ["snake", "case", "dot"]),
        ("我", ["我"]),
        ("下周去北京", ["下周", "周去", "去北", "北京"]),
        ("我用Python写代码", ["我用", "python", "写代", "代码"]),
        ("３月５日", ["3", "月", "5", "日"]),
        ("ＡＢＣ", ["abc"]),
        ("食べる", ["食べ", "べる"]),
        ("ﾗｰﾒﾝ", ["ラー", "ーメ", "メン"]),
        ("안녕하세요 세계", ["안녕", "녕하", "하세", "세요", "세계"]),
        ("สวัสดี", ["สว", "วั", "ัส", "สด", "ดี"]),
        ("Привет, МИР", ["привет", "мир"]),
        ("Straße CAFÉ cafe\u0301", ["strass", "café", "café"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("مرحبا بالعالم", ["مرحبا", "بالعالم"]),
        ("🙂🙂", []),
        ("...", []),
        ("", []),
        ("\ud83d x", ["x"]),
        ("葛\U000e0100城", ["葛城"]),
    ],
)
def test_words(said: str, expected: list[str]) -> None:
    assert text.tokens(said) == expected


@given(st.text())
def test_never_raises_and_case_does_not_matter(said: str) -> None:
    assert text.tokens(said) == text.tokens(said.lower())


@given(st.text(), HAN, st.text())
def test_a_part_of_a_chinese_text_shares_a_word_with_it(before: str, part: str, after: str) -> None:
    assert set(text.tokens(part)) & set(text.tokens(before + part + after))


@given(st.text(st.characters(codec="ascii")))
def test_the_short_way_for_ascii_gives_the_same_words(said: str) -> None:
    assert text.tokens(said) == text.tokens(said + "。")


def test_threads_do_not_mix_their_words() -> None:
    words = [f"{'abcdefghij'[i % 10]}{'klmnopqrst'[i // 10 % 10]}{'aeiou'[i // 100 % 5]}rating" for i in range(500)]
    alone = [text.tokens(word) for word in words]
    text._stem.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(text.tokens, words * 4)) == alone * 4
