"""Precision and recall of the rule-based extractor on sentences written by hand, half Chinese, half English.

    python benchmarks/rules.py [FILE...]

A line of a file is one sentence: {"id", "language", "text", "kind", "facts"}; a fact has subject, attribute, object and
value, and may have

    optional  true: a careful reader might extract it or not, or it is about somebody else: neither for nor against
    also      other readings that are right too: "task" (with the same value) or "preference=dislike"
    objects   other wordings of the object

A candidate is right when subject, reading and object agree with a fact; objects agree when the words of one are all
among the other's. Each fact is counted once, and a candidate stands for one fact only: two things in one object leave
one of them missed. All other candidates are wrong. Whoever tunes the rules to these sentences must write new ones.
"""

import argparse
import importlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from domain import attributes, episodes, facts, text
from domain.facts import Candidate
from domain.records import Event
from domain.reflection_chunks import Chunk, Said

SENTENCES = Path(__file__).with_name("rules_sentences.jsonl")
LANGUAGES = ("en", "zh")
SAID_AT = datetime(2025, 6, 4, 12, 0, tzinfo=UTC)  # a Wednesday
_FIELDS = {"id": str, "language": str, "text": str, "kind": str, "facts": list}
_FACT_FIELDS = {"subject": str, "attribute": str, "object": str, "value": str}
_MORE_FACT_FIELDS = {"optional": bool, "also": list, "objects": list}


@dataclass(frozen=True)
class Expected:
    """A fact that a sentence states.

    Attributes:
        readings: attribute and value, in each way that is right.
        objects: each wording that is right.
    """

    subject: str
    readings: tuple[tuple[str, str], ...]
    objects: tuple[str, ...]
    optional: bool

    def __str__(self) -> str:
        """Return it as it is listed."""
        (attribute, value), *_ = self.readings
        return f"{self.subject} / {attribute} / {self.objects[0]} / {value}"

    def agrees(self, got: Candidate) -> bool:
        """Return whether a candidate says the same."""
        same_object = any(_same_words(wording, got.object) for wording in self.objects)
        return same_object and (got.attribute, got.value) in self.readings and self._same_subject(got.subject)

    def _same_subject(self, subject: str) -> bool:
        mine, other = self.subject.casefold(), subject.casefold()
        if facts.USER in {mine, other}:
            return mine == other
        return bool(other) and (mine in other or other in mine)  # "son" and "my son"


@dataclass(frozen=True)
class Sentence:
    """One line of a file."""

    sentence_id: str
    language: str
    words: str
    kind: str
    expected: tuple[Expected, ...]


@dataclass
class Outcome:
    """What became of one sentence."""

    sentence: Sentence
    found: list[Expected] = field(default_factory=list)  # without the optional ones
    missed: list[Expected] = field(default_factory=list)
    wrong: list[Candidate] = field(default_factory=list)


def _same_words(one: str, other: str) -> bool:
    mine, others = set(text.tokens(one)), set(text.tokens(other))
    return bool(mine and others) and (mine <= others or others <= mine)


def faults(line: Any) -> list[str]:
    """Return what is wrong with one line of a file."""
    found = _field_faults(line, _FIELDS, {})
    if found:
        return found
    if line["language"] not in LANGUAGES:
        found.append(f"language {line['language']!r} is none of {LANGUAGES}")
    if not line["text"].strip() or not line["kind"]:
        found.append("text and kind must not be empty")
    return found + [fault for fact in line["facts"] for fault in fact_faults(fact)]


def fact_faults(fact: Any) -> list[str]:
    """Return what is wrong with one fact of a line."""
    found = _field_faults(fact, _FACT_FIELDS, _MORE_FACT_FIELDS)
    if found:
        return found
    for attribute, value in _readings(fact):
        if attribute not in attributes.ATTRIBUTES:
            found.append(f"attribute {attribute!r} is not in domain.attributes")
        if value not in facts.VALUES:
            found.append(f"value {value!r} is none of {facts.VALUES}")
    wordless = [wording for wording in [fact["object"], *fact.get("objects", [])] if not text.tokens(wording)]
    found += [f"object {wording!r} has no words" for wording in wordless]
    return found if fact["subject"] else [*found, "subject must not be empty"]


def _field_faults(record: Any, needed: Mapping[str, type], allowed: Mapping[str, type]) -> list[str]:
    if not isinstance(record, dict):
        return [f"{record!r} is not an object"]
    missing = [f"{name} is missing" for name in needed if name not in record]
    unknown = [f"field {name!r} is unknown" for name in record if name not in {**needed, **allowed}]
    kinds = {**needed, **allowed}
    wrong = [f"{n} must be {kinds[n].__name__}" for n in record if n in kinds and not isinstance(record[n], kinds[n])]
    return missing + unknown + wrong


def _readings(fact: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    others = [reading.partition("=") for reading in fact.get("also", [])]
    more = [(attribute, value or fact["value"]) for attribute, _, value in others]
    return (fact["attribute"], fact["value"]), *more


def read(paths: Sequence[Path]) -> list[Sentence]:
    """Return the sentences of files.

    Raises:
        ValueError: a line is not as it should be; the message names each of them.
    """
    found: list[Sentence] = []
    wrong: list[str] = []
    seen: set[str] = set()
    for path in paths:
        for n, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            try:
                line = json.loads(raw)
            except json.JSONDecodeError as error:
                wrong.append(f"{path.name}:{n}: no JSON: {error}")
                continue
            bad = faults(line)
            if not bad and line["id"] in seen:
                bad.append(f"id {line['id']} stands there twice")
            wrong += [f"{path.name}:{n}: {fault}" for fault in bad]
            if not bad:
                seen.add(line["id"])
                found.append(_sentence(line))
    if wrong or not found:
        raise ValueError("\n".join(wrong) or "no sentences in " + ", ".join(str(path) for path in paths))
    return found


def _sentence(line: dict[str, Any]) -> Sentence:
    expected = tuple(
        Expected(
            fact["subject"],
            _readings(fact),
            (fact["object"], *fact.get("objects", [])),
            fact.get("optional", False),
        )
        for fact in line["facts"]
    )
    return Sentence(line["id"], line["language"], line["text"], line["kind"], expected)


def chunk(sentence: Sentence) -> Chunk:
    """Return the sentence as the only turn of a conversation."""
    day = SAID_AT.date().isoformat()
    payload = {"role": "user", "content": sentence.words}
    who = ("ana", "agent", "global", "s1")
    event = Event(1, sentence.sentence_id, "message", *who, SAID_AT, day, SAID_AT, payload)
    (episode,) = episodes.build([event])
    return Chunk("ana", "global", day, (Said(episode, (("user_said", sentence.words),)),))


def judged(sentence: Sentence, proposed: Iterable[Candidate]) -> Outcome:
    """Return which facts of a sentence were found; a candidate with one fact to stand for takes it first."""
    outcome = Outcome(sentence)
    matches = [(got, [fact for fact in sentence.expected if fact.agrees(got)]) for got in _distinct(proposed)]
    found: list[Expected] = []
    for got, fitting in sorted(matches, key=lambda match: len(match[1])):
        free = [fact for fact in fitting if fact not in found]
        found += sorted(free, key=lambda fact: fact.optional)[:1]
        if not fitting:
            outcome.wrong.append(got)
    needed = [fact for fact in sentence.expected if not fact.optional]
    outcome.found = [fact for fact in needed if fact in found]
    outcome.missed = [fact for fact in needed if fact not in found]
    return outcome


def _distinct(proposed: Iterable[Candidate]) -> list[Candidate]:
    by_key = {(c.subject, c.attribute, tuple(text.tokens(c.object)), c.value): c for c in proposed}
    return list(by_key.values())


def report(outcomes: Sequence[Outcome]) -> None:
    """Print the figures by language and together, then each wrong and each missed one."""
    head = ("language", "sentences", "expected", "found", "wrong", "precision", "recall")
    print(f"{head[0]:<10}" + "".join(f"{name:>11}" for name in head[1:]))
    for language in (*LANGUAGES, "all"):
        some = [o for o in outcomes if language in {o.sentence.language, "all"}]
        found, missed, wrong = (sum(len(getattr(o, name)) for o in some) for name in ("found", "missed", "wrong"))
        counts = (len(some), found + missed, found, wrong)
        shares = (_share(found, found + wrong), _share(found, found + missed))
        print(f"{language:<10}" + "".join(f"{count:>11}" for count in counts) + "".join(f"{s:>11}" for s in shares))
    for title in ("wrong", "missed"):
        print(f"\n{title}:")
        for outcome in outcomes:
            for one in getattr(outcome, title):
                said = one if isinstance(one, Expected) else _line(one)
                print(
                    f"  {outcome.sentence.sentence_id} [{outcome.sentence.kind}] {said}   <- {outcome.sentence.words}"
                )


def _line(got: Candidate) -> str:
    return f"{got.subject} / {got.attribute} / {got.object} / {got.value}"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"


def main() -> None:
    """Read, extract, judge and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, default=[SENTENCES], help=f"default {SENTENCES.name} beside it")
    parser.add_argument("--check", action="store_true", help="check the files and count the kinds, extract nothing")
    asked = parser.parse_args()
    try:
        sentences = read(asked.files)
    except (OSError, ValueError) as error:
        sys.exit(str(error))  # to stderr, with exit code 1
    if asked.check:
        kinds = Counter((sentence.kind, sentence.language) for sentence in sentences)
        for kind in dict.fromkeys(sentence.kind for sentence in sentences):
            print(f"{kind:<16}" + "".join(f"{language:>5}{kinds[kind, language]:>4}" for language in LANGUAGES))
        return
    rules = importlib.import_module("domain.rules")  # here: the files can be checked without it
    report([judged(sentence, rules.extract(chunk(sentence))) for sentence in sentences])


if __name__ == "__main__":
    main()
