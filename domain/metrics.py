"""Scores of a ranking against the records that answer a query. Pure.

Recall@k, any@10, nDCG@10 with binary gains (Järvelin and Kekäläinen 2002) and the reciprocal rank, as the field uses
them; a record counts once, at its first place.
"""

import math
from collections.abc import Collection, Sequence

RECALL_AT = (10, 20, 50)
NAMES = (*(f"R@{k}" for k in RECALL_AT), "any@10", "nDCG@10", "MRR")


def scores(ranking: Sequence[str], relevant: Collection[str]) -> dict[str, float]:
    """Return each score of one query, in [0, 1].

    Args:
        ranking: record ids, best first; repeats are passed over.
        relevant: the records that answer it, at least one.
    """
    rank = list(dict.fromkeys(ranking))
    gold = set(relevant)
    gain = sum(1 / math.log2(n + 2) for n, record in enumerate(rank[:10]) if record in gold)
    ideal = sum(1 / math.log2(n + 2) for n in range(min(10, len(gold))))
    return {
        **{f"R@{k}": len(gold & set(rank[:k])) / len(gold) for k in RECALL_AT},
        "any@10": float(bool(gold & set(rank[:10]))),
        "nDCG@10": gain / ideal,
        "MRR": next((1 / (n + 1) for n, record in enumerate(rank) if record in gold), 0.0),
    }


def mean(of: Sequence[dict[str, float]]) -> dict[str, float]:
    """Return the mean of each score over queries, at least one."""
    return {name: sum(one[name] for one in of) / len(of) for name in NAMES}
