# SPDX-License-Identifier: Apache-2.0
# The short commands. CMakePresets.json has the settings, tools/setup the packages.

SECONDS ?= 60
SEEDS ?= 10000
ARGS ?=
PAWL := build/release/pawl

.DEFAULT_GOAL := help
.PHONY: help setup build demo test sim tsan hostile fuzz bench bench-server conformance format clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

setup: ## install the Debian packages that are missing
	@tools/setup

build: setup ## the program, optimised: build/release/pawl
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset release --target pawl

demo: build ## run the order example: first a declined card, then all goes well, with every event
	$(PAWL) run examples/order/order.bpmn --vars @examples/order/order.json --job charge='{}'
	@echo
	$(PAWL) run examples/order/order.bpmn --vars @examples/order/order.json --trace \
	  --job charge='={receipt: "R-" + orderId}' --job reserve='={reserved: count(items)}' \
	  --job pack='{"packed": true}' --job ship='{"sent": true}'

test: setup ## all tests with sanitizers
	@cmake --preset dev --log-level=WARNING
	@cmake --build --preset dev
	@ctest --preset dev --parallel 2

sim: setup ## SEEDS runs of the simulator (default 10000), all with sanitizers
	@cmake --preset dev --log-level=WARNING
	@cmake --build --preset dev --target test_runtime
	@PAWL_SEEDS=$(SEEDS) build/dev/test_runtime --gtest_filter='Simulator.keeps*'

tsan: setup ## the runtime with all its threads under ThreadSanitizer
	@cmake --preset tsan --log-level=WARNING
	@cmake --build --preset tsan
	@build/tsan/test_embed --gtest_brief=1 --gtest_repeat=5
	@build/tsan/test_runtime --gtest_brief=1 --gtest_filter='Local.*'
	@build/tsan/test_store --gtest_brief=1 --gtest_filter='SqliteFile.*:*JournalKit*'

hostile: build ## hostile input against the optimised program, with time and memory
	@PAWL=$(PAWL) python3 -B tests/cli/hostile_test.py

fuzz: setup ## each fuzz target for SECONDS seconds (default 60)
	@tools/fuzz $(SECONDS)

bench: setup ## the benchmarks; ARGS goes to each
	@tools/bench $(ARGS)

bench-server: setup ## pawl serve under load over gRPC; ARGS as bench/server/load.cpp says
	@cmake --preset release -DPAWL_BENCH=ON --log-level=WARNING
	@cmake --build --preset release --target pawl server_load
	@build/release/bench/server_load --pawl $(PAWL) $(ARGS)

conformance: build ## compare with the suites of others (PAWL_SUITES); ARGS=--verbose lists failures
	@python3 tests/conformance/conformance.py --pawl $(PAWL) $(ARGS)

format: setup ## lay out all C++ with clang-format
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

clean: ## remove everything that was built
	@rm -rf build
