"""Reviews that the release does not hold yet: the facts of a user as they make them, in place of the released ones.

The same fold as the pipeline's, over the same operations, with every review there is: an approval shows in the very
next retrieval, and reads the same after the run that puts it into the tables.
"""

import threading
from collections import OrderedDict
from dataclasses import dataclass

from domain import facets
from mcp_app.block import Block, block_of_rows
from mcp_app.tail import TailVectors
from resources.event_log import EventLog
from resources.fact_tables import FactTables
from resources.releases import Manifest

_USERS_KEPT = 500


@dataclass(frozen=True, slots=True)
class ReviewedFacts:
    """One user's facts with reviews that no release holds.

    Attributes:
        block: their rows.
        vectors: of these rows.
        fact_ids: released rows with such a memory_id are shadowed.
    """

    block: Block
    vectors: TailVectors
    fact_ids: frozenset[str]


class Reviewed:
    """The reviewed facts of the users who asked last; any thread."""

    def __init__(self, log: EventLog, facts: FactTables) -> None:
        self._log = log
        self._facts = facts
        self._known: OrderedDict[str, tuple[tuple[str, int], ReviewedFacts]] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, user_id: str, manifest: Manifest | None) -> ReviewedFacts | None:
        """Return a user's facts where reviews have come since the release; None where none has, or nothing is released.

        Raises:
            Permanent: the tables of facts cannot be read.
        """
        if manifest is None:
            return None
        fresh = self._log.read_kind("review", user_id, manifest.reviewed_seq)
        if not fresh:
            return None
        key = (manifest.run_id, fresh[-1].seq)
        with self._lock:
            known = self._known.get(user_id)
        if known is None or known[0] != key:
            known = (key, self._made(user_id))
            with self._lock:
                self._known[user_id] = known
                while len(self._known) > _USERS_KEPT:
                    self._known.popitem(last=False)
        return known[1]

    def _made(self, user_id: str) -> ReviewedFacts:
        facts = self._facts.up_to_date(user_id)
        rows = [facets.fact_index_row(fact, day="", fingerprint="") for fact in facts]
        vectors = TailVectors([row["text"] for row in rows])
        return ReviewedFacts(block_of_rows(rows), vectors, frozenset(fact.fact_id for fact in facts))
