"""The ``hindsight`` command. Each sub-command imports what it needs when it runs, so that ``--help`` is instant."""

import sys
import warnings
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from domain.errors import HindsightError

app = typer.Typer(
    name="hindsight",
    help="Long-term memory for LLM agents, built as a data pipeline.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


@app.command()
def up(
    sample: Annotated[bool, typer.Option("--sample", help="Load the sample history of two users first.")] = False,
) -> None:
    """Start everything: Dagster's web page and daemon, and the MCP server. Ctrl-C stops it."""
    from cli.up import run_everything

    run_everything(with_sample=sample)


@app.command("import")
def import_(
    paths: Annotated[list[Path], typer.Argument(help="JSONL files, one event a line (docs/import.md).")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Read and count, store nothing.")] = False,
) -> None:
    """Store events from files; the same file again adds nothing."""
    from cli.importing import import_files

    import_files(paths, dry_run=dry_run)


@app.command()
def run(
    stage: Annotated[str, typer.Argument(help="all, ingest, embeddings, reflect or publish.")] = "all",
    first: Annotated[datetime | None, typer.Option("--from", formats=["%Y-%m-%d"], help="First day.")] = None,
    last: Annotated[datetime | None, typer.Option("--to", formats=["%Y-%m-%d"], help="Last day.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every day there are events for.")] = False,
) -> None:
    """Run the pipeline now, in this process: the days that lack events, or those named, then publish."""
    from cli.running import run_stage

    run_stage(stage, first.date() if first else None, last.date() if last else None, everything=everything)


@app.command()
def reflect(
    user: Annotated[str, typer.Argument(help="Whose days to reflect on.")],
    since: Annotated[
        datetime | None, typer.Option("--since", formats=["%Y-%m-%d"], help="Only days from here on.")
    ] = None,
    request: Annotated[str, typer.Option("--request", help="Show how far this request is.")] = "",
    wait: Annotated[int, typer.Option("--wait", help="Wait so many seconds for the end.")] = 0,
) -> None:
    """Ask the running pipeline to reflect on a user now; asking twice joins the first request."""
    from cli.reflecting import reflect_on

    reflect_on(user, since.date() if since else None, request, wait)


@app.command()
def review(
    decision: Annotated[str, typer.Argument(help="list, approve, reject, edit or undo.")] = "list",
    facts: Annotated[list[str] | None, typer.Argument(help="Fact ids, or how they begin; - reads them.")] = None,
    user: Annotated[str, typer.Option("--user", help="Only this user's.")] = "",
    status: Annotated[
        str, typer.Option("--status", help="List pending, current, superseded or rejected facts.")
    ] = "pending",
    text: Annotated[str, typer.Option("--text", help="The new wording of an edit.")] = "",
    why: Annotated[str, typer.Option("--why", help="Why, in words.")] = "",
    everything: Annotated[bool, typer.Option("--all", help="Decide about all that the list shows.")] = False,
) -> None:
    """List facts that wait for review, with their quotes, and decide about them."""
    from cli.reviewing import review_facts

    review_facts(decision, facts or [], user, status, text, why, everything=everything)


@app.command()
def sql(
    query: Annotated[str, typer.Argument(help='Such as "SELECT * FROM episodes LIMIT 5".')],
    csv: Annotated[bool, typer.Option("--csv", help="Print all rows as CSV instead of a table.")] = False,
) -> None:
    """Ask the tables with DuckDB's SQL."""
    from cli.asking import print_query

    print_query(query, as_csv=csv)


@app.command("eval")
def evaluate(
    folder: Annotated[Path, typer.Argument(help="Folder with interactions.jsonl and queries.jsonl.")],
    data: Annotated[
        Path | None, typer.Option("--data", help="Keep the data folder here; default: a temporary one.")
    ] = None,
    ranking: Annotated[
        Path | None, typer.Option("--ranking", help="Write the ranking of each query here (JSONL).")
    ] = None,
) -> None:
    """Import an evaluation set, run the pipeline on it and score what retrieval finds."""
    from cli.evaluating import evaluate_set

    evaluate_set(folder, data, ranking)


@app.command()
def doctor() -> None:
    """Check settings, files, model and index, and say what to do about what is wrong."""
    from cli.doctor import examine

    if not examine():
        sys.exit(1)


def main() -> None:
    """Run the command; what went wrong is said in one line."""
    # Dagster's notes about parts of its own interface; by message, since the class would import Dagster.
    warnings.filterwarnings("ignore", message=r".*is currently in (beta|preview)")
    try:
        app()
    except HindsightError as error:
        sys.exit(f"hindsight: {error}")


if __name__ == "__main__":
    main()
