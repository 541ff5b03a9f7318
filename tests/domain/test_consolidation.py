"""Extractions become operations, operations with reviews become facts; the later event wins."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import attributes, consolidation
from domain.consolidation import Decision, Fact, Operation, Policy, Review, canonical
from domain.facts import Extraction, Quote

START = datetime(2026, 1, 1, 12, tzinfo=UTC)


def said(n: int, attribute: str, thing: str, value: str = "yes", **fields: Any) -> tuple[str, Extraction]:
    """Return what was said on day n (from 0) of 2026."""
    moment = START + timedelta(days=n)
    made = Extraction(
        extraction_id=f"x{n}-{attribute}-{thing}-{value}",
        user_id="ana",
        scope="global",
        chunk=f"chunk{n}",
        subject="user",
        attribute=attribute,
        object=thing,
        value=value,
        content=f"{value} {attribute} {thing} ({n})",
        category=attributes.named(attribute).category,
        confidence="high",
        language="en",
        occurred_at=moment,
        utc_offset_min=0,
        start_char=0,
        valid_from=moment.date(),
        valid_until=None,
        quotes=(Quote(f"m{n}", thing),),
        source_memory_ids=(f"m{n}",),
        source_event_ids=(f"e{n}",),
        recorded_at=datetime(2026, 6, 1, tzinfo=UTC) + timedelta(days=n),
        extractor="test-1",
        accepted=True,
        reason="",
    )
    changed = {name: fields.get(name, getattr(made, name)) for name in Extraction.__slots__}
    return moment.date().isoformat(), Extraction(**changed)


def folded(
    *pairs: tuple[str, Extraction], reviews: Sequence[Review] = (), policy: Policy = "auto"
) -> tuple[list[Operation], list[Fact]]:
    done = consolidation.operations(pairs)
    return done, consolidation.facts(done, reviews, policy)


def review(fact: Fact, decision: Decision, text: str = "") -> Review:
    return Review(fact.fact_id, decision, text, "because", "olga", datetime(2026, 9, 1, tzinfo=UTC))


def statuses(facts: Sequence[Fact]) -> dict[str, str]:
    return {f"{fact.value} {fact.object}": fact.status for fact in facts}


THAI = (said(1, "preference", "Thai food", "like"), said(5, "preference", "thai cuisine", "dislike"))


@pytest.mark.parametrize("order", list(itertools.permutations(THAI)))
def test_like_then_dislike_leaves_exactly_the_dislike_whatever_came_first(order: Any) -> None:
    done, facts = folded(*order)
    assert [op.operation for op in done] == ["CREATE", "SUPERSEDE"]
    assert statuses(facts) == {"like Thai food": "superseded", "dislike thai cuisine": "current"}
    old, new = sorted(facts, key=lambda fact: fact.occurred_at)
    assert (old.replaced_by, old.valid_to, old.retired_at) == (new.fact_id, date(2026, 1, 6), new.approved_at)
    assert new.source_memory_ids == ("m5",)


def test_a_dislike_of_one_thing_touches_no_other() -> None:
    _, facts = folded(said(1, "preference", "sushi", "like"), *THAI)
    assert statuses(facts)["like sushi"] == "current"


def test_said_again_confirms_with_every_source() -> None:
    done, (fact,) = folded(
        said(1, "allergy", "peanuts"), said(2, "allergy", "Peanut"), said(9, "allergy", "the peanuts")
    )
    assert [op.operation for op in done] == ["CREATE", "CONFIRM", "CONFIRM"]
    assert (fact.n_sources, fact.source_event_ids) == (3, ("e1", "e2", "e9"))
    assert fact.content == "yes allergy peanuts (1)"


def test_one_employer_at_a_time_and_what_ended_ends() -> None:
    acme, globex = said(1, "employer", "Acme"), said(5, "employer", "Globex")
    assert statuses(folded(acme, globex)[1]) == {"yes Acme": "superseded", "yes Globex": "current"}
    done, facts = folded(acme, said(7, "employer", "Acme", "ended"))
    assert done[1].operation == "RETIRE"
    assert statuses(facts) == {"yes Acme": "superseded", "ended Acme": "current"}
    late = folded(acme, globex, said(9, "employer", "Acme", "ended"))[1]
    assert statuses(late)["yes Globex"] == "current"  # leaving the old one is no news of the new one


def test_a_narrower_place_updates_and_a_wider_one_confirms() -> None:
    done, facts = folded(
        said(1, "lives_in", "Shanghai"), said(2, "lives_in", "Pudong, Shanghai"), said(3, "lives_in", "Shanghai")
    )
    assert [op.operation for op in done] == ["CREATE", "UPDATE", "CONFIRM"]
    assert statuses(facts) == {"yes Shanghai": "superseded", "yes Pudong, Shanghai": "current"}


def test_what_fits_no_attribute_never_retires_anything() -> None:
    done, facts = folded(*(said(n, "other", f"thing {n % 2}", "dislike" if n > 2 else "like") for n in range(6)))
    assert {op.operation for op in done} == {"CREATE"}
    assert {fact.status for fact in facts} == {"current"}


def test_a_pending_fact_retires_nothing_until_it_is_approved() -> None:
    _, facts = folded(*THAI, policy="manual")
    like, dislike = sorted(facts, key=lambda fact: fact.occurred_at)
    assert {fact.status for fact in facts} == {"pending"}
    approved = [review(like, "approve")]
    assert statuses(folded(*THAI, reviews=approved, policy="manual")[1]) == {
        "like Thai food": "current",
        "dislike thai cuisine": "pending",
    }
    approved.append(review(dislike, "approve"))
    assert statuses(folded(*THAI, reviews=approved, policy="manual")[1])["like Thai food"] == "superseded"
    approved.append(review(dislike, "undo"))
    assert statuses(folded(*THAI, reviews=approved, policy="manual")[1])["like Thai food"] == "current"


def test_high_confidence_is_enough_under_the_policy_high() -> None:
    _, facts = folded(said(1, "allergy", "peanuts"), said(2, "allergy", "eggs", confidence="medium"), policy="high")
    assert statuses(facts) == {"yes peanuts": "current", "yes eggs": "pending"}


def test_a_rejected_fact_does_not_come_back_in_other_words() -> None:
    first = said(1, "preference", "Thai food", "like")
    _, (fact,) = folded(first)
    no = [review(fact, "reject")]
    again = said(8, "preference", "the Thai cuisine", "like", content="I really love Thai")
    later = [first, THAI[1], again]
    assert statuses(folded(*later, reviews=no)[1]) == {
        "like Thai food": "rejected",
        "dislike thai cuisine": "current",
        "like the Thai cuisine": "rejected",
    }
    undone = [*no, review(fact, "undo")]
    assert statuses(folded(*later, reviews=undone)[1])["like the Thai cuisine"] == "current"


def test_an_edit_approves_with_the_new_words_and_undo_brings_the_old_ones_back() -> None:
    _, (fact,) = folded(said(1, "allergy", "peanuts"), policy="manual")
    edited = [review(fact, "edit", "Peanuts send me to hospital")]
    (new,) = folded(said(1, "allergy", "peanuts"), reviews=edited, policy="manual")[1]
    assert (new.status, new.content, new.fact_id) == ("current", "Peanuts send me to hospital", fact.fact_id)
    assert new.approved_at == edited[0].recorded_at
    (old,) = folded(said(1, "allergy", "peanuts"), reviews=[*edited, review(fact, "undo")], policy="manual")[1]
    assert (old.status, old.content) == ("pending", fact.content)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Thai food", "thai cuisine"),
        ("Peanuts", "peanut"),
        ("the spicy dishes", "Spicy food"),
        ("泰国菜", "泰国料理"),
        ("吃香菜", "香菜"),
        ("ＡＣＭＥ", "acme."),
        ("辣的", "辣"),
        ("泰国美食", "泰国菜"),
    ],
)
def test_one_thing_in_other_words(one: str, other: str) -> None:
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Thai food", "Chinese food"),
        ("泰国菜", "中国菜"),
        ("food", "music"),
        ("茶", "咖啡"),
        ("Korean food", "Korean music"),
        ("泰国", "泰国菜"),
        ("C", "C++"),
    ],
)
def test_two_things_stay_two(one: str, other: str) -> None:
    assert canonical(one) != canonical(other)


ANY = st.builds(
    said,
    st.integers(0, 30),
    st.sampled_from(["preference", "employer", "lives_in", "allergy", "other"]),
    st.sampled_from(["Acme", "Thai food", "Pudong Shanghai", "Shanghai", "茶"]),
    st.sampled_from(["yes", "like", "dislike", "ended"]),
)


@given(st.lists(ANY, max_size=12, unique_by=lambda pair: pair[1].extraction_id), st.randoms())
def test_the_order_of_arrival_changes_nothing_and_one_fact_a_key_holds(pairs: list[Any], random: Any) -> None:
    shuffled = pairs.copy()
    random.shuffle(shuffled)
    done, facts = folded(*pairs)
    assert (done, facts) == folded(*shuffled)
    assert len(done) == len(pairs)
    served = [fact.key for fact in facts if fact.status == "current"]
    assert len(served) == len(set(served))
    assert {op.fact_id for op in done} == {fact.fact_id for fact in facts}
    assert consolidation.in_order(reversed(done)) == done
    replaced = {op.replaces: op.fact_id for op in done if op.replaces}
    assert {fact.fact_id: fact.replaced_by for fact in facts if fact.replaced_by} == replaced


def test_an_end_and_what_takes_its_place_in_one_message_leave_the_new_one() -> None:
    for start_char in (0, 30):  # in one quote, or one after the other
        moment = {"occurred_at": START, "source_memory_ids": ("m1",)}
        acme = said(-5, "employer", "Acme")
        left, joined = (
            said(0, "employer", "Acme", "ended", **moment),
            said(0, "employer", "Globex", start_char=start_char, **moment),
        )
        for extraction_ids in (("a", "b"), ("b", "a")):
            pairs = [
                (day, replace(e, extraction_id=name))
                for (day, e), name in zip((left, joined), extraction_ids, strict=True)
            ]
            assert [fact.object for fact in folded(acme, *pairs)[1] if fact.status == "current"] == ["Globex"]


def test_reviews_follow_a_fact_that_an_earlier_saying_tells_now() -> None:
    late, early = said(5, "preference", "Thai food", "like"), said(1, "preference", "thai cuisine", "like")
    for policy, decision, text, status in (
        ("auto", "reject", "", "rejected"),
        ("manual", "approve", "", "current"),
        ("manual", "edit", "Loves Thai cooking", "current"),
    ):
        _, (fact,) = folded(late, policy=policy)
        decided = [replace(review(fact, decision, text), said=consolidation.said(fact))]
        (now,) = folded(late, early, reviews=decided, policy=policy)[1]
        assert now.fact_id != fact.fact_id
        assert (now.status, now.content) == (status, text or early[1].content)


@pytest.mark.parametrize(
    ("attribute", "first", "then", "value", "current"),
    [
        ("lives_in", "New York", "Boston", "no", ["New York", "Boston"]),
        ("employer", "Walmart", "Art", "ended", ["Walmart", "Art"]),
        ("employer", "Google Inc", "Google", "ended", ["Google"]),
        ("wake_time", "7:30", "7", "yes", ["7"]),
        ("wake_time", "七点半", "七点", "yes", ["七点"]),
        ("weight", "70.5 kg", "70 kg", "yes", ["70 kg"]),
        ("lives_in", "New York", "York", "yes", ["York"]),
        ("occupation", "副经理", "经理", "yes", ["经理"]),
        ("lives_in", "上海", "上海浦东", "yes", ["上海浦东"]),
        ("lives_in", "上海浦东", "上海", "yes", ["上海浦东"]),
    ],
)
def test_what_replaces_what(attribute: str, first: str, then: str, value: str, current: list[str]) -> None:
    _, facts = folded(said(1, attribute, first), said(2, attribute, then, value))
    assert sorted(fact.object for fact in facts if fact.status == "current") == sorted(current)


def test_an_appointment_told_anew_replaces_the_one_before() -> None:
    old = said(1, "appointment", "dentist", content="Dentist on 10 March at 9")
    new = said(2, "appointment", "dentist", content="Dentist moved to 17 March at 15")
    done, facts = folded(old, new, said(3, "appointment", "dentist", content="dentist moved to 17 March at 15!"))
    assert [op.operation for op in done] == ["CREATE", "UPDATE", "CONFIRM"]
    assert [fact.content for fact in facts if fact.status == "current"] == ["Dentist moved to 17 March at 15"]


def test_what_ended_first_and_began_again_holds() -> None:
    _, facts = folded(said(1, "employer", "Acme", "ended"), said(2, "employer", "Acme"))
    assert [(fact.value, fact.status) for fact in sorted(facts, key=lambda f: f.occurred_at)] == [
        ("ended", "superseded"),
        ("yes", "current"),
    ]
