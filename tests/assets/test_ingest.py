"""Events become raw, episodes and vectors, day by day; on a real log, real Parquet files and Dagster itself."""

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import dagster as dg
import numpy as np
import pytest

from assets.partitions import FAILED_DAYS_TAG
from domain.facets import whole_text
from domain.ids import json_text
from domain.records import NewEvent
from domain.tables import FACETS
from resources.embedder import HashEmbedder
from tests.pipeline_runs import CountingEmbedder, Pipeline, event

DAYS = ("2026-03-01", "2026-03-02", "2026-03-03")
NASTY = {
    "huge": "".join(f"Satz {n}: 我住在柏林. " for n in range(20_000))[:348_853],
    "empty": "",
    "blank": " \n\t ",
    "signs": "?!" * 900,
    "blanks and signs": " " * 1_500 + "!!!",
    "a long gap": "tea" * 300 + " " * 5_000 + "coffee" * 300,
    "base64": "aGVsbG8gd29ybGQgMTIzNDU2Nzg5MA" * 60,
    "bytes": "\x00\x01\x02PNG\r\n\x1a" * 50,
    "emoji": "👩‍👩‍👧 👍🏽 🇩🇪",
    "right to left": "אני אוהב תה ירוק \u202eשלום\u202c",
    "a NUL": "before\0after",
    "JSON": '{"a": [1, 2]}',
    "quotes": 'it\'s "fine"; DROP TABLE memories --',
    "separators": "a\u2028b\u0085c",
    "zero width": "\u200b",
}

# What has no words is searchable by its first 1,000 characters, what has no sign at all not; the table has it whole.
SEARCHABLE = {"signs": NASTY["signs"][:1_000], "base64": NASTY["base64"][:1_000], "empty": None, "blank": None}


def say_three_days(pipeline: Pipeline) -> None:
    for day in DAYS:
        pipeline.say(
            event("Where shall we eat?", role="user", when=f"{day}T12:00:00+00:00"),
            event("At Luigi's.", role="assistant", when=f"{day}T12:00:01+00:00"),
            event(f"I was at the lake on {day}", user="ben", when=f"{day}T18:00:00+02:00"),
        )


def test_a_day_run_twice_gives_equal_bytes(pipeline: Pipeline) -> None:
    say_three_days(pipeline)
    pipeline.ingest()
    before = pipeline.files()
    assert len(before) == 3 * 3 + 3  # the last three hold the columns only
    pipeline.ingest()
    assert pipeline.files() == before


def test_a_day_embedded_without_the_cache_agrees_to_a_thousandth(pipeline: Pipeline) -> None:
    class Shaky(HashEmbedder):
        """Vectors that differ as those of two machines do."""

        def embed_passages(self, texts: Any, progress: Any = None) -> Any:
            return super().embed_passages(texts, progress) + np.float32(2e-4)

    say_three_days(pipeline)
    pipeline.ingest(DAYS[0])
    first = np.array([row["vector"] for row in pipeline.rows("episode_vectors", DAYS[0])], np.float32)
    (pipeline.settings.data / "cache" / "vectors.sqlite").unlink()
    pipeline.embedder = Shaky()
    pipeline.ingest(DAYS[0])
    again = np.array([row["vector"] for row in pipeline.rows("episode_vectors", DAYS[0])], np.float32)
    assert 0 < np.abs(first - again).max() < 1e-3


def test_a_new_day_and_a_late_event_leave_the_other_days_alone(pipeline: Pipeline) -> None:
    say_three_days(pipeline)
    pipeline.ingest(DAYS[0], DAYS[1])
    before = pipeline.files()
    pipeline.ingest(DAYS[2])
    with_new_day = pipeline.files()
    assert {name: with_new_day[name] for name in before} == before
    assert len(with_new_day) == len(before) + 3
    pipeline.say(event("One thing I forgot", when=f"{DAYS[1]}T23:59:00+00:00"))
    pipeline.ingest()
    changed = {name for name, digest in pipeline.files().items() if with_new_day[name] != digest}
    assert changed == {f"{table}/{DAYS[1]}.parquet" for table in ("interactions", "episodes", "episode_vectors")}


def test_a_run_with_an_older_log_changes_nothing(new_pipeline: Callable[..., Pipeline]) -> None:
    pipeline = new_pipeline()
    say_three_days(pipeline)
    older = pipeline.log.read_day(DAYS[0])
    pipeline.say(event("later", when=f"{DAYS[0]}T20:00:00+00:00"))
    pipeline.ingest(DAYS[0])
    before = pipeline.files()

    class Stale:
        def read_day(self, _day: str) -> Any:
            return older

        def day_heads(self) -> Any:
            return {}

    log, pipeline.log = pipeline.log, Stale()  # type: ignore[assignment]
    result = pipeline.ingest(DAYS[0])
    pipeline.log = log
    assert pipeline.files() == before
    assert pipeline.metadata(result, "interactions")["replaced"] == "False"


def test_a_day_without_events_has_no_file(pipeline: Pipeline) -> None:
    pipeline.say(event("one", when="2026-03-01T12:00:00+00:00"), event("two", when="2026-03-05T12:00:00+00:00"))
    assert pipeline.ingest().success
    assert sorted(path.name for path in (pipeline.settings.lake_dir / "episodes").glob("*")) == [
        "2026-03-01.parquet",
        "2026-03-05.parquet",
        "_empty.parquet",
    ]


def test_events_of_long_ago_and_of_next_year_are_filed_today_and_counted(pipeline: Pipeline) -> None:
    now = datetime.now(UTC)
    old, coming = datetime(2011, 5, 4, 3, 2, 1, tzinfo=UTC), now + timedelta(days=365)
    pipeline.say(event("of 2011", when=old), event("of next year", when=coming), event("of now", when=now))
    today = sorted(pipeline.log.day_heads())
    result = pipeline.ingest()
    rows = {row["content"]: row for row in pipeline.rows("episodes", today[-1])}
    assert (rows["of 2011"]["occurred_at"], rows["of next year"]["occurred_at"]) == (old, coming)
    (check,) = [c for c in result.get_asset_check_evaluations() if c.check_name == "events_outside_the_day_range"]
    assert (check.passed, check.severity) == (False, dg.AssetCheckSeverity.WARN)
    assert check.metadata["events_outside"].value == 2


@pytest.mark.parametrize("zone", ["UTC", "Asia/Shanghai", "America/New_York"])
def test_today_is_a_day_in_each_zone(new_pipeline: Callable[..., Pipeline], zone: str) -> None:
    """The partitions of this process are those of UTC; the day that an event is filed under is the zone's."""
    pipeline = new_pipeline(timezone=zone)
    now = datetime.now(UTC)
    local = ZoneInfo(zone)
    evening = datetime(2026, 3, 1, 23, 30, tzinfo=local)
    pipeline.say(event("now", when=now), event("late", when=evening), event("early", when=evening + timedelta(hours=1)))
    assert sorted(pipeline.log.day_heads()) == ["2026-03-01", "2026-03-02", now.astimezone(local).date().isoformat()]
    by_zone = dg.DailyPartitionsDefinition(start_date="2020-01-01", timezone=zone, end_offset=1)
    assert by_zone.get_last_partition_key() == datetime.now(local).date().isoformat()
    assert pipeline.ingest("2026-03-01", "2026-03-02").success
    (row,) = pipeline.rows("episodes", "2026-03-01")
    assert (row["content"], row["occurred_at"]) == ("late", evening)


def test_a_broken_payload_fails_its_day_only_and_is_named(pipeline: Pipeline) -> None:
    say_three_days(pipeline)
    with sqlite3.connect(pipeline.settings.data / "events.db") as connection:
        connection.execute("UPDATE events SET payload = '{' WHERE seq = 4")
    connection.close()
    result = pipeline.ingest(may_fail=True)
    assert not result.success
    (failure,) = [e for e in result.all_events if e.is_step_failure]
    reason = failure.step_failure_data.error.cause.message
    assert f"1 of 3 days failed: {DAYS[1]}" in reason
    assert "seq 4" in reason
    run = pipeline.instance.get_run_by_id(result.run_id)
    assert run is not None
    assert run.tags[FAILED_DAYS_TAG] == DAYS[1]
    assert pipeline.instance.get_materialized_partitions(dg.AssetKey("interactions")) == {DAYS[0], DAYS[2]}
    assert [bool(pipeline.rows("interactions", day)) for day in DAYS] == [True, False, True]


@pytest.mark.parametrize(
    ("table", "broken"), [("interactions", b""), ("episodes", b"PAR1 no more"), ("episode_vectors", None)]
)
def test_a_broken_file_is_made_again_by_the_next_run(pipeline: Pipeline, table: str, broken: bytes | None) -> None:
    say_three_days(pipeline)
    pipeline.ingest()
    before = pipeline.files()
    path = pipeline.lake.path(table, DAYS[1])
    path.write_bytes(path.read_bytes()[:-40] if broken is None else broken)
    assert pipeline.lake.stamps(table)[DAYS[1]].max_seq == 0  # so that the day is due
    assert pipeline.ingest(DAYS[1]).success
    assert pipeline.files() == before


def test_text_of_every_kind_passes_and_is_restored(pipeline: Pipeline) -> None:
    for n, (name, text) in enumerate(NASTY.items()):
        role = {"role": ("user", "assistant", "tool")[n % 3]} if n % 2 else {}
        payload = {"speaker": "Ann"} if n % 4 == 0 else {}
        pipeline.say(event(text, session_id=name, event_id=name, payload=payload, **role))
    pipeline.all()
    told = {row["memory_id"]: row for row in pipeline.rows("episodes", "2026-03-01")}
    assert set(told) == set(NASTY)
    indexed = pipeline.index_rows()
    for name, text in NASTY.items():
        (facet,) = [f for f in FACETS[:4] if told[name][f] is not None] or [""]
        assert told[name][facet] == text, name
        own = [row for row in indexed if row["memory_id"] == name]
        assert whole_text(own, facet) == SEARCHABLE.get(name, text), name
        assert bool(own) == bool(text.strip())


def test_a_day_of_blanks_is_not_due_again(pipeline: Pipeline) -> None:
    pipeline.say(event(" "))
    pipeline.all()
    assert pipeline.lake.stamps("episode_vectors")["2026-03-01"].max_seq == pipeline.log.day_heads()["2026-03-01"]


def test_time_words_at_the_ends_of_the_calendar_do_not_stop_the_day(pipeline: Pipeline) -> None:
    ends = [datetime(1, 1, 3, tzinfo=UTC), datetime(9999, 12, 29, tzinfo=UTC)]
    words = [
        "next week, 100 years ago, in 100 years, yesterday, on Friday, at Christmas",
        "下周 去年 明年 一百年后 大前天 春节",
    ]
    pipeline.say(*(event(text, when=end, session_id=f"{end.year}") for end in ends for text in words))
    assert pipeline.ingest().success
    assert sum(len(pipeline.rows("episodes", day)) for day in pipeline.log.day_heads()) == 4


def test_nothing_is_embedded_twice(pipeline: Pipeline) -> None:
    pipeline.embedder = CountingEmbedder()
    say_three_days(pipeline)
    pipeline.say(event("Where shall we eat?", user="cyd"))
    pipeline.ingest()
    pipeline.ingest()
    assert len(pipeline.embedder.texts) == len(set(pipeline.embedder.texts)) == 5


def test_vectors_of_two_models_are_never_mixed(pipeline: Pipeline) -> None:
    say_three_days(pipeline)
    first = pipeline.all()
    pipeline.embedder = HashEmbedder(dim=32)
    result = pipeline.ingest(DAYS[0], may_fail=True)
    reason = next(e for e in result.all_events if e.is_step_failure).step_failure_data.error.cause.message
    assert "vectors were made by model" in reason
    assert "hindsight run embeddings --all" in reason
    refused = pipeline.publish(may_fail=True)
    reason = next(e for e in refused.all_events if e.is_step_failure).step_failure_data.error.cause.message
    assert "never mixed" in reason
    assert pipeline.current() == first
    assert pipeline.ingest(asset_selection=[dg.AssetKey("episode_vectors")]).success
    assert pipeline.publish().success
    second = pipeline.current()
    assert second is not None
    assert second.embedder["dim"] == 32
    assert not {bucket.table for bucket in second.buckets} & {bucket.table for bucket in first.buckets}
    assert {table.schema.field("vector").type.list_size for table in pipeline.buckets(second)} == {32}
    assert pipeline.index_rows(first) != []  # those who still follow the old release go on


def test_an_event_says_what_was_appended_verbatim(pipeline: Pipeline) -> None:
    payload: dict[str, Any] = {"metadata": {"z": 1, "a": [None, 1.5, "ü"]}, "participants": ["Ann"], "emotion": "joy"}
    given: NewEvent = event("tea", payload=payload, when="2026-03-01T23:30:00-05:00")
    pipeline.say(given)
    pipeline.ingest()
    (row,) = pipeline.rows("interactions", "2026-03-02")
    assert row["payload"] == json_text(given.payload)
    assert (row["occurred_at"], row["utc_offset_min"]) == (given.occurred_at, -300)
    (told,) = pipeline.rows("episodes", "2026-03-02")
    assert (told["emotion"], told["participants"], told["utc_offset_min"]) == ("joy", ["Ann"], -300)
