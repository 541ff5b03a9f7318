"""Vectors in the server: urgent ones first, and a model that hangs or is dead costs neither a store nor an answer."""

import threading
import time
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from domain.errors import Permanent, Temporary
from domain.records import NewEvent
from mcp_app.embedding import EmbeddingWorker
from resources import wiring
from resources.embedder import HashEmbedder, Progress
from resources.settings import Settings

from .serving import Memory, at_once, until

Vectors = NDArray[np.float32]


class Model(HashEmbedder):
    """The hashing embedder, which can be made to hang, to be slow or to fail; remembers what it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[list[str]] = []
        self.free = threading.Event()
        self.free.set()
        self.queries_free = threading.Event()
        self.queries_free.set()
        self.fault: Exception | None = None
        self.poison = "\0"
        self.seconds = 0.0

    def embed_passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        self.free.wait()
        time.sleep(self.seconds)
        if self.fault or self.poison in texts:
            raise self.fault or RuntimeError("a text that the model does not take")
        self.batches.append(list(texts))
        return super().embed_passages(texts, progress)

    def embed_query(self, text: str) -> Vectors:
        self.queries_free.wait()
        if self.fault:
            raise self.fault
        return np.asarray(HashEmbedder.embed_passages(self, [text])[0])


@pytest.fixture
def model() -> Iterator[Model]:
    made = Model()
    yield made
    made.free.set()
    made.queries_free.set()


@pytest.fixture
def worker(model: Model, settings: Settings) -> Iterator[EmbeddingWorker]:
    made = EmbeddingWorker(model, wiring.open_vector_cache(settings))
    made.ready.result(30)
    model.batches.clear()  # what the calibration took
    yield made
    model.free.set()
    made.close()


@pytest.fixture
def memory(settings: Settings, model: Model, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    monkeypatch.setattr(wiring, "open_embedder", lambda _settings: model)
    with Memory(settings) as opened:
        yield opened
        model.free.set()
        model.queries_free.set()


def stored(text: str, n: int = 0) -> NewEvent:
    from datetime import UTC, datetime

    return NewEvent(f"{text}{n}", "memory", "ana", "a", "global", "s", datetime.now(UTC), {"content": text})


def test_what_is_stored_is_embedded_in_batches(worker: EmbeddingWorker, model: Model) -> None:
    model.free.clear()
    worker.stored([stored(f"text {n}") for n in range(30)])
    model.free.set()
    until(lambda: worker.pending() == 0 and sum(map(len, model.batches)) == 30)
    assert max(map(len, model.batches)) == 8
    assert len(worker.vectors([f"text {n}" for n in range(30)], 0)) == 30


def test_urgent_texts_go_first_and_the_newest_of_them_first_of_all(worker: EmbeddingWorker, model: Model) -> None:
    model.free.clear()
    worker.stored([stored(f"old {n}") for n in range(40)])
    until(lambda: worker.pending() <= 32)  # a batch is in the model
    asked = threading.Thread(target=worker.vectors, args=([f"new {n}" for n in range(20)], 5))
    asked.start()
    until(lambda: worker.pending() >= 52)
    model.free.set()
    asked.join(10)
    order = [text for batch in model.batches[1:] for text in batch]
    assert set(order[:20]) == {f"new {n}" for n in range(20)}
    assert set(order[:8]) == {f"new {n}" for n in range(12, 20)}


def test_what_nobody_waits_for_any_more_is_embedded_all_the_same(worker: EmbeddingWorker, model: Model) -> None:
    model.free.clear()
    assert worker.vectors(["a", "b"], 0.05) == {}
    model.free.set()
    until(lambda: len(worker.vectors(["a", "b"], 0)) == 2)


def test_no_one_waits_longer_than_he_said(worker: EmbeddingWorker, model: Model) -> None:
    model.free.clear()
    started = time.monotonic()
    assert worker.vectors([f"t{n}" for n in range(500)], 0.3) == {}
    assert 0.3 <= time.monotonic() - started < 1


def test_many_askers_all_get_theirs(worker: EmbeddingWorker, model: Model) -> None:
    model.seconds = 0.01
    found = at_once(16, lambda n: worker.vectors([f"asker {n} text {m}" for m in range(6)] + ["common"], 10))
    assert [len(one) for one in found] == [7] * 16


def test_nothing_is_embedded_twice(worker: EmbeddingWorker, model: Model, settings: Settings) -> None:
    worker.vectors(["a", "b"], 5)
    worker.stored([stored("a")])
    until(lambda: worker.pending() == 0)
    assert sum(map(len, model.batches)) == 2
    again = EmbeddingWorker(model, wiring.open_vector_cache(settings))
    again.ready.result(30)
    model.batches.clear()
    assert len(again.vectors(["a", "b"], 0)) == 2
    again.close()
    assert model.batches == []


@pytest.mark.parametrize("fault", [Temporary("away"), Permanent("broken"), RuntimeError("bug")])
def test_the_worker_outlives_its_model(worker: EmbeddingWorker, model: Model, fault: Exception) -> None:
    model.fault = fault
    assert worker.vectors(["a"], 0.3) == {}
    model.fault = None
    assert len(worker.vectors(["a", "b"], 10)) == 2


def test_a_text_that_the_model_does_not_take_spoils_no_other(worker: EmbeddingWorker, model: Model) -> None:
    model.poison = "poison"
    found = worker.vectors(["a", "poison", "b"], 3)
    assert sorted(found) == ["a", "b"]


def test_close_ends_soon_whatever_is_queued(model: Model, settings: Settings) -> None:
    worker = EmbeddingWorker(model, wiring.open_vector_cache(settings))
    model.seconds = 0.05
    worker.stored([stored(f"text {n}") for n in range(5_000)])
    time.sleep(0.2)
    started = time.monotonic()
    worker.close()
    assert time.monotonic() - started < 2


def test_a_hanging_model_keeps_no_store_and_no_answer_waiting(memory: Memory, model: Model) -> None:
    memory.store("用户对花生过敏")
    assert not memory.page("花生")["partial"]
    model.free.clear()
    model.queries_free.clear()
    started = time.monotonic()
    stored_id = memory.store("likes tea with lemon", session_id="b")
    assert time.monotonic() - started < 2
    waits = []
    for n in range(4):
        started = time.monotonic()
        page = memory.page(f"tea number {n}")
        waits.append(time.monotonic() - started)
        assert page["partial"]
        assert page["memories"][0]["id"] == stored_id
    assert max(waits) < 5
    assert max(waits[1:]) < 1.5, waits  # known by then not to answer
    assert memory.page("花生")["memories"]  # a known query needs no model


def test_queries_come_back_when_the_model_does(memory: Memory, model: Model) -> None:
    memory.store("likes tea")
    model.queries_free.clear()
    at_once(12, lambda n: memory.page(f"tea {n}"))
    model.queries_free.set()
    until(lambda: not memory.page("tea again")["partial"])


def test_a_dead_model_leaves_the_words(memory: Memory, model: Model) -> None:
    model.fault = Permanent(f"the weights in {__file__} are damaged")
    memory.store("likes tea")
    memory.store("the weather is grey", session_id="b")
    page = memory.page("tea", explain=True)
    assert page["partial"]
    assert [one["content"] for one in page["memories"]] == ["likes tea", "the weather is grey"]
    assert "similarity" not in page["memories"][0]
    assert memory.texts("nothing of it")  # the weightiest ones, rather than none
    model.fault = None
    until(lambda: not memory.page("tea")["partial"])


def test_a_model_that_never_came_up_leaves_the_words(
    settings: Settings, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiring, "open_embedder", lambda _settings: model)
    model.fault = Temporary("the model's server cannot be reached")
    with Memory(settings) as memory:
        memory.store("likes tea")
        assert memory.page("tea")["partial"]
        assert memory.texts("tea") == ["likes tea"]
        model.fault = None
        until(lambda: not memory.page("tea")["partial"])


def test_a_vector_cache_that_cannot_be_used_leaves_the_words(memory: Memory, settings: Settings) -> None:
    memory.store("likes tea")
    until(lambda: not memory.page("tea")["partial"])
    cache = settings.data / "cache"
    memory.app.service.worker._cache.close()
    for file in cache.iterdir():
        file.unlink()
    cache.rmdir()
    cache.write_text("no folder")
    memory.store("likes coffee", session_id="b")
    assert set(memory.texts("coffee or tea")) == {"likes tea", "likes coffee"}
    cache.unlink()
    cache.mkdir()


def test_a_burst_is_embedded_newest_first_and_says_partial_until_it_is(memory: Memory, model: Model) -> None:
    model.seconds = 0.1  # 80 texts a second
    for n in range(200):
        memory.app.service.store([stored(f"note {n} about the garden", n)]).result(10)
    page = memory.page("note 199 about the garden")
    assert page["partial"]
    assert page["memories"][0]["content"] == "note 199 about the garden"
    assert page["memories"][0]["similarity"] == 1.0
    until(lambda: not memory.page("garden")["partial"], 30)
