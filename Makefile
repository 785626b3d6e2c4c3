# Every target sets itself up: a fresh machine needs Python 3.11 or newer and a package index.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
CORE := $(VENV)/.core
DEV := $(VENV)/.dev

.PHONY: help demo test test-all lint types contracts check bench docs wheel rollouts lowest site clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Assay needs Python 3.11 or newer, and $(PYTHON) is " + sys.version.split()[0] + "; set PYTHON=…") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)

$(CORE): $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(DEV): $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,local]'
	@touch $@ $(CORE)

demo: $(CORE) ## audit the examples into demo/index.html, put a judge on trial in demo/judge.html
	$(BIN)/assay audit examples/heat-pumps examples/shanghai-reuse examples/trajectories --format html -o demo --fail-on never
	$(BIN)/assay bench build examples/heat-pumps examples/shanghai-reuse examples/trajectories -o demo/bench --types all --per-type 4
	$(BIN)/assay bench run demo/bench --judge rules --interface pairwise --save demo/bench/trials/demo
	$(BIN)/assay bench card demo/bench/trials/demo -o demo/judge.html
	@echo "open demo/index.html and demo/judge.html; then try"
	@echo "  $(BIN)/assay audit examples/heat-pumps/flawed.md"
	@echo "  . $(BIN)/activate     so that 'assay' alone works in this shell"

test: $(DEV) ## the fast tests, a few minutes
	$(BIN)/python -m pytest -n auto -m "not slow" $(ARGS)

test-all: $(DEV) ## all tests, with coverage
	$(BIN)/python -m pytest -n auto --cov --cov-report=term $(ARGS)

lint: $(DEV) ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(DEV) ## mypy, strict
	$(BIN)/mypy

contracts: $(DEV) ## which room may import which
	$(BIN)/lint-imports

check: lint types contracts test ## what a change must pass

bench: $(DEV) ## measure speed; results go to docs/benchmarks.md by hand
	$(BIN)/python benchmarks/audit_speed.py

docs: $(DEV) ## write the generated pages under docs/
	$(BIN)/python -m assay.present.reference docs
	$(BIN)/python -m assay.present.python_reference docs/reference/python.md
	$(BIN)/python tests/contracts_page.py docs/reference/contracts.md
	$(BIN)/python -m assay.cli.reference docs/reference/commands.md

site: ## build the documents as a site with search, in site/
	$(PYTHON) -m venv $(VENV)-site
	$(VENV)-site/bin/python -m pip install --quiet --disable-pip-version-check 'mkdocs-material>=9.6' 'mkdocs-static-i18n>=1.2'
	NO_MKDOCS_2_WARNING=1 $(VENV)-site/bin/mkdocs build --strict --quiet

wheel: $(DEV) ## build the source archive and from it the wheel, install that in a fresh environment, and try it
	rm -rf dist
	$(BIN)/python -m build --outdir dist . >/dev/null
	bash .ci/try-wheel $(PYTHON) dist/*.whl

rollouts: wheel ## try rewards in rollouts of verifiers, in an environment of its own
	bash .ci/try-verifiers $(PYTHON) dist/*.whl

lowest: $(DEV) ## try the lowest versions of dependencies that are admitted
	bash .ci/try-lowest $(PYTHON)

clean: ## remove everything a target made
	rm -rf $(VENV) $(VENV)-site demo site dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage*
