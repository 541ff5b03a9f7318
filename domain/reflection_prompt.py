"""The question that a model is asked about a chunk: what did this user say that lasts. Pure.

Episodes have short numbers in it: a model copies "3" right where it garbles a long id. Nothing that is known already is
in it, so that the same words always give the same question, and a question that was answered is not paid for again.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from domain import ids
from domain.attributes import ATTRIBUTES, CATEGORIES
from domain.attributes import VERSION as ATTRIBUTES_VERSION
from domain.facts import CONFIDENCES, VALUES
from domain.reflection_chunks import Chunk, Said

VERSION = f"1.{ATTRIBUTES_VERSION}"
Message = Mapping[str, str]

_LABEL = {"content": "", "user_said": "", "agent_did": "assistant: ", "outcome": "result: "}
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

_ATTRIBUTES = ", ".join(
    f"{a.name} ({a.en})" if a.en.casefold() != a.name.replace("_", " ") else a.name for a in ATTRIBUTES.values()
)
_FORM = ids.json_text(
    {
        "facts": [
            {
                "subject": "user",
                "attribute": "...",
                "object": "...",
                "value": "yes",
                "content": "...",
                "category": "...",
                "confidence": "high",
                "valid_from": "",
                "quotes": [{"id": 1, "text": "..."}],
                "sources": [1],
            }
        ]
    }
)
SYSTEM = f"""\
You read what one person said and did, and list the lasting facts about them: who they are, what they like and \
dislike, what they must avoid, people and things in their life, plans, open tasks, repeated moods.

Rules:
- Only what was said. Infer nothing, guess nothing. A question, a wish, a joke, a story or somebody else's words is no \
fact about the speaker. If nothing lasts, answer {ids.json_text({"facts": []})}.
- subject is "user" for the person whose log this is; anybody else is called by name or relation.
- A passing mood ("today I don't feel like spicy food") is no dislike: leave it out.
- quotes: copy words from the line exactly, with the line's number. Facts about the user need the user's own words, \
not the assistant's.
- content: one short sentence, in the language of the line. object: the bare thing, in the same language.
- value: "like" or "dislike" for preference, "ended" for what was so and no longer is, else "yes" or "no".
- valid_from: the date (YYYY-MM-DD) from which it holds if the line says so, counted from the line's own date; else "".
- confidence: high if said plainly, medium if you must read between words, low if unsure.
- attribute: one of this list, "other" if none fits:
{_ATTRIBUTES}
- category: {" | ".join(CATEGORIES)}.

Answer with JSON only, in this form:
{_FORM}"""

_NAME = {"type": "string", "maxLength": 80}
_TEXT = {"type": "string", "maxLength": 300}
_FACT = {
    "subject": _NAME,
    "attribute": {"type": "string", "enum": list(ATTRIBUTES)},
    "object": _NAME,
    "value": {"type": "string", "enum": list(VALUES)},
    "content": _TEXT,
    "category": {"type": "string", "enum": list(CATEGORIES)},
    "confidence": {"type": "string", "enum": list(CONFIDENCES)},
    "valid_from": {"type": "string", "maxLength": 10},
    "quotes": {
        "type": "array",
        "maxItems": 4,
        "items": {
            "type": "object",
            "properties": {"id": {"type": "integer"}, "text": _TEXT},
            "required": ["id", "text"],
            "additionalProperties": False,
        },
    },
    "sources": {"type": "array", "maxItems": 8, "items": {"type": "integer"}},
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "maxItems": 40,
            "items": {"type": "object", "properties": _FACT, "required": list(_FACT), "additionalProperties": False},
        }
    },
    "required": ["facts"],
    "additionalProperties": False,
}


def messages(chunk: Chunk) -> list[Message]:
    """Return the question about a chunk, as messages of a chat."""
    lines = [_line(n, said) for n, said in enumerate(chunk.said, 1)]
    return [{"role": "system", "content": SYSTEM}, {"role": "user", "content": "\n".join(lines)}]


def repair(asked: Sequence[Message], reply: str, why: str) -> list[Message]:
    """Return the one further question after a reply that could not be read.

    Args:
        asked: the question.
        reply: what came; cut to its first 4,000 characters.
        why: what is wrong with it, in a sentence.
    """
    complaint = f"That could not be read: {why.rstrip('.')}. Answer again, with the JSON object only."
    shown = reply[:4_000] or "(nothing)"
    return [*asked, {"role": "assistant", "content": shown}, {"role": "user", "content": complaint}]


def request_hash(chunk: Chunk, asked: Sequence[Message], model: str) -> str:
    """Return what stands for a question to a model: equal questions about one user have one answer in the ledger.

    Another user's same words are another question: nobody's answer is found, or erased, with somebody else's.
    """
    words = ids.json_text([dict(message) for message in asked])
    return ids.digest(VERSION, model, chunk.user_id, chunk.scope, words)


def _line(number: int, said: Said) -> str:
    """Return ``[3] 2026-03-01 Sun 09:30 Lin: words``, with the assistant's part indented below."""
    when = said.said_at
    head = f"[{number}] {when:%Y-%m-%d} {_WEEKDAYS[when.weekday()]} {when:%H:%M} {_one_line(said.subject)[:80]}: "
    return head + "\n    ".join(_LABEL[facet] + _one_line(text) for facet, text in said.texts)


def _one_line(text: str) -> str:
    """Return the text as one line, so that nobody's words look like a line of their own."""
    return " / ".join(filter(None, map(str.strip, text.splitlines())))
