"""A model for tests of reflection: it reads the prompt as a model would and finds what is said in a few fixed ways."""

import json
import re
from collections.abc import Iterable
from typing import Any

from .llm_server import Answer, Body

_LINE = re.compile(r"^\[(\d+)\] (\d{4}-\d\d-\d\d) \w{3} \d\d:\d\d ([^:]+): (.*)$", re.MULTILINE)
_TASTES = (
    (re.compile(r"I (?:love|like) ([\w ]+)"), "like"),
    (re.compile(r"I (?:hate|cannot stand) ([\w ]+?)(?: any more)?(?=[.!,]|$)"), "dislike"),
    (re.compile(r"我(?:爱|喜欢)([\u4e00-\u9fff]{1,6})"), "like"),
    (re.compile(r"我(?:讨厌|不喜欢)([\u4e00-\u9fff]{1,6})"), "dislike"),
)


def lines(body: Body) -> list[tuple[str, str, str, str]]:
    """Return number, date, speaker and words of each line of the question."""
    asked = next(message["content"] for message in body["messages"] if message["role"] == "user")
    return _LINE.findall(asked)


def fact(number: str, quote: str, thing: str, value: str = "like", **fields: Any) -> dict[str, Any]:
    """Return one entry of an answer."""
    return {
        "subject": "user",
        "attribute": "preference",
        "object": thing,
        "value": value,
        "content": quote,
        "category": "preference",
        "confidence": "high",
        "valid_from": "",
        "quotes": [{"id": int(number) if number.isdigit() else number, "text": quote}],
        "sources": [int(number) if number.isdigit() else number],
        **fields,
    }


def found(body: Body) -> list[dict[str, Any]]:
    """Return the facts that this model finds in a question."""
    facts = []
    for number, _, _, words in lines(body):
        for pattern, value in _TASTES:
            facts += [fact(number, match[0], match[1].strip(), value) for match in pattern.finditer(words)]
    return facts


def answered(facts: Iterable[dict[str, Any]]) -> str:
    return json.dumps({"facts": list(facts)}, ensure_ascii=False)


def reads(body: Body) -> Answer:
    """Answer as a model that makes no mistake."""
    return answered(found(body))
