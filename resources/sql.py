"""SQL over the lake: DuckDB views, in memory for ``hindsight sql`` and in ``hindsight.duckdb`` for other programs.

The file holds views only and is replaced by rename, so that a reader's lock never meets the writer's.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from domain.errors import BadInput
from resources.files import replacing
from resources.settings import Settings

TABLES = ("interactions", "episodes", "episode_vectors")
FILE = "hindsight.duckdb"
_READING = {duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN}

_DERIVED = {
    "memory_growth": """
        SELECT day, count(*) AS episodes, count(DISTINCT user_id) AS users,
               sum(count(*)) OVER (ORDER BY day) AS episodes_so_far
        FROM episodes GROUP BY day ORDER BY day""",
}


def query(settings: Settings, text: str) -> duckdb.DuckDBPyRelation:
    """Return the result of one SELECT.

    Raises:
        BadInput: the text is no valid query, with DuckDB's own reason.
    """
    try:
        kinds = [statement.type for statement in duckdb.extract_statements(text)]
        if len(kinds) != 1 or kinds[0] not in _READING:
            raise BadInput(
                "Only one SELECT makes sense here: the tables are views, nothing can be changed through them."
            )
        connection = duckdb.connect()  # the result's rows live in it
        with _snapshot(settings.lake_dir) as lake:
            _create_views(connection, lake)
            found = connection.sql(text)
            if found is not None:
                # Here, so that a cast that fails at the thousandth row is still the query's fault.
                found = found.materialize()
    except duckdb.Error as error:
        raise BadInput(f'The query failed: {error}. `hindsight sql "SHOW TABLES"` lists the tables.') from error
    if found is None:
        raise BadInput("The query gives no rows: the tables are views and only SELECT makes sense here.")
    return found


@contextmanager
def _snapshot(lake: Path) -> Iterator[Path]:
    """Yield a folder with links to the tables' files as they are now, for as long as the block lasts.

    DuckDB opens a file anew after it has read its footer. Over files that are being replaced, 1 query in 20 failed and
    1 in 100 mixed two states of a day (80 replacements a second); a link stays with the file that it was made to.
    """
    with tempfile.TemporaryDirectory(prefix=".snapshot-", dir=lake) as folder:
        for table, pattern in (*((table, "*.parquet") for table in TABLES), ("releases", "0*.json")):
            (Path(folder) / table).mkdir()
            for path in (lake / table).glob(pattern):
                with suppress(FileNotFoundError):  # deleted by hand since it was listed
                    (Path(folder) / table / path.name).hardlink_to(path)
        yield Path(folder)


def publish_views(settings: Settings) -> None:
    """Write ``hindsight.duckdb`` into the data folder, by rename."""
    with replacing(settings.data.absolute() / FILE) as temporary, duckdb.connect(str(temporary)) as connection:
        _create_views(connection, settings.lake_dir)


def _create_views(connection: duckdb.DuckDBPyConnection, lake: Path) -> None:
    for table in TABLES:
        source = _literal(str(lake / table / "*.parquet"))
        # The empty file gives a table its columns before its first day; it has no rows, so no day of that name shows.
        connection.execute(
            f"CREATE VIEW {table} AS SELECT parse_filename(filename, true) AS day, * EXCLUDE (filename) "  # noqa: S608
            f"FROM read_parquet({source}, filename = true, union_by_name = true)"
        )
    releases = _literal(str(lake / "releases" / "0*.json"))
    if list((lake / "releases").glob("0*.json")):
        connection.execute(
            f"CREATE VIEW releases AS SELECT release, created_at, run_id, embedder, buckets, checks "  # noqa: S608
            f"FROM read_json({releases}, union_by_name = true)"
        )
    for name, text in _DERIVED.items():
        connection.execute(f"CREATE VIEW {name} AS {text}")


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
