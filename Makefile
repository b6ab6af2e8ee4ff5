.DEFAULT_GOAL := help
.PHONY: help cluster dist attack play soak test check build mutants checked clean machine venv web browser services pictures

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

play: build web  ## play in the browser, with friends and bots
	@.venv/bin/branchline play

soak: build web browser services  ## a million fuzzed messages, five hundred deaths, Europe in a browser in each language (hours)
	@BRANCHLINE_KILLS=$${BRANCHLINE_KILLS:-500} BRANCHLINE_FUZZ=$${BRANCHLINE_FUZZ:-1000000} .venv/bin/python -m pytest -s \
	  tests/server/test_soak.py tests/server/test_death.py -k "nonsense or any_moment"
	@BRANCHLINE_RACES=$${BRANCHLINE_RACES:-10000} .venv/bin/python -m pytest tests/server/test_several.py -k same_moment
	@BRANCHLINE_CLUSTER_KILLS=$${BRANCHLINE_CLUSTER_KILLS:-100} .venv/bin/python -m pytest -s tests/server/test_cluster_deaths.py
	@BRANCHLINE_SOAK=1 .venv/bin/python -m pytest tests/browser/test_soak.py

cluster: build web  ## several servers on this machine: PostgreSQL, Redis, nginx and three of them, until Ctrl-C
	@scripts/services cluster
	@scripts/cluster

attack: build  ## attack a server on loopback in every way that is known, for ten minutes at most
	@scripts/attack

test:  ## everything CI runs: check, then all tests, the engine's also uncompiled
	@$(MAKE) --no-print-directory -j2 checked machine
	@scripts/test

checked: check
	@scripts/web

machine:
	@scripts/browser
	@scripts/services

check: build  ## format, lint, types and the arrows between the rooms
	@scripts/check

build: venv  ## compile the engine in place; free when nothing changed
	@scripts/build

mutants: build  ## break the rules on purpose and see whether a test notices (slow)
	@scripts/mutants

web: build  ## build the browser client; free when nothing changed
	@scripts/web

dist: web  ## build the sdist and the wheel, with the compiled engine and the client, into dist/
	@scripts/dist

pictures: web browser  ## take the pictures of docs/pictures from real games in Chromium
	@scripts/pictures

browser:
	@scripts/browser

services:
	@scripts/services

venv:
	@scripts/venv

clean:  ## remove .venv and everything that was built
	@rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache src/*.egg-info web/node_modules src/branchline/server/static
	@rm -f src/*.so src/*.pyd src/branchline/engine/_built.py
	@find src -name '*.so' -o -name '*.pyd' | xargs rm -f
	@find src tests scripts examples -name __pycache__ -prune -exec rm -rf {} +
