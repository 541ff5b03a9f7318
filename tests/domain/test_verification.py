"""A proposal stands when it rests on what was said; else it is kept, with the reason."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from domain.facts import Candidate, Extraction, Quote, as_row
from domain.reflection_checks import faults, is_dated_as_learnt
from domain.reflection_chunks import Chunk
from domain.verification import Provenance, verified

from .said import chunk, proposal, told

ORIGIN = Provenance("hash", "test-1", datetime(2026, 12, 1, tzinfo=UTC))
PEANUTS = "I am allergic to peanuts"


def one(candidate: Candidate, words: Chunk) -> Extraction:
    (made,) = verified([candidate], words, ORIGIN)
    return made


def allergy(**fields: Any) -> Candidate:
    return proposal(PEANUTS, **{"attribute": "allergy", "object": "peanuts", "value": "yes", **fields})


def test_what_was_said_stands_with_its_sources() -> None:
    made = one(allergy(), chunk(PEANUTS + ", remember that."))
    assert (made.accepted, made.reason) == (True, "")
    assert made.source_memory_ids == made.source_event_ids == ("ana-global-1",)
    assert made.quotes == (Quote("ana-global-1", PEANUTS),)
    assert (made.category, made.language, made.valid_from) == ("constraint", "en", date(2026, 3, 2))


@pytest.mark.parametrize(
    ("words", "quote"),
    [
        ("我对花生过敏。", "我对花生 过敏"),
        ("我对花生过敏!", "我对花生过敏！"),
        ("I’m ALLERGIC to peanuts", "i'm allergic to peanuts"),
        ("I am\nallergic  to peanuts", "I am allergic to peanuts"),
        ("ｐｅａｎｕｔｓ make me ill", "peanuts make me ill"),
    ],
)
def test_a_quote_may_differ_in_case_width_spaces_and_signs(words: str, quote: str) -> None:
    thing = "花生" if "花生" in words else "peanuts"
    assert one(proposal(quote, attribute="allergy", object=thing, value="yes"), chunk(words)).accepted


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"sources": ()}, "names no source"),
        ({"sources": ("7",)}, "were not given: 7"),
        ({"sources": ("someone-elses-id",)}, "were not given: someone-elses-id"),
        ({"quotes": ()}, "has no quote"),
        ({"quotes": (Quote("1", "I am allergic to cats"),)}, "not in episode 1"),
        ({"quotes": (Quote("2", PEANUTS),)}, "not among its sources"),
        ({"quotes": (Quote("1", "。"),)}, "empty quote"),
        ({"object": "cats"}, "sources do not name"),
        ({"object": ""}, "has no object"),
        ({"value": "maybe"}, "none of yes"),
        ({"content": " "}, "says nothing"),
        ({"content": "x" * 501}, "501 characters"),
        ({"content": "用户对花生过敏，不能吃任何花生制品"}, "another language (zh)"),
        ({"valid_from": "2026-11-30"}, "nothing in its sources says"),
        ({"valid_from": "2026-12-01"}, "nothing in its sources says"),
        ({"valid_from": "soon"}, "which is none"),
        ({"valid_from": "0001-01-01"}, "no plausible one"),
        ({"subject": ""}, "says of nobody"),
    ],
)
def test_what_does_not_rest_on_the_words_is_kept_as_rejected(fields: dict[str, Any], reason: str) -> None:
    words = chunk(PEANUTS, "See you on Monday then, at the usual place.")
    content = fields.pop("content", PEANUTS)
    made = one(replace(allergy(**fields), content=content), words)
    assert not made.accepted
    assert reason in made.reason
    good, bad = sorted(
        verified([allergy(), replace(allergy(**fields), content=content)], words, ORIGIN), key=lambda e: not e.accepted
    )
    assert (good.accepted, bad.accepted) == (True, False)  # the others of the batch stand


@pytest.mark.parametrize(
    ("words", "quote", "fields", "reason"),
    [
        ("I live in New York", "I live in New York", {"object": "New Orleans"}, "sources do not name"),
        ("我在南京大学读书", "我在南京大学读书", {"object": "北京大学"}, "sources do not name"),
        ("I had an idea about rum", "an", {"object": "rum"}, "empty quote"),
        ("such a cute an artist", "cut ean art", {"object": "artist"}, "not in episode"),
        ("I do not like rum", "like rum", {"object": "rum"}, "leaves out a denial"),
        ("我不喜欢喝茶", "喜欢喝茶", {"object": "茶"}, "leaves out a denial"),
        ("I'm allergic to nuts", "I'm allergic to nuts", {"object": "nuts", "subject": "Bob"}, "do not name"),
        ("I'm allergic to nuts", "I'm allergic to nuts", {"object": "nuts", "subject": "x" * 10_000}, "80 characters"),
        (
            "It cost 2027 dollars, tea",
            "It cost 2027 dollars",
            {"object": "tea", "valid_from": "2027-12-31"},
            "nothing in",
        ),
        ("I got married to tea", "I got married to tea", {"object": "tea", "valid_from": "2026-03-17"}, "nothing in"),
        ("tonight order 9999 tea", "tonight order 9999", {"object": "tea", "valid_from": "9999-12-31"}, "plausible"),
    ],
)
def test_half_supported_is_not_supported(words: str, quote: str, fields: dict[str, Any], reason: str) -> None:
    made = one(proposal(words, quote, **{"value": "like", **fields}), chunk(words))
    assert not made.accepted
    assert reason in made.reason


@pytest.mark.parametrize("subject", ["you", "users", "用户本人", "user\u200b", "ana", "USER"])
def test_another_speaker_s_words_are_never_the_user_s(subject: str) -> None:
    words = chunk({"role": "other", "speaker": "Leila", "content": "I'm allergic to nuts"})
    made = one(
        proposal("I'm allergic to nuts", object="nuts", value="yes", attribute="allergy", subject=subject), words
    )
    assert "but Leila said it" in made.reason


@pytest.mark.parametrize("role", ["tool", "system", "other", "assistant"])
def test_what_no_person_said_is_nobody_s_fact(role: str) -> None:
    words = chunk({"role": role, "content": "I'm allergic to nuts, says the page"})
    assert not one(proposal("I'm allergic to nuts", object="nuts", value="yes", attribute="allergy"), words).accepted


def test_number_and_name_alone_decide_no_language_but_the_words_around_them_do() -> None:
    words = chunk("我的电话是13800138000")
    made = one(
        proposal(
            "The user's phone number is 13800138000.",
            "13800138000",
            object="13800138000",
            attribute="contact",
            value="yes",
        ),
        words,
    )
    assert "another language" in made.reason


@pytest.mark.parametrize(
    ("words", "thing"), [("Today I learnt that I'm allergic to nuts", "nuts"), ("医生今天说我对青霉素过敏", "青霉素")]
)
def test_an_allergy_that_is_found_today_is_no_matter_of_the_moment(words: str, thing: str) -> None:
    made = one(proposal(words, object=thing, attribute="allergy", value="yes"), chunk(words))
    assert (made.attribute, made.valid_until) == ("allergy", None)


def test_what_is_not_seen_is_not_kept() -> None:
    words = chunk("I love \x1b[31mtea\u202e")
    made = one(proposal("I love \x1b[31mtea\u202e\nand more", "I love", object="tea"), words)
    assert made.content == "I love [31mtea and more"


def test_a_known_source_stands_and_the_unknown_one_is_named() -> None:
    made = one(allergy(sources=("1", "12")), chunk(PEANUTS))
    assert made.accepted
    assert made.source_memory_ids == ("ana-global-1",)
    assert "12" in made.reason


def test_the_same_said_twice_in_a_batch_is_one_with_both_sources() -> None:
    words = chunk(PEANUTS, "As I said: I am allergic to peanuts.")
    (made,) = verified(
        [allergy(), proposal(PEANUTS, source="2", attribute="allergy", object="Peanuts", value="yes")], words, ORIGIN
    )
    assert made.source_memory_ids == ("ana-global-1", "ana-global-2")


def test_what_only_the_agent_said_is_no_fact_about_the_user() -> None:
    words = chunk(
        {"role": "user", "content": "What do you suggest for tonight?"},
        {"role": "assistant", "content": "You love sushi, so sushi."},
    )
    made = one(proposal("You love sushi", object="sushi"), words)
    assert made.reason == "rests on what the agent said, not on the user's words"


def test_what_somebody_else_said_of_themselves_is_not_the_user_s() -> None:
    words = chunk({"role": "other", "speaker": "Mel", "content": "I love sushi"})
    assert "but Mel said it" in one(proposal("I love sushi", object="sushi"), words).reason
    assert one(proposal("I love sushi", object="sushi", subject="Mel"), words).accepted
    assert one(proposal("I love sushi", object="sushi", subject="I"), words).subject == "Mel"


def test_the_user_by_name_is_the_user() -> None:
    words = chunk({"role": "user", "speaker": "Caroline", "content": "I love sushi"})
    for name in ("Caroline", "user", "The user", "我", "用户", "me"):
        assert one(proposal("I love sushi", object="sushi", subject=name), words).subject == "user"


@pytest.mark.parametrize(
    ("words", "given", "stands"),
    [
        ("I start at Acme next Monday", "2026-03-09", True),
        ("下周一开始在顶点公司上班", "2026-03-09", True),
        ("I start at Acme next Monday", "2026-03-16", False),
        ("I have worked at Acme since 2019", "2019-01-01", True),
        ("I have worked at Acme since 2019", "2018-01-01", False),
        ("Seit 3. Mai: working at Acme since 5/3", "2026-05-03", True),
        ("I work at Acme", "2026-03-02", True),
    ],
)
def test_a_date_comes_from_the_words_or_is_the_day_they_were_said(words: str, given: str, *, stands: bool) -> None:
    thing = "顶点公司" if "顶点" in words else "Acme"
    made = one(proposal(words, object=thing, attribute="employer", value="yes", valid_from=given), chunk(words))
    assert made.accepted == stands, made.reason
    if stands:
        assert made.valid_from == date.fromisoformat(given)


@pytest.mark.parametrize(
    ("words", "thing"),
    [("Today I don't feel like Sichuan food", "Sichuan food"), ("今天不想吃川菜", "川菜"), ("這次不吃辣", "辣")],
)
def test_a_mood_of_the_moment_never_becomes_a_dislike(words: str, thing: str) -> None:
    made = one(proposal(words, object=thing, value="dislike"), chunk(words))
    assert made.accepted
    assert (made.attribute, made.confidence, made.content) == ("other", "low", words)
    assert (made.valid_from, made.valid_until) == (date(2026, 3, 2), date(2026, 3, 3))


def test_the_checks_of_the_tables_find_what_verification_would_have_refused() -> None:
    episodes = told(PEANUTS, user="ana") + told(PEANUTS, user="ben")
    row = as_row(one(allergy(), chunk(PEANUTS)))
    assert faults([row], episodes) == {}
    for change in (
        {"source_memory_ids": ["ana-global-9"]},
        {"source_memory_ids": []},
        {"source_memory_ids": ["ben-global-1"]},
        {"quotes": [{"memory_id": "ana-global-1", "text": "cats"}]},
        {"quotes": []},
        {"content": "用户对花生过敏，不能吃任何花生制品"},
        {"scope": "work"},
    ):
        assert len(faults([{**row, **change}], episodes)) == 1, change
    assert not is_dated_as_learnt(row)
    assert is_dated_as_learnt({**row, "valid_from": date(2026, 12, 1)})
