"""SQL over the lake, empty, full, mixed and while it is being replaced."""

import subprocess
import sys
import threading
from collections.abc import Callable

import duckdb
import pyarrow as pa
import pytest

from domain import tables
from domain.errors import BadInput
from resources import sql, wiring
from resources.embedder import HashEmbedder
from resources.lake import Lake, seen
from resources.settings import Settings
from tests.pipeline_runs import Pipeline, event


@pytest.fixture
def empty(settings: Settings) -> Settings:
    wiring.open_lake(settings)
    return settings


def test_an_empty_lake_has_every_table(empty: Settings) -> None:
    for table in (*sql.TABLES, "memory_growth"):
        assert sql.query(empty, f"SELECT * FROM {table}").fetchall() == []
    assert sql.query(empty, "SELECT count(*) FROM episodes").fetchall() == [(0,)]
    sql.publish_views(empty)


@pytest.mark.parametrize(
    "text",
    [
        "SELEC 1",
        "SELECT * FROM nothing",
        "SELECT no_such FROM episodes",
        "",
        "INSERT INTO episodes VALUES (1)",
        "SELECT 1; SELECT",
        "SELECT CAST(x AS INT) FROM (VALUES ('1'), ('x')) t(x)",
    ],
)
def test_a_wrong_query_is_bad_input(empty: Settings, text: str) -> None:
    with pytest.raises(BadInput, match=r"query|Only one SELECT"):
        sql.query(empty, text).fetchall()


def test_tables_grow_and_days_are_columns(pipeline: Pipeline) -> None:
    pipeline.say(event("I like tea"), event("I moved", when="2026-03-03T09:00:00+00:00", user="o'neil"))
    pipeline.all()
    found = sql.query(pipeline.settings, "SELECT day, user_id, content FROM episodes ORDER BY day").fetchall()
    assert found == [("2026-03-01", "ana", "I like tea"), ("2026-03-03", "o'neil", "I moved")]
    growth = sql.query(pipeline.settings, "FROM memory_growth").fetchall()
    assert growth == [("2026-03-01", 1, 1, 1), ("2026-03-03", 1, 1, 2)]
    assert sql.query(pipeline.settings, "SELECT release FROM releases").fetchall() == [(1,)]
    assert sql.query(pipeline.settings, "SELECT count(*), min(len(vector)) FROM episode_vectors").fetchall() == [
        (2, 64)
    ]


@pytest.mark.slow
def test_the_file_reads_the_newest_state_while_publishes_replace_it(pipeline: Pipeline) -> None:
    pipeline.say(event("one"))
    pipeline.all()
    path = str(pipeline.settings.data / sql.FILE)
    reader = duckdb.connect(path, read_only=True)
    for n in range(2):
        pipeline.say(event(f"more {n}"))
        pipeline.all()
        assert reader.execute("SELECT count(*) FROM episodes").fetchone() == (n + 2,)
        with duckdb.connect(path, read_only=True) as another:
            assert another.execute("SELECT count(*) FROM releases").fetchone() is not None
    reader.close()


HOLDER = """
import sys, time
import duckdb
connection = duckdb.connect(sys.argv[1], read_only=True)
print(connection.sql("SELECT count(*) FROM episodes").fetchall(), flush=True)
time.sleep(60)
"""


def test_another_process_holding_the_file_does_not_stop_a_publish(empty: Settings) -> None:
    sql.publish_views(empty)
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(empty.data / sql.FILE)], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"[(0,)]\n"
    sql.publish_views(empty)
    holder.kill()
    holder.wait()
    holder.stdout.close()


@pytest.mark.slow
def test_days_of_two_models_do_not_stop_sql(new_pipeline: Callable[..., Pipeline]) -> None:
    """While everything is embedded again, days of the old width lie beside days of the new one."""
    pipeline = new_pipeline()
    pipeline.say(event("one"), event("two", when="2026-03-02T09:00:00+00:00"))
    pipeline.all()
    pipeline.embedder = HashEmbedder(dim=32)
    vectors = pipeline.lake.read("episode_vectors", "2026-03-02")
    assert vectors is not None
    pipeline.lake.path("episode_vectors", "2026-03-01").unlink()
    pipeline.lake.path("episode_vectors", "2026-03-02").rename(pipeline.settings.data / "aside")
    pipeline.ingest("2026-03-01")
    (pipeline.settings.data / "aside").rename(pipeline.lake.path("episode_vectors", "2026-03-02"))
    assert sql.query(pipeline.settings, "SELECT count(*) FROM episodes").fetchall() == [(2,)]
    assert sql.query(pipeline.settings, "SELECT day, len(vector) FROM episode_vectors ORDER BY day").fetchall() == [
        ("2026-03-01", 32),
        ("2026-03-02", 64),
    ]


def test_a_query_sees_one_whole_state_of_each_day_while_they_are_replaced(empty: Settings) -> None:
    lake = Lake(empty.lake_dir)
    names = tables.INTERACTIONS.names

    def rows(n: int) -> pa.Table:
        numbers = [n] * (300 + n)
        texts = [str(n)] * (300 + n)
        return pa.table({name: numbers if name == "seq" else texts for name in names})

    done = threading.Event()

    def write() -> None:
        for n in range(1, 200):
            lake.write("interactions", "2026-03-01", rows(n), seen(n))
        done.set()

    lake.write("interactions", "2026-03-01", rows(1), seen(1))
    writer = threading.Thread(target=write)
    writer.start()
    text = "SELECT count(*), min(seq), max(seq), min(event_id), max(event_id) FROM interactions"
    n_queries = 0
    while not done.is_set():
        ((n_rows, first, last, one, other),) = sql.query(empty, text).fetchall()
        assert (n_rows - 300, first, int(one), int(other)) == (last,) * 4
        n_queries += 1
    writer.join()
    assert n_queries > 5
    assert not list(empty.lake_dir.glob(".snapshot-*"))
