"""Embedding models of the sentence-transformers kind, in this process. The only file that imports torch."""

import hashlib
import json
import logging
import os
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from domain import ids, similarity
from domain.errors import BadSettings, Permanent, Temporary
from domain.similarity import Calibration
from resources import model_files
from resources.embedding import VERSION, Progress, Vectors, batches, cleaned_texts, kept_facts, measure_calibration

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

log = logging.getLogger(__name__)

MAX_TOKENS = 512

# A query from another thread waits for one batch at most: 1,024 tokens, a quarter of a second on two
# processors (8,192 bytes: one second, and no faster in all).
_BATCH_TEXTS = 32
_BATCH_BYTES = 4_096  # about four bytes of UTF-8 a token, in English as in Chinese
_WHOLE_FILE_BYTES = 1_000_000
_SAMPLE_BYTES = 65_536
# What these models were trained with; their own configuration does not always say so.
_E5_PROMPTS = {"query": "query: ", "passage": "passage: "}
_E5 = re.compile(r"(^|[/\\-])e5-(small|base|large)(-v2)?$")


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
        cleaned = cleaned_texts(texts)
        model = self._loaded()
        vectors = np.empty((len(cleaned), model.dim), dtype=np.float32)
        for batch in batches(cleaned, _BATCH_TEXTS, _BATCH_BYTES):
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
        cleaned = cleaned_texts([text])
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
        return kept_facts(self._models_dir, self.fingerprint, self._measured)

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
    # Server and pipeline share the processors: threads that spin while they wait halve each other's speed (measured
    # 8 against 15 texts/s under load). Read once, when torch's OpenMP is loaded.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # noqa: TID251
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
    return ids.digest("sentence-transformers", VERSION, str(MAX_TOKENS), *parts)


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
