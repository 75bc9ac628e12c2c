# `make` leaves the engine beside this file, built for this machine. `make help` lists the rest.

EXE ?= rufous
EVALFILE ?=
CARGO ?= cargo
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe,)
TARGET := $(EXE)$(if $(filter %.exe,$(EXE)),,$(SUFFIX))
PROFILES := $(CURDIR)/target/pgo
LLVM_PROFDATA ?= $(firstword $(shell command -v llvm-profdata-22 llvm-profdata 2>/dev/null) /usr/lib/llvm-22/bin/llvm-profdata)
NATIVE := -C target-cpu=native

export EVALFILE

.PHONY: all pgo portable test lint board-test bench compare lab study board wasm sprt clean help

all: ## the engine for this machine, as $(EXE)
	$(CARGO) build --release --locked -p rufous
	cp target/release/rufous$(SUFFIX) "$(TARGET)"

pgo: ## the same, optimised by a profile of its own bench (needs llvm-profdata of LLVM 22)
	rm -rf "$(PROFILES)"
	RUSTFLAGS="$(NATIVE) -C profile-generate=$(PROFILES)" \
		$(CARGO) run --release --locked -p rufous --target-dir target/pgo-build -- bench > /dev/null
	"$(LLVM_PROFDATA)" merge -o "$(PROFILES)/merged.profdata" "$(PROFILES)"
	RUSTFLAGS="$(NATIVE) -C profile-use=$(PROFILES)/merged.profdata" \
		$(CARGO) build --release --locked -p rufous --target-dir target/pgo-build
	cp target/pgo-build/release/rufous$(SUFFIX) "$(TARGET)"

portable: ## a binary that runs on every processor of this kind; the network still uses what it finds
	RUSTFLAGS="" $(CARGO) build --release --locked -p rufous --target-dir target/portable
	cp target/portable/release/rufous$(SUFFIX) "$(TARGET)"

test: lint board-test ## everything that must hold before a change lands
	$(CARGO) test --locked --workspace

lint:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings

bench: all ## the signature of the search and its speed
	./$(TARGET) bench

compare: ## the speed of $(EXE) beside another build's: OLD=path/to/engine RUNS=10 (see scripts/compare)
	@OLD="$(OLD)" NEW="$(if $(NEW),$(NEW),./$(TARGET))" RUNS="$(RUNS)" ARGS="$(ARGS)" \
		EVALFILE="$(EVALFILE)" OLDEVALFILE="$(OLDEVALFILE)" scripts/compare

lab: ## the laboratory, as target/release/rufous-lab
	$(CARGO) build --release --locked -p lab

study: board ## reviews, puzzles, analysis and the board for players, as target/release/rufous-study
	$(CARGO) build --release --locked -p study

# The page of `rufous-study serve`. Without Node the program is built all the same, and its page says what is missing.
NODE := $(shell command -v npm > /dev/null 2>&1 && node -p 'parseInt(process.versions.node) >= 20 || ""' 2>/dev/null)
WEB := crates/study/web

ifneq ($(NODE),)
board: ## the page of rufous-study serve (needs Node.js)
	cd $(WEB) && npm ci --no-fund --no-audit && npm run build

board-test: board
	cd $(WEB) && npm test
	$(CARGO) build --locked -p study
	cd $(WEB) && npm run e2e
else
board board-test:
	@echo "left out: the page of rufous-study serve and its tests, since there is no Node.js 20 or newer with npm"
endif

wasm: ## the engine for browsers and Node, as the npm package in npm/ (see docs/wasm.md)
	scripts/build-wasm

sprt: ## tests one commit against another: NEW= OLD= BOUNDS=0,5 BOOK=openings.epd (see scripts/sprt)
	@NEW="$(NEW)" OLD="$(OLD)" BOUNDS="$(BOUNDS)" BOOK="$(BOOK)" WHAT="$(WHAT)" LIMIT="$(LIMIT)" GAMES="$(GAMES)" \
		CONCURRENCY="$(CONCURRENCY)" STATE="$(STATE)" LAB="$(LAB)" scripts/sprt

clean:
	$(CARGO) clean

help:
	@grep -E '^[a-z]+:.*##' Makefile | sed 's/:.*## /\t/' | expand -t 12
