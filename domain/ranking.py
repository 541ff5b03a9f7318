"""How the candidates of several searches become one order. Pure.

Reciprocal rank fusion of the searches, then bounded factors: small talk counts less, facts more; ties go to the newer
memory.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

# Flat top: a first place in one search does not drown second places in two (Cormack, Clarke and Büttcher 2009).
RRF_K = 60
# Some ten places among the first: "thanks, Lin" must not answer for what Lin said because it shares the name.
LOW_SALIENCE_FACTOR = 0.85
# Some two places among the first: of what answers equally well, the fact that stands for several episodes is first.
FACT_FACTORS = {"high": 1.04, "medium": 1.02, "low": 1.0}


@dataclass(frozen=True, slots=True)
class Ranked:
    """One memory in the final order.

    Attributes:
        key: what was ranked.
        score: relevance, 1 for first place in every search; a fact's may be some more.
        ranks: its place in each search that found it, from 1.
        factors: what the fused score was multiplied by, by name.
    """

    key: str
    score: float
    ranks: Mapping[str, int]
    factors: Mapping[str, float]


def fuse(
    searches: Mapping[str, Sequence[str]],
    low_salience: frozenset[str],
    occurred_at: Mapping[str, float],
    facts: Mapping[str, str] = MappingProxyType({}),
) -> list[Ranked]:
    """Return the memories found by any search, best first.

    Args:
        searches: for each search its memories, best first, each once.
        low_salience: memories that are small talk.
        occurred_at: seconds since the epoch of each memory, for ties.
        facts: the memories that are facts, with their confidence.
    """
    ranks: dict[str, dict[str, int]] = {}
    for name, keys in searches.items():
        for place, key in enumerate(keys, 1):
            ranks.setdefault(key, {})[name] = place
    best = len([keys for keys in searches.values() if keys]) / (RRF_K + 1) or 1.0
    made = [_ranked(key, places, best, key in low_salience, facts.get(key)) for key, places in ranks.items()]
    return sorted(made, key=lambda r: (-r.score, -occurred_at[r.key], r.key))


def _ranked(key: str, places: dict[str, int], best: float, is_low: bool, confidence: str | None) -> Ranked:  # noqa: FBT001
    fused = sum(1 / (RRF_K + place) for place in places.values()) / best
    factors = {"salience": LOW_SALIENCE_FACTOR if is_low else 1.0}
    if confidence is not None:
        factors["fact"] = FACT_FACTORS[confidence]
    return Ranked(key, fused * math.prod(factors.values()), places, factors)
