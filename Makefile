.DEFAULT_GOAL := help
.PHONY: help play soak test check build mutants clean venv web browser pictures

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

play: build web  ## play in the browser, with friends and bots
	@.venv/bin/branchline play

soak: build  ## kill the server two hundred times in the middle of games
	@BRANCHLINE_KILLS=200 .venv/bin/python -m pytest tests/server/test_death.py -k any_moment

test: check web browser  ## everything CI runs: check, then all tests, the engine's also uncompiled
	@scripts/test

check: build  ## format, lint, types and the arrows between the rooms
	@scripts/check

build: venv  ## compile the engine in place; free when nothing changed
	@scripts/build

mutants: build  ## break the rules on purpose and see whether a test notices (slow)
	@scripts/mutants

web: build  ## build the browser client; free when nothing changed
	@scripts/web

pictures: web browser  ## take the pictures of docs/pictures from real games in Chromium
	@scripts/pictures

browser:
	@scripts/browser

venv:
	@scripts/venv

clean:  ## remove .venv and everything that was built
	@rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache src/*.egg-info web/node_modules src/branchline/server/static
	@rm -f src/*.so src/*.pyd src/branchline/engine/*.so src/branchline/engine/*.pyd src/branchline/bots/*/*.so src/branchline/bots/*/*.pyd src/branchline/engine/_built.py
	@find src tests scripts examples -name __pycache__ -prune -exec rm -rf {} +
