# The verbs of the project. Each first installs what it lacks (tools/scripts/setup, quiet if nothing is missing).

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Everything is built optimised, so that the C++ of the RTL is compiled once for all verbs.
# Arguments for the program that a verb runs: make cosim ARGS='--limit 100000'
ARGS ?=
# Cases for each property of `make proptest-long`, and for `make coverage`.
CASES ?= 20000
# `make x-check` takes the reset of every n-th register away (.ci/run: of every sixteenth).
EVERY ?= 1
# Proofs at a time; all processors if empty.
JOBS ?=
# Where cargo puts what it builds.
TARGET := $(or $(CARGO_TARGET_DIR),target)
SETUP := tools/scripts/setup
# The oldest Rust that lwp-regs takes, and the nightly for what only a nightly has: read, not repeated.
MSRV := $(shell sed -n 's/^rust-version *= *"\(.*\)"/\1/p' lwp-regs/Cargo.toml)
NIGHTLY := $(shell sed -n 's/^NIGHTLY=//p' tools/scripts/setup)
NEXTEST := $(shell command -v cargo-nextest 2>/dev/null)
# How much the tests do: test, ci or nightly (docs/src/feedback.md).
LWP_TIER ?= test
export LWP_TIER
# Runs a step of the target and keeps its seconds: $(STEP) 'what it does' -- command.
STEP = @tools/scripts/steps run $@
# The package that keeps the book true; a workspace of its own.
BOOK_CHECK := --quiet --locked --manifest-path docs/check/Cargo.toml --target-dir $(TARGET)/book-check
BOOK_CODE = cargo test $(BOOK_CHECK)
BOOK_DIAGRAMS = cargo run $(BOOK_CHECK) --bin timing -- --check docs/src/images
# The firmware that uses all of lwp-regs, to be measured; a workspace of its own as well.
FIRMWARE_SIZE := lwp-regs/examples/firmware-size
# The kernel that shows lwp-regs under QEMU; a workspace of its own with settings of its own, so cargo runs in its folder.
BARE_METAL := lwp-regs/examples/bare-metal

.PHONY: help setup build model-c cosim cosim-sessions check test nightly campaign campaign-test timings integration x-check lint lint-rust lint-rtl lint-no-std formal processor cachesim ibex branch-profile synth miri miri-registers miri-c-abi loom fuzz rdl package bench bench-lockstep bench-cases bench-c-abi firmware-size peers bench-rtl bench-long proptest-long soak coverage toggles mutants mutants-rtl mutants-sample mutants-model small-world docs book book-check timing clean deny semver

help: ## this list
	@echo 'make VERB, where VERB is one of:'
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-14s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

setup: ## install what the other verbs need
	@$(SETUP)

build: ## build everything, optimised
	@$(SETUP) rust build
	cargo build --release --workspace

model-c: ## the model for C, C++, SystemVerilog and Python in one folder, target/lwp-model-c
	@$(SETUP) rust
	tools/scripts/model-c

cosim: ## capture a real program, run model and RTL in lockstep over it (ARGS: more options)
	@$(SETUP) rust build capture
	cargo build --release -p sim-harness --bin lwp-sim
	tools/scripts/cosim $(ARGS)

cosim-sessions: ## model and RTL in lockstep over the program, with every session of sim-harness/sessions (ARGS: --instructions N, --report FOLDER, folders)
	@$(SETUP) rust build capture
	cargo build --release -p sim-harness --bin lwp-sim
	tools/scripts/cosim-sessions $(ARGS)

# No C++ and nothing optimised beyond what the tests need: arithmetic is checked for overflow here.
check: ## formatting, lints and tests of the registers and the model, in a minute (no C++)
	@$(SETUP) rust
	$(STEP) 'formatting' -- cargo fmt --all --check
	$(STEP) 'clippy of registers and model' -- cargo clippy -p lwp-regs -p lwp-model -p regs-api --all-targets -- -D warnings
ifeq ($(NEXTEST),)
	$(STEP) 'tests of registers and model' -- cargo test -p lwp-regs -p lwp-model -p regs-api --lib --test suite -- \
	  --skip ::ci:: --skip ::nightly:: --skip bare_metal:: --skip compile_fail::
else
	$(STEP) 'tests of registers and model' -- cargo nextest run --profile check -p lwp-regs -p lwp-model -p regs-api
endif

# Registers and model are tested where arithmetic is checked for overflow; `make nightly` tests them optimised as well.
test: ## tests of everything, the slow ones sampled (ARGS: more for the test program); .ci/run runs more of them, make nightly all
	@$(SETUP) rust build linters capture emulator python provers
	$(STEP) 'registers and model, overflow checked' -- $(CARGO_TEST) $(REGISTERS_PROFILE) -p lwp-regs -p lwp-model -p regs-api \
	  --lib --test suite $(REGISTERS_FILTER)
	$(STEP) 'build' -- $(CARGO_TEST) --no-run --release $(TEST_PACKAGES) $(TEST_TARGETS)
ifeq ($(NEXTEST),)
	@rm -f $(TARGET)/nextest/*/junit.xml  # it would pass for a report of this run
endif
	$(STEP) 'tests' -- $(CARGO_TEST) --release $(TEST_PACKAGES) $(TEST_TARGETS) $(ARGS) $(TEST_FILTER)
	$(STEP) 'campaigns' -- python3 -B -m unittest discover -s tools/campaign/tests
	$(STEP) 'proofs in parts' -- python3 -B -m unittest discover -s verify/formal/tests
	$(STEP) 'verdicts on mutants' -- python3 -B -m unittest discover -s verify/mutation/model/tests
	$(STEP) 'documentation tests' -- cargo test --release --workspace --doc
	$(STEP) 'features of lwp-regs' -- cargo test -p lwp-regs --all-features --test features
	$(STEP) 'code of the book' -- $(BOOK_CODE)
	$(STEP) 'diagrams of the book' -- $(BOOK_DIAGRAMS)

# What the tests of a tier are: `make test` leaves out the modules `ci`; only `make nightly` tests registers and model in a second profile.
TEST_PACKAGES := --workspace $(if $(filter nightly,$(LWP_TIER)),,--exclude lwp-regs --exclude lwp-model --exclude regs-api)
ifeq ($(NEXTEST),)
CARGO_TEST := cargo test
TEST_TARGETS := --lib --bins --tests
TEST_FILTER := $(if $(filter test,$(LWP_TIER)),-- --skip ::ci:: --skip ::nightly::,$(if $(filter ci,$(LWP_TIER)),-- --skip ::nightly::))
REGISTERS_FILTER := $(TEST_FILTER)
else
CARGO_TEST := cargo nextest run
REGISTERS_PROFILE := --profile $(if $(filter test,$(LWP_TIER)),registers,registers-ci)
endif

public-api: ## the public API of lwp-regs is the one in lwp-regs/public-api.txt (UPDATE_API=1: write it)
	@$(SETUP) rust nightly
	cargo test --release -p regs-checks --features public-api --test public_api

# What takes hours: everything that the other tiers sample; goes on after a failure and tells at the end.
nightly: ## everything at full length: soak, proofs, mutants, small worlds, fuzzing, coverage, benches (ARGS: --list, --only NAME)
	@tools/scripts/nightly $(ARGS)

campaign: ## long jobs cut into shards, on this machine or by Slurm, merged, with static pages (ARGS: --list, --only NAME, --on slurm, --folder DIR)
	@tools/campaign/campaign run $(ARGS)

campaign-test: ## campaigns on real daemons of Slurm: tasks killed, a node lost, a full disk, clocks that jump (as root; ARGS: names of tests)
	@$(SETUP) slurm
	python3 -B tools/campaign/slurm/test_slurm.py $(ARGS)

timings: ## seconds of each step of the last runs (ARGS: --markdown, targets)
	@tools/scripts/steps table $(ARGS)

integration: ## the adapters against their benches, the program that profiles itself, FuseSoC's targets
	@$(SETUP) rust build linters
	cargo test --release -p rtl-checks --test suite $(ARGS) -- adapters:: integration:: packaging:: guide::

x-check: ## registers unknown or random at power-on: nothing is X after reset, nothing remembered
	@$(SETUP) rust build linters
	RTL_CHECKS_EVERY=$(EVERY) cargo test --release -p rtl-checks --test suite $(ARGS) -- x_check::

processor: ## random programs on the debug unit and on the processor of this machine (ARGS: --cases, --seed, --json)
	@$(SETUP) rust build
	@cargo build --quiet --release -p processor
	@$(TARGET)/release/processor $(ARGS)

cachesim: ## the shared cache compared with the simulator pycachesim on the same programs (ARGS: --seed N, --only KIND, --json FILE)
	@$(SETUP) rust build capture cachesim
	cargo build --release -p sim-harness --bin lwp-sim
	target/tools/cachesim-venv/bin/python -B -m unittest discover verify/cachesim/tests
	trace=$$(tools/scripts/capture-program) && \
	  target/tools/cachesim-venv/bin/python verify/cachesim/compare.py --capture "$$trace" $(ARGS)

ibex: ## LWP, the debug unit and the counters next to the core Ibex, compared with RVFI (ARGS: --only NAME, --losses, --plant all, --json FILE)
	@$(SETUP) rust build ibex
	@echo 'ibex: building the model' >&2
	@tools/scripts/model-c >/dev/null
	@cargo build --quiet --release -p ibex
	@$(TARGET)/release/ibex $(ARGS)

branch-profile: ## a program made faster by its branch records, timed before and after (ARGS: --runs N, --engine model, --json FILE)
	@$(SETUP) rust build capture profile
	@cargo build --quiet --release -p sim-harness --bin lwp-sim
	@tools/branch-profile/measure $(ARGS)

small-world: ## model against RTL on every input from every reachable state of small worlds (ARGS: --unit NAME, --world NAME, --list)
	@$(SETUP) rust build
	cargo run --release -p small-world -- $(ARGS)

book-check:
	$(BOOK_CODE)
	$(BOOK_DIAGRAMS)

lint: lint-rust lint-rtl lint-no-std ## formatting, clippy, rustdoc, lint of the RTL by three tools, builds without std

# The public API test brings dependencies of its own: continuous integration compiles it once, to run it.
lint-rust:
	@$(SETUP) rust nightly build
	$(STEP) 'formatting' -- cargo fmt --all --check
	$(STEP) 'formatting of the book check' -- cargo fmt --manifest-path docs/check/Cargo.toml --check
	$(STEP) 'formatting of the fuzzer' -- cargo fmt --manifest-path verify/fuzz/Cargo.toml --check
	$(STEP) 'formatting of the peer marlin' -- cargo fmt --manifest-path tools/peers/marlin/Cargo.toml --check
	$(STEP) 'formatting of the kernel' -- cargo fmt --manifest-path $(BARE_METAL)/Cargo.toml --check
	$(STEP) 'formatting of the firmware' -- cargo fmt --manifest-path $(FIRMWARE_SIZE)/Cargo.toml --check
	$(STEP) 'clippy' -- cargo clippy --release --workspace --all-targets -- -D warnings
ifneq ($(LWP_TIER),ci)
	$(STEP) 'clippy of the public API test' -- \
	  cargo clippy --release -p regs-checks --features public-api --test public_api -- -D warnings
endif
	$(STEP) 'clippy of the book check' -- cargo clippy $(BOOK_CHECK) --all-targets -- -D warnings
	$(STEP) 'clippy of the kernel' -- env -C $(BARE_METAL) \
	  cargo clippy --quiet --locked --target-dir $(abspath $(TARGET))/bare-metal -- -D warnings
	$(STEP) 'rustdoc' -- env RUSTDOCFLAGS='-D warnings' cargo doc --release --workspace --no-deps
	$(STEP) 'builds are shared' -- tools/scripts/shared-builds

lint-rtl:
	@$(SETUP) build linters
	$(STEP) 'three linters' -- tools/scripts/lint-rtl

# The oldest Rust takes the crate with and without its features.
lint-no-std:
	@$(SETUP) rust msrv
	$(STEP) 'each feature of lwp-regs alone' -- tools/scripts/features-alone x86_64-unknown-none thumbv7em-none-eabi
	$(STEP) 'without std' -- cargo build -p lwp-regs -p lwp-model --target x86_64-unknown-none --target thumbv7em-none-eabi
	$(STEP) 'oldest Rust' -- \
	  cargo +$(MSRV) build -p lwp-regs -p lwp-model --target thumbv7em-none-eabi --target-dir $(TARGET)/msrv
	$(STEP) 'oldest Rust, all features' -- \
	  cargo +$(MSRV) build -p lwp-regs --target x86_64-unknown-none --all-features --target-dir $(TARGET)/msrv

formal: ## prove the RTL (ARGS: names of proofs, --quick, --controls; JOBS: how many at a time)
	@$(SETUP) formal
	verify/formal/prove $(if $(JOBS),--jobs $(JOBS)) $(ARGS)

synth: ## cells, LUTs, flip-flops and clock of the unit and its modules on ECP5 and iCE40 (ARGS: names, --area, --seeds N; JOBS)
	@$(SETUP) synth
	tools/synth/measure $(if $(JOBS),--jobs $(JOBS)) $(ARGS)

# A name that matches no test fails: libtest would pass.
miri: ## the memory views of lwp-regs and the C ABI of the model under Miri, which finds undefined behaviour
	@$(SETUP) nightly
	@cargo +$(NIGHTLY) miri setup --quiet --target-dir $(TARGET)/miri
	@$(MAKE) --no-print-directory -j2 miri-registers miri-c-abi

# Miri runs on one core: two at a time.
miri-registers:
	$(STEP) 'lwp-regs' -- env MIRIFLAGS=-Zmiri-strict-provenance \
	  tools/scripts/named-tests memory ring session trace::ds debug::watch $(ARGS) -- \
	  cargo +$(NIGHTLY) miri test -p lwp-regs --lib --target-dir $(TARGET)/miri

miri-c-abi:
	$(STEP) 'lwp-model-c' -- env MIRIFLAGS=-Zmiri-strict-provenance \
	  tools/scripts/named-tests guard handle straps_in every_build every_output $(ARGS) -- \
	  cargo +$(NIGHTLY) miri test -p lwp-model-c --lib --test suite --target-dir $(TARGET)/miri

loom: ## the ring reader beside a writing hardware thread, in every order that the memory model allows
	@$(SETUP) rust
	$(STEP) 'ring reader' -- env RUSTFLAGS='--cfg loom' tools/scripts/named-tests ring_schedules $(ARGS) -- \
	  cargo test --release -p lwp-regs --lib --target-dir $(TARGET)/loom

fuzz: ## everything that reads bytes, with coverage as the guide (ARGS: a target, seconds)
	@$(SETUP) rust build fuzz
	@tools/scripts/fuzz $(ARGS)

# Not in `make lint`: the tool takes minutes to install. Advisories are not asked for, see deny.toml.
deny: ## licences, sources and second versions of the dependencies
	@$(SETUP) rust deny
	target/tools/bin/cargo-deny --workspace --locked check -D unmatched-skip licenses sources bans

# Not in `make lint` and not in .ci/run: the tool takes over half an hour to install.
semver: ## the version of lwp-regs allows each change of its API since the commit that set it (ARGS: --baseline REV)
	@$(SETUP) rust semver
	tools/scripts/semver $(ARGS)

rdl: ## the registers as SystemRDL and IP-XACT in target/rdl, read back and compared bit by bit (ARGS: --control)
	@$(SETUP) rust rdl
	target/tools/rdl-venv/bin/python tools/scripts/rdl $(ARGS)

package: ## lwp-regs as it would go to crates.io
	@$(SETUP) rust
	cargo package -p lwp-regs --allow-dirty --target-dir $(TARGET)/package

# make firmware-size ARGS=--quick: three rows of the table.
firmware-size: ## bytes, panics and seconds of compiling that lwp-regs brings into a firmware, the first two held against the table of the book (ARGS: --quick, without seconds)
	@$(SETUP) rust
	cd $(FIRMWARE_SIZE) && cargo clippy --quiet --locked --features all,messages -- -D warnings && \
	  cargo clippy --quiet --locked --features all --target thumbv7em-none-eabi -- -D warnings
	tools/scripts/firmware-size sizes --check $(ARGS)
	$(if $(ARGS),,tools/scripts/firmware-size times --runs 1)

bench: bench-lockstep bench-cases bench-c-abi ## speed of RTL, model, lockstep, traces, cases of properties, the C ABI (ARGS: --quick)

# What CI runs.
bench-lockstep: ## speed of bare RTL, model, lockstep, and of everything from file to model, on a captured program (ARGS: --quick)
	@$(SETUP) rust build capture
	cargo build --release -p sim-harness --bin lwp-sim
	trace=$$(tools/scripts/capture-program) && \
	  cargo bench -p sim-harness --bench lockstep --bench stream -- --trace "$(CURDIR)/$$trace" $(ARGS)

bench-cases: ## what a case of the lockstep properties costs (ARGS: --unit NAME, --quick)
	@$(SETUP) rust build
	cargo bench -p proptests --bench cases -- $(ARGS)

bench-c-abi: ## the model behind its C ABI beside the native one (ARGS: --quick)
	@$(SETUP) rust
	cargo bench -p lwp-model-c --bench c_abi -- $(ARGS)

bench-rtl: ## the Verilated RTL built in several ways, on the same inputs (ARGS: --only NAME)
	@$(SETUP) rust build capture
	cargo build --release -p sim-harness --bin lwp-sim
	trace=$$(tools/scripts/capture-program) && cargo bench -p sim-harness --bench lockstep -- \
	  --trace "$(CURDIR)/$$trace" --quick --record "$(CURDIR)/target/cosim/perl.rows"
	sim-harness/benches/rtl/study.py target/cosim/perl.rows $(ARGS)

bench-long: ## speed and memory of everything from file to model over a hundred million instructions
	@$(SETUP) rust build capture
	cargo build --release -p sim-harness --bin lwp-sim
	trace=$$(tools/scripts/capture-program long 20) && \
	  cargo bench -p sim-harness --bench stream -- --trace "$(CURDIR)/$$trace" $(ARGS)

peers: ## the lockstep beside a C++ loop, marlin and cocotb on the same RTL (ARGS: --quick, --control, --markdown, --only cpp)
	@$(SETUP) rust build capture python
	cargo build --release -p sim-harness --bin lwp-sim
	cargo build --release -p peers
	tools/scripts/peers $(ARGS)

# Units with checks: the folders of proptests/src that have a long run. UNIT=NAME: that one alone.
CHECKED_UNITS = $(or $(UNIT),$(patsubst proptests/src/%/soak.rs,%,$(wildcard proptests/src/*/soak.rs)))

proptest-long: ## the properties for CASES cases each, on every build (LWP_SEED: where to begin)
	@$(SETUP) rust build
	LWP_CASES=$(CASES) cargo test --release -p proptests --features all-sizes $(ARGS)

soak: ## model and RTL for a billion random cycles on every build; goes on where it stopped (UNIT, ARGS: --cycles, --jobs, --fresh)
	@$(SETUP) rust build
	cargo build --release -p proptests --features all-sizes --bin soak
	for unit in $(CHECKED_UNITS); do $(TARGET)/release/soak --unit $$unit $(ARGS); done

# Cases that count bins; a few of them count lines and toggles, which is slow.
coverage: ## which situations the cases meet, steered to rare ones; lines and toggles of the RTL; one report (UNIT, CASES, ARGS: coverage run)
	@$(SETUP) rust build
	cargo build --release -p proptests --bin coverage
	for unit in $(CHECKED_UNITS); do \
	  $(TARGET)/release/coverage run --unit $$unit --cases $(CASES) $(ARGS); \
	  $(TARGET)/release/coverage rtl --unit $$unit; \
	  $(TARGET)/release/coverage report --unit $$unit; \
	done

toggles: ## every bit of every register rises and falls in lockstep (UNIT, ARGS: --wait-bits 31 waits for the longest latencies)
	@$(SETUP) rust build
	cargo build --release -p proptests --bin coverage
	for unit in $(CHECKED_UNITS); do $(TARGET)/release/coverage toggles --unit $$unit $(ARGS); done

mutants: mutants-rtl mutants-model ## mutation score of RTL and model: changes of the source that the properties notice

# Units with mutants of their RTL: the folders of verify/mutation/rtl.
MUTANT_UNITS = $(patsubst verify/mutation/rtl/%/unit.toml,%,$(wildcard verify/mutation/rtl/*/unit.toml))

# Survivors (exit code 1) are what is then proven equivalent, as far as they are. A line of proved.csv counts only if its proof fails with the
# RTL as it is: it is run again unless its sources are the same.
mutants-rtl: ## mutants of the RTL against the lockstep properties, proofs for the survivors, tables (ARGS: --sample, --only, --cases)
	@$(SETUP) rust build linters provers formal
	cargo build --release -p rtl-mutants
	for unit in $(MUTANT_UNITS); do \
	  $(TARGET)/release/rtl-mutants --unit $$unit $(ARGS) >/dev/null || test $$? -eq 1; \
	  PYTHONPATH=verify/mutation/rtl:target/tools/python-sat target/tools/rtl-venv/bin/python -m mutate --rtl rtl --unit $$unit prove; \
	  test $$(wc -l <verify/mutation/rtl/$$unit/proved.csv) -le 1 || verify/formal/prove --unit $$unit --mutants --recorded --resume --limit 600; \
	done
	for unit in $(MUTANT_UNITS); do $(TARGET)/release/rtl-mutants --unit $$unit --report || failed=1; done; test -z "$${failed:-}"

# For CI: each of these mutants is killed by its case, in its cycle, at its word; --renew finds cases anew after a change of the strategies.
mutants-sample: ## some mutants of the RTL that are known to be killed, each by the case that kills it, in a minute (ARGS: --renew)
	@$(SETUP) rust build linters
	cargo build --release -p rtl-mutants
	for unit in $(MUTANT_UNITS); do \
	  $(TARGET)/release/rtl-mutants --unit $$unit --held --fresh --out $(TARGET)/mutants/sample --quiet $(ARGS); \
	done

# Units with mutants of their model: the folders of verify/mutation/model.
MODEL_UNITS = $(patsubst verify/mutation/model/%/equivalent.toml,%,$(wildcard verify/mutation/model/*/equivalent.toml))

# The verdicts of all mutants are the tables of the book; a sample goes to a file of its own.
mutants-model: ## changes to the model, one at a time: does a recorded run of the RTL, or a test, notice? (ARGS: --sample 60)
	@$(SETUP) rust build mutants
	cargo build --release -p proptests --bin record
	target/tools/z3/bin/python verify/mutation/model/mutants/prove.py
	for unit in $(MODEL_UNITS); do \
	  $(TARGET)/release/record --unit $$unit; \
	  verify/mutation/model/mutants/main.py --unit $$unit $(ARGS) || failed=1; \
	done; test -z "$${failed:-}"

docs: ## API documentation, and the book with the matrix of requirements if mdBook can be had
	@$(SETUP) rust build
	cargo doc --release --workspace --no-deps
	@if $(SETUP) book; then $(MAKE) --no-print-directory book; \
	else echo 'docs: no mdBook, so no book; its source is docs/src' >&2; fi

# The book is made from a copy of its source, in which the matrix is that of the last test run, which has two reports.
book:
	@$(SETUP) book
	@rm -rf $(TARGET)/book-source
	@mkdir -p $(TARGET)/book-source
	@cp -r docs/book.toml docs/src docs/theme $(TARGET)/book-source
	@results=$$(ls -t $(TARGET)/nextest/{nightly,ci,default}/junit.xml 2>/dev/null | head -n 1 || true); \
	  case $$results in */default/*) registers=registers;; *) registers=registers-ci;; esac; \
	  results=$$(echo $$results $$(ls $(TARGET)/nextest/$$registers/junit.xml 2>/dev/null || true)); \
	  cargo run --quiet --release -p requirements -- matrix $${results:+--results $$results} \
	    --out $(TARGET)/book-source/src/matrix.md
	PATH="$(CURDIR)/target/tools/bin:$$PATH" mdbook build $(TARGET)/book-source --dest-dir $(abspath $(TARGET))/book
	@echo 'The book: $(TARGET)/book/index.html'

timing: ## draw the timing diagrams of the book anew
	@$(SETUP) rust
	cargo run $(BOOK_CHECK) --bin timing -- docs/src/images

clean: ## remove everything that was built or captured
	cargo clean
	rm -rf target
