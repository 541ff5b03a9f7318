"""memory_retrieve over the tail: what is found, in which order, by which filters and in which pages."""

import math
from datetime import UTC, datetime, timedelta

import pytest

from .serving import Memory

LANGUAGES = {
    "用户名叫林，周末喜欢徒步旅行": "欢徒步",
    "東京会議の議事録を明日までに送ってください": "議事録",
    "회의록은 금요일까지 보내 주세요": "의록",
    "Пользователь любит пешие походы": "походы",
    "The whole world knows that she sings": "world",
}


@pytest.fixture
def polyglot(memory: Memory) -> Memory:
    for n, text in enumerate(LANGUAGES):
        memory.store(text, session_id=str(n))
    return memory


@pytest.mark.parametrize(("text", "query"), LANGUAGES.items())
def test_each_script_is_found_by_a_piece_from_its_middle(polyglot: Memory, text: str, query: str) -> None:
    best = polyglot.find(query, explain=True)[0]
    assert best["content"] == text
    assert best["explain"]["ranks"]["words"] == 1


@pytest.mark.parametrize(("query", "text"), [*zip("林明요", LANGUAGES, strict=False)])
def test_one_character_is_enough(polyglot: Memory, query: str, text: str) -> None:
    best = polyglot.find(query, explain=True)[0]
    assert (best["content"], best["explain"]["ranks"]["words"]) == (text, 1)


@pytest.mark.parametrize("query", ["!!!", "。", "🥜🚫", "--", "…"])
def test_signs_alone_are_looked_up_by_meaning(polyglot: Memory, query: str) -> None:
    page = polyglot.page(query, explain=True)
    assert page["memories"]
    assert all(list(one["explain"]["ranks"]) == ["vector"] for one in page["memories"])
    assert not page["partial"]


@pytest.mark.parametrize(
    "dated",
    [
        {"occurred_at": (datetime.now(UTC) - timedelta(days=240)).isoformat()},
        {"occurred_at": (datetime.now(UTC) + timedelta(days=1)).isoformat()},
        {},
    ],
)
def test_the_only_right_memory_wins_whatever_its_age(memory: Memory, dated: dict[str, str]) -> None:
    target = memory.store("The spare key is with the neighbour at number 12", **dated)
    for n in range(50):
        memory.store(f"Meeting {n} moved, lunch in room {n * 7}, the invoice goes out", session_id=str(n))
    found = memory.find("where is the spare key", top_k=20, explain=True)
    assert found[0]["id"] == target
    assert all(math.isfinite(one["score"]) and 0 < one["score"] <= 1 for one in found)
    assert all(math.isfinite(one["similarity"]) for one in found)


def test_a_thousand_rows_of_others_change_nothing(memory: Memory) -> None:
    for n in range(1_000):
        user = f"user{n % 100}"
        memory.app.service.store(_note(user, f"weekly report format {n // 100}, version of {user}", n)).result(10)
    before = memory.find("weekly report format", "user57", top_k=20)
    assert sorted(one["content"] for one in before) == [
        f"weekly report format {n}, version of user57" for n in range(10)
    ]
    for n in range(200):
        memory.app.service.store(_note("newcomer", f"weekly report format {n}", 1_000 + n)).result(10)
    after = memory.find("weekly report format", "user57", top_k=20)
    assert [(one["id"], one["score"]) for one in after] == [(one["id"], one["score"]) for one in before]


def _note(user: str, text: str, n: int) -> list:
    from domain.records import NewEvent

    moment = datetime(2026, 5, 1, tzinfo=UTC) + timedelta(minutes=n)
    return [NewEvent(f"n{n}", "memory", user, "default", "global", "s", moment, {"content": text})]


def test_pages_hold_everything_once(memory: Memory) -> None:
    ids = [memory.store(f"train number {n}", session_id=str(n)) for n in range(23)]
    seen: list[str] = []
    cursor = None
    while True:
        page = memory.page("train number", top_k=5, cursor=cursor)
        seen += [one["id"] for one in page["memories"]]
        memory.store(f"a train that came between, after {len(seen)}", session_id=f"later {len(seen)}")
        if not page["has_more"]:
            break
        cursor = page["cursor"]
    assert "cursor" not in page
    assert sorted(seen) == sorted(ids)


def test_a_cursor_belongs_to_its_question(memory: Memory) -> None:
    for n in range(6):
        memory.store(f"train number {n}", session_id=str(n))
    cursor = memory.page("train", top_k=2, facets=["content", "variant"])["cursor"]
    again = {"cursor": cursor, "top_k": 3, "facets": ["variant", "content"]}
    assert len(memory.page("train", **again)["memories"]) == 3
    for other in ({"query": "bus"}, {"user": "ben"}, {"facets": ["content"]}, {"since": "2026-01-01"}):
        arguments = {"query": "train", "user": "ana", **again, **other}
        arguments["user_id"] = arguments.pop("user")
        assert "another query" in memory.refused("memory_retrieve", **arguments)


def test_filters_narrow(memory: Memory) -> None:
    memory.store("allergic to nuts", category="constraint", emotion="negative", occurred_at="2026-01-10T12:00:00Z")
    memory.store("likes nuts in cakes", category="preference", occurred_at="2026-02-10T12:00:00Z")
    memory.call(
        "memory_store", user_id="ana", user_said="nuts?", agent_did="bought nuts", occurred_at="2026-03-10T12:00:00Z"
    )
    assert memory.texts("nuts", categories=["constraint"]) == ["allergic to nuts"]
    assert len(memory.texts("nuts", categories='["constraint", "preference"]')) == 2
    assert memory.texts("nuts", emotion="negative") == ["allergic to nuts"]
    assert memory.texts("nuts", facets="agent_did") == ["nuts?\nbought nuts"]
    assert memory.texts("nuts", since="2026-01-11", until="2026-02-10") == ["likes nuts in cakes"]
    assert len(memory.texts("nuts", kinds="episode")) == 3
    near = memory.find("allergic to nuts", min_similarity=0.9)
    assert near[0]["content"] == "allergic to nuts"
    assert all(one["similarity"] >= 0.9 for one in near)
    assert "nothing lies between" in memory.refused(
        "memory_retrieve", user_id="ana", query="nuts", since="2026-02-01", until="2026-01-01"
    )


@pytest.mark.parametrize("until", ["9999-12-31", "9999-12-31T23:00:00+00:00"])
def test_the_ends_of_the_calendar_are_bounds_as_well(memory: Memory, until: str) -> None:
    memory.store("likes tea")
    assert memory.texts("tea", since="0001-01-02", until=until) == ["likes tea"]


def test_bounds_are_exact_to_the_microsecond(memory: Memory) -> None:
    memory.store("the bell rang", occurred_at="2026-02-01T10:00:00.123457+01:00")
    at = "2026-02-01T09:00:00.123457Z"
    assert memory.texts("bell", since=at) == ["the bell rang"]
    assert memory.texts("bell", until=at) == []
    assert memory.texts("bell", since="2026-02-01T09:00:00.123458Z") == []


def test_a_memory_says_when_it_was_in_its_own_offset(memory: Memory) -> None:
    memory.store("went hiking", occurred_at="2026-02-01T00:30:00-05:00")
    found = memory.find("hiking")[0]
    assert found["occurred_at"] == "2026-02-01T00:30:00-05:00"
    assert found["age"].endswith("ago")


def test_nobody_is_found_where_nothing_was_stored(memory: Memory) -> None:
    page = memory.page("anything", "nobody")
    assert (page["memories"], page["has_more"], page["pending_events"], page["release"]) == ([], False, 0, 0)
