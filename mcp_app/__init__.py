"""The server: tools, retrieval, the tail; never imports Dagster."""
