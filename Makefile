# `make play` and `make test` do all the set-up. `make help` lists the rest.

VENV ?= .venv
PYTHON ?=
GAME ?= 3^2
AGENTS ?=
ARGS ?=
UPGRADE ?=
# One process a core. Each begins with an equal part of the tests, in order, so that what a file
# prepares is mostly prepared once; one that is done takes half of what another has left.
SPREAD ?= --numprocesses auto --dist worksteal
# All tests, or some: make test TESTS=tests/hyperoxo/game/test_game.py. Those of the research run apart.
TESTS := tests
RESEARCH := tests/hyperoxo_research
QUICK := not text and not more and not slow
# Files with tests of texts, which `make lint` runs.
TEXTS = $(shell grep -rl --include='*.py' 'pytest\.mark\.text$$' tests)
# Where scripts of pages stand.
SCRIPTS := src tests

BIN := $(VENV)/bin
# Byte code is written when a module is first imported: most never are.
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-compile
# Marks of what is installed; they live in the environment and vanish with it.
STAMPS := $(VENV)/.stamps

# Byte code of the tests is kept: to compile them takes two thirds of what collecting them takes.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help play terminal test test-research more doctests test-all slow slowest coverage mutants lint format types imports docs figures bench pins release-check check clean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST)

play: $(STAMPS)/web ## Play in the browser (ARGS='--port 8000')
	@$(BIN)/oxo serve --open $(ARGS)

terminal: $(STAMPS)/project ## Play in the terminal (GAME=4^3 for another game)
	@$(BIN)/oxo play '$(GAME)' $(AGENTS)

test: $(STAMPS)/test ## Run the quick tests of the core and the web application
	@tools/packages.sh nodejs
	$(BIN)/python -m pytest -m "$(QUICK)" $(SPREAD) $(addprefix --ignore=,$(RESEARCH)) $(ARGS) $(TESTS)

test-research: $(STAMPS)/test ## Run the quick tests of the research
	$(if $(wildcard $(RESEARCH)),$(BIN)/python -m pytest -m "$(QUICK)" $(SPREAD) $(ARGS) $(RESEARCH))

more: $(STAMPS)/test ## Run the tests that take longer, in browsers too
	@tools/packages.sh
	$(BIN)/python -m pytest -m "more and not slow and not text" $(SPREAD) $(ARGS) $(TESTS)

doctests: $(STAMPS)/test ## Run the examples in docstrings
	$(BIN)/python -m pytest -p tests.conftest --doctest-modules $(ARGS) src

test-all: doctests test test-research more ## Run all tests but the slow ones

slow: $(STAMPS)/test ## Run the slow tests: longer proofs, replayed
	$(BIN)/python -m pytest -m slow $(ARGS) $(TESTS)

slowest: $(STAMPS)/test ## List quick tests that take more processor time than the budget (after `make test`)
	$(BIN)/python -m pytest -p tests.slowest -m "$(QUICK)" $(ARGS) $(TESTS)

coverage: $(STAMPS)/test ## Run all tests and tell which lines were not reached
	$(BIN)/python -m pytest --cov --cov-report=term --doctest-modules $(ARGS) $(TESTS) src

mutants: $(STAMPS)/test ## Change the checker of proofs in every small way; tests must fail (ARGS=hyperoxo.proof.strategy)
	$(BIN)/python tools/mutants.py $(ARGS)

lint: $(STAMPS)/lint ## Check style and format, and the texts of sources and documents
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/oxlint --deny-warnings $(SCRIPTS)
	$(BIN)/oxfmt --check $(SCRIPTS)
	$(BIN)/python -m pytest -m text $(TEXTS)

format: $(STAMPS)/lint ## Put the code in the house format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/oxfmt $(SCRIPTS)

types: $(STAMPS)/lint ## Check types
	$(BIN)/mypy

imports: $(STAMPS)/lint ## Check which room imports which
	$(BIN)/lint-imports

docs: $(STAMPS)/docs ## Build the documentation into docs/_build/html
	$(BIN)/sphinx-build -W --keep-going --quiet -b html docs docs/_build/html

figures: $(STAMPS)/test ## Measure the results in the documentation anew, into docs/results.json (ARGS='"truth 3^2"' for one entry)
	$(BIN)/python docs/_ext/results.py $(ARGS)

bench: $(STAMPS)/test ## Measure speed beside other programs, into benchmarks/results.json
	part=$$(mktemp benchmarks/.results.XXXXXXXX) && trap 'rm -f "$$part"' EXIT && \
	$(BIN)/oxo bench --peers --format json > "$$part" && \
	$(BIN)/python benchmarks/server_load.py --api-only --agent random --moves 10 --into "$$part" && \
	$(BIN)/python benchmarks/page_speed.py --only pages --repeats 1 --into "$$part" && \
	$(BIN)/python -m json.tool --indent 1 "$$part" benchmarks/results.json

pins: ## Pin the dependencies anew (needs uv; UPGRADE=--upgrade for newer versions)
	tools/pins.sh $(UPGRADE)

release-check: $(STAMPS)/project ## Build and try what a release hands out (needs uv; ARGS=--quick for one Python)
	$(BIN)/python tools/release_check.py $(ARGS)

check: lint types imports docs test-all ## Everything that must pass before a change lands

clean: ## Remove what was built, the environment included
	rm -rf $(VENV) build dist docs/_build docs/_autosummary docs/_studies docs/_documents docs/_known docs/_figures docs/_reference
	rm -rf .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

$(STAMPS)/venv: tools/venv.sh
	tools/venv.sh $(VENV) $(PYTHON)
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/base: requirements/base.txt requirements/build.txt $(STAMPS)/venv
	@echo "Installing NumPy, SciPy and Numba; the first time this takes about a minute"
	@$(PIP) --require-hashes -r requirements/base.txt -r requirements/build.txt
	@touch $@

$(STAMPS)/project: pyproject.toml $(STAMPS)/base
	@echo "Installing hyperoxo; this takes a few seconds"
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(STAMPS)/test: requirements/test.txt $(STAMPS)/project
	@echo "Installing what the tests need; the first time this takes about two minutes"
	@$(PIP) --require-hashes -r requirements/test.txt
	@touch $@

$(STAMPS)/web: requirements/web.txt $(STAMPS)/project
	@echo "Installing the web application; the first time this takes about half a minute"
	@$(PIP) --require-hashes -r requirements/web.txt
	@touch $@

$(STAMPS)/lint: requirements/lint.txt $(STAMPS)/test
	$(PIP) --require-hashes -r requirements/lint.txt
	@touch $@

$(STAMPS)/docs: requirements/docs.txt $(STAMPS)/web
	$(PIP) --require-hashes -r requirements/docs.txt
	@touch $@
