"""What counts as the same memory said again. Pure; the event log compares the hashes and applies the time window."""

import unicodedata
from collections.abc import Mapping
from typing import Any

from domain.ids import digest, json_text

TEXTS = ("content", "user_said", "agent_did", "outcome")
LABELS = ("category", "emotion", "expires_at", "participants", "metadata", "media", "variants")


def normalised(text: str) -> str:
    r"""Return the text as the duplicate rule sees it: NFKC, case folded, every run of white space one space, stripped.

    >>> normalised("  Ｐrefers\tMETRIC\n units ")
    'prefers metric units'
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    # Folding can leave marks in another order or undo a composition, so that it takes a second normalisation.
    return " ".join(unicodedata.normalize("NFKC", folded).split())


def content_hash(user_id: str, scope: str, payload: Mapping[str, Any]) -> str:
    """Return the 32 hex digits that two memories share when one says only what the other has said.

    Texts are compared normalised, labels as they are: another category, expiry or participant is another memory. A
    field that is empty counts as one that is missing. User and scope are part of the hash, so that neither ever
    meets another's duplicates. A message or an imported event gets none: the caller leaves its ``content_hash`` None.

    Args:
        user_id: whose memory it is.
        scope: where it is stored; compared exactly.
        payload: the JSON-able payload of a ``memory`` event; keys that are neither text nor label are ignored.

    >>> same = content_hash("ana", "global", {"content": "Likes tea"})
    >>> same == content_hash("ana", "global", {"content": " likes  TEA "})
    True
    >>> same == content_hash("ben", "global", {"content": "Likes tea"})
    False
    """
    said = {name: normalised(payload.get(name) or "") for name in TEXTS}
    labels = {name: payload.get(name) or None for name in LABELS}
    return digest(user_id, scope, json_text(said), json_text(labels))
