"""Dagster's own folder: its settings file, and the instance that the pipeline's runs are recorded in."""

from pathlib import Path

from resources.files import replace_text
from resources.settings import Settings

# Short queue and threads: an event is searchable in the tables after seconds; the measured gain is 10 s to 4 s.
# Two runs at a time leave the server room. No pools: a run that is killed keeps its slot, and the next publish would
# wait for ever; the lock file in the lake ends with its holder.
_YAML = """\
# Written by Hindsight at each start; change it in resources/dagster_home.py.
telemetry:
  enabled: false
nux:
  enabled: false
run_coordinator:
  module: dagster.core.run_coordinator
  class: QueuedRunCoordinator
  config:
    dequeue_interval_seconds: 1
concurrency:
  runs:
    max_concurrent_runs: 2
sensors:
  use_threads: true
  num_workers: 2
run_monitoring:
  enabled: true
  start_timeout_seconds: 180
retention:
  sensor:
    purge_after_days:
      skipped: 1
      success: 7
      failure: 30
"""


def prepare(settings: Settings) -> Path:
    """Write ``dagster.yaml`` where it differs and return the folder, for ``DAGSTER_HOME``."""
    home = settings.data.absolute() / "dagster"
    path = home / "dagster.yaml"
    if not path.exists() or path.read_text(encoding="utf-8") != _YAML:
        replace_text(path, _YAML)
    return home
