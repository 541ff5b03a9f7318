"""The columns of the tables: number columns carry a unit, rows have one order."""

import pyarrow as pa
import pytest

from domain import tables

# A number says what it counts: a place in an order, characters, minutes, or a share from 0 to 1 with a name of its own.
UNITS = {"seq", "part", "char", "min", "salience", "tokens", "ms", "usd", "sources"}
SCHEMAS = {
    "interactions": tables.INTERACTIONS,
    "episodes": tables.EPISODES,
    "episode_vectors": tables.episode_vectors(8),
    "memories": tables.memories(8),
    "extractions": tables.EXTRACTIONS,
    "llm_calls": tables.LLM_CALLS,
    "fact_operations": tables.FACT_OPERATIONS,
    "facts": tables.FACTS,
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_number_columns_end_in_a_unit(name: str) -> None:
    numbers = [f.name for f in SCHEMAS[name] if pa.types.is_integer(f.type) or pa.types.is_floating(f.type)]
    assert [n for n in numbers if n.rpartition("_")[2] not in UNITS] == []


@pytest.mark.parametrize("name", SCHEMAS)
def test_instants_are_microseconds_in_utc(name: str) -> None:
    kinds = {f.type for f in SCHEMAS[name] if pa.types.is_temporal(f.type)}
    assert kinds <= {pa.timestamp("us", tz="UTC"), pa.date32()}  # a date is a local one: "since 2019"


@pytest.mark.parametrize("name", tables.SORT_KEYS)
def test_rows_sort_by_columns_that_are_never_empty(name: str) -> None:
    assert all(not SCHEMAS[name].field(key).nullable for key in tables.SORT_KEYS[name])


def test_rows_come_in_the_order_of_the_table() -> None:
    schema = tables.episode_vectors(1).remove(7)
    base = {"facet": "content", "start_char": 0, "text": "x", "fingerprint": "f"}
    keys = [("ben", "m1", 0), ("ana", "m2", 1), ("ana", "m2", 0), ("Ana", "m3", 0)]
    rows = [{**base, "user_id": user, "memory_id": memory, "part": part} for user, memory, part in keys]
    made = tables.from_rows(rows, schema, "episode_vectors").to_pylist()
    assert [(row["user_id"], row["memory_id"], row["part"]) for row in made] == sorted(keys)


def test_a_row_without_a_required_value_or_of_another_type_is_refused() -> None:
    with pytest.raises(pa.ArrowInvalid):
        tables.from_rows([{"seq": "one"}], tables.INTERACTIONS, "interactions")
