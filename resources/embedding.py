"""What all embedders share: the protocol, calibration, batches of like length, and the hashing fake."""

import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from domain import ids, similarity
from domain.errors import BadInput
from domain.similarity import Calibration
from resources import centring_texts, files

Vectors = NDArray[np.float32]
Progress = Callable[[int], None]

# Part of every fingerprint: raise it when the code of an embedder would make other vectors from the same model.
VERSION = "1"


class Embedder(Protocol):
    """What makes vectors; those of two fingerprints are never compared.

    Attributes:
        name: the setting that it was built from.
    """

    name: str

    @property
    def dim(self) -> int:
        """Return the length of a vector."""
        ...

    @property
    def fingerprint(self) -> str:
        """Return 32 hex digits that stand for all the vectors depend on, without opening the model where possible."""
        ...

    @property
    def calibration(self) -> Calibration:
        """Return the median cosines of unrelated pairs and of paraphrases, see ``domain.similarity``."""
        ...

    def embed_passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Return unit vectors (n, dim) of texts that are to be found.

        Args:
            texts: n texts, none of them blank; beyond the model's window they are cut.
            progress: called with the number of texts done since its last call.

        Raises:
            BadInput: a text is blank.
            Permanent: the model cannot be used, or gave vectors that are not finite.
            Temporary: the model cannot be reached now.
        """
        ...

    def embed_query(self, text: str) -> Vectors:
        """Return the unit vector (dim,) of what is looked for; raises as ``embed_passages`` does."""
        ...


def measure_calibration(embedder: Embedder) -> Calibration:
    """Return the embedder's calibration: the mean over Chinese and English, each with pairs of its own."""
    languages = (centring_texts.PARAPHRASES_ZH, centring_texts.PARAPHRASES_EN)
    found = []
    for pairs in languages:
        queries = np.stack([embedder.embed_query(query) for query, _ in pairs])
        found.append(similarity.calibration_of(queries, embedder.embed_passages([passage for _, passage in pairs])))
    unrelated, paraphrase = np.mean(found, axis=0)
    return float(unrelated), float(paraphrase)


class HashEmbedder:
    """A fake for tests and quick trials: hashed character n-grams, so that texts with common spelling are near.

    It knows no meaning and no synonym. Deterministic on every machine.
    """

    def __init__(self, dim: int = 64) -> None:
        self.name = "hash"
        self.dim = dim
        self.fingerprint = ids.digest("hash", str(dim), VERSION)

    @cached_property
    def calibration(self) -> Calibration:
        """Return the calibration, measured in a few milliseconds."""
        return measure_calibration(self)

    def embed_passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Return unit vectors (n, dim).

        Raises:
            BadInput: a text is blank.
        """
        vectors = np.array([self._counts(text) for text in cleaned_texts(texts)], dtype=np.float32).reshape(
            -1, self.dim
        )
        if progress:
            progress(len(texts))
        return similarity.unit(vectors, self.name)

    def embed_query(self, text: str) -> Vectors:
        """Return the unit vector (dim,), the same as the passage's.

        Raises:
            BadInput: the text is blank.
        """
        return np.asarray(self.embed_passages([text])[0])

    def _counts(self, text: str) -> Vectors:
        counts = np.zeros(self.dim, dtype=np.float32)
        padded = f" {text.lower().strip()} "
        for n in (2, 3):
            for start in range(len(padded) - n + 1):
                key = zlib.crc32(padded[start : start + n].encode())
                counts[key % self.dim] += 1 if key & 0x8000_0000 else -1
        if not counts.any():
            counts[0] = 1  # the signs may cancel out in a very short text
        return counts


def cleaned_texts(texts: Sequence[str]) -> list[str]:
    """Return the texts with lone surrogates, which no tokenizer takes, as question marks.

    Raises:
        BadInput: a text is blank: it has no meaning to be near to.
    """
    blank = next((i for i, text in enumerate(texts) if not text.strip()), None)
    if blank is not None:
        raise BadInput(f"text {blank} of {len(texts)} is blank; leave out what has no words before embedding")
    return [text.encode("utf-8", "replace").decode("utf-8") for text in texts]


def batches(texts: Sequence[str], max_texts: int, max_bytes: int) -> Iterator[list[int]]:
    """Yield the positions of the texts in batches of like length, the longest first.

    Like lengths spare padding; ``max_bytes`` bounds a batch as if each text were as long as its longest.
    """
    lengths = [len(text.encode()) for text in texts]
    batch: list[int] = []
    for position in sorted(range(len(texts)), key=lambda i: -lengths[i]):
        if batch and (len(batch) == max_texts or (len(batch) + 1) * lengths[batch[0]] > max_bytes):
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch


def kept_facts(models_dir: Path, key: str, measure: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what was measured of a model, measured now if it is not in the models folder yet."""
    path = models_dir / "measured" / f"{key}.json"
    try:
        kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        kept = measure()
        files.replace_text(path, json.dumps(kept))
    return kept
