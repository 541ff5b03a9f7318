"""The thinking: pure functions and records; no clock, disk, network, randomness or Dagster."""
