"""Facts that a text states in so many words, found by rules: no model, no question to anybody. Pure.

Reads the own words of each episode of a chunk, Chinese and English; proposes only what a table of patterns names, and
nothing of what is asked, supposed, quoted, or of the moment. What it proposes is verified as any other extraction.
"""

import re
from collections.abc import Iterator

from domain import rules_en, rules_zh, timewords
from domain.attributes import named
from domain.facts import USER, Candidate, Quote
from domain.reflection_chunks import Chunk, Said
from domain.rules_found import Found, plain

VERSION = "1"

READ_CHARS = 4_000  # a longer text is pasted, and little of it is about who pasted it
MAX_CONTENT_CHARS = 160
_HAN = re.compile("[\u4e00-\u9fff]")
_LATIN = re.compile("[A-Za-z]")
_FIRST_PERSON = re.compile(r"[我俺咱]|\b(?:i|i'?m|i'?ve|my|me|we|our)\b", re.IGNORECASE)
_SINCE = re.compile(r"\bsince\s+[^,.;!?]{3,30}|[从自][^，。；！？]{2,16}?(?:开始|起|就)", re.IGNORECASE)
_ALIKE = {
    "preference": "hobby",
    "hobby": "preference",
    "task": "deadline",
}  # of one thing, the first of the two will do
# Where a sentence starts anew about its speaker: what one half says must not live on in a fact of the other.
_ANEW = re.compile(
    r"[，,；;]\s*(?=[我俺咱]|本人)|(?:[,;]\s*(?:(?:and|but|so)\s+)?|\s+(?:and|but)\s+)(?=(?:i|i['’]?m|i['’]?ve|my|we)\b)",
    re.IGNORECASE,
)
_STATES = frozenset({"lives_in", "employer", "occupation", "school", "diet", "pet", "medication", "marital_status"})


def extract(chunk: Chunk) -> list[Candidate]:
    """Return the facts that the episodes of a chunk state, in their order, each once for each episode.

    Args:
        chunk: the sources and quotes of a fact name an episode by its place in it, from 1.
    """
    return [found for n, said in enumerate(chunk.said, 1) for found in _of_episode(str(n), said)]


def _of_episode(source: str, said: Said) -> Iterator[Candidate]:
    words = said.own_words[:READ_CHARS]
    text = plain(words)
    if said.subject != USER and not _FIRST_PERSON.search(text):
        return
    seen: set[tuple[str, str, str]] = set()
    for found, first, last in _found(text):
        if said.subject != USER and not _FIRST_PERSON.search(text, first, last):
            continue  # a named speaker may be a shop or an app: what it advises is nobody's task
        key = (found.subject, found.attribute, found.object.casefold())
        other = _ALIKE.get(found.attribute, "")
        if key in seen or (found.subject, other, key[2]) in seen:
            continue
        seen.add(key)
        yield _candidate(found, source, said, words, (first, last))


def _found(text: str) -> Iterator[tuple[Found, int, int]]:
    if _HAN.search(text):
        yield from rules_zh.find(text)
    if _LATIN.search(text):
        yield from rules_en.find(text)


def _candidate(found: Found, source: str, said: Said, words: str, place: tuple[int, int]) -> Candidate:
    as_written = words[found.first : found.first + len(found.object)]
    is_there = plain(as_written) == found.object  # else the rule gave the object ("I don't smoke")
    first, last = _part(words, place, found.first) if is_there else place
    quote = words[first:last].strip()
    return Candidate(
        subject=found.subject or said.subject or USER,
        attribute=found.attribute,
        object=as_written if is_there else found.object,
        value=found.value,
        content=quote[:MAX_CONTENT_CHARS],
        category=named(found.attribute).category,
        confidence=found.confidence,
        valid_from=_since(quote, said) if found.attribute in _STATES and found.value == "yes" else "",
        quotes=(Quote(source, quote),),
        sources=(source,),
    )


def _part(words: str, place: tuple[int, int], at: int) -> tuple[int, int]:
    """Return where the part of a sentence that holds a place begins and ends."""
    first, last = place
    for border in _ANEW.finditer(words, first, last):
        if border.end() <= at:
            first = border.end()
        elif border.start() > at:
            return first, border.start()
    return first, last


def _since(quote: str, said: Said) -> str:
    """Return the day from which a state holds where the words name one ("since May 2021"), else ""."""
    match = _SINCE.search(quote)
    when = timewords.resolve(match.group(), said.said_at) if match else []
    return when[0].start.date().isoformat() if when and when[0].start <= said.said_at else ""
