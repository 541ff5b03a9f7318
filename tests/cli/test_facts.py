"""``hindsight review`` and ``hindsight reflect`` as somebody at a shell uses them."""

import json
import re
from pathlib import Path

import pytest

from domain.errors import BadInput

from .test_commands import EVENTS, Say, hindsight, written

__all__ = ["hindsight"]  # the fixture


def ids(listed: str) -> dict[str, str]:
    """Return the facts of a list by their sentence."""
    return {
        words: fact_id for fact_id, words in re.findall(r"^(fact-\w+)  .*?\d{4}-\d\d-\d\d  (.*)$", listed, re.MULTILINE)
    }


@pytest.mark.timeout(180)
def test_facts_are_listed_with_their_quotes_and_decided_about(hindsight: Say, tmp_path: Path) -> None:
    hindsight("import", written(tmp_path, [*EVENTS, {**EVENTS[2], "content": "I'm allergic to shellfish"}]))
    told = hindsight("run")
    assert re.search(r"users' days reflected on: 2 ok", told)
    listed = hindsight("review")
    assert "“我对花生过敏”" in listed
    facts = ids(listed)
    assert set(facts) == {"我对花生过敏", "I'm allergic to shellfish"}
    assert "current" in hindsight("review", "approve", facts["我对花生过敏"])
    assert set(ids(hindsight("review"))) == {"I'm allergic to shellfish"}
    edited = hindsight("review", "edit", facts["I'm allergic to shellfish"][:14], "--text", "No shellfish, ever")
    assert "No shellfish, ever" in edited
    assert set(ids(hindsight("review", "--status", "current", "--user", "ben"))) == {"No shellfish, ever"}
    assert "pending" in hindsight("review", "undo", facts["I'm allergic to shellfish"])
    hindsight("review", "reject", "--all")
    assert set(ids(hindsight("review", "--status", "rejected"))) == {"I'm allergic to shellfish"}
    hindsight("review", "undo", "--all", "--status", "rejected")
    assert hindsight("review").endswith("1 fact\n")
    for arguments, words in (
        (("approve", "fact-0000"), "There is no fact"),
        (("approve",), "Name facts"),
        (("like", "x"), "There is no decision"),
        (("list", "x"), "Fact ids go with a decision"),
        (("edit", facts["我对花生过敏"]), "needs the new text"),
        (("edit", *facts.values(), "--text", "both"), "one by one"),
        (("undo", facts["I'm allergic to shellfish"]), "nothing to undo"),
        (("list", "--status", "good"), "There is no status"),
    ):
        with pytest.raises(BadInput, match=words):
            hindsight("review", *arguments)


def test_a_request_to_reflect_is_kept_and_joined(hindsight: Say, tmp_path: Path) -> None:
    hindsight("import", written(tmp_path, EVENTS))
    first = json.loads(hindsight("reflect", "ana"))
    assert first["status"] == "accepted"
    assert json.loads(hindsight("reflect", "ana", "--wait", "1"))["request_id"] == first["request_id"]
    assert json.loads(hindsight("reflect", "ana", "--request", first["request_id"]))["status"] == "accepted"
    for arguments, words in (
        (("nobody",), "nothing from user"),
        (("ben", "--request", first["request_id"]), "none of this user"),
    ):
        with pytest.raises(BadInput, match=words):
            hindsight("reflect", *arguments)
