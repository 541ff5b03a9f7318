"""One stage of the pipeline a file; each connects domain and resources."""
