# SPDX-License-Identifier: Apache-2.0
# The short commands. CMakePresets.json has the settings, tools/setup the packages.

SECONDS ?= 60
SEEDS ?= 10000
REPEAT ?= 5
ARGS ?=
PAWL := build/release/pawl

.DEFAULT_GOAL := help
.PHONY: help setup build demo test sim tsan hostile fuzz bench bench-server conformance format clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

setup: ## install the Debian packages that are missing, for building and for testing
	@tools/setup

build: ## the program and the library, optimised: build/release/pawl and libpawl.a
	@tools/timed install tools/setup build
	@tools/timed build 'cmake --preset release --log-level=WARNING && \
	  cmake --build --preset release --target pawl pawl_archive'

demo: build ## run the order example: first a declined card, then all goes well, with every event
	@tools/timed run examples/order/demo.sh $(PAWL)
	@tools/timed --show install build run

test: ## all tests with sanitizers; ARGS goes to ctest, as in ARGS='-R runtime'
	@tools/timed install tools/setup
	@tools/timed build 'cmake --preset dev --log-level=WARNING && cmake --build --preset dev'
	@tools/timed tests tools/run_tests build/dev --parallel 2 $(ARGS); status=$$?; \
	  tools/timed --show install build tests; exit $$status

sim: setup ## SEEDS runs of the simulator (default 10000), all with sanitizers
	@cmake --preset dev --log-level=WARNING
	@cmake --build --preset dev --target test_runtime
	@seq 0 1 | PAWL_SEEDS=$(SEEDS) GTEST_TOTAL_SHARDS=2 xargs -P 2 -I{} \
	  env GTEST_SHARD_INDEX={} build/dev/test_runtime --gtest_brief=1 --gtest_filter='*SimulatorSeeds*'

tsan: setup ## the runtime with all its threads under ThreadSanitizer
	@cmake --preset tsan --log-level=WARNING
	@cmake --build --preset tsan
	@build/tsan/test_embed --gtest_brief=1 --gtest_repeat=$(REPEAT)
	@build/tsan/test_runtime --gtest_brief=1 --gtest_filter='Local.*'
	@build/tsan/test_store --gtest_brief=1 --gtest_filter='SqliteFile.*:*JournalKit*'

hostile: setup build ## hostile input against the optimised program, with time and memory
	@PAWL=$(PAWL) python3 -B tests/cli/hostile_test.py
	@PAWL=$(PAWL) python3 -B tests/hostile/hostile.py $(ARGS)

fuzz: setup ## each fuzz target for SECONDS seconds (default 60)
	@tools/fuzz $(SECONDS)

bench: setup ## the benchmarks; ARGS goes to each
	@tools/bench $(ARGS)

bench-server: setup ## pawl serve under load over gRPC; ARGS as bench/server/load.cpp says
	@cmake --preset release -DPAWL_BENCH=ON --log-level=WARNING
	@cmake --build --preset release --target pawl server_load
	@build/release/bench/server_load --pawl $(PAWL) $(ARGS)

conformance: setup build ## compare with the suites of others (PAWL_SUITES); ARGS=--verbose lists failures
	@python3 tests/conformance/conformance.py --pawl $(PAWL) $(ARGS)

format: setup ## lay out all C++ with clang-format
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

clean: ## remove everything that was built
	@rm -rf build
