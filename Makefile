# Two commands: `make up` starts everything, `make test` runs the whole suite.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: up test quick check lint types imports lock help

help: ## Show the commands
	@grep -E '^[a-z]+:.*##' Makefile | sed 's/:.*## /\t/'

up: $(STAMP) ## Install, load the sample, run the pipeline, start everything
	$(BIN)/hindsight up --sample

test: quick ## The whole suite
	$(BIN)/python -m pytest -m slow

quick: $(STAMP) ## The suite without what starts processes or loads the real model
	$(BIN)/python -m pytest -m "not slow" -n 2 --dist loadfile

check: lint types imports ## All that is checked without running the program

lint: $(STAMP) ## Format and lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(STAMP) ## Types
	$(BIN)/mypy

imports: $(STAMP) ## Who may import whom
	$(BIN)/lint-imports

lock: $(STAMP) ## Pin again what pyproject.toml asks for
	$(BIN)/python -m piptools compile --quiet --extra dev --strip-extras --no-emit-index-url --no-emit-find-links \
		--no-emit-trusted-host --no-emit-options --unsafe-package torch --output-file requirements.lock pyproject.toml

# torch first, on its own: asked for together with the rest, an index may give a build of several gigabytes.
$(STAMP): requirements.lock pyproject.toml
	@echo "Installing 2.4 GB of packages into $(VENV); this takes some minutes the first time."
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check torch==2.13.0
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable . 2>/dev/null \
		|| $(BIN)/python -m pip install --no-deps --no-build-isolation --editable .
	touch $@
