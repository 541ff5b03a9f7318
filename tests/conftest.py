"""A data folder of its own for the whole test run, and the parts that most tests start from: all real, no mocks.

Our own modules are imported inside the fixtures: assets.partitions and pipelines.definitions read the settings at
import, and the tests of the server and the domain need not pay for Dagster.
"""

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

if TYPE_CHECKING:
    from resources.event_log import EventLog
    from resources.settings import Settings

    from .pipeline_runs import Pipeline

# How long an example takes says something about the machine, not about the code.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")

_folder = tempfile.TemporaryDirectory(prefix="hindsight-tests-")
for _name in [name for name in os.environ if name.startswith("HINDSIGHT_")]:
    del os.environ[_name]
os.environ |= {
    "HINDSIGHT_DATA": _folder.name,
    "HINDSIGHT_EMBEDDER": "hash",
    "HF_HUB_OFFLINE": "1",
    "DAGSTER_DISABLE_TELEMETRY": "1",
}


@pytest.fixture
def settings(tmp_path: Path) -> "Settings":
    """Return the settings of a new data folder; zone and first day are those that the day partitions were made with."""
    from resources.settings import Settings

    return Settings(data=tmp_path / "data", embedder="hash")


@pytest.fixture
def log(settings: "Settings") -> Iterator["EventLog"]:
    from resources import wiring

    opened = wiring.open_log(settings)
    yield opened
    opened.close()


@pytest.fixture
def new_pipeline(settings: "Settings") -> Iterator[Callable[..., "Pipeline"]]:
    """Return a function that makes a pipeline on the data folder; keywords are settings that differ."""
    from .pipeline_runs import Pipeline

    made: list[Pipeline] = []

    def make(**options: object) -> Pipeline:
        made.append(Pipeline(settings.model_copy(update=options)))
        return made[-1]

    yield make
    for pipeline in made:
        pipeline.close()


@pytest.fixture
def pipeline(new_pipeline: Callable[..., "Pipeline"]) -> "Pipeline":
    return new_pipeline()
