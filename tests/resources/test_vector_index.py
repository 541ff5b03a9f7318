"""The index's buckets: what is written, what a reader of a version sees, and whose rows a query can reach."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from domain import episodes, facets, tables
from domain.errors import Permanent
from domain.records import Event
from resources.embedder import HashEmbedder
from resources.vector_index import BucketReader, BucketVersion, VectorIndex, are_there, quoted, unindexed_rows

DIM = 16
EMBEDDER = HashEmbedder(DIM)
DAY = "2026-03-01"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SAID = {"ana": ["I like tea", "用户对花生过敏"], "ben": ["I like coffee", "花生很好吃"], "o'neil": ["tea's fine"]}


def rows(said: dict[str, list[str]], day: str = DAY) -> pa.Table:
    events = [
        Event(n, f"{user}-{day}-{text}", "memory", user, "a", "global", "s", NOON, day, NOON, {"content": text})
        for n, (user, text) in enumerate((user, text) for user, texts in said.items() for text in texts)
    ]
    made = [row for e in episodes.build(events) for row in facets.index_rows(e, day, EMBEDDER.fingerprint)]
    vectors = EMBEDDER.embed_passages([row["text"] for row in made]).astype(np.float16)
    whole = [{**row, "vector": list(vector)} for row, vector in zip(made, vectors, strict=True)]
    return pa.Table.from_pylist(whole, schema=tables.memories(DIM))


@pytest.fixture
def index(tmp_path: Path) -> VectorIndex:
    return VectorIndex(tmp_path / "index", DIM, EMBEDDER.fingerprint)


@pytest.fixture
def bucket(index: VectorIndex) -> BucketVersion:
    index.sync(0, rows(SAID), [DAY])
    return index.settle(0)


def reader(index: VectorIndex, bucket: BucketVersion) -> BucketReader:
    return BucketReader(index.root, bucket)


def test_a_sync_writes_what_differs_and_deletes_what_is_gone(index: VectorIndex, bucket: BucketVersion) -> None:
    assert bucket.rows == 5
    same = index.sync(0, rows(SAID), [DAY])
    assert (same.written, same.deleted) == (0, 0)
    assert index.settle(0) == bucket
    fewer = index.sync(0, rows({"ana": ["I like tea", "I moved"]}), [DAY])
    assert (fewer.written, fewer.deleted) == (1, 4)
    assert index.settle(0).rows == 2


def test_other_days_are_left_alone(index: VectorIndex, bucket: BucketVersion) -> None:
    index.sync(0, rows({"ana": ["another day"]}, "2026-03-02"), ["2026-03-02"])
    assert index.settle(0).rows == bucket.rows + 1
    index.sync(0, tables.memories(DIM).empty_table(), ["2026-03-02"])
    assert index.settle(0).rows == bucket.rows
    index.sync(0, rows({"ana": ["another day"]}, "2026-03-02"), ["2026-03-02"])
    index.keep_only_days(["2026-03-02"])
    assert index.settle(0).rows == 1
    index.keep_only_days([])
    assert index.settle(0).rows == 0


def test_a_reader_stays_with_its_version(index: VectorIndex, bucket: BucketVersion) -> None:
    old = reader(index, bucket)
    index.sync(0, rows({"ana": ["all else is gone"]}), [DAY])
    new = reader(index, index.settle(0))
    assert sorted(old.user_rows("ana")["text"].to_pylist()) == sorted(SAID["ana"])
    assert new.user_rows("ana")["text"].to_pylist() == ["all else is gone"]


@pytest.mark.parametrize("user", [*SAID, "nobody", "' OR 1 = 1 --", 'a"b', "%", ""])
def test_no_query_reaches_another_users_rows(index: VectorIndex, bucket: BucketVersion, user: str) -> None:
    of = reader(index, bucket)
    own = SAID.get(user, [])
    assert of.count_user(user) == len(own)
    assert sorted(of.user_rows(user)["text"].to_pylist()) == sorted(own)
    where = f"user_id = {quoted(user)}"
    near = of.nearest(EMBEDDER.embed_query("tea 花生").tolist(), where, 10)
    found = of.matching("tea coffee 花生", where, 10)
    assert {memory_id.split("-")[0] for memory_id, _ in near} <= {user}
    assert {memory_id.split("-")[0] for memory_id in found} <= {user}
    assert len(near) == len(found) == len(own)
    everybody = [f"{owner}-{DAY}-{text}" for owner, texts in SAID.items() for text in texts]
    assert sorted(of.ids_of(user, everybody)["text"].to_pylist()) == sorted(own)


def test_chinese_words_are_found_by_word(index: VectorIndex, bucket: BucketVersion) -> None:
    where = "user_id = 'ana'"
    assert reader(index, bucket).matching("过敏", where, 5) == [f"ana-{DAY}-用户对花生过敏"]
    assert reader(index, bucket).matching("敏花", where, 5) == []
    assert unindexed_rows(index.root, bucket) == 0


@pytest.mark.usefixtures("bucket")
def test_rows_that_came_since_are_not_yet_searchable_and_are_counted(index: VectorIndex) -> None:
    index.sync(0, rows({**SAID, "eve": ["later"]}), [DAY])
    table = index._open(0)
    assert unindexed_rows(index.root, BucketVersion(table.name, table.version, 6)) == 1
    assert unindexed_rows(index.root, index.settle(0)) == 0


def test_a_release_holds_its_versions_until_it_is_given_up(index: VectorIndex, bucket: BucketVersion) -> None:
    assert not index.holds("run-1", [bucket])
    index.tag("run-1", [bucket])
    index.tag("run-1", [bucket])
    assert index.holds("run-1", [bucket])
    index.sync(0, rows({"ana": ["news"]}), [DAY])
    newer = index.settle(0)
    index.tag("run-2", [newer])
    index.clean({"run-1", "run-2"}, timedelta(0))
    assert reader(index, bucket).count_user("ana") == 2
    index.clean({"run-2"}, timedelta(hours=1))
    assert reader(index, bucket).count_user("ana") == 2  # not held any more, but a query may be at work on it
    index.clean({"run-2"}, timedelta(0))
    assert not index.holds("run-1", [bucket])
    with pytest.raises(Permanent, match="hindsight run publish"):
        reader(index, bucket).count_user("ana")
    assert reader(index, newer).count_user("ana") == 1


def test_tables_of_two_models_never_meet(index: VectorIndex, bucket: BucketVersion) -> None:
    other = VectorIndex(index.root, 8, HashEmbedder(8).fingerprint)
    assert other.table_name(0) != index.table_name(0)
    other.keep_only_days([])
    assert reader(index, bucket).count_user("ana") == 2


def test_whether_buckets_are_there(index: VectorIndex, bucket: BucketVersion) -> None:
    assert are_there(index.root, [bucket])
    assert not are_there(index.root, [bucket, BucketVersion("memories-x-9", 1, 0)])
    with pytest.raises(Permanent):
        reader(index, BucketVersion(bucket.table, 99, 0))
