"""Unit vectors, centring, calibration and the 0-to-1 scale."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import similarity
from domain.errors import BadInput, Permanent


def _random_unit(n: int, dim: int) -> similarity.Floats:
    rng = np.random.default_rng(7)
    return similarity.unit(rng.normal(size=(n, dim)).astype(np.float32), "test")


def test_unit_keeps_the_direction_and_sets_the_length() -> None:
    vectors = np.array([[3.0, 4.0], [0.0, -1e-3]], dtype=np.float32)
    made = similarity.unit(vectors, "test")
    assert made.dtype == np.float32
    np.testing.assert_allclose(made, [[0.6, 0.8], [0.0, -1.0]], atol=1e-6)
    np.testing.assert_array_equal(vectors[0], [3.0, 4.0])


@pytest.mark.parametrize("bad", [[0.0, 0.0], [np.nan, 1.0], [np.inf, 1.0]])
def test_a_vector_without_direction_is_refused_and_the_model_named(bad: list[float]) -> None:
    with pytest.raises(Permanent, match="model some-model gave 1 of 2 vectors"):
        similarity.unit(np.array([[1.0, 0.0], bad], dtype=np.float32), "some-model")


def test_no_vectors_are_no_error() -> None:
    assert similarity.unit(np.empty((0, 3), dtype=np.float32), "test").shape == (0, 3)


def test_centring_takes_out_what_all_have_in_common() -> None:
    own = _random_unit(200, 16)
    cone = similarity.unit(own + 5 * np.eye(16, dtype=np.float32)[0], "test")
    made = similarity.centred(cone, cone.mean(axis=0), "test")
    np.testing.assert_allclose(np.linalg.norm(made, axis=1), 1, atol=1e-5)
    assert np.median(cone @ cone.T) > 0.9
    assert abs(np.median(made @ made.T)) < 0.1


def test_centring_a_vector_that_is_the_mean_is_refused() -> None:
    vectors = np.eye(2, dtype=np.float32)
    with pytest.raises(Permanent):
        similarity.centred(vectors, vectors[0], "test")


def test_calibration_parts_matching_rows_from_the_others() -> None:
    queries = np.eye(3, dtype=np.float32)
    passages = np.array([[0.9, 0.1, 0], [0.1, 0.9, 0], [0.1, 0.1, 0.8]], dtype=np.float32)
    assert similarity.calibration_of(queries, passages) == pytest.approx((0.1, 0.9))


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_similarity_stays_in_its_range_and_never_falls_with_the_cosine(one: float, other: float) -> None:
    low, high = similarity.similarity(sorted([one, other]), (0.12, 0.51))
    assert 0 <= low <= high <= 1


def test_similarity_of_the_calibration_points() -> None:
    assert similarity.similarity([[0.74], [0.87]], (0.74, 0.87)).shape == (2, 1)
    np.testing.assert_allclose(similarity.similarity([0.74, 0.87], (0.74, 0.87)), [0, 1], atol=1e-6)
    assert float(similarity.similarity(0.805, (0.74, 0.87))) == pytest.approx(0.5, abs=1e-5)


def test_a_calibration_that_tells_nothing_apart_is_refused() -> None:
    with pytest.raises(BadInput, match="measure it again"):
        similarity.similarity(0.5, (0.8, 0.8))
