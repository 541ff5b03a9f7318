"""Index and tail together: a run of the pipeline changes nothing that an agent can see, and neither does its loss."""

import shutil
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from domain.records import NewEvent
from resources.embedder import HashEmbedder
from resources.settings import Settings
from tests.pipeline_runs import Pipeline, event

from .serving import Memory

USERS = ("ana", "李雷", "O'Brien")
QUERIES = ("饮食禁忌", "花生", "allergic to nuts", "next trip", "北京", "project deadline", "咖啡", "the", "!!!")
SENTENCES = (
    "用户对花生过敏，聚餐要避开", "下周三去北京出差，住在国贸附近", "早上只喝黑咖啡不加糖", "养了一只叫团子的猫",
    "周末喜欢爬香山看日出", "is allergic to nuts, never order pesto", "the project deadline moved to Friday",
    "plans the next trip to Lisbon in May", "prefers tea over coffee after lunch", "their sister Mia plays the cello",
)  # fmt: skip
TURNS = (
    ("user", "有什么饮食禁忌要记？"), ("assistant", "记下了：花生过敏"), ("tool", "note saved"),
    ("user", "thanks, next trip?"), ("assistant", "Lisbon in May"), ("other", "push: parcel has come"),
)  # fmt: skip


def everything(pipeline: Pipeline) -> None:
    """Say 66 things: memories and turns of three users, in both languages, over five days."""
    for number, user in enumerate(USERS):
        for n in range(16):
            day = datetime(2026, 3, 1 + n % 5, 9, 0, tzinfo=UTC) + timedelta(minutes=n)
            pipeline.say(event(f"{SENTENCES[(n + number) % 10]} ({n})", user, day, session_id=f"{user}{n % 3}"))
        for n, (role, text) in enumerate(TURNS):
            pipeline.say(event(text, user, datetime(2026, 3, 5, 20, n, tzinfo=UTC), role=role, session_id="chat"))


def seen(memory: Memory, **arguments: Any) -> dict[tuple[str, str], list[tuple[Any, ...]]]:
    """Return what every query finds of every user: ids, texts and scores."""
    return {
        (user, query): [
            (one["id"], one["content"], one["score"], tuple(one["source_event_ids"]))
            for one in memory.find(query, user, top_k=20, **arguments)
        ]
        for user in USERS
        for query in QUERIES
    }


def ids(found: dict[Any, list[tuple[Any, ...]]]) -> dict[Any, set[str]]:
    return {key: {one[0] for one in hits} for key, hits in found.items()}


@pytest.fixture
def told(pipeline: Pipeline) -> Pipeline:
    everything(pipeline)
    return pipeline


def test_a_run_changes_nothing_that_is_found(told: Pipeline, settings: Settings) -> None:
    with Memory(settings) as memory:
        before = seen(memory)
        assert memory.page("花生")["pending_events"] == 22
        told.all()
        after = seen(memory)
        page = memory.page("花生")
        assert (page["pending_events"], page["release"], page["partial"]) == (0, 1, False)
        for key, hits in before.items():
            assert sorted(hits) == sorted(after[key]), key
            assert [one[2] for one in hits] == [one[2] for one in after[key]], key  # another order among equals only
    with Memory(settings) as restarted:
        assert seen(restarted) == after


def test_events_after_the_release_join_it(told: Pipeline, settings: Settings) -> None:
    told.all()
    with Memory(settings) as memory:
        first = memory.store("用户也对芒果过敏", "ana")
        assert memory.texts("芒果过敏")[0] == "用户也对芒果过敏"
        assert (memory.page("x")["pending_events"], memory.page("x", "李雷")["pending_events"]) == (1, 0)
        memory.call(
            "memory_store",
            user_id="ana",
            session_id="chat",
            messages=[{"role": "assistant", "content": "Porto as well"}],
            occurred_at="2026-03-05T20:03:30Z",
        )
        pair = next(one for one in memory.find("next trip", top_k=20) if one.get("user_said") == "thanks, next trip?")
        assert pair["agent_did"] == "Porto as well"  # said before the answer that the index has
        before = seen(memory)
        told.all()
        assert memory.page("x")["pending_events"] == 0
        assert seen(memory) == before
        assert memory.find("芒果过敏")[0]["id"] == first


def test_each_release_is_followed_by_what_it_changed(told: Pipeline, settings: Settings) -> None:
    told.all()
    with Memory(settings) as memory:
        for n in range(9):
            memory.store(f"第{n}次去芒果园", occurred_at=f"2026-03-0{1 + n % 5}T10:00:00Z", session_id=str(n))
            before = seen(memory)
            told.all()
            assert seen(memory) == before
            assert memory.page("x")["pending_events"] == 0
        followed = seen(memory)
    with Memory(settings) as fresh:
        assert seen(fresh) == followed


@pytest.mark.parametrize("index", ["none", "ivf_rq"])
def test_users_beyond_the_bound_are_answered_by_the_index(told: Pipeline, settings: Settings, index: str) -> None:
    told.all()
    with Memory(settings) as exact, Memory(settings, exact_rows=10, vector_index=index) as large:
        for narrowing in ({}, {"since": "2026-03-02", "until": "2026-03-04T09:12:00Z"}, {"facets": ["user_said"]}):
            assert ids(seen(large, **narrowing)) == ids(seen(exact, **narrowing))
        for user in USERS:
            for query in ("花生过敏", "project deadline"):
                assert large.find(query, user)[0]["content"] == exact.find(query, user)[0]["content"]
        large.store("芒果也不能吃", "ana", occurred_at="2026-03-03T09:00:00Z")
        assert large.texts("芒果")[0] == "芒果也不能吃"


@pytest.mark.parametrize("exact_rows", [50_000, 0])
@pytest.mark.parametrize("value", ["O'Brien", "' OR 1=1 --", "%", "_", "back\\", 'a"b', "a' OR user_id = 'ana"])
def test_values_stay_values_in_the_index(pipeline: Pipeline, settings: Settings, value: str, exact_rows: int) -> None:
    pipeline.say(event("ana's own secret", "ana", payload={"category": "other"}))
    pipeline.say(event("the plan", value, payload={"category": value, "emotion": value}, event_id=f"id {value}"))
    pipeline.all()
    with Memory(settings, exact_rows=exact_rows) as memory:
        found = memory.find("plan", value, categories=[value], emotion=value)
        assert [one["id"] for one in found] == [f"id {value}"]
        assert memory.find("plan", value, categories=[f"{value}x", "other"]) == []
        assert memory.texts("secret plan", value) == ["the plan"]
        assert memory.texts("secret plan", "ana") == ["ana's own secret"]


@pytest.mark.parametrize("exact_rows", [50_000, 0])
def test_a_thousand_rows_of_others_change_nothing(pipeline: Pipeline, settings: Settings, exact_rows: int) -> None:
    def report(n: int) -> NewEvent:
        labels = {"category": f"c{n // 100}"}
        return event(f"weekly report format {n // 100}", f"user{n % 100}", event_id=f"w{n}", payload=labels)

    pipeline.say(*map(report, range(1_000)))
    pipeline.all()
    with Memory(settings, exact_rows=exact_rows) as memory:
        found = memory.find("weekly report format", "user57", top_k=20)
        assert sorted(one["id"] for one in found) == sorted(f"w{n}" for n in range(57, 1_000, 100))
        assert [one["id"] for one in memory.find("report", "user57", categories=["c3"])] == ["w357"]


def test_the_index_may_be_lost_while_it_is_served(told: Pipeline, settings: Settings) -> None:
    told.all()
    with Memory(settings) as memory:
        before = seen(memory)
    shutil.rmtree(settings.index_dir)
    with Memory(settings) as memory:
        page = memory.page("花生")
        assert (page["release"], page["pending_events"]) == (0, 22)
        assert ids(seen(memory)) == ids(before)
        assert [sorted(hits) for hits in seen(memory).values()] == [sorted(hits) for hits in before.values()]


def test_a_lake_made_anew_is_followed(told: Pipeline, settings: Settings) -> None:
    told.all()
    with Memory(settings) as memory:
        before = seen(memory)
        shutil.rmtree(settings.lake_dir)
        assert ids(seen(memory)) == ids(before)
        assert memory.page("x")["pending_events"] == 22
        told.ingest("2026-03-01")  # release 1 again, of fewer days than the one before
        told.publish()
        page = memory.page("x")
        assert (page["release"], page["pending_events"]) == (1, 22 - 4)
        assert ids(seen(memory)) == ids(before)
        told.all()
        assert memory.page("x")["pending_events"] == 0
        assert ids(seen(memory)) == ids(before)


def test_a_release_of_fewer_days_hides_nothing(told: Pipeline, settings: Settings) -> None:
    """As when a lake was replaced between two calls: the same number, less in it."""
    told.all()
    with Memory(settings) as memory:
        before = seen(memory)
        shutil.rmtree(settings.lake_dir)
        told.ingest("2026-03-02")
        told.publish()
        assert ids(seen(memory)) == ids(before)


def test_an_unreadable_manifest_is_no_release(told: Pipeline, settings: Settings) -> None:
    told.all()
    with Memory(settings) as memory:
        before = seen(memory)
        (settings.lake_dir / "releases" / "current.json").write_text("{")
        assert ids(seen(memory)) == ids(before)
        assert memory.page("x")["release"] == 0


def test_a_release_of_another_model_is_searched_by_words(told: Pipeline, settings: Settings) -> None:
    told.embedder = HashEmbedder(32)
    told.all()
    with Memory(settings) as memory:
        page = memory.page("花生过敏", "ana", explain=True)
    assert page["partial"]
    assert page["release"] == 1
    assert "花生" in page["memories"][0]["content"]
    assert "vector" not in page["memories"][0]["explain"]["ranks"]
