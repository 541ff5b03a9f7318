"""Extractions become operations on facts, and operations with reviews become the facts that hold. Pure.

The later *event* wins, whatever arrived first: everything here goes by when it was said. Operations never look at
reviews; the fold applies them last, so that an approval or its undoing changes nothing but what is served.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import groupby, pairwise
from typing import Any, Literal

from domain import attributes, ids
from domain.facts import CONFIDENCES, Confidence, Extraction, Quote
from domain.text import tokens

OperationKind = Literal["CREATE", "CONFIRM", "UPDATE", "SUPERSEDE", "RETIRE"]
Status = Literal["current", "superseded", "pending", "rejected"]
Policy = Literal["manual", "high", "auto"]
Decision = Literal["approve", "reject", "edit", "undo"]
DECISIONS: tuple[Decision, ...] = ("approve", "reject", "edit", "undo")

# Words for one kind of thing: "Thai food" and "Thai cuisine" are one object, "Thai music" is another.
_KINDS = {
    word: kind
    for kind, words in {
        "food": "food foods cuisine dish meal",
        "music": "music song",
        "film": "film movie",
        "": "thing stuff kind type sort",
    }.items()
    for word in tokens(words)
}
_FOOD_ZH = re.compile(r"(?<=.)(?:食物|食品|料理|菜系|菜肴|美食)$")
_NOTHING_ZH = re.compile(r"(?<=.)(?:这种|之类|的东西|东西|的|了)$")
_VERB_ZH = re.compile(r"^(?:吃|喝|看|听|玩|用|打)(?=..)")
# Places have wider and narrower names; of anything else a longer name is another one (7 and 7:30, York and New York).
_PLACES = frozenset({"lives_in", "hometown"})
# What is told anew about the same thing replaces what was told before: "the dentist, moved to the 17th".
_TOLD_ANEW = frozenset({"task", "deadline", "appointment", "plan", "trip", "budget", "contact"})
_AGAINST = frozenset({"ended", "no"})


@dataclass(frozen=True, slots=True)
class Operation:
    """One row of ``fact_operations``: what an accepted extraction did to the facts.

    Attributes:
        operation: what it did.
        fact_id: the fact that it made or confirmed.
        replaces: the fact that it updates, supersedes or retires, "" for none.
        why: in words.
        key: which facts exclude each other: one at a time holds.
        day: ISO day of the extraction's table.
        extraction: what was extracted.
    """

    operation: OperationKind
    fact_id: str
    replaces: str
    why: str
    key: str
    day: str
    extraction: Extraction


@dataclass(frozen=True, slots=True)
class Review:
    """What somebody decided about a fact.

    Attributes:
        text: the new wording of an ``edit``.
        who: the reviewer.
        said: key, canonical object and value of the fact: by these a review finds it again when an earlier saying of
            the same has come in since, and it is told by that one.
    """

    fact_id: str
    decision: Decision
    text: str
    why: str
    who: str
    recorded_at: datetime
    said: tuple[str, str, str] = ("", "", "")


@dataclass(frozen=True, slots=True)
class Fact:
    """One row of ``facts``.

    Attributes:
        valid_from: local date from which it holds.
        valid_to: local date from which it no longer holds, None for open.
        recorded_at: when it was learnt.
        approved_at: when it was first served, None for never.
        retired_at: when what replaced it was first served.
        replaced_by: id of the fact that replaced it, "" for none.
        n_sources: how many episodes say it.
    """

    fact_id: str
    user_id: str
    scope: str
    key: str
    subject: str
    attribute: str
    object: str
    value: str
    content: str
    category: str
    confidence: Confidence
    language: str
    status: Status
    occurred_at: datetime
    utc_offset_min: int
    valid_from: date
    valid_to: date | None
    recorded_at: datetime
    approved_at: datetime | None
    retired_at: datetime | None
    replaced_by: str
    n_sources: int
    quotes: tuple[Quote, ...]
    source_memory_ids: tuple[str, ...]
    source_event_ids: tuple[str, ...]
    extractor: str
    decision: str
    decided_by: str
    reason: str


def canonical(text: str) -> str:
    """Return what stands for an object in whatever wording: folded, stemmed, without words that name nothing.

    >>> canonical("the Thai food"), canonical("泰国菜"), canonical("吃香菜")
    ('thai food', '泰国菜', '香菜')
    """
    folded = re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text).casefold()).strip(" .,!?;:'\"。，！？；：、“”‘’")
    if re.search("[\u3400-\u9fff]", folded):
        bare = _NOTHING_ZH.sub("", _VERB_ZH.sub("", folded.replace(" ", "")))
        return _FOOD_ZH.sub("菜", bare)
    if re.search(r"[+#]", folded):
        return folded  # C, C++ and C# are three
    words = tokens(folded)
    return " ".join(filter(None, (_KINDS.get(word, word) for word in words))) or " ".join(words) or folded


def operations(accepted: Iterable[tuple[str, Extraction]]) -> list[Operation]:
    """Return what the accepted extractions of one user and scope did, in the order in which they were said.

    Args:
        accepted: (ISO day of the table, extraction), in any order.
    """
    holds: dict[str, Operation] = {}  # by key: what made the fact that the words said last stand for
    done: list[Operation] = []
    for day, extraction in sorted(accepted, key=lambda pair: _order(pair[1])):
        made = _operation(day, extraction, holds)
        if made.operation != "CONFIRM":
            holds[made.key] = made
        done.append(made)
    return done


def in_order(done: Iterable[Operation]) -> list[Operation]:
    """Return operations in the order in which ``operations`` made them, which their table does not keep."""
    return sorted(done, key=lambda operation: _order(operation.extraction))


def _order(extraction: Extraction) -> tuple[Any, ...]:
    """Return what goes by time: when it was said, then where in the text; an end before what takes its place."""
    place = (extraction.occurred_at, extraction.source_memory_ids, extraction.start_char)
    return (*place, extraction.value not in _AGAINST, extraction.attribute, extraction.extraction_id)


def _operation(day: str, extraction: Extraction, holds: Mapping[str, Operation]) -> Operation:
    key = _key(extraction, holds)
    current = holds.get(key)
    if current is None:
        return _made("CREATE", day, key, extraction, None, "nothing of this kind was known")
    before = current.extraction
    is_same = extraction.value == before.value and canonical(extraction.object) == canonical(before.object)
    if is_same and extraction.attribute in _TOLD_ANEW and canonical(extraction.content) != canonical(before.content):
        return _made("UPDATE", day, key, extraction, current, "told anew")
    if is_same or (extraction.value == before.value and _is_part(before, extraction)):
        return Operation("CONFIRM", current.fact_id, "", "said again", key, day, extraction)
    if extraction.value == "ended":
        return _made("RETIRE", day, key, extraction, current, f"no longer so since {extraction.valid_from}")
    if extraction.value == before.value and _is_part(extraction, before):
        return _made("UPDATE", day, key, extraction, current, f"narrower than {before.object}")
    was = f"{before.value} {before.object}".strip()
    return _made("SUPERSEDE", day, key, extraction, current, f"said later than {was}")


def _key(extraction: Extraction, holds: Mapping[str, Operation]) -> str:
    """Return which facts this one excludes; what is denied or ended of another thing leaves alone what holds now."""
    parts = [extraction.subject.casefold(), extraction.attribute]
    own = canonical(extraction.object)
    if extraction.attribute == attributes.OTHER:
        return ids.json_text([*parts, canonical(extraction.content)])
    if not attributes.named(extraction.attribute).single:
        return ids.json_text([*parts, own])
    key = ids.json_text(parts)
    current = holds.get(key)
    is_of_another = (
        extraction.value in _AGAINST
        and own
        and current is not None
        and not _is_about(own, canonical(current.extraction.object))
    )
    return ids.json_text([*parts, own]) if is_of_another else key


def _is_about(one: str, other: str) -> bool:
    """Return whether two canonical names are of one thing, one of them perhaps shorter: Google, Google Inc."""
    short, long = sorted((one, other), key=len)
    return one == other or long.startswith(short if _is_han(short) else short + " ")


def _is_part(narrow: Extraction, wide: Extraction) -> bool:
    """Return whether the one names a place within the other: Pudong, Shanghai; 上海浦东."""
    if narrow.attribute not in _PLACES:
        return False
    long, short = canonical(narrow.object), canonical(wide.object)
    parts = [canonical(part) for part in re.split(r"[,，、]", narrow.object)]
    return long != short and (short in parts or (_is_han(short) and long.startswith(short)))


def _is_han(text: str) -> bool:
    return bool(re.match("[\u3400-\u9fff]", text))


def _made(
    kind: OperationKind, day: str, key: str, extraction: Extraction, before: Operation | None, why: str
) -> Operation:
    said = (canonical(extraction.object), extraction.value, min(extraction.source_memory_ids))
    fact_id = "fact-" + ids.digest(extraction.user_id, extraction.scope, key, *said)
    return Operation(kind, fact_id, before.fact_id if before else "", why, key, day, extraction)


def facts(done: Sequence[Operation], reviews: Iterable[Review], policy: Policy) -> list[Fact]:
    """Return the facts that the operations of one user and scope make, with their reviews, sorted by id.

    Args:
        done: all operations, in the order of ``operations``.
        reviews: in the order in which they were made; those of other facts are passed over.
        policy: what becomes of a fact that nobody has reviewed: ``auto`` approves it, ``high`` one of high confidence,
            ``manual`` none.
    """
    by_fact: dict[str, list[Operation]] = {}
    for operation in done:
        by_fact.setdefault(operation.fact_id, []).append(operation)
    decisions = _decisions(_followed(reviews, by_fact))
    drafts = [_draft(ops, decisions.get(fact_id), policy) for fact_id, ops in by_fact.items()]
    rejected = {said(fact) for fact in drafts if fact.decision == "reject"}
    settled = [_blocked(fact) if said(fact) in rejected and not fact.decision else fact for fact in drafts]
    settled.sort(key=lambda fact: fact.key)  # within a key they stay in the order of the operations
    closed = [fact for _, group in groupby(settled, key=lambda fact: fact.key) for fact in _closed(list(group))]
    return sorted(closed, key=lambda fact: fact.fact_id)


def _followed(reviews: Iterable[Review], by_fact: Mapping[str, Sequence[Operation]]) -> list[Review]:
    """Return the reviews, those of facts that are told by another saying now under that one's id."""
    first: dict[tuple[str, str, str], str] = {}
    for fact_id, ops in by_fact.items():
        told = ops[0].extraction
        first.setdefault((ops[0].key, canonical(told.object), told.value), fact_id)
    return [
        review if review.fact_id in by_fact else replace(review, fact_id=first.get(review.said, review.fact_id))
        for review in reviews
    ]


def _decisions(reviews: Iterable[Review]) -> dict[str, Review]:
    """Return the decision that stands for each fact: an undo takes back the last one that was not undone."""
    stacks: dict[str, list[Review]] = {}
    for review in reviews:
        stack = stacks.setdefault(review.fact_id, [])
        if review.decision != "undo":
            stack.append(review)
        elif stack:
            stack.pop()
    return {fact_id: stack[-1] for fact_id, stack in stacks.items() if stack}


def _draft(ops: Sequence[Operation], review: Review | None, policy: Policy) -> Fact:
    first = ops[0].extraction
    all_of_it = [op.extraction for op in ops]
    confidence = min((e.confidence for e in all_of_it), key=CONFIDENCES.index)  # the list starts with "high"
    is_approved = policy == "auto" or (policy == "high" and confidence == "high")
    status: Status = "current" if is_approved else "pending"
    approved_at = first.recorded_at if is_approved else None
    if review:
        status = "rejected" if review.decision == "reject" else "current"
        approved_at = None if review.decision == "reject" else (approved_at or review.recorded_at)
    return Fact(
        fact_id=ops[0].fact_id,
        user_id=first.user_id,
        scope=first.scope,
        key=ops[0].key,
        subject=first.subject,
        attribute=first.attribute,
        object=first.object,
        value=first.value,
        content=review.text if review and review.decision == "edit" else first.content,
        category=first.category,
        confidence=confidence,  # type: ignore[arg-type]
        language=first.language,
        status=status,
        occurred_at=first.occurred_at,
        utc_offset_min=first.utc_offset_min,
        valid_from=first.valid_from,
        valid_to=first.valid_until,
        recorded_at=min(e.recorded_at for e in all_of_it),
        approved_at=approved_at,
        retired_at=None,
        replaced_by="",
        n_sources=len({m for e in all_of_it for m in e.source_memory_ids}),
        quotes=tuple(dict.fromkeys(quote for e in all_of_it for quote in e.quotes)),
        source_memory_ids=tuple(dict.fromkeys(m for e in all_of_it for m in e.source_memory_ids)),
        source_event_ids=tuple(dict.fromkeys(m for e in all_of_it for m in e.source_event_ids)),
        extractor=first.extractor,
        decision=review.decision if review else "",
        decided_by=review.who if review else "",
        reason=review.why if review else first.reason,
    )


def said(fact: Fact) -> tuple[str, str, str]:
    """Return what stands for what a fact says, in whatever wording."""
    return fact.key, canonical(fact.object), fact.value


def _blocked(fact: Fact) -> Fact:
    return replace(fact, status="rejected", approved_at=None, reason="the same was rejected before")


def _closed(group: Sequence[Fact]) -> list[Fact]:
    """Return the facts of one key, by time: of those that are served, each ends where the next begins."""
    served = [fact for fact in group if fact.status == "current"]
    ends = {}
    for fact, later in pairwise(served):
        assert fact.approved_at is not None and later.approved_at is not None  # noqa: S101, PT018 - they are served
        ends[fact.fact_id] = replace(
            fact,
            status="superseded",
            valid_to=max(later.valid_from, fact.valid_from),
            retired_at=max(later.approved_at, fact.approved_at),
            replaced_by=later.fact_id,
        )
    return [ends.get(fact.fact_id, fact) for fact in group]
