# Every target makes the environments it needs, once, under ~/.cache/orogen (or
# $XDG_CACHE_HOME/orogen); see tests/environments.py.

PYTHON ?= python3
# The newest Blender release, in which `make test` runs all that is not slow, and the older ones, in
# which it runs the smoke tests. Each has an environment of its own.
NEWEST := 5.2
OLDER := 4.2 4.5
BLENDERS ?= $(OLDER) $(NEWEST)
# Scripts that write parts of docs/; with --check, they fail where those are not up to date.
DOCS_SCRIPTS := docs/scripts/make_reference.py docs/scripts/make_performance.py docs/scripts/make_gallery.py
# Ends a run that hangs, as Blender sometimes does at its exit.
LIMIT := timeout --foreground --kill-after=30s 40m
# How many examples of Hypothesis and presets there are: quick or nightly; see tests/conftest.py.
PROFILE ?= quick
# Of the shuffled run: another one each day. `make test-all SEED=7` repeats one.
SEED := $(shell date +%j)
# Tests that depend on what NumPy computes, which the oldest NumPy repeats.
NUMERIC := noise hydrology erosion layers formats elevation evaluation/test_evaluate.py output/test_images.py numerics/test_window_sums.py

IN := $(PYTHON) tests/environments.py
# Not in Blender, whose state is global, unless each process has a Blender of its own.
PARALLEL := --numprocesses=auto
PYTEST = pytest --hypothesis-profile=$(PROFILE) --times=build/times/$(subst /,-,$@).tsv
NOT_SLOW := -m "not slow and not nightly"

.DELETE_ON_ERROR:
.PHONY: help demo build bench soak clean times
.PHONY: quick test test-all nightly static format lint types contracts docs-check
.PHONY: test-core test-blender test-smoke test-window test-window-smoke all-core all-oldest all-blender
ifndef SIDE_BY_SIDE
.NOTPARALLEL:
endif

help:
	@echo 'make demo          an island with its picture and maps, in build/demo (LARGE=1: a large picture too)'
	@echo 'make quick         formats the code; import contracts, quick tests of the core: while you work'
	@echo 'make test          static checks, quick tests in all releases, the zip: before you send it'
	@echo 'make test-all      every test in every release and window: before an issue is resolved'
	@echo 'make nightly       the same with more random examples and all presets'
	@echo 'make times         the test functions that took longest in the last runs'
	@echo 'make static        formatting, lint, types, import contracts, generated docs'
	@echo 'make build         the zip for Blender, in build/'
	@echo 'make bench         the benchmarks; results in build/benchmarks.json'
	@echo 'make soak          many random cases, for a night; results in build/soak and docs/developer/soak.md'
	@echo 'make clean         remove build/'
	@echo 'Parts: test-core, test-blender (BLENDERS=4.2), test-smoke, test-window, test-window-smoke'

demo:
	@$(IN) blender python docs/scripts/demo.py --out build/demo $(if $(LARGE),--large)

build:
	$(IN) blender python -m tests.package.build build

# Mends what the formatter and the linter can mend; `make lint` only looks.
quick: format contracts test-core

# test-core before the rest: most faults show there, and first.
test: lint contracts test-core types docs-check test-blender-$(NEWEST) test-smoke
	@$(PYTHON) tests/environments.py --skipped

test-all: static build all-core all-oldest all-blender test-window
	@$(PYTHON) tests/environments.py --skipped

nightly:
	$(MAKE) test-all PROFILE=nightly LIMIT="timeout --foreground --kill-after=30s 6h"

times:
	@$(IN) core python tests/times.py build/times/*.tsv

static: lint types contracts docs-check

format:
	$(IN) checks ruff check --fix
	$(IN) checks ruff format

lint:
	$(IN) checks ruff check
	$(IN) checks ruff format --check

types:
	$(IN) checks pyright --project pyproject.toml --threads

contracts:
	$(IN) checks lint-imports --no-logo

docs-check:
	set -e; for script in $(DOCS_SCRIPTS); do $(IN) core python $$script --check; done

test-core:
	$(LIMIT) $(IN) core $(PYTEST) $(PARALLEL) $(NOT_SLOW) tests/core tests/command_line tests/documentation tests/architecture

# Two processes, each with its own Blender and profile. One of them can crash: pytest-xdist starts
# another and names the test.
test-blender-%:
	$(LIMIT) $(IN) blender-$* $(PYTEST) --numprocesses=2 $(NOT_SLOW) tests/blender tests/package

test-blender: $(BLENDERS:%=test-blender-%)

# Both releases at a time, each with one process for its tests and one that watches it.
test-smoke:
	$(MAKE) SIDE_BY_SIDE=1 --jobs --output-sync=target --keep-going $(OLDER:%=test-smoke-%)

test-smoke-%:
	$(LIMIT) $(IN) blender-$* $(PYTEST) --numprocesses=1 -m smoke tests/blender

# In another order each day: no test may need the one before it.
all-core:
	$(LIMIT) $(IN) core $(PYTEST) $(PARALLEL) --shuffle=$(SEED) tests/core tests/command_line tests/documentation tests/architecture tests/package

# The oldest Python and NumPy that the core supports.
all-oldest:
	$(LIMIT) $(IN) core-oldest $(PYTEST) $(PARALLEL) -m "not nightly" $(NUMERIC:%=tests/core/%)

all-blender:
	$(MAKE) SIDE_BY_SIDE=1 --jobs --output-sync=target --keep-going $(BLENDERS:%=all-blender-%)

all-blender-%:
	$(LIMIT) $(IN) blender-$* $(PYTEST) --numprocesses=1 --shuffle=$(SEED) tests/blender tests/package

# Sets up a virtual screen first, as root on Debian; elsewhere the tests are skipped.
test-window: build
	$(LIMIT) $(IN) core pytest $(PARALLEL) tests/window -rs

# What carries the product: add and drag, undo, draw, bake, export.
test-window-smoke: build
	$(LIMIT) $(IN) core pytest $(PARALLEL) -m smoke tests/window -rs

bench: build
	$(IN) blender python -m tests.benchmarks --out build/benchmarks.json
	$(IN) core python -m tests.benchmarks --out build/benchmarks-worlds.json worlds elevation

# Goes on after failures; a second run does what the first one left.
soak:
	-$(IN) core python -m tests.soak recipes files kills full_disks cancels
	-for release in $(BLENDERS); do \
		$(IN) blender-$$release python -m tests.soak stateful memory; done
	$(IN) core python docs/scripts/make_soak.py

clean:
	rm -rf build
