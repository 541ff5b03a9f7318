"""Stage 3 of 6, embeddings: a unit vector for each facet of each episode of a day.

Reads ``episodes``, writes ``episode_vectors``. What is embedded: domain.facets; by which model: resources.embedder.
This file only connects them.
"""

from collections.abc import Mapping, Sequence

import dagster as dg
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from tqdm import tqdm

from assets.partitions import Metadata, by_day, each_day, total
from domain import facets, tables
from domain.episodes import Episode, from_row
from domain.errors import Permanent
from resources.embedder import Embedder
from resources.lake import Lake, checked, stamp_of
from resources.vector_cache import VectorCache, embed_cached


@dg.asset(
    partitions_def=by_day,
    backfill_policy=dg.BackfillPolicy.single_run(),
    deps=["episodes"],
    group_name="embeddings",
    code_version="1",
    check_specs=[
        dg.AssetCheckSpec(
            "structure", asset="episode_vectors", description="Columns and types; every episode has one."
        ),
        dg.AssetCheckSpec(
            "unit_vectors", asset="episode_vectors", description="All lengths within 0.01 of 1, none NaN."
        ),
    ],
    kinds={"parquet"},
)
def episode_vectors(
    context: dg.AssetExecutionContext,
    lake: dg.ResourceParam[Lake],
    embedder: dg.ResourceParam[Embedder],
    vector_cache: dg.ResourceParam[VectorCache],
) -> dg.MaterializeResult:
    """One vector (float16, unit length) for each facet of each episode, with the model's fingerprint.

    Texts embedded before, by a run or by the server, come from the vector cache; without a miss the model is not
    even loaded. Days of two models are never mixed: see docs/operations.md, "Changing the model".
    """
    refusal = mixing(lake, embedder, set(context.partition_keys))

    bar = tqdm(desc="embed", unit=" texts", mininterval=5)

    def embed(day: str) -> Metadata:
        if refusal:
            raise Permanent(refusal)
        table = lake.read("episodes", day)
        made = [from_row(row) for row in table.to_pylist()] if table is not None else []
        parts = [(episode, part) for episode in made for part in facets.parts(episode)]
        vectors = embed_cached(embedder, vector_cache, [part.text for _, part in parts], bar.update)
        rows = _rows(parts, vectors, embedder)
        worst = _require_unit(rows, day)
        lake.write("episode_vectors", day, rows, stamp_of(table), embedder.fingerprint)
        return {"rows": len(rows), "distinct_texts": len(vectors), "worst_length": worst, "model": embedder.name}

    with bar:
        return each_day(context, embed, _checks)


def mixing(lake: Lake, embedder: Embedder, days: set[str]) -> str:
    """Return why the run must not go on: days outside it hold vectors of another model; empty where none do.

    It names both fingerprints and how to embed everything again.
    """
    others = {s.fingerprint for day, s in lake.stamps("episode_vectors").items() if day not in days} - {
        "",
        embedder.fingerprint,
    }
    if not others:
        return ""
    return (
        f"The lake's vectors were made by model {', '.join(sorted(others))}, the settings say {embedder.name} "
        f"({embedder.fingerprint}): run `hindsight run embeddings --all` to embed everything again, or set "
        "HINDSIGHT_EMBEDDER back."
    )


def _require_unit(rows: pa.Table, day: str) -> float:
    if not len(rows):
        return 0.0
    flat = rows["vector"].combine_chunks().flatten().to_numpy(zero_copy_only=False).astype(np.float32)
    off = np.abs(np.linalg.norm(flat.reshape(len(rows), -1), axis=1) - 1)
    worst = float(off.max())
    if not worst < 0.01:  # also true for NaN
        raise Permanent(
            f"A vector of {day} is not of unit length (off by {worst}): the model is broken; see HINDSIGHT_EMBEDDER."
        )
    return round(worst, 6)


def _rows(
    parts: Sequence[tuple[Episode, facets.FacetPart]], vectors: Mapping[str, NDArray[np.float16]], embedder: Embedder
) -> pa.Table:
    """Return the rows of a day in their order; vectors go in as one block, which is 50 times faster than as rows."""
    schema = tables.episode_vectors(embedder.dim)
    ordered = sorted(parts, key=lambda pair: (pair[0].user_id, pair[0].memory_id, pair[1].facet, pair[1].part))
    texts = pa.Table.from_pylist(
        [
            {
                "memory_id": episode.memory_id,
                "user_id": episode.user_id,
                "facet": part.facet,
                "part": part.part,
                "start_char": part.start_char,
                "text": part.text,
                "fingerprint": embedder.fingerprint,
            }
            for episode, part in ordered
        ],
        schema=schema.remove(schema.get_field_index("vector")),
    )
    flat = np.concatenate([vectors[part.text] for _, part in ordered]) if ordered else np.zeros(0, np.float16)
    column = pa.FixedSizeListArray.from_arrays(pa.array(flat, pa.float16()), embedder.dim)
    return checked(texts.append_column(schema.field("vector"), column), schema)


def _checks(done: list[Metadata]) -> list[dg.AssetCheckResult]:
    worst = max((float(metadata["worst_length"]) for metadata in done), default=0.0)
    return [
        dg.AssetCheckResult(check_name="structure", passed=True, metadata={"rows": total(done, "rows")}),
        dg.AssetCheckResult(
            check_name="unit_vectors", passed=worst < 0.01, metadata={"worst_difference_from_1": worst}
        ),
    ]
