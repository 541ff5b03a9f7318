"""The lake's rules: one whole file a partition, never an older one, whatever is broken or at work beside it."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from domain.errors import BadInput, Permanent
from resources.lake import NOTHING, Lake, Stamp, checked, seen, stamp_of

SCHEMA = pa.schema([pa.field("id", pa.string(), nullable=False), pa.field("n", pa.int64())])
DAY = "2026-03-01"


def rows(*numbers: int) -> pa.Table:
    return pa.Table.from_pylist([{"id": f"r{n}", "n": n} for n in numbers], schema=SCHEMA)


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    made = Lake(tmp_path / "lake")
    made.ensure({"t": SCHEMA})
    return made


def test_a_file_says_what_it_was_made_from(lake: Lake) -> None:
    source = Stamp(7, "digest of the table before", "", "", 0)
    assert lake.write("t", DAY, rows(1, 2), source, fingerprint="model")
    stamp = lake.stamp("t", DAY)
    assert (stamp.max_seq, stamp.made_from, stamp.fingerprint, stamp.rows) == (7, source.digest, "model", 2)
    assert stamp.digest not in {"", source.digest}
    read = lake.read("t", DAY)
    assert stamp_of(read) == stamp
    assert read is not None
    assert read.to_pylist() == rows(1, 2).to_pylist()
    assert lake.stamps("t") == {DAY: stamp}
    assert (lake.stamps("no such table"), lake.read("t", "2026-03-02"), stamp_of(None)) == ({}, None, NOTHING)


def test_an_older_state_never_replaces_a_newer_one(lake: Lake) -> None:
    lake.write("t", DAY, rows(1, 2), seen(7))
    before = lake.path("t", DAY).read_bytes()
    assert lake.write("t", DAY, rows(1), seen(6)) is False
    assert lake.path("t", DAY).read_bytes() == before
    assert lake.write("t", DAY, rows(3), seen(7)) is True
    assert lake.write("t", DAY, rows(), seen(8)) is True  # emptied, not left as it was
    assert (lake.stamp("t", DAY).max_seq, lake.stamp("t", DAY).rows) == (8, 0)


def test_equal_rows_give_equal_bytes_and_digests_however_they_lie_in_memory(lake: Lake) -> None:
    lake.write("t", DAY, rows(1, 2, 3), seen(1))
    before = lake.path("t", DAY).read_bytes(), lake.stamp("t", DAY)
    lake.write("t", DAY, pa.concat_tables([rows(1), rows(2, 3)]), seen(1))
    assert (lake.path("t", DAY).read_bytes(), lake.stamp("t", DAY)) == before
    lake.write("t", DAY, rows(1, 2, 4), seen(1))
    assert lake.stamp("t", DAY).digest != before[1].digest


def test_a_day_on_which_nothing_happened_has_no_file_but_one_without_rows_has(lake: Lake) -> None:
    assert lake.write("t", DAY, rows(), NOTHING)
    assert not lake.path("t", DAY).exists()
    assert lake.write("t", DAY, rows(), seen(3))
    assert lake.stamp("t", DAY).max_seq == 3


@pytest.mark.parametrize("content", [b"", b"PAR1", b"x" * 100, b"PAR1" + b"\xff" * 100 + b"\x20\0\0\0PAR1"])
def test_a_broken_file_counts_as_none_and_is_replaced(lake: Lake, content: bytes) -> None:
    lake.write("t", DAY, rows(1), seen(9))
    lake.path("t", DAY).write_bytes(content)
    assert lake.stamps("t") == {DAY: NOTHING}
    with pytest.raises(Permanent, match=rf"t/{DAY}.parquet in the lake is not readable: delete the file"):
        lake.read("t", DAY)
    assert lake.write("t", DAY, rows(2), seen(1))
    assert lake.stamp("t", DAY).max_seq == 1


def test_the_empty_file_takes_the_columns_of_what_is_written_and_comes_back(lake: Lake) -> None:
    wider = pa.table({"id": ["a"], "m": [1.5]})
    empty = lake.path("t", "_empty")
    lake.write("t", DAY, wider, seen(1))
    assert pq.read_schema(empty).names == ["id", "m"]
    empty.unlink()
    lake.write("t", DAY, wider, seen(2))
    assert pq.read_table(empty).num_rows == 0


def test_a_stamp_is_read_anew_when_another_process_replaced_the_file(lake: Lake, tmp_path: Path) -> None:
    lake.write("t", DAY, rows(1), seen(1))
    assert lake.stamp("t", DAY).max_seq == 1
    Lake(tmp_path / "lake").write("t", DAY, rows(2), seen(2))
    assert lake.stamp("t", DAY).max_seq == 2


WRITER = """
import sys
from pathlib import Path
import pyarrow as pa
from resources.lake import Lake, seen
lake, own = Lake(Path(sys.argv[1])), int(sys.argv[2])
for seq in range(own, 80, 2):
    lake.write("t", "2026-03-01", pa.table({"id": [f"r{seq}"] * 500, "n": [seq] * 500}), seen(seq))
    assert lake.stamp("t", "2026-03-01").max_seq >= seq
"""


def test_two_processes_that_write_one_day_never_go_back(lake: Lake) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(lake.root), str(n)]) for n in (0, 1)]
    newest = 0
    while any(writer.poll() is None for writer in writers):
        read = lake.read("t", DAY)
        if read is not None:
            (number,) = set(read["n"].to_pylist())  # whole: never half of two
            assert stamp_of(read).max_seq == number >= newest
            newest = number
    assert [writer.returncode for writer in writers] == [0, 0]
    assert lake.stamp("t", DAY).max_seq == 79
    assert not list(lake.root.rglob("*.tmp"))


@pytest.mark.parametrize(
    ("table", "key", "named"),
    [
        (pa.table({"id": ["a"]}), None, r"columns are \['id'\], the table has \['id', 'n'\]"),
        (pa.table({"id": ["a"], "n": ["1"]}), None, "names and types must agree"),
        (
            pa.Table.from_arrays([pa.array(["a", None]), pa.array([1, 2])], schema=SCHEMA),
            None,
            "id must not be empty, 1 rows",
        ),
        (rows(1, 1), "id", "id must name each row once, 1 rows repeat"),
    ],
)
def test_rows_that_do_not_fit_their_table_are_refused(table: Any, key: str | None, named: str) -> None:
    with pytest.raises(BadInput, match=named):
        checked(table, SCHEMA, key)


def test_rows_that_fit_are_handed_on() -> None:
    fine = rows(1, 2)
    assert checked(fine, SCHEMA, "id") is fine
