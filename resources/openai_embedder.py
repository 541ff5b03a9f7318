"""Embedding models behind the OpenAI embeddings protocol."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np

from domain import ids, similarity
from domain.errors import Permanent, Temporary
from domain.similarity import Calibration
from resources.embedding import VERSION, Progress, Vectors, batches, cleaned_texts, kept_facts, measure_calibration

if TYPE_CHECKING:
    from openai import OpenAI

OPENAI_URL = "https://api.openai.com/v1"
_REQUEST_TEXTS = 128
_REQUEST_BYTES = 200_000


class OpenAIEmbedder:
    """A model behind the OpenAI embeddings protocol.

    Args:
        model: its name there.
        models_dir: folder in which its dimension and calibration are kept once known.
        base_url: with the path, such as ``http://127.0.0.1:8000/v1``.
        api_key: may be empty for a server that asks for none.
        dim: length of its vectors; None: found out by the first call.
        timeout_seconds: for one request with passages; a query gets ``query_timeout_seconds`` and one attempt.
        n_retries: further attempts at passages, with growing pauses, when the server is busy or away.
    """

    def __init__(
        self,
        model: str,
        models_dir: Path,
        *,
        base_url: str = OPENAI_URL,
        api_key: str = "",
        dim: int | None = None,
        timeout_seconds: float = 30.0,
        query_timeout_seconds: float = 4.0,
        n_retries: int = 2,
    ) -> None:
        self.name = f"openai:{model}"
        self._model = model
        self._models_dir = models_dir
        self._base_url = base_url
        self._api_key = api_key
        self._given_dim = dim
        self._timeout_seconds = timeout_seconds
        self._query_timeout_seconds = query_timeout_seconds
        self._n_retries = n_retries

    @cached_property
    def dim(self) -> int:
        """Return the length of a vector; asks the server once if it was never known.

        Raises:
            Permanent: the server refuses or gives no usable vector.
            Temporary: the server cannot be reached or is busy.
        """
        if self._given_dim is not None:
            return self._given_dim
        return int(kept_facts(self._models_dir, self._key("dim"), self._measured_dim)["dim"])

    @cached_property
    def fingerprint(self) -> str:
        """Return the identity: model, host and dimension; raises as ``dim`` does."""
        return self._key(str(self.dim))

    @cached_property
    def calibration(self) -> Calibration:
        """Return the calibration; the first time it is measured with some 40 short calls."""
        kept = kept_facts(self._models_dir, self.fingerprint, lambda: {"calibration": measure_calibration(self)})
        unrelated, paraphrase = kept["calibration"]
        return float(unrelated), float(paraphrase)

    def embed_passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Return unit vectors (n, dim).

        Raises:
            BadInput: a text is blank.
            Permanent: the server refuses, or gives vectors that are not finite or of another dimension.
            Temporary: the server cannot be reached or is busy.
        """
        cleaned = cleaned_texts(texts)
        vectors = np.empty((len(cleaned), self.dim), dtype=np.float32)
        for batch in batches(cleaned, _REQUEST_TEXTS, _REQUEST_BYTES):
            vectors[batch] = self._asked([cleaned[i] for i in batch], self._client)
            if progress:
                progress(len(batch))
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """Return the unit vector (dim,); raises as ``embed_passages`` does, sooner when the server hangs."""
        hurried = self._client.with_options(timeout=self._query_timeout_seconds, max_retries=0)
        return np.asarray(self._asked(cleaned_texts([text]), hurried)[0])

    @cached_property
    def _client(self) -> "OpenAI":
        from openai import OpenAI  # noqa: PLC0415 - half a second, for those who use it

        return OpenAI(
            base_url=self._base_url,
            api_key=self._api_key or "none",
            timeout=self._timeout_seconds,
            max_retries=self._n_retries,
        )

    def _key(self, dim: str) -> str:
        return ids.digest("openai", VERSION, self._model, urlsplit(self._base_url).hostname or "", dim)

    def _measured_dim(self) -> dict[str, Any]:
        return {"dim": self._answer(["dimension"], self._client).shape[1]}

    def _asked(self, texts: list[str], client: "OpenAI") -> Vectors:
        vectors = self._answer(texts, client)
        if vectors.shape[1] != self.dim:
            raise Permanent(
                f"the embedding model {self.name} at {self._base_url} gave vectors of {vectors.shape[1]} numbers, "
                f"expected {self.dim}; if the model was changed on purpose, give it a name of its own there"
            )
        return similarity.unit(vectors, self.name)

    def _answer(self, texts: list[str], client: "OpenAI") -> Vectors:
        """Return the server's vectors (n, any dimension), not yet of unit length.

        Raises:
            Permanent: the server refuses, or its answer is not one vector for each text.
            Temporary: the server cannot be reached or is busy.
        """
        with _openai_errors(self.name, self._base_url):
            answer = client.embeddings.create(model=self._model, input=texts, encoding_format="float")
            rows = [row.embedding for row in sorted(answer.data, key=lambda row: row.index)]
            vectors = np.array(rows, dtype=np.float32)
        if vectors.ndim != 2 or len(vectors) != len(texts):
            raise Permanent(f"{self.name} at {self._base_url} answered {len(texts)} texts with {len(vectors)} vectors")
        return vectors


@contextmanager
def _openai_errors(name: str, base_url: str) -> Iterator[None]:
    """Turn the client's errors into ours.

    Raises:
        Permanent: the server refuses the key, the model or the request, or does not speak the protocol.
        Temporary: the server cannot be reached, hangs, is busy or broken.
    """
    import openai  # noqa: PLC0415 - half a second, for those who use it

    at = f"the embedding model {name} at {base_url}"
    try:
        yield
    except openai.APIConnectionError as error:  # time-outs are of this kind too
        raise Temporary(f"{at} cannot be reached: {error} Is the server up?") from error
    except openai.APIStatusError as error:
        if error.status_code in {408, 409, 429} or error.status_code >= 500:
            raise Temporary(f"{at} is busy or broken (HTTP {error.status_code}); try again later") from error
        raise Permanent(
            f"{at} refuses (HTTP {error.status_code}: {error.message}); check HINDSIGHT_OPENAI_API_KEY, "
            "HINDSIGHT_OPENAI_BASE_URL and the model's name"
        ) from error
    except (openai.OpenAIError, ValueError, TypeError, AttributeError) as error:
        # the client hands on whatever JSON or text came with a 200
        raise Permanent(f"{at} does not answer in the OpenAI embeddings protocol: {error}") from error
