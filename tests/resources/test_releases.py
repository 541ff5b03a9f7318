"""Manifests: numbered, published by one rename, never going back."""

from dataclasses import replace
from pathlib import Path

import pytest

from domain.errors import Permanent
from resources.releases import Day, Manifest, Releases
from resources.vector_index import BucketVersion


def manifest(version: int = 3, seq: int = 5, **fields: object) -> Manifest:
    made = Manifest(
        release=0,
        created_at="2026-03-01T00:00:00+00:00",
        days={"2026-03-01": Day(seq, f"digest {seq}", 2)},
        buckets=(BucketVersion("memories-x-0", version, 2),),
        embedder={"name": "hash", "dim": 64, "fingerprint": "x"},
        reviewed_seq=0,
        config_hash="c",
        run_id=f"run {version}",
        checks={},
    )
    return replace(made, **fields)  # type: ignore[arg-type]


@pytest.fixture
def releases(tmp_path: Path) -> Releases:
    return Releases(tmp_path)


def test_a_release_is_numbered_and_read_by_every_process(releases: Releases, tmp_path: Path) -> None:
    assert releases.current() is None
    made = releases.publish(manifest(), {"check": "passed"})
    assert made == manifest(release=1, checks={"check": "passed"})
    assert releases.current() == Releases(tmp_path).current() == made
    assert made.built == {"2026-03-01": 5}
    Releases(tmp_path).publish(manifest(4, 6), {})
    current = releases.current()
    assert current is not None
    assert (current.release, current.built) == (2, {"2026-03-01": 6})


def test_what_is_no_news_is_not_published(releases: Releases) -> None:
    made = releases.publish(manifest(3), {})
    assert releases.publish(manifest(3, run_id="other"), {}) == made
    assert releases.publish(manifest(2, 9), {}) == made  # an older index, whatever else
    assert releases.numbers() == [1]


@pytest.mark.parametrize(
    "staged",
    [
        manifest(4),
        manifest(3, 6),
        manifest(3, days={"2026-03-01": Day(5, "other vectors", 2)}),
        manifest(1, embedder={"name": "new", "dim": 8, "fingerprint": "y"}),
    ],
)
def test_what_is_news(releases: Releases, staged: Manifest) -> None:
    releases.publish(manifest(3), {})
    assert releases.publish(staged, {}).release == 2


def test_after_the_index_was_lost_lower_versions_are_news(releases: Releases) -> None:
    releases.publish(manifest(30), {})
    assert releases.publish(manifest(3), {}, after_loss=True).release == 2


def test_a_kill_between_the_two_files_leaves_the_old_release(releases: Releases, tmp_path: Path) -> None:
    first = releases.publish(manifest(3), {})
    second = releases.publish(manifest(4), {})
    current = tmp_path / "releases" / "current.json"
    current.write_bytes((tmp_path / "releases" / "00000001.json").read_bytes())
    assert releases.current() == first
    assert releases.publish(manifest(4), {}) == replace(second, release=3)


def test_only_the_newest_manifests_are_kept(releases: Releases) -> None:
    for version in range(3, 8):
        releases.publish(manifest(version), {})
    assert releases.forget(keep=2) == {"run 6", "run 7"}
    assert releases.numbers() == [4, 5]


def test_what_a_run_has_staged(releases: Releases) -> None:
    with pytest.raises(Permanent, match="Run run 3 has built no index"):
        releases.staged("run 3")
    releases.stage(manifest(3))
    assert releases.staged("run 3") == manifest(3)
    assert releases.numbers() == []
    releases.unstage("run 3")
    releases.unstage("run 3")
    with pytest.raises(Permanent):
        releases.staged("run 3")


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"buckets": [{"no": 1}], "days": {}}'])
def test_a_broken_manifest_is_named_with_the_way_out(releases: Releases, tmp_path: Path, text: str) -> None:
    releases.publish(manifest(), {})
    (tmp_path / "releases" / "current.json").write_text(text)
    with pytest.raises(Permanent, match=r"current.json is not readable .*: delete it and run `hindsight run publish`"):
        releases.current()
