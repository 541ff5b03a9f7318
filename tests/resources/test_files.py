"""Files that are the old one or the new one, and locks that end with their holder."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from domain.errors import Temporary
from resources.files import locked, replace_text, replacing


def test_an_error_inside_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "file"
    replace_text(path, "old")

    def fail() -> None:
        with replacing(path) as temporary:
            temporary.write_text("half of the n")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert [(p.name, p.read_text()) for p in path.parent.iterdir()] == [("file", "old")]


def test_what_a_killed_process_of_the_same_number_left_is_not_in_the_way(tmp_path: Path) -> None:
    with replacing(tmp_path / "file") as temporary:
        temporary.write_text("first")
        name = temporary
    name.write_text("left by a kill")
    with replacing(tmp_path / "file") as temporary:
        assert temporary == name
        assert not temporary.exists()
        temporary.write_text("second")
    assert (tmp_path / "file").read_text() == "second"


def test_threads_that_replace_one_file_do_not_share_their_half_done_work(tmp_path: Path) -> None:
    path = tmp_path / "file"
    both = threading.Barrier(2)

    def put(text: str) -> None:
        with replacing(path) as temporary:
            temporary.write_text(text)
            both.wait(timeout=10)

    threads = [threading.Thread(target=put, args=(text * 1000,)) for text in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_text() in {"a" * 1000, "b" * 1000}
    assert list(tmp_path.iterdir()) == [path]


def test_a_lock_is_waited_for_and_named(tmp_path: Path) -> None:
    with locked(tmp_path / "x.lock", 1, "Publishing"), pytest.raises(Temporary, match="Publishing is under way"):  # noqa: SIM117
        with locked(tmp_path / "x.lock", 0.05, "Publishing"):
            pass
    with locked(tmp_path / "x.lock", 0.05, "Publishing"):
        pass


HOLDER = """
import sys, time
from pathlib import Path
from resources.files import locked
with locked(Path(sys.argv[1]), 1, "x"):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_killed_holder_holds_no_longer(tmp_path: Path) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path / "x.lock")], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    holder.stdout.close()
    with locked(tmp_path / "x.lock", 5, "x"):
        pass
