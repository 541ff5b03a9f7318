"""A server in this process on a data folder of its own, with the hashing embedder."""

from collections.abc import Iterator

import pytest

from resources.settings import Settings

from .serving import Memory


@pytest.fixture
def memory(settings: Settings) -> Iterator[Memory]:
    with Memory(settings) as opened:
        yield opened
