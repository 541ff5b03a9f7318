"""``hindsight doctor``: what is there, what works, and what to do about what does not."""

import shutil
from collections.abc import Callable

import typer

from domain.errors import HindsightError, Permanent
from resources import layout, wiring
from resources.releases import Releases
from resources.settings import Settings, load
from resources.vector_index import BucketReader

_LOW_DISK_BYTES = 1_000_000_000


def examine() -> bool:
    """Print one line a check and return whether all is well."""
    settings = load()
    checks: list[tuple[str, Callable[[Settings], str]]] = [
        ("data folder", _folder),
        ("event log", _log),
        ("embedding model", _model),
        ("lake", _lake),
        ("release", _release),
    ]
    passed = [_passes(name, check, settings) for name, check in checks]  # all of them, whatever the first says
    return all(passed)


def _passes(name: str, check: Callable[[Settings], str], settings: Settings) -> bool:
    try:
        typer.echo(f"ok    {name:16} {check(settings)}")
    except HindsightError as error:
        typer.echo(f"FAIL  {name:16} {error}")
        return False
    return True


def _folder(settings: Settings) -> str:
    layout.check(settings)
    free = shutil.disk_usage(settings.data).free
    if free < _LOW_DISK_BYTES:
        raise Permanent(f"only {free / 1e6:.0f} MB are free in {settings.data.absolute()}: make room")
    return f"{settings.data.absolute()}, {free / 1e9:.0f} GB free"


def _log(settings: Settings) -> str:
    log = wiring.open_log(settings)
    try:
        return f"{log.count()} events on {len(log.day_heads())} days"
    finally:
        log.close()


def _model(settings: Settings) -> str:
    embedder = wiring.open_embedder(settings)
    embedder.embed_query("hello")
    return f"{embedder.name}, {embedder.dim} numbers, fingerprint {embedder.fingerprint}"


def _lake(settings: Settings) -> str:
    stamps = wiring.open_lake(settings).stamps("episode_vectors")
    models = {stamp.fingerprint for stamp in stamps.values()}
    if models - {wiring.open_embedder(settings).fingerprint}:
        raise Permanent("holds vectors of another model than HINDSIGHT_EMBEDDER: run `hindsight run embeddings --all`")
    log = wiring.open_log(settings)
    try:
        late = sum(head > (stamps[day].max_seq if day in stamps else 0) for day, head in log.day_heads().items())
    finally:
        log.close()
    return f"{len(stamps)} days; {late} wait for a run"


def _release(settings: Settings) -> str:
    current = Releases(settings.lake_dir).current()
    if current is None:
        return "none yet: the first run makes one (`hindsight run`)"
    for bucket in current.buckets:
        BucketReader(settings.index_dir, bucket)
    rows = sum(bucket.rows for bucket in current.buckets)
    return f"number {current.release} of {current.created_at}: {rows} rows in {len(current.buckets)} buckets"
