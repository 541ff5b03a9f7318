"""The vector cache on real SQLite files, with threads, processes and damage."""

import logging
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from domain.errors import BadInput, Temporary
from resources.embedder import HashEmbedder, Progress, Vectors
from resources.vector_cache import VectorCache, embed_cached

ROOT = Path(__file__).parents[2]


class CountingEmbedder(HashEmbedder):
    """The hash embedder, which keeps the texts that it was asked for and may be told to fail."""

    def __init__(self, fails_after_calls: int | None = None) -> None:
        super().__init__()
        self.asked: list[list[str]] = []
        self._fails_after_calls = fails_after_calls

    def embed_passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        if len(self.asked) == self._fails_after_calls:
            raise Temporary("killed")
        self.asked.append(list(texts))
        return super().embed_passages(texts, progress)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "vectors.db"


@pytest.fixture
def cache(path: Path) -> Iterator[VectorCache]:
    made = VectorCache(path)
    yield made
    made.close()


def test_what_was_put_is_got_and_nothing_else(cache: VectorCache) -> None:
    vector = np.array([0.6, 0.8], dtype=np.float32)
    cache.put_many("one", {"茶": vector})
    got = cache.get_many("one", ["茶", "tea"])
    assert list(got) == ["茶"]
    assert got["茶"].dtype == np.float16
    np.testing.assert_allclose(got["茶"], vector, atol=1e-3)
    assert cache.get_many("two", ["茶"]) == {}


def test_more_texts_than_a_statement_has_variables_for(cache: VectorCache) -> None:
    vectors = {f"text {n}": np.array([n, 1], dtype=np.float32) for n in range(2_000)}
    cache.put_many("one", vectors)
    got = cache.get_many("one", [*vectors, "another"])
    assert {text: vector[0] for text, vector in got.items()} == {text: v[0] for text, v in vectors.items()}


def test_nothing_asked_nothing_found(cache: VectorCache) -> None:
    assert cache.get_many("one", []) == {}
    cache.put_many("one", {})


def test_a_lone_surrogate_is_a_text_like_others(cache: VectorCache) -> None:
    made = embed_cached(HashEmbedder(), cache, ["broken \ud83d emoji"])
    assert list(made) == ["broken \ud83d emoji"]
    assert list(cache.get_many(HashEmbedder().fingerprint, made)) == list(made)


def test_the_file_holds_no_text(cache: VectorCache, path: Path) -> None:
    embed_cached(HashEmbedder(), cache, ["a secret that must not be here"])
    cache.close()
    assert b"secret" not in path.read_bytes()


def test_a_text_is_embedded_once_in_its_life(cache: VectorCache, path: Path) -> None:
    embedder = CountingEmbedder()
    first = embed_cached(embedder, cache, ["我喜欢喝茶", "I like tea", "I like tea"])
    assert sorted(embedder.asked[0]) == sorted(first)
    cache.close()
    again = embed_cached(embedder, VectorCache(path), ["I like tea", "我喜欢喝茶", "new"])
    assert embedder.asked[1:] == [["new"]]
    for text, vector in first.items():
        np.testing.assert_array_equal(again[text], vector)


def test_cached_vectors_are_the_model_s_own(cache: VectorCache) -> None:
    texts = [f"sentence number {n} 第{n}句" for n in range(300)]
    made = embed_cached(HashEmbedder(), cache, texts)
    stacked = np.stack([made[text] for text in texts])
    assert stacked.dtype == np.float16
    np.testing.assert_allclose(np.linalg.norm(stacked.astype(np.float32), axis=1), 1, atol=1e-3)
    np.testing.assert_allclose(stacked, HashEmbedder().embed_passages(texts), atol=1e-3)


def test_work_that_dies_loses_one_part_only(cache: VectorCache) -> None:
    texts = [f"text {n}" for n in range(300)]
    dying = CountingEmbedder(fails_after_calls=2)
    with pytest.raises(Temporary):
        embed_cached(dying, cache, texts)
    done = {text for part in dying.asked for text in part}
    second = CountingEmbedder()
    assert len(embed_cached(second, cache, texts)) == 300
    assert {text for part in second.asked for text in part} == set(texts) - done


def test_progress_counts_every_distinct_text_once(cache: VectorCache) -> None:
    embed_cached(HashEmbedder(), cache, ["one", "two"])
    steps: list[int] = []
    embed_cached(HashEmbedder(), cache, ["one", "two", "two", "three"], steps.append)
    assert steps == [2, 1]


def test_a_blank_text_is_the_callers_fault(cache: VectorCache) -> None:
    with pytest.raises(BadInput, match="blank"):
        embed_cached(HashEmbedder(), cache, ["words", " \n"])


def test_a_file_that_is_no_database_is_moved_aside(
    cache: VectorCache, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path.parent.mkdir()
    path.write_bytes(b"this is no database " * 500)
    with caplog.at_level(logging.WARNING):
        assert cache.get_many("one", ["text"]) == {}
    assert "damaged" in caplog.text
    assert path.with_name("vectors.db.damaged").read_bytes().startswith(b"this is no database")
    cache.put_many("one", {"text": np.ones(2, dtype=np.float32)})
    assert list(cache.get_many("one", ["text"])) == ["text"]


def test_damage_that_shows_while_open_is_survived(cache: VectorCache, path: Path) -> None:
    texts = [f"text {n}" for n in range(500)]
    embed_cached(HashEmbedder(), cache, texts)
    cache.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))  # its header is good
    assert len(embed_cached(HashEmbedder(), cache, texts)) == 500
    assert len(cache.get_many(HashEmbedder().fingerprint, texts)) == 500


def test_a_file_that_cannot_be_opened_may_be_later(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(Temporary, match=r"vectors\.db"):
        VectorCache(path).get_many("one", ["text"])


def test_threads_share_one_cache(cache: VectorCache) -> None:
    def work(name: int) -> None:
        for n in range(20):
            embed_cached(HashEmbedder(), cache, [f"{name} {n}", f"all {n}"])

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wanted = [f"{name} {n}" for name in (0, 1, 2, 3, "all") for n in range(20)]
    assert len(cache.get_many(HashEmbedder().fingerprint, wanted)) == 100


@pytest.mark.slow
def test_processes_share_one_file(cache: VectorCache, path: Path) -> None:
    program = """
import sys
from pathlib import Path
from resources.embedder import HashEmbedder
from resources.vector_cache import VectorCache, embed_cached
cache = VectorCache(Path(sys.argv[1]))
for n in range(100):
    embed_cached(HashEmbedder(), cache, [f"{sys.argv[2]} {n}", f"all {n}"])
"""
    workers = [subprocess.Popen([sys.executable, "-c", program, path, name], cwd=ROOT) for name in "abc"]
    assert [worker.wait() for worker in workers] == [0, 0, 0]
    wanted = [f"{name} {n}" for name in ("a", "b", "c", "all") for n in range(100)]
    assert len(cache.get_many(HashEmbedder().fingerprint, wanted)) == 400
