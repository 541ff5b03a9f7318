"""What one question to an extractor holds: a user's episodes of one day in chunks with fixed borders. Pure.

A chunk is whole sessions of a day in their order, as many as fit the budget; a session that is longer is split between
episodes, an episode that is longer in overlapping parts. A day that grows at its end changes its last chunk only.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from itertools import chain, groupby

from domain import chunks, ids, labels
from domain.episodes import Episode, is_named
from domain.facts import USER

_FACETS = ("content", "user_said", "agent_did", "outcome")
_MACHINES = frozenset({"tool", "system", "assistant", "ai"})
_LINE_TOKENS = 12  # number, time and speaker of a line
_MIN_HALVED_CHARS = 200  # a reply to less cannot be too long because of the question


@dataclass(frozen=True, slots=True)
class Said:
    """One episode, or a part of a long one, as an extractor reads it.

    Attributes:
        episode: whole.
        texts: facet and words, in the order in which they were said; a part holds some of them only.
    """

    episode: Episode
    texts: tuple[tuple[str, str], ...]

    @property
    def said_at(self) -> datetime:
        """Return when it was said, in its own offset."""
        return self.episode.occurred_at.astimezone(timezone(timedelta(minutes=self.episode.utc_offset_min)))

    @property
    def subject(self) -> str:
        """Return who "I" is in it: ``user``, or the name of another speaker."""
        if self.episode.user_said is None and is_named(self.episode.speaker):
            return str(self.episode.speaker)
        return USER

    @property
    def own_words(self) -> str:
        """Return what that person said, without what the agent did and how it ended.

        Nothing for what no person said: results of tools, instructions to the agent, turns of nobody in particular.
        """
        nobody = self.episode.role == "other" and not is_named(self.episode.speaker)
        if self.episode.role in _MACHINES or (nobody and self.episode.user_said is None):
            return ""
        return "\n".join(text for facet, text in self.texts if facet in {"content", "user_said"})


@dataclass(frozen=True, slots=True)
class Chunk:
    """What one question is about.

    Attributes:
        said: in the order of time; an extractor calls them by their place, from 1.
    """

    user_id: str
    scope: str
    day: str
    said: tuple[Said, ...]

    @property
    def key(self) -> str:
        """Return what stands for all that the chunk holds, the same for the same words in the same order."""
        told = [
            (s.episode.memory_id, s.said_at.isoformat(), s.episode.speaker or "", *chain(*s.texts)) for s in self.said
        ]
        return ids.digest(self.user_id, self.scope, self.day, ids.json_text(told))

    def halves(self) -> tuple["Chunk", "Chunk"] | None:
        """Return the chunk in two, None where it is one episode that cannot be parted further."""
        middle = len(self.said) // 2
        if middle:
            return replace(self, said=self.said[:middle]), replace(self, said=self.said[middle:])
        (only,) = self.said
        pieces = [
            (facet, c.text) for facet, text in only.texts for c in chunks.split(text, max(2, len(text) // 2 + 1), 0)
        ]
        if len(pieces) < 2 or sum(len(text) for _, text in pieces) < _MIN_HALVED_CHARS:
            return None
        middle = len(pieces) // 2
        first, second = Said(only.episode, tuple(pieces[:middle])), Said(only.episode, tuple(pieces[middle:]))
        return replace(self, said=(first,)), replace(self, said=(second,))


def build(episodes: Iterable[Episode], day: str, budget_tokens: int) -> list[Chunk]:
    """Return the chunks of a day's episodes, by user, scope and time; what is low in salience is left out.

    Args:
        episodes: of the day, in any order.
        day: ISO day of the tables.
        budget_tokens: of the words of a chunk, >= 100; the instructions of a prompt come on top.
    """
    told = [e for e in episodes if e.salience >= labels.LOW_SALIENCE]
    told.sort(key=lambda e: (e.user_id, e.scope))
    return [
        Chunk(user_id, scope, day, tuple(said))
        for (user_id, scope), mine in groupby(told, key=lambda e: (e.user_id, e.scope))
        for said in _packed(_sessions(mine), budget_tokens)
    ]


def _sessions(episodes: Iterable[Episode]) -> list[list[Episode]]:
    """Return the sessions by the time of their first episode; episodes without a session stand alone."""
    found: dict[str, list[Episode]] = {}
    for episode in sorted(episodes, key=lambda e: (e.occurred_at, e.memory_id)):
        found.setdefault(episode.session_id or f"\0{episode.memory_id}", []).append(episode)
    return list(found.values())


def _packed(sessions: Iterable[Sequence[Episode]], budget_tokens: int) -> Iterator[list[Said]]:
    packed: list[Said] = []
    spent = 0
    for session in sessions:
        said = [part for episode in session for part in _parts(episode, budget_tokens)]
        costs = [tokens(part) for part in said]
        if packed and spent + sum(costs) > budget_tokens:
            yield packed
            packed, spent = [], 0
        for part, cost in zip(said, costs, strict=True):
            if packed and spent + cost > budget_tokens:
                yield packed
                packed, spent = [], 0
            packed.append(part)
            spent += cost
    if packed:
        yield packed


def _parts(episode: Episode, budget_tokens: int) -> list[Said]:
    """Return the episode whole where it fits, else in parts of one facet each; what looks binary has no words."""
    whole = Said(episode, tuple((facet, text) for facet in _FACETS if (text := _words(episode, facet))))
    if not whole.texts:
        return []
    if tokens(whole) <= budget_tokens:
        return [whole]
    # A token is at least one character: pieces of that many characters fit in any language.
    room = max(100, budget_tokens - _LINE_TOKENS)
    return [Said(episode, ((f, c.text),)) for f, text in whole.texts for c in chunks.split(text, room, room // 10)]


def _words(episode: Episode, facet: str) -> str:
    text: str | None = getattr(episode, facet)
    return "" if text is None or not text.strip() or chunks.is_binary_looking(text) else text


def tokens(said: Said) -> int:
    """Return about how many tokens an episode takes in a prompt.

    Four ASCII characters a token, one token for any other character: some more than the tokenizers of the current
    models need for either language, so that a budget holds.
    """
    return _LINE_TOKENS + sum(count_tokens(text) for _, text in said.texts)


def count_tokens(text: str) -> int:
    """Return about how many tokens a text takes."""
    n_ascii = sum(char.isascii() for char in text)
    return n_ascii // 4 + (len(text) - n_ascii) + 1
