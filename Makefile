# `make` lists the tasks. A task passes ARGS on to the command that it runs: make bench ARGS="--quick --filter springs"

SWIFT ?= swift
export SWIFT
ARGS ?=

# Tests in release need -enable-testing, which a release build must not have. In one build folder, each of the two would
# rebuild what the other has built. So the tests have a folder of their own.
TESTS := --configuration release --scratch-path .build-tests -Xswiftc -enable-testing

.PHONY: help bench install doctor gate landing stability slurm-trial program peers test-peers packages verdicts test test-debug fuzz sanitize docs lint format build reference clean setup
.DEFAULT_GOAL := help

help: ## List the tasks
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# A single build command is faster than two, because it compiles the benchmarks and the program at the same time.
bench: setup ## Build in release, run all benchmarks and write a report (ARGS: options of `springbench run`)
	@$(SWIFT) build --configuration release >&2
	@.build/release/springbench run $(ARGS)

# `make` does not list this task, because it has no description. Other tasks depend on it.
program: setup
	@$(SWIFT) build --configuration release --product springbench >&2

PREFIX ?= /usr/local

install: program ## Install springbench (PREFIX: /usr/local)
	@scripts/install "$(DESTDIR)$(PREFIX)"

PEERS := --package-path Benchmarks/Peers --scratch-path .build-peers

doctor: program ## Say what makes this machine noisy, and what to do about it
	@.build/release/springbench doctor $(ARGS)

gate: setup ## Is this slower than the last accepted commit, or is a claim missed? (ARGS: options of `springbench gate`)
	@scripts/gate $(ARGS)

landing: setup ## Measure HEAD against the last accepted commit, and accept it (ARGS: see scripts/landings)
	@scripts/landings --accept $(ARGS)

stability: program ## Measure one program many times: how far do figures move, do intervals and verdicts say so? (ARGS: options of scripts/stability)
	@scripts/stability $(ARGS)

slurm-trial: ## Does docs/ci/slurm.sh give the verdicts of one node? Starts a Slurm of three nodes here (ARGS: number of trials)
	@scripts/slurm-trial $(ARGS)

peers: ## Compare with Box2D, Chipmunk and bare loops in one run (ARGS: options of `peers`, see docs/peers.md)
	@scripts/setup box2d.pc:libbox2d-dev /usr/include/chipmunk/chipmunk.h:chipmunk-dev
	@$(SWIFT) build --configuration release $(PEERS) --product peers >&2
	@"$$($(SWIFT) build --configuration release $(PEERS) --show-bin-path)/peers" $(ARGS)

test-peers: ## Run the tests of Benchmarks/Peers (ARGS: options of `swift test`)
	@scripts/setup box2d.pc:libbox2d-dev /usr/include/chipmunk/chipmunk.h:chipmunk-dev
	@scripts/test $(PEERS) $(ARGS)

packages: program ## Measure well-known Swift packages, with a report (ARGS: options of `springbench run`)
	@scripts/setup sqlite3.pc:libsqlite3-dev
	@cd Benchmarks/Packages && ../../.build/release/springbench run $(ARGS)

verdicts: setup ## Have the same builds judged by springbench and by other tools (ARGS: see docs/verdicts.md)
	@scripts/verdicts $(ARGS)

test: build-tests ## Run all tests in release (ARGS: options of `swift test`)
	@scripts/test $(TESTS) --skip-build $(ARGS)

# `make` does not list this task, because it has no description.
build-tests: setup
	@$(SWIFT) build $(TESTS) --build-tests >&2

# In debug builds, Swift checks the bounds of unsafe buffers.
test-debug: export SPRINGBENCH_WITHOUT_PROGRAM := 1
test-debug: setup ## Run the tests of the engine and the library in debug (ARGS: options of `swift test`)
	@scripts/test $(ARGS)

fuzz: setup ## Give damaged files to everything that reads one (ARGS: --seconds 60 --seed N --reader NAME)
	@$(SWIFT) build --configuration release --product Fuzzing >&2
	@.build/release/Fuzzing $(ARGS)

# Makes the C parts trap on undefined behavior. Swift has no such sanitizer.
UNDEFINED := -Xcc -fsanitize=undefined -Xcc -fsanitize-trap=undefined
SANITIZED := SPRINGBENCH_SYSTEM_ALLOCATOR=1 SWIFT_BACKTRACE=enable=no \
  TSAN_OPTIONS="allocator_may_return_null=1 suppressions=$(CURDIR)/Tests/thread-sanitizer.txt" ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1

sanitize: setup ## Run all tests under the address sanitizer, then under those for threads and undefined behavior
	@$(SANITIZED) scripts/test --sanitize=address --scratch-path .build-address $(ARGS)
	@$(SANITIZED) scripts/test --sanitize=thread $(UNDEFINED) --scratch-path .build-thread $(ARGS)

docs: setup ## Make the site of the documentation in .build/site (ARGS: another folder)
	@scripts/docs $(ARGS)

lint: ## Check the format and the house rules
	@scripts/lint

format: ## Format the Swift sources in place
	@$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests Benchmarks Packages

build: setup ## Build everything in debug, tests included
	@$(SWIFT) build --build-tests $(ARGS)

setup: ## Check the toolchain, and install jemalloc's headers where they are missing
	@scripts/setup

reference: ## Measure the reference report anew, and show its beginning in the README
	@scripts/reference

clean: ## Remove all build folders
	@rm -rf .build .build-*
