"""What a cosine of a given model means. Pure: vectors and numbers in, vectors and numbers out."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from domain.errors import BadInput, Permanent

Floats = NDArray[np.float32]

# (median cosine of unrelated pairs, median cosine of paraphrases) of one model
Calibration = tuple[float, float]


def unit(vectors: Floats, model: str) -> Floats:
    """Return the vectors at length 1.

    Args:
        vectors: (n, dim), any length but zero.
        model: named in the error.

    Raises:
        Permanent: a vector is zero, infinite or NaN: it would silently rank last for ever.
    """
    norms = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
    bad = ~(np.isfinite(norms) & (norms > 1e-9))
    if bad.any():
        raise Permanent(
            f"the embedding model {model} gave {int(bad.sum())} of {len(vectors)} vectors that are zero or not finite; "
            "its weights are damaged or its server is faulty: choose another model in HINDSIGHT_EMBEDDER"
        )
    return np.asarray(vectors / norms, dtype=np.float32)


def centred(vectors: Floats, mean: Floats, model: str) -> Floats:
    """Return unit vectors with what all texts have in common taken out.

    The vectors of some models lie in a narrow cone (cosines of .74-.87 for anything in e5); without its axis the
    differences that matter decide the order.

    Args:
        vectors: (n, dim) of unit length.
        mean: (dim,) mean of unit vectors of unrelated texts, of the same side (query or passage).
        model: named in the error.

    Raises:
        Permanent: a vector equals the mean, so nothing of it is left.
    """
    return unit(vectors - mean, model)


def calibration_of(queries: Floats, passages: Floats) -> Calibration:
    """Return the median cosine of unrelated pairs and the median cosine of paraphrases.

    Args:
        queries: (n, dim) of unit length, n >= 2, each about something else.
        passages: (n, dim) of unit length; row i says what row i of ``queries`` says or asks.
    """
    cosines = queries @ passages.T
    unrelated = cosines[~np.eye(len(cosines), dtype=bool)]
    return float(np.median(unrelated)), float(np.median(np.diag(cosines)))


def similarity(cosine: ArrayLike, calibration: Calibration) -> Floats:
    """Return cosines on a scale that is the same for every model: 0 unrelated, 1 a paraphrase, clipped to [0, 1].

    >>> similarity([0.74, 0.805, 0.9], (0.74, 0.87)).round(2).tolist()
    [0.0, 0.5, 1.0]

    Args:
        cosine: any shape, each in [-1, 1].
        calibration: of the model that made the vectors, see ``calibration_of``.

    Raises:
        BadInput: the paraphrases of the calibration are no nearer than its unrelated pairs.
    """
    unrelated, paraphrase = calibration
    if not unrelated < paraphrase:
        raise BadInput(f"calibration {calibration} puts paraphrases no nearer than unrelated texts; measure it again")
    scaled = (np.asarray(cosine, dtype=np.float32) - unrelated) / (paraphrase - unrelated)
    return np.asarray(np.clip(scaled, 0.0, 1.0), dtype=np.float32)
