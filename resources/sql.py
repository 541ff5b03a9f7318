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

DAY_TABLES = ("interactions", "episodes", "episode_vectors", "extractions", "llm_calls")
BUCKET_TABLES = ("fact_operations", "facts")
TABLES = DAY_TABLES + BUCKET_TABLES
FILE = "hindsight.duckdb"
_READING = {duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN}

_DERIVED = {
    "current_facts": """
        SELECT * EXCLUDE (status) FROM facts
        WHERE status = 'current' AND (valid_to IS NULL OR valid_to > current_date)""",
    "pending_review": """
        SELECT fact_id, user_id, scope, content, confidence, valid_from, quotes, recorded_at
        FROM facts WHERE status = 'pending' ORDER BY recorded_at DESC""",
    "lineage": """
        SELECT f.fact_id, f.user_id, f.scope, f.content, f.subject, f.attribute, f.object, f.value, f.valid_from,
               f.valid_to, f.status, o.operation, o.why, o.day, o.extraction_id,
               o.extractor, o.chunk AS request_hash, quote.memory_id, quote.text AS quote, e.session_id,
               e.source_event_ids, c.event_id AS llm_call_id, c.model, c.prompt_version, c.run_id, c.cost_usd
        FROM facts f
        JOIN fact_operations o USING (fact_id)
        CROSS JOIN unnest(o.quotes) AS quoted(quote)
        LEFT JOIN episodes e ON e.memory_id = quote.memory_id
        LEFT JOIN (
            SELECT DISTINCT ON (request_hash) * FROM llm_calls WHERE outcome = 'answered'
            ORDER BY request_hash, seq DESC
        ) c ON c.request_hash = o.chunk""",
    "cost_by_day": """
        SELECT day, model, count(*) AS calls, count(*) FILTER (outcome <> 'answered') AS calls_without_answer,
               sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
               round(sum(cost_usd), 9) AS cost_usd
        FROM llm_calls GROUP BY day, model ORDER BY day, model""",
    "memory_growth": """
        SELECT day, count(*) AS episodes, count(DISTINCT user_id) AS users,
               sum(count(*)) OVER (ORDER BY day) AS episodes_so_far
        FROM episodes GROUP BY day ORDER BY day""",
}
# What was known at an instant: no fact that was learnt or approved later, none that had been replaced by then.
_FACTS_AS_OF = """
    CREATE MACRO facts_as_of(moment) AS TABLE
    SELECT * FROM facts
    WHERE approved_at <= moment::TIMESTAMPTZ AND (retired_at IS NULL OR retired_at > moment::TIMESTAMPTZ)"""


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
    for table in BUCKET_TABLES:  # an operation's ``day`` is a column of its own
        source = _literal(str(lake / table / "*.parquet"))
        connection.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet({source}, union_by_name = true)")  # noqa: S608
    for table in DAY_TABLES:
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
    connection.execute(_FACTS_AS_OF)


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
