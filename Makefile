# `make play` and `make test` need nothing but Python 3.11 or newer.

SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
PLAYABLE := $(VENV)/playable.stamp
TESTABLE := $(VENV)/testable.stamp
LEARNABLE := $(VENV)/learnable.stamp
# This version alone: any other request may fetch gigabytes for graphics cards.
TORCH := torch==2.13.0
EXAMPLES := $(patsubst %/pyproject.toml,%,$(wildcard examples/*/pyproject.toml))
IS_RECENT := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON = $(shell for python in python3 python3.{14,13,12,11} python; do \
	"$$python" -c '$(IS_RECENT)' 2>/dev/null && echo "$$python" && break; done)
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: help play test test-cost learn-test test-llm gambit-test compiled compiled-test sanitized coverage check attack soak probes bench cup models levels docs pictures clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' Makefile | expand -t 20

play: $(PLAYABLE) ## play Gargon against bots
	@$(BIN)/cardhub play gargon

test: $(TESTABLE) ## run all tests
	$(BIN)/python -m pytest -n auto

test-cost: $(TESTABLE) ## run all tests and list the processor time of folders, modules and tests
	$(BIN)/python -m pytest -n auto -p tests.kit.costs

learn-test: $(LEARNABLE) ## install PyTorch and run the tests of trained models
	$(BIN)/python -m pytest -n 2 tests/learning/learn/test_page.py tests/learning/learn/test_sb3.py \
		tests/learning/learn/test_solved_before_learned.py tests/learning/train

test-llm: $(TESTABLE) ## play whole games with the model of CARDHUB_TEST_LLM, and measure it in Kuhn and Leduc poker
	@test -n "$$CARDHUB_TEST_LLM" || { echo "no model. fix: CARDHUB_TEST_LLM=NAME,url=ADDRESS make test-llm"; exit 2; }
	$(BIN)/python -m pytest -s tests/cli/bot/test_whole_games.py

gambit-test: $(TESTABLE) ## build pygambit, which takes some minutes, and compare its values with ours
	$(PIP) install 'pygambit>=16'
	$(BIN)/python -m pytest tests/bots/solving/test_gambit_file.py

compiled: $(TESTABLE) ## compile the core and all games here; `cardhub compile --remove` goes back
	$(BIN)/cardhub compile

compiled-test: $(TESTABLE) ## run all tests on modules compiled into build/compiled
	CARDHUB_COMPILED=$(CURDIR)/build/compiled $(BIN)/cardhub compile
	CARDHUB_COMPILED=$(CURDIR)/build/compiled $(BIN)/python -m pytest -n auto

sanitized: $(TESTABLE) ## test rules in C with GCC's sanitizers of memory and undefined behaviour
	SANITIZED_RULES=1 ASAN_OPTIONS=detect_leaks=0 \
		LD_PRELOAD="$$(gcc -print-file-name=libasan.so):$$(gcc -print-file-name=libubsan.so)" \
		$(BIN)/python -m pytest -n auto tests/compiling/rules $(if $(only),-k "$(only)")

coverage: $(TESTABLE) ## run all tests and list the lines that none of them runs
	$(BIN)/python -m pytest -n auto --cov --cov-report=term

check: $(TESTABLE) ## style, types, layers and all tests: what must hold before a commit
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(MAKE) --no-print-directory test

attack: $(TESTABLE) ## attack all that can be handed to cardhub, for at most ten minutes
	$(BIN)/python -m tests.attack

soak: $(TESTABLE) ## run what repeats tests for long, and play twenty times as many random games
	CARDHUB_SOAK=20 $(BIN)/python -m pytest -n auto -m soak
	CARDHUB_SOAK=20 $(BIN)/python -m pytest -n auto tests/gamon/test_conservation.py tests/garner/test_random_games.py \
		tests/play/host/test_activities.py tests/online/server/tables/test_any_order.py \
		tests/online/server/tables/test_random_tables.py \
		tests/openspiel/test_boards.py tests/openspiel/test_tables.py tests/openspiel/hands/test_hands.py \
		tests/play/records/test_table_lines.py \
		tests/testing/bot_checks/test_all_bots.py tests/testing/game_checks/test_error_texts.py

probes: $(TESTABLE) ## determinize a hundred thousand positions of a game with mixed hands: half an hour
	CARDHUB_PROBES=$${CARDHUB_PROBES:-100000} $(BIN)/python -m pytest -n 0 tests/model/hidden/test_posterior.py -k mixed_hands

bench: $(PLAYABLE) ## measure how fast cardhub starts and the games are
	$(BIN)/python benchmarks/starting.py
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/determinizing.py
	$(BIN)/python benchmarks/searching.py
	$(BIN)/python benchmarks/growth.py
	$(BIN)/python benchmarks/matching.py
	$(BIN)/python benchmarks/scale.py
	$(BIN)/python benchmarks/drawing.py
	$(BIN)/python benchmarks/serving.py

cup: $(PLAYABLE) ## play the house cup: bots against one another, with a report in runs/house
	$(BIN)/cardhub match matches/house.yaml

models: $(LEARNABLE) ## train the networks that games ship and measure them: hours
	$(BIN)/cardhub train gamon --seed 1 --updates 8401 --out games/gamon/cardhub_gamon/networks/two.net
	$(BIN)/cardhub match matches/gamon-network.yaml
	$(BIN)/cardhub train gargon --players 3 --seed 1 --updates 600 --out games/gargon/cardhub_gargon/networks/three.net
	$(BIN)/cardhub train gargon --players 4 --seed 1 --updates 860 --out games/gargon/cardhub_gargon/networks/four.net
	$(BIN)/cardhub train gargon --players 5 --seed 1 --updates 600 --out games/gargon/cardhub_gargon/networks/five.net
	$(BIN)/cardhub match matches/gargon-network.yaml
	$(BIN)/cardhub train garner --seed 1 --updates 1367 --out games/garner/cardhub_garner/networks/two.net
	$(BIN)/cardhub match matches/garner-network.yaml
	$(BIN)/cardhub train hearts --seed 1 --updates 697 --out examples/hearts/hearts/networks/four.net
	$(BIN)/cardhub match matches/hearts-network.yaml

levels: $(TESTABLE) ## measure the levels of the games that ship networks, with compiled rules: an hour or two
	CARDHUB_COMPILED=$(CURDIR)/build/compiled $(BIN)/cardhub compile gamon garner gargon hearts
	for game in $(or $(only),gamon garner gargon hearts); do \
		CARDHUB_COMPILED=$(CURDIR)/build/compiled $(BIN)/cardhub match matches/$$game-levels.yaml || exit; done

docs: $(TESTABLE) ## build the documentation as a site, to be read at site/index.html
	$(BIN)/python docs/site/build_site.py

pictures: $(TESTABLE) ## draw the pictures of the documentation anew
	$(BIN)/python docs/site/pictures.py

clean: ## remove the environment, build products and caches
	rm -rf $(VENV) build dist site .hypothesis .*_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@if [ -z "$(PYTHON)" ]; then \
		echo "cardhub needs Python 3.11 or newer; python3 here is $$(python3 --version 2>&1)" >&2; \
		exit 1; fi
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(PLAYABLE): pyproject.toml | $(BIN)/python
	$(PIP) install -e .
	@touch $@

$(TESTABLE): pyproject.toml $(EXAMPLES:%=%/pyproject.toml) | $(PLAYABLE)
	$(PIP) install -e '.[dev]' $(EXAMPLES:%=-e %)
	@$(BIN)/python tests/lab/report/get_browser.py $(VENV)/browser >/dev/null || \
		echo "No browser was found: what needs one is not tested." >&2
	@touch $@

$(LEARNABLE): pyproject.toml | $(TESTABLE)
	$(PIP) install '$(TORCH)' -e '.[learn]'
	@touch $@
