"""The index holds the rows of the tables, and a release is made of what has passed; on a real LanceDB in a folder."""

import shutil
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import dagster as dg
import lancedb
import pytest

from assets.release import BLOCKING
from domain import ids
from pipelines.sensors import is_publish_due
from resources.lake import Stamp, stamp_of
from resources.releases import Releases
from resources.settings import Settings
from resources.vector_index import BucketReader, VectorIndex
from tests.pipeline_runs import CountingEmbedder, Pipeline, event

DAYS = ("2026-03-01", "2026-03-02", "2026-03-03")
USERS = ("ana", "ben", "cyd", "dan", "eve")


def say_some(pipeline: Pipeline) -> None:
    for day in DAYS:
        pipeline.say(*(event(f"{user} spoke of {day}", user=user, when=f"{day}T12:00:00+00:00") for user in USERS))


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a data folder with one release, made once: each test has a copy."""
    folder = tmp_path_factory.mktemp("template") / "data"
    pipeline = Pipeline(Settings(data=folder, embedder="hash"))
    say_some(pipeline)
    pipeline.all()
    pipeline.close()
    return folder


@pytest.fixture
def released(template: Path, settings: Settings, new_pipeline: Callable[..., Pipeline]) -> Pipeline:
    shutil.copytree(template, settings.data)
    return new_pipeline()


def table_rows(pipeline: Pipeline) -> set[tuple[str, str, int, str]]:
    rows = [row for day in pipeline.log.day_heads() for row in pipeline.rows("episode_vectors", day)]
    return {(row["memory_id"], row["facet"], row["part"], row["text"]) for row in rows}


def index_rows(pipeline: Pipeline) -> set[tuple[str, str, int, str]]:
    return {(row["memory_id"], row["facet"], row["part"], row["text"]) for row in pipeline.index_rows()}


def failure(result: dg.ExecuteInProcessResult) -> str:
    error = next(e for e in result.all_events if e.is_step_failure).step_failure_data.error
    return str((error.cause or error).message)


def test_rows_in_the_index_are_those_of_the_tables_each_in_its_users_bucket(released: Pipeline) -> None:
    made = released.current()
    assert made is not None
    rows = released.index_rows()
    assert index_rows(released) == table_rows(released)
    assert len({row["id"] for row in rows}) == len(rows) == 15
    assert [bucket.rows for bucket in made.buckets] == [
        sum(ids.bucket(user, 4) == n for user in USERS) * len(DAYS) for n in range(4)
    ]
    assert made.built == released.log.day_heads()
    assert set(made.checks) == set(BLOCKING)
    assert {day for day in made.days if day not in made.built} == {f"facts-{n}" for n in range(4)}


def test_a_publish_without_news_writes_nothing(released: Pipeline) -> None:
    made = released.current()
    assert made is not None
    before = released.index_files()
    result = released.publish()
    assert released.current() == made
    assert Releases(released.settings.lake_dir).numbers() == [1]
    assert released.index_files() == before
    counts = released.metadata(result, "memories_index")
    assert (counts["days_changed"], counts["rows_written"], counts["rows_deleted"]) == (0, 0, 0)
    assert released.metadata(result, "release")["is_new"] is False


def test_only_rows_that_changed_are_written(pipeline: Pipeline) -> None:
    say_some(pipeline)
    pipeline.say(event("Shall we?", user="ana", role="user", when=f"{DAYS[1]}T13:00:00+00:00", event_id="question"))
    pipeline.all()
    pipeline.say(event("Yes.", user="ana", role="assistant", when=f"{DAYS[1]}T13:00:01+00:00"))
    pipeline.ingest(DAYS[1])
    counts = pipeline.metadata(pipeline.publish(), "memories_index")
    # The question's row has another source now, the answer's row is new.
    assert (counts["days_changed"], counts["rows_written"], counts["rows_deleted"]) == (1, 2, 0)
    assert index_rows(pipeline) == table_rows(pipeline)
    pipeline.say(event("Well then:", user="ana", role="user", when=f"{DAYS[1]}T12:59:59+00:00", event_id="earlier"))
    pipeline.ingest(DAYS[1])
    assert pipeline.metadata(pipeline.publish(), "memories_index")["rows_written"] == 1
    assert index_rows(pipeline) == table_rows(pipeline)


def test_a_memory_that_got_another_id_is_in_the_index_once(pipeline: Pipeline) -> None:
    pipeline.say(event("Yes.", role="assistant", when=f"{DAYS[0]}T13:00:01+00:00", event_id="answer"))
    pipeline.all()
    pipeline.say(event("Shall we?", role="user", when=f"{DAYS[0]}T13:00:00+00:00", event_id="question"))
    pipeline.ingest()
    counts = pipeline.metadata(pipeline.publish(), "memories_index")
    assert (counts["rows_written"], counts["rows_deleted"]) == (2, 1)
    assert {row["memory_id"] for row in pipeline.index_rows()} == {"question"}


def test_new_vectors_of_the_same_rows_do_not_leave_a_publish_due_for_ever(released: Pipeline) -> None:
    assert not is_publish_due(released.lake, released.log, released.settings)
    table = released.lake.read("episode_vectors", DAYS[0])
    assert table is not None
    turned = table.set_column(7, table.schema.field("vector"), table["vector"].take(list(range(4, -1, -1))))
    old = stamp_of(table)
    source = Stamp(old.max_seq, old.made_from, "", "", 0)
    released.lake.write("episode_vectors", DAYS[0], turned.replace_schema_metadata(), source, old.fingerprint)
    assert is_publish_due(released.lake, released.log, released.settings)
    released.publish()
    assert not is_publish_due(released.lake, released.log, released.settings)


@pytest.mark.parametrize(
    "lost",
    [
        "lake",
        *(pytest.param(f"lake/{n}", marks=pytest.mark.slow) for n in ("index", "releases", "episodes")),
    ],
)
def test_what_was_deleted_comes_back_the_same_and_nothing_is_embedded_twice(released: Pipeline, lost: str) -> None:
    embedder = released.embedder = CountingEmbedder()
    for n in range(2):  # the versions of the index and the number of the release are well beyond those of a new one
        released.say(event(f"more {n}", user=USERS[n], when=f"{DAYS[n]}T13:00:00+00:00"))
        released.all()
    files, rows, n_texts = released.files(), released.index_rows(), len(embedder.texts)
    shutil.rmtree(released.settings.data / lost)
    released.all()
    assert released.files() == files
    assert released.index_rows() == rows
    assert len(embedder.texts) == n_texts


def test_a_lost_bucket_alone_comes_back(released: Pipeline) -> None:
    made, rows = released.current(), released.index_rows()
    assert made is not None
    largest = max(made.buckets, key=lambda bucket: bucket.rows)
    shutil.rmtree(released.settings.index_dir / f"{largest.table}.lance")
    assert released.publish().success
    assert released.index_rows() == rows


def test_an_index_that_was_being_made_anew_when_its_run_died_is_finished(released: Pipeline) -> None:
    """Its tables are there again, with the versions that the release names, but not its rows."""
    made, rows = released.current(), released.index_rows()
    assert made is not None
    shutil.rmtree(released.settings.index_dir)
    half = VectorIndex(released.settings.index_dir, released.embedder.dim, released.embedder.fingerprint)
    for bucket in range(4):
        half.settle(bucket)
    for bucket in made.buckets:
        table = lancedb.connect(released.settings.index_dir).open_table(bucket.table)
        while table.version < bucket.version + 2:
            table.delete("true")
    assert released.publish().success
    assert released.index_rows() == rows


def test_a_row_that_is_missing_from_the_index_stops_the_release(released: Pipeline) -> None:
    made = released.current()
    assert made is not None
    largest = max(made.buckets, key=lambda bucket: bucket.rows)
    table = lancedb.connect(released.settings.index_dir).open_table(largest.table)
    table.delete(f"id = '{table.to_arrow()['id'][0].as_py()}'")
    released.say(event("news", when=f"{DAYS[2]}T14:00:00+00:00"))
    released.ingest(DAYS[2])
    result = released.publish(may_fail=True)
    assert not result.success
    assert [c.check_name for c in result.get_asset_check_evaluations() if not c.passed] == [
        "index_rows_equal_table_rows"
    ]
    assert "index_rows_equal_table_rows" in failure(result)
    assert released.current() == made


def test_a_day_that_an_ingest_is_at_work_on_stays_as_it_was_released(released: Pipeline) -> None:
    before = released.current()
    assert before is not None
    released.say(*(event("news", user="ana", when=f"{day}T14:00:00+00:00") for day in DAYS[:2]))
    released.ingest(DAYS[0])
    released.ingest(DAYS[1], asset_selection=[dg.AssetKey("interactions"), dg.AssetKey("episodes")])
    assert released.publish().success
    after = released.current()
    assert after is not None
    assert {day: after.days[day] != before.days[day] for day in DAYS} == {DAYS[0]: True, DAYS[1]: False, DAYS[2]: False}
    assert len(released.index_rows()) == 16


@pytest.mark.slow
def test_a_late_run_with_an_older_index_does_not_replace_the_newer_release(released: Pipeline) -> None:
    made = released.current()
    assert made is not None
    released.say(event("news", when=f"{DAYS[2]}T14:00:00+00:00"))
    newest = released.all()
    releases = Releases(released.settings.lake_dir)
    assert releases.publish(made, {}) == newest
    assert releases.current() == newest


@pytest.mark.slow
def test_old_releases_stay_readable_and_only_the_newest_are_kept(new_pipeline: Callable[..., Pipeline]) -> None:
    pipeline = new_pipeline(keep_releases=2)
    say_some(pipeline)
    made = [pipeline.all()]
    for n in range(3):
        pipeline.say(event(f"more {n}", user="ana", when=f"{DAYS[0]}T13:00:00+00:00"))
        made.append(pipeline.all())
    releases = Releases(pipeline.settings.lake_dir)
    assert releases.numbers() == [3, 4]
    assert [len(pipeline.index_rows(one)) for one in made] == [15, 16, 17, 18]  # all: none is an hour old
    index = VectorIndex(pipeline.settings.index_dir, 64, pipeline.embedder.fingerprint)
    index.clean({one.run_id for one in made[2:]}, timedelta(0))
    assert [len(pipeline.index_rows(one)) for one in made[2:]] == [17, 18]
    with pytest.raises(Exception, match="no longer exists"):
        pipeline.index_rows(made[0])


def test_two_publishes_at_once_wait_for_each_other(pipeline: Pipeline, new_pipeline: Callable[..., Pipeline]) -> None:
    say_some(pipeline)
    pipeline.ingest()
    other = new_pipeline()
    results: list[bool] = []
    threads = [threading.Thread(target=lambda p=p: results.append(p.publish().success)) for p in (pipeline, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True, True]
    assert index_rows(pipeline) == table_rows(pipeline)
    assert len(pipeline.index_rows()) == 15


@pytest.mark.slow
def test_a_reader_of_a_release_sees_it_whole_while_the_next_is_made(released: Pipeline) -> None:
    made = released.current()
    assert made is not None
    readers = {bucket.table: BucketReader(released.settings.index_dir, bucket) for bucket in made.buckets}
    bucket = made.buckets[ids.bucket("ana", 4)]
    before = readers[bucket.table].user_rows("ana").to_pylist()
    released.say(*(event(f"more {n}", user="ana", when=f"{DAYS[0]}T13:00:00+00:00") for n in range(20)))
    released.all()
    assert readers[bucket.table].user_rows("ana").to_pylist() == before
    assert len(before) == 3


@pytest.mark.slow
def test_many_buckets(new_pipeline: Callable[..., Pipeline]) -> None:
    """More tables than a page of a listing has."""
    pipeline = new_pipeline(buckets=12)
    say_some(pipeline)
    made = pipeline.all()
    counts = pipeline.metadata(pipeline.publish(), "memories_index")
    assert (len(made.buckets), counts["days_changed"], pipeline.current()) == (12, 0, made)
    assert index_rows(pipeline) == table_rows(pipeline)


@pytest.mark.slow
def test_a_loose_bucket_is_put_in_order_and_keeps_its_key(released: Pipeline) -> None:
    released.say(*(event(f"more {n}", user=user, when=f"{DAYS[0]}T11:00:00+00:00") for user in USERS for n in range(9)))
    released.all()
    for table in released.buckets():
        order = list(zip(*(table[c].to_pylist() for c in ("user_id", "occurred_at", "id")), strict=True))
        assert order == sorted(order)
    released.say(*(event("again", user=user, when=f"{DAYS[0]}T11:00:00+00:00", session_id="s2") for user in USERS))
    released.all()
    rows = released.index_rows()
    assert len({row["id"] for row in rows}) == len(rows) == 15 + 45 + 5
