"""Files that are either the old one or the new one, whole, whatever dies when."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from domain.errors import Temporary


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path; when the block ends without an error, it is durable under ``path`` in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}.tmp")
    temporary.unlink(
        missing_ok=True
    )  # left by a process of the same number that was killed; in containers numbers recur
    try:
        yield temporary
        _sync(temporary)
        temporary.replace(path)
        _sync(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def replace_text(path: Path, text: str) -> None:
    """Put ``text`` (UTF-8) under ``path`` in one durable step."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def locked(path: Path, timeout_seconds: float, what: str) -> Iterator[None]:
    """Hold the lock file ``path`` against all other threads and processes; it ends with its holder.

    Raises:
        Temporary: another holds it for longer than ``timeout_seconds``; ``what`` names the work in the message.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(path)
    try:
        lock.acquire(timeout=timeout_seconds)
    except Timeout as error:
        raise Temporary(
            f"{what} is under way in another process since over {timeout_seconds:.0f} s; try again."
        ) from error
    try:
        yield
    finally:
        lock.release()
