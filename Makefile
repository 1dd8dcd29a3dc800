# Two commands do everything on a fresh machine: `make demo` and `make test`. Each installs what it lacks.
.DEFAULT_GOAL := help
.PHONY: help setup setup-npm setup-debian demo test check format-check types layers unused generated \
	format bench build generate clean

ARGS ?=
NODE := bin/node
REPORT := .cache/test-report.json

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24

setup: setup-npm setup-debian ## install what is missing, npm and Debian packages
setup-npm:
	@scripts/setup.sh npm
setup-debian:
	@scripts/setup.sh debian

demo: setup-npm ## a mesh of three agents on this machine (ARGS="--for 20s --json")
	@bin/pathmeter demo $(ARGS)

test: check setup-debian ## the gate and all tests (ARGS="test/run" for some of them)
	@mkdir -p $(dir $(REPORT))
	@$(NODE) node_modules/vitest/vitest.mjs run --reporter=default --reporter=json --outputFile.json=$(REPORT) $(ARGS)

# -k: all failures are shown, not only the first; -O: each in one piece.
check: setup-npm ## the gate: format, types, layers, unused code, generated files
	@$(MAKE) --no-print-directory -k -j2 -Otarget format-check types layers unused generated

format-check:
	@$(NODE) node_modules/@biomejs/biome/bin/biome ci --colors=off .
types:
	@$(NODE) node_modules/typescript/bin/tsc --noEmit
layers:
	@$(NODE) scripts/check-layers.ts
unused:
	@$(NODE) node_modules/knip/bin/knip.js --no-progress
generated:
	@$(NODE) scripts/generate.ts --check

format: setup-npm ## format, and repair what lint can repair
	@$(NODE) node_modules/@biomejs/biome/bin/biome check --write .

bench: setup ## measure the cost of the agent, beside blackbox_exporter
	@$(NODE) bench/run.ts $(ARGS)

build: setup-npm ## bundle into dist/
	@$(NODE) scripts/build.ts

generate: setup-npm ## write the files in docs/ that are made from the code
	@$(NODE) scripts/generate.ts

clean: ## remove what was built and installed here
	@rm -rf dist .cache coverage node_modules
