"""Language, emotion and salience of a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import labels

from .label_cases import EMOTIONS, LANGUAGES, SALIENCES


@pytest.mark.parametrize(("text", "expected"), LANGUAGES)
def test_language(text: str, expected: str) -> None:
    assert labels.language(text) == expected


@pytest.mark.parametrize(("text", "expected"), EMOTIONS)
def test_emotion(text: str, expected: str) -> None:
    assert labels.emotion(text) == expected


@pytest.mark.parametrize(("text", "category", "bounds"), SALIENCES)
def test_salience(text: str, category: str | None, bounds: tuple[float, float]) -> None:
    assert bounds[0] <= labels.salience(text, category) <= bounds[1]


@given(st.text())
def test_any_text_has_labels(text: str) -> None:
    assert labels.language(text)
    assert labels.emotion(text) in {"positive", "negative", "neutral"}
    assert 0 <= labels.salience(text, None) <= 1
    assert labels.salience(text, "constraint") == 1
