"""``hindsight sql``."""

import sys

import typer

from resources import settings, sql, wiring


def print_query(query: str, *, as_csv: bool) -> None:
    """Print the result of a query, as a table of its first rows or whole as CSV."""
    chosen = settings.load()
    wiring.open_lake(chosen)
    found = sql.query(chosen, query)
    if as_csv:
        found.to_df().to_csv(sys.stdout, index=False)
    else:
        typer.echo(str(found))
