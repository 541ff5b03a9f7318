"""The hindsight command."""
