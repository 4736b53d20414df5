# Every target makes the environments it needs, once, under ~/.cache/orogen (or
# $XDG_CACHE_HOME/orogen); see tests/environments.py.

PYTHON ?= python3
# Blender releases that are tested, each in an environment of its own.
BLENDERS ?= 4.2 4.5 5.2
# Scripts that write parts of docs/; with --check, they fail where those are not up to date.
DOCS_SCRIPTS := docs/make_reference.py docs/make_performance.py
# Ends a run that hangs, as Blender sometimes does at its exit.
LIMIT := timeout --foreground --kill-after=30s 40m
# One test process per processor. Not in Blender, whose state is global.
PARALLEL := --numprocesses=auto

IN := $(PYTHON) tests/environments.py

.DELETE_ON_ERROR:
.PHONY: help demo build bench soak clean
.PHONY: check static lint types contracts docs-check test test-core test-core-oldest test-blender test-window
ifndef SIDE_BY_SIDE
.NOTPARALLEL:
endif

help:
	@echo 'make demo          an island with its pictures and height maps, in build/demo'
	@echo 'make test          static checks and all tests, in every supported Blender'
	@echo 'make check         the same'
	@echo 'make test-core     the tests that need no Blender; test-core-oldest: on the oldest NumPy'
	@echo 'make test-blender  the tests in Blender; BLENDERS=5.2 for one release only'
	@echo 'make test-window   mouse input in a real window: menus, sliders, undo (root on Debian)'
	@echo 'make static        formatting, lint, types, import contracts, generated docs'
	@echo 'make build         the zip for Blender, in build/'
	@echo 'make bench         the benchmarks; results in build/benchmarks.json'
	@echo 'make soak          many random cases, for a night; results in build/soak and docs/soak.md'
	@echo 'make clean         remove build/'

demo:
	$(IN) blender python docs/demo.py --out build/demo

build:
	$(IN) blender python -m tests.package.build build

check: test

static: lint types contracts docs-check

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
	$(LIMIT) $(IN) core pytest $(PARALLEL) tests/core tests/architecture tests/package

# The oldest Python and NumPy that the core supports.
test-core-oldest:
	$(LIMIT) $(IN) core-oldest pytest $(PARALLEL) tests/core

# All releases at a time, each with one process for its tests and one that watches it.
test-blender:
	$(MAKE) SIDE_BY_SIDE=1 --jobs --output-sync=target --keep-going $(BLENDERS:%=test-blender-%)

test-blender-%:
	$(LIMIT) $(IN) blender-$* pytest --numprocesses=1 tests/blender tests/package

# Sets up a virtual screen first, as root on Debian; elsewhere the tests are skipped.
test-window: build
	$(LIMIT) $(IN) core pytest $(PARALLEL) tests/window -rs

test: static build test-core test-core-oldest test-blender test-window
	@$(PYTHON) tests/environments.py --skipped

bench: build
	$(IN) blender python -m tests.benchmarks --out build/benchmarks.json
	$(IN) core python -m tests.benchmarks --out build/benchmarks-worlds.json worlds

# Goes on after failures; a second run does what the first one left.
soak:
	-$(IN) core python -m tests.soak recipes files kills full_disks cancels
	-for release in $(BLENDERS); do \
		$(IN) blender-$$release python -m tests.soak stateful memory; done
	$(IN) core python docs/make_soak.py

clean:
	rm -rf build
