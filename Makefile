# The doors of the house. Every target sets up what it needs, from a fresh clone, with python3 and make alone.

PYTHON ?= python3
RULES ?= ar
PORT ?= 8037
EVENING ?= play
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
COMPILE := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-annotate --no-header

.DEFAULT_GOAL := help
.PHONY: help setup play room table test check soak bench coverage coverage-page commands houses-page json-page socket-page promises pictures docs package format lock clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMP) ## Make .venv and install the project with the locked tools

$(STAMP): pyproject.toml requirements/dev.lock requirements/uv.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
		f"novamas needs Python 3.11 or later; {sys.executable} is {sys.version.split()[0]}")'
	@test -x $(BIN)/pip || { echo "==> making $(VENV)"; $(PYTHON) -m venv $(VENV); }
	@echo "==> installing the locked tools"
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.lock
	@$(BIN)/uv pip install --python $(BIN)/python --require-hashes -r requirements/dev.lock
	@echo "==> installing novamas"
	@$(BIN)/uv pip install --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

play: $(STAMP) room ## Open the house in the browser, a table of each rulebook; play/ keeps the evening (PORT=8037)
	@mkdir -p $(EVENING)
	@$(BIN)/novamas serve --local --open --port $(PORT) --store $(EVENING)/house.db

room: $(STAMP) ## Build the screens that the house serves, where their sources are newer
	@echo "==> the room"
	@scripts/room build

table: $(STAMP) ## Sit down at a table in the terminal (RULES=ar, es, it, bg, fr, fram, fran, esam or sd)
	@$(BIN)/novamas play $(RULES)

test: $(STAMP) ## Run every check of the project; what CI runs
	@scripts/check

check: $(STAMP) ## Run the quick loop: format, lint, types, layers, fast tests
	@scripts/check --quick

soak: $(STAMP) ## Run the long checks: the promises at length, more random coups, every datum of every rulebook altered
	@scripts/check --soak

bench: $(STAMP) ## Measure; writes build/bench.json
	@$(BIN)/python -m bench

coverage: $(STAMP) ## Show which lines of src the tests run
	@$(BIN)/coverage run -m pytest -q -m "not slow"
	@$(BIN)/coverage report

coverage-page: $(STAMP) ## Write docs/reference/rule-coverage.md anew: which tests name which rule
	@$(BIN)/python -m scripts.rule_coverage

commands: $(STAMP) ## Write docs/reference/commands.md anew from the parser
	@$(BIN)/python -m scripts.commands

houses-page: $(STAMP) ## Write docs/reference/houses-compared.md anew: what differs between the rulebooks
	@$(BIN)/python -m scripts.houses_compared

json-page: $(STAMP) ## Write docs/reference/json-answers.md anew: what every command prints with --json
	@$(BIN)/python -m scripts.json_page

socket-page: $(STAMP) ## Write docs/reference/socket.md anew from the definitions of the socket's messages
	@$(BIN)/python -m scripts.socket_page

promises: $(STAMP) ## Write docs/reference/promises.md anew from the figures of the last run
	@$(BIN)/python -m scripts.promises

pictures: $(STAMP) ## Draw the pictures of the documentation anew
	@$(BIN)/python -m scripts.pictures

docs: $(STAMP) ## Build the documentation and its playground into build/docs
	@scripts/site build
	@echo "built build/docs/index.html"

package: $(STAMP) room ## Build the package into dist: a wheel and the sources, with the room in both
	@$(BIN)/python -m hatchling build -d dist

format: $(STAMP) ## Format the code and mend what the linter can mend
	@$(BIN)/ruff format
	@$(BIN)/ruff check --fix

lock: $(STAMP) ## Resolve the tools, and what a house runs on, anew; writes requirements/*.lock and ages.json, with hashes and without addresses
	@$(COMPILE) --output-file requirements/uv.lock requirements/uv.in
	@$(COMPILE) --output-file requirements/bench.lock requirements/bench.in
	@$(COMPILE) --output-file requirements/node.lock requirements/node.in
	@$(COMPILE) --group dev --all-extras --output-file requirements/dev.lock pyproject.toml
	@$(COMPILE) --extra house --extra postgres --constraint requirements/dev.lock \
		--output-file requirements/serve.lock pyproject.toml requirements/serve.in
	@$(BIN)/python -m scripts.package_ages --write
	@! grep -n '://' requirements/*.lock requirements/ages.json

clean: ## Remove what the tools made, .venv included
	rm -rf $(VENV) build dist playground/node_modules ui/node_modules src/novamas/web/room .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
