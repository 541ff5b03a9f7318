"""``hindsight sql``."""

import csv
import sys

import typer

from resources import settings, sql, wiring


def print_query(query: str, *, as_csv: bool) -> None:
    """Print the result of a query, as a table of its first rows or whole as CSV."""
    chosen = settings.load()
    wiring.open_lake(chosen)
    found = sql.query(chosen, query)
    if as_csv:
        rows = csv.writer(sys.stdout, lineterminator="\n")
        rows.writerow(found.columns)
        rows.writerows(found.fetchall())
    else:
        typer.echo(str(found))
