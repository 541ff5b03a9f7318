"""Releases: one manifest file each, and ``current.json``, which every server follows.

``{lake}/releases/00000007.json`` is release 7; publishing is one rename of ``current.json``.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from domain.errors import Permanent
from resources.files import replace_text
from resources.vector_index import BucketVersion

FACTS = "facts-"  # before a bucket's number: the facts of its users count as a day of their own
_CURRENT = "current.json"


@dataclass(frozen=True, slots=True)
class Day:
    """One day as a release has it.

    Attributes:
        max_seq: the highest seq that its rows were made from: later events of the day are in the tail.
        digest: stands for its rows.
        rows: how many index rows it has.
    """

    max_seq: int
    digest: str
    rows: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What one release is.

    Attributes:
        release: its number, from 1.
        created_at: ISO instant, UTC.
        days: the state of each day that is in it, and of each bucket's facts (``facts-0``).
        buckets: the index version of each bucket.
        reviewed_seq: the seq up to which reviews of facts are in it: later ones are in the tail.
        embedder: name, dim and fingerprint of the model.
        config_hash: stands for the settings that shape the tables.
        run_id: the Dagster run that published it.
        checks: name and outcome of each check that was passed.
    """

    release: int
    created_at: str
    days: Mapping[str, Day]
    buckets: tuple[BucketVersion, ...]
    reviewed_seq: int
    embedder: Mapping[str, Any]
    config_hash: str
    run_id: str
    checks: Mapping[str, str]

    @property
    def built(self) -> dict[str, int]:
        """Return, by day, the seq up to which events are in the release: later ones are in the tail."""
        return {day: state.max_seq for day, state in self.days.items() if not day.startswith(FACTS)}


class Releases:
    """The manifests in one lake."""

    def __init__(self, lake_root: Path) -> None:
        self.root = lake_root / "releases"
        self._seen: tuple[tuple[int, int], Manifest] | None = None

    def current(self) -> Manifest | None:
        """Return the release that servers follow, None before the first one; cheap when it has not changed.

        Raises:
            Permanent: the manifest is there and not readable.
        """
        path = self.root / _CURRENT
        try:
            stat = path.stat()
            key = (stat.st_ino, stat.st_mtime_ns)
            if self._seen is None or self._seen[0] != key:
                self._seen = (key, _parse(path))
        except FileNotFoundError:
            return None
        return self._seen[1]

    def publish(self, staged: Manifest, checks: Mapping[str, str], *, after_loss: bool = False) -> Manifest:
        """Make what a run has staged the current release, durable when this returns, and return it numbered.

        Call it under the publish lock. What is no news (the same rows, or an older state of the index than the one
        released meanwhile) is not published: then the current release is returned.

        Args:
            staged: what the run has built.
            checks: name and outcome of what it has passed.
            after_loss: the current release's index is gone, so that anything is news, and its versions count anew.
        """
        last = self.current()
        if last is not None and not after_loss and _is_no_news(staged, last):
            return last
        manifest = replace(staged, release=(self.numbers() or [0])[-1] + 1, checks=checks)
        text = json.dumps(asdict(manifest), indent=1, sort_keys=True) + "\n"
        replace_text(self._path(manifest.release), text)
        replace_text(self.root / _CURRENT, text)
        return manifest

    def forget(self, keep: int) -> set[str]:
        """Delete all but the newest ``keep`` manifests; return the run ids of those that are left."""
        numbers = self.numbers()
        for number in numbers[:-keep]:
            self._path(number).unlink(missing_ok=True)
        return {_parse(self._path(number)).run_id for number in numbers[-keep:]}

    def numbers(self) -> list[int]:
        """Return the numbers of all manifests there are, ascending."""
        return sorted(int(p.stem) for p in self.root.glob("[0-9]*.json"))

    def _path(self, number: int) -> Path:
        return self.root / f"{number:08d}.json"

    def stage(self, manifest: Manifest) -> None:
        """Keep what a run has built until its checks have passed."""
        replace_text(self.root / f"staged-{manifest.run_id}.json", json.dumps(asdict(manifest)))

    def staged(self, run_id: str) -> Manifest:
        """Return what a run has built.

        Raises:
            Permanent: it built nothing.
        """
        path = self.root / f"staged-{run_id}.json"
        if not path.exists():
            raise Permanent(f"Run {run_id} has built no index to release: materialise memories_index in the same run.")
        return _parse(path)

    def unstage(self, run_id: str) -> None:
        """Forget what a run has built."""
        (self.root / f"staged-{run_id}.json").unlink(missing_ok=True)


def _is_no_news(staged: Manifest, last: Manifest) -> bool:
    if staged.embedder["fingerprint"] != last.embedder["fingerprint"]:
        return False
    versions = {bucket.table: bucket.version for bucket in last.buckets}
    older = any(bucket.version < versions.get(bucket.table, 0) for bucket in staged.buckets)
    same = staged.buckets == last.buckets and staged.days == last.days
    return older or same


def _parse(path: Path) -> Manifest:
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        buckets = tuple(BucketVersion(**bucket) for bucket in raw["buckets"])
        days = {day: Day(**state) for day, state in raw["days"].items()}
        return Manifest(**{**raw, "buckets": buckets, "days": days})
    except (ValueError, TypeError, KeyError) as error:
        raise Permanent(
            f"The release manifest {path.name} is not readable ({error}): delete it and run `hindsight run publish`."
        ) from error
