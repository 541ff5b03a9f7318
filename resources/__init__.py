"""The outside world, one thing a file: settings, event log, lake, index, embedder."""
