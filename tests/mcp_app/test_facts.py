"""Facts as agents meet them: served first, with what they rest on; reviews show at once; reflection does not block."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from domain.consolidation import Fact
from mcp_app.service import shown_state
from resources.fact_tables import FactTables
from resources.reflect_requests import ReflectRequests
from resources.reviews import Reviews
from tests.llm_server import LLMServer, delay
from tests.pipeline_runs import Pipeline, event
from tests.reflecting import reads

from .serving import Memory, at_once

NOON = "2026-03-01T12:00:00+00:00"


def learn(pipeline: Pipeline) -> None:
    pipeline.say(
        event("I'm allergic to shellfish.", "ana", NOON),
        event("我对花生过敏", "ana", "2026-03-01T13:00:00+00:00"),
        event("I'm allergic to kiwi.", "ben", NOON),
    )
    assert pipeline.ingest().success
    assert pipeline.reflect().success
    assert pipeline.publish().success


def reviews(pipeline: Pipeline) -> Reviews:
    return Reviews(pipeline.log, FactTables(pipeline.lake, pipeline.log, pipeline.settings))


def shellfish(pipeline: Pipeline) -> Fact:
    return next(fact for fact in reviews(pipeline).listed("ana") if "shellfish" in fact.content)


def test_facts_come_first_with_the_quotes_they_rest_on(new_pipeline: Callable[..., Pipeline]) -> None:
    pipeline = new_pipeline(review="auto")
    learn(pipeline)
    with Memory(pipeline.settings) as memory:
        for query, words in (("shellfish allergic", "I'm allergic to shellfish."), ("花生过敏", "我对花生过敏")):
            first, second = memory.find(query)[:2]
            assert (first["kind"], first["content"], first["status"]) == ("fact", words, "current")
            assert first["quotes"] == [{"memory_id": second["id"], "text": words}]
            assert first["source_event_ids"] == second["source_event_ids"]
            assert first["attribute"] == "allergy"
        assert {m["kind"] for m in memory.find("allergic", kinds=["fact"])} == {"fact"}
        assert {m["kind"] for m in memory.find("allergic", kinds="episode")} == {"episode"}
        assert "kiwi" not in str(memory.find("allergic", top_k=20))


def test_facts_that_wait_for_review_are_served_only_when_asked_for(pipeline: Pipeline) -> None:
    learn(pipeline)
    with Memory(pipeline.settings) as memory:
        assert memory.find("allergic", kinds=["fact"]) == []
        pending = memory.find("allergic", kinds=["fact"], include_pending=True)
        assert {(m["content"], m["status"]) for m in pending} == {
            ("I'm allergic to shellfish.", "pending"),
            ("我对花生过敏", "pending"),
        }


def test_a_decision_shows_in_the_very_next_retrieval_and_reads_the_same_after_the_run(pipeline: Pipeline) -> None:
    learn(pipeline)
    fact = shellfish(pipeline)
    with Memory(pipeline.settings) as memory:

        def served() -> list[tuple[str, str]]:
            return [(m["id"], m["content"]) for m in memory.find("allergic", kinds=["fact"])]

        for decision, text, expected in (
            ("approve", "", [(fact.fact_id, fact.content)]),
            ("undo", "", []),
            ("edit", "Shellfish is out, prawns too.", [(fact.fact_id, "Shellfish is out, prawns too.")]),
            ("reject", "", []),
            ("undo", "", [(fact.fact_id, "Shellfish is out, prawns too.")]),
        ):
            reviews(pipeline).decide(fact.fact_id, decision, "olga", text)
            assert served() == expected, decision
        assert pipeline.ingest().success
        assert pipeline.publish().success
        assert served() == [(fact.fact_id, "Shellfish is out, prawns too.")]
        assert memory.page("allergic")["pending_events"] == 0
        assert "Shellfish is out" not in str(memory.find("allergic", "ben", kinds=["fact"], include_pending=True))


def test_what_was_rejected_is_not_served_even_when_pending_is_asked_for(pipeline: Pipeline) -> None:
    learn(pipeline)
    reviews(pipeline).decide(shellfish(pipeline).fact_id, "reject", "olga")
    with Memory(pipeline.settings) as memory:
        assert "shellfish" not in str(memory.find("allergic", kinds=["fact"], include_pending=True))


def test_a_reflection_is_accepted_at_once_and_the_same_request_joins_it(pipeline: Pipeline) -> None:
    with Memory(pipeline.settings) as memory:
        memory.store("我对花生过敏", "lin")
        memory.store("I'm allergic to kiwi", "ana")
        answers = at_once(8, lambda _: memory.call("memory_reflect", user_id="lin"))
        assert {(a["status"], a["request_id"]) for a in answers} == {("accepted", answers[0]["request_id"])}
        assert len(pipeline.log.read_kind("reflect")) == 1
        assert memory.call("memory_reflect", user_id="ana")["request_id"] != answers[0]["request_id"]
        request_id = answers[0]["request_id"]
        pipeline.ingest()
        pipeline.reflect(None, None, "lin", requests=[request_id])
        done = memory.call("memory_reflect", user_id="lin", request_id=request_id)
        assert (done["status"], done["result"], done["accepted"], done["days_done"]) == ("finished", "ok", 1, 1)
        assert memory.call("memory_reflect", user_id="lin")["request_id"] != request_id  # the next one is a new one


def test_a_request_is_nobody_else_s_and_arguments_are_checked(pipeline: Pipeline) -> None:
    with Memory(pipeline.settings) as memory:
        memory.store("我对花生过敏", "lin")
        request_id = memory.call("memory_reflect", user_id="lin")["request_id"]
        assert "nothing from user 'nobody'" in memory.refused("memory_reflect", user_id="nobody")
        assert "none of this user's" in memory.refused("memory_reflect", user_id="ana", request_id=request_id)
        assert "none of this user's" in memory.refused("memory_reflect", user_id="lin", request_id="O'Brien' OR 1=1 --")
        assert "0 to 20" in memory.refused("memory_reflect", user_id="lin", wait_seconds=21)
        assert "since" in memory.refused("memory_reflect", user_id="lin", since="soon")


def test_a_request_that_nobody_takes_up_says_that_the_pipeline_seems_down(pipeline: Pipeline) -> None:
    pipeline.say(event("我对花生过敏", "lin", NOON))
    requests = ReflectRequests(pipeline.log)
    state = requests.ask("lin", "global", None, "agent")
    now = datetime.now(UTC)
    assert "down" not in shown_state(state, now)["message"]
    assert "down" in shown_state(state, now + timedelta(seconds=61))["message"]


def test_a18_a_slow_model_holds_up_neither_the_asker_nor_a_second_one(new_pipeline: Callable[..., Pipeline]) -> None:
    with LLMServer() as model:
        model.answer(lambda body: delay(3.0, str(reads(body))))
        pipeline = new_pipeline(llm_model="tiny", llm_base_url=model.base_url, review="auto")
        pipeline.say(event("I love soup", "ana", NOON), event("我喜欢泰国菜", "ana", NOON))
        pipeline.ingest()
        with Memory(pipeline.settings) as memory:
            started = time.monotonic()
            first = memory.call("memory_reflect", user_id="ana")
            assert time.monotonic() - started < 2

            def work(n: int) -> object:
                if n == 0:
                    return pipeline.reflect(None, None, "ana", requests=[first["request_id"]])
                time.sleep(0.2 * n)
                return memory.call("memory_reflect", user_id="ana", wait_seconds=1)

            _, *joined = at_once(4, work)
            assert {answer["request_id"] for answer in joined} == {first["request_id"]}
            assert {answer["status"] for answer in joined} <= {"accepted", "running"}
            done = memory.call("memory_reflect", user_id="ana", request_id=first["request_id"])
            assert (done["status"], done["accepted"]) == ("finished", 2)
            assert len(model.requests) == 1
        pipeline.fold()
        assert [row["content"] for row in pipeline.facts("current")] == ["I love soup", "我喜欢泰国菜"]


@pytest.mark.parametrize("seconds", [0, 1])
def test_waiting_is_bounded(pipeline: Pipeline, seconds: int) -> None:
    with Memory(pipeline.settings) as memory:
        memory.store("我对花生过敏", "lin")
        started = time.monotonic()
        answer = memory.call("memory_reflect", user_id="lin", wait_seconds=seconds)
        assert answer["status"] == "accepted"
        assert seconds <= time.monotonic() - started < seconds + 3
