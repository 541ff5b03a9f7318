"""From what was said to facts: the rules, a model behind a real server, its failures, the ledger, and reviews."""

import json
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from domain.records import NewEvent
from resources import sql, wiring
from resources.fact_tables import FactTables
from resources.reviews import Reviews
from tests.llm_server import Answer, Body, LLMServer, completion, delay, drop, status, truncated
from tests.pipeline_runs import Pipeline, event
from tests.reflecting import answered, fact, found, lines, reads

DAY_1, DAY_2, DAY_3 = "2026-03-01", "2026-03-02", "2026-03-03"
NOON = "T12:00:00+00:00"
THAI_LIKED, THAI_LOATHED = "I love Thai food", "I cannot stand Thai food any more"
ZH_LIKED, ZH_LOATHED = "我喜欢泰国菜", "我讨厌泰国菜"


@pytest.fixture
def model() -> Iterator[LLMServer]:
    with LLMServer() as server:
        server.answer(reads)
        yield server


@pytest.fixture
def asking(new_pipeline: Callable[..., Pipeline], model: LLMServer) -> Callable[..., Pipeline]:
    """Return a function that makes a pipeline which asks the model; keywords are settings that differ."""

    def make(**options: Any) -> Pipeline:
        return new_pipeline(
            **{
                "llm_model": "tiny",
                "llm_base_url": model.base_url,
                "llm_timeout_seconds": 5.0,
                "review": "auto",
                **options,
            }
        )

    return make


def through(pipeline: Pipeline) -> None:
    assert pipeline.ingest().success
    assert pipeline.reflect().success
    assert pipeline.fold().success


def tables_of(pipeline: Pipeline) -> dict[str, str]:
    """Return the digest of every file of the tables of facts, but for days on which nobody spoke."""
    files = pipeline.files("extractions", "fact_operations", "facts")
    return {
        name: digest
        for name, digest in files.items()
        if name.endswith(".parquet") and ("/2026-03" in name or "fact" in name)
    }


def words(model: LLMServer) -> list[str]:
    """Return what each request asked about, without the instructions."""
    return ["\n".join(line[3] for line in lines(body)) for body in model.requests]


def test_what_was_said_becomes_facts_by_rules_in_both_languages(new_pipeline: Callable[..., Pipeline]) -> None:
    pipeline = new_pipeline(review="auto")
    pipeline.say(
        event("我对花生过敏", "lin", DAY_1 + NOON),
        event("今天不想吃川菜", "lin", DAY_1 + "T13:00:00+00:00"),
        event("I'm allergic to shellfish.", "maya", DAY_1 + NOON),
        event("Is Bob allergic to nuts?", "maya", DAY_1 + "T13:00:00+00:00"),
    )
    through(pipeline)
    made = {row["user_id"]: (row["attribute"], row["object"], row["status"]) for row in pipeline.facts()}
    assert made == {"lin": ("allergy", "花生", "current"), "maya": ("allergy", "shellfish", "current")}
    assert {row["extractor"] for row in pipeline.facts()} == {"rules-1"}
    assert pipeline.publish().success
    assert {row["id"] for row in pipeline.index_rows() if row["kind"] == "fact"} == {
        f"{row['fact_id']}:content:0" for row in pipeline.facts()
    }


def test_a_model_is_asked_once_and_its_calls_are_a_table(asking: Callable[..., Pipeline], model: LLMServer) -> None:
    pipeline = asking(llm_prices={"tiny": (1.0, 2.0)})
    pipeline.say(event(THAI_LIKED, "ana", DAY_1 + NOON), event(ZH_LIKED, "lin", DAY_1 + NOON))
    through(pipeline)
    assert len(model.requests) == 2
    before = tables_of(pipeline)
    for _ in range(2):
        through(pipeline)
    assert len(model.requests) == 2
    assert tables_of(pipeline) == before
    (today,) = (day for day in pipeline.lake.stamps("llm_calls") if pipeline.rows("llm_calls", day))
    calls = pipeline.rows("llm_calls", today)
    assert [(c["outcome"], c["input_tokens"], c["output_tokens"], c["cost_usd"]) for c in calls] == [
        ("answered", 11, 7, pytest.approx(25e-6))
    ] * 2
    assert {c["request_hash"] for c in calls} == {row["chunk"] for row in pipeline.extractions()}


def test_a_lake_that_was_deleted_comes_back_the_same_without_a_call(
    asking: Callable[..., Pipeline], model: LLMServer
) -> None:
    pipeline = asking()
    pipeline.say(*(event(f"I love dish {n}", f"u{n % 3}", f"2026-03-0{n % 3 + 1}{NOON}") for n in range(9)))
    through(pipeline)
    before, asked = tables_of(pipeline), len(model.requests)
    assert len(pipeline.facts("current")) == 9
    shutil.rmtree(pipeline.settings.lake_dir)
    through(pipeline)
    assert len(model.requests) == asked
    assert tables_of(pipeline) == before


def test_a_day_that_grew_asks_about_its_last_chunk_only(asking: Callable[..., Pipeline], model: LLMServer) -> None:
    pipeline = asking(llm_input_tokens=100)
    long = (
        "I love {}, and much more that is said here at some length so that few of these fit into one question together"
    )
    said = [event(long.format(f"dish {n}"), "ana", f"{DAY_1}T{n:02}:00:00+00:00", session_id=f"s{n}") for n in range(9)]
    pipeline.say(*said[:7])
    through(pipeline)
    first, learnt = len(model.requests), {row["content"]: row["recorded_at"] for row in pipeline.facts()}
    assert first >= 3
    pipeline.say(*said[7:])
    through(pipeline)
    assert len(pipeline.facts()) == 9
    assert len(model.requests) - first <= 2
    assert all("dish 0" not in asked for asked in words(model)[first:])
    kept = {row["content"]: row["recorded_at"] for row in pipeline.facts() if "dish 0" in row["content"]}
    assert kept.items() <= learnt.items()  # when it was learnt does not move


def test_one_user_s_failure_touches_nobody_else_and_is_tried_again(
    asking: Callable[..., Pipeline], model: LLMServer
) -> None:
    broken = {"ben"}
    pipeline = asking()
    model.answer(lambda body: "I see." if any(f"by {user}" in str(lines(body)) for user in broken) else reads(body))
    pipeline.say(*(event(f"I love soup by {user}", user, DAY_1 + NOON) for user in ("ana", "ben", "eve")))
    pipeline.ingest()
    result = pipeline.reflect()
    assert {row["user_id"] for row in pipeline.extractions()} == {"ana", "eve"}
    check = pipeline.checks(result)["users_reflected"]
    assert not check.passed
    assert check.severity.value == "WARN"
    assert check.metadata["users_failed"].value == 1
    assert "| ben | global | failed |" in check.metadata["failures"].value
    assert not pipeline.checks(pipeline.reflect(None, None, "ana"))["users_reflected"].passed  # ben is still due
    asked = Counter("ben" in one for one in words(model))
    assert asked == {True: 2, False: 2}  # the question, and one repair question
    broken.clear()
    assert pipeline.checks(pipeline.reflect())["users_reflected"].passed
    assert {row["user_id"] for row in pipeline.extractions()} == {"ana", "ben", "eve"}
    assert Counter("ben" in one for one in words(model)) == {True: 3, False: 2}


def test_answers_that_can_never_be_used_are_given_up(asking: Callable[..., Pipeline], model: LLMServer) -> None:
    pipeline = asking()
    model.answer(lambda _: "I see.")
    pipeline.say(event("I love soup", "ana", DAY_1 + NOON))
    pipeline.ingest()
    for _ in range(6):
        result = pipeline.reflect()
    assert len(model.requests) == 3 + 1  # three answers; the repair question has the same words each time
    assert {e.payload["result"] for e in pipeline.log.read_kind("reflected")} == {"failed", "given_up"}
    assert pipeline.checks(result)["users_reflected"].passed  # not due any more


THINKING = {
    "think": '<think>\nWhat is said? {"facts": [...]} maybe.\n</think>\n',
    "two blocks": '<think>{"facts": [...]}</think> so <think>{"facts": []}</think>',
    "analysis": '<analysis>{"facts": [...]}</analysis>',
    "complete draft": '<think>{"facts": [{"subject": "user", "object": "cats"}]}</think>',
}


@pytest.mark.parametrize("kind", THINKING)
def test_a01_a_sketch_while_thinking_is_no_answer(kind: str, asking: Callable[..., Pipeline], model: LLMServer) -> None:
    pipeline = asking()
    model.answer(lambda body: THINKING[kind] + reads(body))  # type: ignore[operator]
    pipeline.say(event("I love soup", "ana", DAY_1 + NOON), event(ZH_LIKED, "lin", DAY_1 + NOON))
    through(pipeline)
    assert [(row["user_id"], row["content"]) for row in pipeline.facts()] == [("ana", "I love soup"), ("lin", ZH_LIKED)]
    assert all(row["source_memory_ids"] for row in pipeline.facts())
    assert len(model.requests) == 2


def test_a01_thinking_without_an_end_is_a_failure_and_never_nothing_to_learn(
    asking: Callable[..., Pipeline], model: LLMServer
) -> None:
    pipeline = asking()
    model.answer(lambda body: "<think>" + answered([]) + answered(found(body)))
    pipeline.say(event("I love soup", "ana", DAY_1 + NOON))
    pipeline.ingest()
    assert not pipeline.checks(pipeline.reflect())["users_reflected"].passed
    model.answer(reads)
    through(pipeline)
    assert [row["content"] for row in pipeline.facts()] == ["I love soup"]


def test_a02_cited_ids_are_those_that_were_given(asking: Callable[..., Pipeline], model: LLMServer) -> None:
    pipeline = asking()
    foods = ["bread", "cheese", "rice", "beans", "plums"]
    pipeline.say(
        *(
            event(f"I love {food}", "ana", f"{DAY_1}T1{n}:00:00+00:00", event_id=f"own-{n}")
            for n, food in enumerate(foods)
        ),
        event("I love tea", "ana", DAY_1 + NOON, scope="work", event_id="of-another-scope"),
    )

    def cites(body: Body) -> Answer:
        if len(lines(body)) == 1:
            return answered([])
        by = {food: f"I love {food}" for food in foods}
        return answered(
            [
                fact("1", by["bread"], "bread", sources=[1, 12]),
                fact("2", by["cheese"], "cheese", sources=[12]),
                fact("3", by["rice"], "rice", sources=[]),
                fact("4", by["beans"], "beans", sources=["of-another-scope"]),
                fact("5", by["plums"], "plums", sources=["5", 5, "m5"], quotes=[{"id": "5", "text": by["plums"]}]),
            ]
        )

    model.answer(cites)
    through(pipeline)
    assert {row["object"]: row["source_memory_ids"] for row in pipeline.facts()} == {
        "bread": ["own-0"],
        "plums": ["own-4"],
    }
    reasons = {row["object"]: row["reason"] for row in pipeline.extractions()}
    assert "12" in reasons["bread"]
    assert "12" in reasons["cheese"]
    assert "no source" in reasons["rice"]
    assert "of-another-scope" in reasons["beans"]


@pytest.mark.parametrize("how", ["one after the other", "in one batch", "the newer one first"])
@pytest.mark.parametrize("extractor", ["model", "rules"])
def test_a09_a_contradiction_leaves_the_later_word(how: str, extractor: str, asking: Callable[..., Pipeline]) -> None:
    pipeline = asking(**({} if extractor == "model" else {"llm_model": ""}))
    later = DAY_1 + "T15:00:00+00:00" if how == "in one batch" else DAY_2 + NOON
    likes = [event(THAI_LIKED, "ana", DAY_1 + NOON), event(ZH_LIKED, "lin", DAY_1 + NOON)]
    dislikes = [event(THAI_LOATHED, "ana", later), event(ZH_LOATHED, "lin", later)]
    batches = {"one after the other": [likes, dislikes], "in one batch": [likes + dislikes]}
    for batch in batches.get(how, [dislikes, likes]):
        pipeline.say(*batch)
        through(pipeline)
    for user, dislike in zip(("ana", "lin"), dislikes, strict=True):
        old, new = (row for row in pipeline.facts() if row["user_id"] == user)
        assert (old["value"], old["status"], old["replaced_by"]) == ("like", "superseded", new["fact_id"])
        assert (new["value"], new["status"], new["source_event_ids"]) == ("dislike", "current", [dislike.event_id])


def test_a_refused_key_stops_the_run_s_calls_and_is_no_endless_retry(
    asking: Callable[..., Pipeline], model: LLMServer
) -> None:
    pipeline = asking(llm_concurrency=1)
    model.answer(lambda _: status(401))
    pipeline.say(*(event("I love soup", f"u{n}", DAY_1 + NOON) for n in range(5)))
    pipeline.ingest()
    result = pipeline.reflect()
    assert len(model.requests) == 1
    assert pipeline.checks(result)["users_reflected"].metadata["users_failed"].value == 5
    model.answer(reads)
    through(pipeline)
    assert len(pipeline.facts()) == 5


def test_a_busy_server_is_waited_for_and_a_lost_one_is_not_asked_by_everybody(
    asking: Callable[..., Pipeline], model: LLMServer
) -> None:
    pipeline = asking(llm_concurrency=2)
    busy = iter([True, True])
    model.answer(lambda body: status(429, {"Retry-After": "0"}) if next(busy, False) else reads(body))
    pipeline.say(event("I love soup", "ana", DAY_1 + NOON))
    through(pipeline)
    assert len(pipeline.facts()) == 1
    calls = [e.payload["outcome"] for e in pipeline.log.read_kind("llm_call")]
    assert calls == ["busy", "busy", "answered"]


def test_a_server_that_asks_for_an_hour_is_asked_again_by_the_next_run(
    asking: Callable[..., Pipeline], model: LLMServer
) -> None:
    pipeline = asking()
    model.answer(lambda _: status(429, {"Retry-After": "3600"}))
    pipeline.say(event("I love soup", "ana", DAY_1 + NOON))
    pipeline.ingest()
    assert not pipeline.checks(pipeline.reflect())["users_reflected"].passed
    assert len(model.requests) == 1
    model.answer(reads)
    through(pipeline)
    assert len(pipeline.facts()) == 1


def test_a_server_that_drops_everything_fails_all_soon_and_stays_due(
    asking: Callable[..., Pipeline], model: LLMServer
) -> None:
    pipeline = asking()
    model.answer(lambda _: drop())
    pipeline.say(*(event("I love soup", f"u{n}", DAY_1 + NOON) for n in range(12)))
    pipeline.ingest()
    result = pipeline.reflect()
    assert pipeline.checks(result)["users_reflected"].metadata["users_failed"].value == 12
    assert len(model.requests) < 12
    model.answer(reads)
    through(pipeline)
    assert len(pipeline.facts()) == 12


def test_an_answer_that_is_cut_off_is_asked_for_in_halves(asking: Callable[..., Pipeline], model: LLMServer) -> None:
    pipeline = asking()
    model.answer(lambda body: truncated('{"facts": [') if len(lines(body)) > 2 else reads(body))
    pipeline.say(*(event(f"I love dish {n}", "ana", f"{DAY_1}T1{n}:00:00+00:00") for n in range(8)))
    through(pipeline)
    assert len(pipeline.facts()) == 8
    assert len(model.requests) == 1 + 2 + 4
    through(pipeline)
    assert len(model.requests) == 1 + 2 + 4
    assert {row["n_sources"] for row in pipeline.facts()} == {1}


def test_a_question_that_is_refused_as_too_long_is_asked_in_halves(
    asking: Callable[..., Pipeline], model: LLMServer
) -> None:
    pipeline = asking()
    model.answer(lambda body: status(400) if len(lines(body)) > 2 else reads(body))
    pipeline.say(*(event(f"I love dish {n}", "ana", f"{DAY_1}T1{n}:00:00+00:00") for n in range(4)))
    through(pipeline)
    assert len(pipeline.facts()) == 4


def test_users_beyond_the_day_s_budget_wait_and_a_check_says_so(
    asking: Callable[..., Pipeline], model: LLMServer
) -> None:
    pipeline = asking(
        llm_prices={"tiny": (1000.0, 1000.0)}, llm_daily_budget=2.5, llm_output_tokens=50, llm_concurrency=1
    )
    usage = {"prompt_tokens": 1_000, "completion_tokens": 10}
    model.answer(lambda body: {**completion(str(reads(body))), "usage": usage})
    pipeline.say(*(event("I love soup", f"u{n}", DAY_1 + NOON) for n in range(6)))
    pipeline.ingest()
    result = pipeline.reflect()
    check = pipeline.checks(result)["llm_budget"]
    waiting = check.metadata["users_waiting"].value
    assert not check.passed
    assert 0 < waiting < 6
    assert len(model.requests) == 6 - waiting
    assert {e.payload["result"] for e in pipeline.log.read_kind("reflected")} == {"ok", "waiting"}
    richer = pipeline.settings.model_copy(update={"llm_daily_budget": 1000.0})
    pipeline.settings = richer
    assert pipeline.checks(pipeline.reflect())["llm_budget"].passed
    assert len(model.requests) == 6


def test_a_server_without_schemas_is_asked_in_its_own_way(asking: Callable[..., Pipeline], model: LLMServer) -> None:
    pipeline = asking()
    model.modes = {"text"}
    model.answer(lambda body: f"Here you are:\n```json\n{reads(body)}\n```")
    pipeline.say(event("I love soup", "ana", DAY_1 + NOON))
    through(pipeline)
    assert len(pipeline.facts()) == 1


def test_calls_run_side_by_side_up_to_the_limit(asking: Callable[..., Pipeline], model: LLMServer) -> None:
    pipeline = asking(llm_concurrency=3)
    model.answer(lambda body: delay(0.1, str(reads(body))))
    pipeline.say(*(event("I love soup", f"u{n}", DAY_1 + NOON) for n in range(9)))
    through(pipeline)
    assert model.n_at_once_max == 3


def test_a_late_event_folds_its_user_anew_and_leaves_others_alone(
    asking: Callable[..., Pipeline], model: LLMServer
) -> None:
    pipeline = asking()
    pipeline.say(
        event(THAI_LOATHED, "ana", DAY_3 + NOON), *(event("I love soup", f"u{n}", DAY_1 + NOON) for n in range(8))
    )
    through(pipeline)
    others = {row["fact_id"]: row for row in pipeline.facts() if row["user_id"] != "ana"}
    asked = len(model.requests)
    pipeline.say(event(THAI_LIKED, "ana", DAY_2 + NOON))
    through(pipeline)
    assert len(model.requests) == asked + 1
    assert {row["fact_id"]: row for row in pipeline.facts() if row["user_id"] != "ana"} == others
    assert [(r["value"], r["status"]) for r in pipeline.facts() if r["user_id"] == "ana"] == [
        ("like", "superseded"),
        ("dislike", "current"),
    ]


def test_only_the_users_that_are_named_are_reflected_on(asking: Callable[..., Pipeline], model: LLMServer) -> None:
    pipeline = asking()
    pipeline.say(event("I love soup", "ana", DAY_1 + NOON), event("I love tea", "ben", DAY_1 + NOON))
    pipeline.ingest()
    pipeline.reflect(None, None, "ana")
    assert {row["user_id"] for row in pipeline.extractions()} == {"ana"}
    pipeline.reflect()
    assert len(model.requests) == 2  # noon and night: paid once
    assert {row["user_id"] for row in pipeline.extractions()} == {"ana", "ben"}


def test_reviews_are_events_that_the_next_fold_applies(new_pipeline: Callable[..., Pipeline]) -> None:
    pipeline = new_pipeline()
    pipeline.say(event("I'm allergic to shellfish.", "maya", DAY_1 + NOON), event("我对花生过敏", "lin", DAY_1 + NOON))
    through(pipeline)
    assert {row["status"] for row in pipeline.facts()} == {"pending"}
    reviews = Reviews(pipeline.log, FactTables(pipeline.lake, pipeline.log, pipeline.settings))
    shellfish, peanuts = (next(f for f in reviews.listed(user)) for user in ("maya", "lin"))
    assert reviews.decide(shellfish.fact_id, "approve", "olga").status == "current"
    assert (
        reviews.decide(peanuts.fact_id[:12], "edit", "olga", text="对花生和花生油过敏").content == "对花生和花生油过敏"
    )
    assert pipeline.publish().success
    assert {row["content"] for row in pipeline.facts("current")} == {"I'm allergic to shellfish.", "对花生和花生油过敏"}
    texts = {row["text"] for row in pipeline.index_rows() if row["kind"] == "fact" and row["status"] == "current"}
    assert texts == {"I'm allergic to shellfish.", "对花生和花生油过敏"}
    assert reviews.decide(peanuts.fact_id, "undo", "olga").status == "pending"


def test_a_release_that_would_retire_most_facts_is_stopped(new_pipeline: Callable[..., Pipeline]) -> None:
    pipeline = new_pipeline(review="auto")
    with LLMServer() as model:
        model.answer(reads)
        settings = {"llm_model": "tiny", "llm_base_url": model.base_url}
        pipeline.settings = pipeline.settings.model_copy(update=settings)
        pipeline.say(*(event(f"I love dish {n}", "ana", f"{DAY_1}T12:{n:02}:00+00:00") for n in range(30)))
        through(pipeline)
        assert pipeline.publish().success
        first = pipeline.current()
        pipeline.say(*(event(f"I hate dish {n}", "ana", f"{DAY_2}T12:{n:02}:00+00:00") for n in range(30)))
        pipeline.ingest()
        pipeline.reflect()
        result = pipeline.publish(may_fail=True)
        assert not pipeline.checks(result)["share_of_facts_retired"].passed
        assert pipeline.current() == first
        pipeline.settings = pipeline.settings.model_copy(update={"max_retired_share": 1.0})
        assert pipeline.publish().success
        assert pipeline.current() != first


def test_times_keep_their_day_in_every_zone(asking: Callable[..., Pipeline]) -> None:
    pipeline = asking()
    late = {"+08:00": "2026-03-02", "-05:00": "2026-03-02", "+00:00": "2026-03-02", "+05:45": "2026-03-02"}
    pipeline.say(*(event("I love soup", f"u{zone}", f"2026-03-02T23:30:00{zone}") for zone in late))
    through(pipeline)
    made = {row["user_id"][1:]: row["valid_from"].isoformat() for row in pipeline.facts()}
    assert made == late
    assert all(row["recorded_at"].date() >= datetime.fromisoformat("2026-12-01").date() for row in pipeline.facts())


def test_no_user_text_goes_into_dagster(asking: Callable[..., Pipeline], model: LLMServer) -> None:
    pipeline = asking()
    model.answer(lambda body: "no JSON about marmalade" if "ben" in str(lines(body)) else reads(body))
    pipeline.say(event("I love marmalade", "ana", DAY_1 + NOON), event("I love marmalade by ben", "ben", DAY_1 + NOON))
    pipeline.ingest()
    results = [pipeline.reflect(), pipeline.publish()]
    said = json.dumps([str(e) for result in results for e in result.all_events])
    assert "marmalade" not in said


def test_sql_tells_what_a_fact_rests_on_what_was_known_when_and_what_it_cost(
    asking: Callable[..., Pipeline], model: LLMServer
) -> None:
    pipeline = asking(llm_prices={"tiny": (1.0, 2.0)})
    model.answer(lambda body: reads(body) if len(body["messages"]) > 2 else "I see.")  # only the repaired one is JSON
    like, dislike = event(THAI_LIKED, "ana", DAY_1 + NOON), event(THAI_LOATHED, "ana", DAY_2 + NOON)
    pipeline.say(like)
    through(pipeline)
    ((before,),) = sql.query(pipeline.settings, "SELECT max(recorded_at)::VARCHAR FROM facts").fetchall()
    pipeline.say(dislike)
    through(pipeline)
    pipeline.ingest()

    def ask(query: str) -> list[tuple[Any, ...]]:
        return sql.query(pipeline.settings, query).fetchall()

    assert ask("SELECT content FROM current_facts") == [(THAI_LOATHED,)]
    assert ask(f"SELECT content FROM facts_as_of('{before}')") == [(THAI_LIKED,)]
    assert ask("SELECT content FROM facts_as_of('2026-01-01')") == []
    assert ask("SELECT content FROM facts_as_of(now())") == [(THAI_LOATHED,)]
    purpose = "(SELECT purpose FROM llm_calls WHERE event_id = llm_call_id)"
    lineage = ask(f"SELECT content, quote, memory_id, operation, model, {purpose} FROM lineage ORDER BY day")
    assert [row[:5] for row in lineage] == [
        (THAI_LIKED, THAI_LIKED, like.event_id, "CREATE", "tiny"),
        (THAI_LOATHED, THAI_LOATHED, dislike.event_id, "SUPERSEDE", "tiny"),
    ]
    assert {row[5] for row in lineage} == {"repair"}  # the call whose answer was used
    assert ask("SELECT calls, calls_without_answer, round(cost_usd * 1e6) FROM cost_by_day") == [(4, 0, 100.0)]
    assert ask("SELECT count(*) FROM pending_review") == [(0,)]


def test_a_run_for_one_user_loses_nobody_else_s_rows(asking: Callable[..., Pipeline], model: LLMServer) -> None:
    pipeline = asking()
    pipeline.say(event("I love soup", "ana", DAY_1 + NOON), event("I love tea", "ben", DAY_1 + NOON))
    pipeline.ingest()
    pipeline.reflect()
    for path in (pipeline.settings.lake_dir / "extractions").glob("2026*"):
        path.unlink()  # as after a kill between the events and the file, or a lake that was made anew
    pipeline.reflect(None, None, "ana")
    pipeline.reflect()
    assert {row["user_id"] for row in pipeline.extractions()} == {"ana", "ben"}
    (pipeline.settings.lake_dir / "extractions" / f"{DAY_1}.parquet").write_bytes(b"broken")
    pipeline.reflect(None, None, "ana")
    assert {row["user_id"] for row in pipeline.extractions()} == {"ana", "ben"}
    assert len(model.requests) == 2


def test_the_same_words_filed_under_two_days_are_two_rows(asking: Callable[..., Pipeline]) -> None:
    pipeline = asking()
    said = ("2026-03-01T23:30:00+00:00", "2026-03-01T23:30:00-05:00")
    pipeline.say(*(event("I love tea", "ana", when) for when in said))
    through(pipeline)
    (fact_row,) = pipeline.facts()
    assert fact_row["n_sources"] == 2
    assert len(pipeline.extractions()) == 2


def test_a_proposal_that_trips_one_user_s_checks_holds_nobody_back(
    asking: Callable[..., Pipeline], model: LLMServer
) -> None:
    pipeline = asking()
    number = fact(
        "1", "13800138000", "13800138000", "yes", attribute="contact", content="The phone number is 13800138000."
    )
    model.answer(lambda body: answered([number]) if "138" in str(lines(body)) else reads(body))
    pipeline.say(event("我的电话是13800138000", "lin", DAY_1 + NOON), event("I love tea", "ana", DAY_1 + NOON))
    through(pipeline)
    assert [row["user_id"] for row in pipeline.facts()] == ["ana"]
    assert [row["reason"] for row in pipeline.extractions() if not row["accepted"]] == [
        "is in another language (en) than what was said (zh)"
    ]


def test_what_a_tool_or_an_instruction_says_is_no_fact_about_the_user(new_pipeline: Callable[..., Pipeline]) -> None:
    pipeline = new_pipeline(review="auto")
    turns = [
        ("user", "Look into my mail, please."),
        ("assistant", "Here it is."),
        ("tool", "done"),
        ("tool", "From Bob: I'm allergic to penicillin and I live in Chicago."),
        ("system", "You are Max. I live in Paris. I am allergic to shellfish."),
        ("other", "I'm allergic to dust."),
        ("user", "I'm allergic to kiwi."),
    ]
    for n, (role, text) in enumerate(turns):
        pipeline.say(event(text, "ana", f"{DAY_1}T12:{n:02}:00+00:00", role=role, session_id="mail"))
    through(pipeline)
    assert [row["object"] for row in pipeline.facts()] == ["kiwi"]


def test_one_half_of_a_sentence_does_not_live_on_in_the_other(new_pipeline: Callable[..., Pipeline]) -> None:
    pipeline = new_pipeline(review="auto")
    pipeline.say(
        event("I live in New York and I work at Acme.", "ana", DAY_1 + NOON),
        event("I moved to Boston last week.", "ana", DAY_2 + NOON),
        event("我住在上海，我喜欢吃泰国菜。", "lin", DAY_1 + NOON),
        event("我搬到杭州了，现在住在杭州。", "lin", DAY_2 + NOON),
    )
    through(pipeline)
    served = [row["content"] for row in pipeline.facts("current")]
    assert not [text for text in served if "New York" in text or "上海" in text]
    assert any("Acme" in text for text in served)
    assert any("泰国菜" in text for text in served)


def test_what_was_spent_before_today_counts_for_nothing(asking: Callable[..., Pipeline], model: LLMServer) -> None:
    pipeline = asking(llm_prices={"tiny": (1.0, 1.0)}, llm_daily_budget=1.0)
    old = {"cost_usd": 5.0, "outcome": "answered", "request_hash": "x"}
    yesterday = datetime.now(UTC) - timedelta(days=1)
    pipeline.say(
        NewEvent("old-call", "llm_call", "ana", "pipeline", "global", "", yesterday, old),
        *(event("I love soup", f"u{n}", DAY_1 + NOON) for n in range(4)),
    )
    pipeline.ingest(DAY_1)
    assert pipeline.checks(pipeline.reflect())["llm_budget"].passed
    assert len(model.requests) == 4


def test_a_ledger_that_cannot_be_written_stops_the_asking(asking: Callable[..., Pipeline], model: LLMServer) -> None:
    pipeline = asking(llm_concurrency=1)
    pipeline.say(*(event("I love soup", f"u{n}", DAY_1 + NOON) for n in range(8)))
    pipeline.ingest()
    pipeline.log.close()  # as good as a full disk: every append fails
    pipeline.log = wiring.open_log(pipeline.settings)
    with sqlite3.connect(pipeline.settings.data / "events.db") as database:
        database.execute("CREATE TRIGGER full BEFORE INSERT ON events WHEN NEW.kind = 'llm_call' "
                         "BEGIN SELECT RAISE(ABORT, 'disk full'); END")  # fmt: skip
    database.close()
    pipeline.reflect(may_fail=True)
    assert len(model.requests) == 1
    with sqlite3.connect(pipeline.settings.data / "events.db") as database:
        database.execute("DROP TRIGGER full")
    database.close()
    through(pipeline)
    assert len(pipeline.facts()) == 8
