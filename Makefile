# `make` leaves the engine beside this file, built for this machine. `make help` lists the rest.

EXE ?= rufous
EVALFILE ?=
CARGO ?= cargo
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe,)
TARGET := $(EXE)$(if $(filter %.exe,$(EXE)),,$(SUFFIX))
PROFILES := $(CURDIR)/target/pgo
# Profiles are read by the tool of the compiler's own LLVM.
LLVM := $(shell rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
LLVM_PROFDATA ?= $(firstword $(shell command -v llvm-profdata-$(LLVM) llvm-profdata 2>/dev/null) /usr/lib/llvm-$(LLVM)/bin/llvm-profdata)
PROFDATA_FITS := $(shell "$(LLVM_PROFDATA)" --version 2>/dev/null | grep "version $(LLVM)[.]")
NATIVE := -C target-cpu=native

export EVALFILE

.PHONY: all plain pgo portable test lint board-test bench compare lab study board wasm site programs dist deb wheel \
	release-windows release-arm64 test-install test-packages capi sprt clean help

all: $(if $(PROFDATA_FITS),pgo,plain) ## the engine for this machine, as $(EXE): pgo where llvm-profdata is there, else plain

plain: ## the engine for this machine without a profile, in less than half the time
	$(CARGO) build --release --locked -p rufous
	cp target/release/rufous$(SUFFIX) "$(TARGET)"

pgo: ## the engine for this machine, optimised by a profile of its own bench and perft (needs llvm-profdata of rustc's LLVM)
	rm -rf "$(PROFILES)"
	RUSTFLAGS="$(NATIVE) -C profile-generate=$(PROFILES)" \
		$(CARGO) build --release --locked -p rufous --target-dir target/pgo-build
	target/pgo-build/release/rufous$(SUFFIX) bench > /dev/null
	target/pgo-build/release/rufous$(SUFFIX) go perft 5 > /dev/null
	"$(LLVM_PROFDATA)" merge -o "$(PROFILES)/merged.profdata" "$(PROFILES)"
	RUSTFLAGS="$(NATIVE) -C profile-use=$(PROFILES)/merged.profdata" \
		$(CARGO) build --release --locked -p rufous --target-dir target/pgo-build
	cp target/pgo-build/release/rufous$(SUFFIX) "$(TARGET)"

portable: ## a binary for every processor of this architecture, which uses the instructions available
	scripts/portable target/programs rufous
	cp target/programs/rufous$(SUFFIX) "$(TARGET)"

test: lint board-test ## format, lints and all tests; lists the skipped tests at the end
	$(CARGO) test --locked --workspace
	scripts/test-wasm
	@scripts/skipped-tests

lint:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings

bench: all ## the signature of the search and its speed
	./$(TARGET) bench

compare: ## compares the speed of $(EXE) with another build: OLD=path/to/engine RUNS=10 (see scripts/compare)
	@OLD="$(OLD)" NEW="$(if $(NEW),$(NEW),./$(TARGET))" RUNS="$(RUNS)" ARGS="$(ARGS)" \
		EVALFILE="$(EVALFILE)" OLDEVALFILE="$(OLDEVALFILE)" scripts/compare

lab: ## the tools for engine developers, as target/release/rufous-lab
	$(CARGO) build --release --locked -p rufous-lab

study: board ## reviews, puzzles, analysis and the board for players, as target/release/rufous-study
	$(CARGO) build --release --locked -p rufous-study

# `npm install --no-save` takes what the lock file says and leaves it alone; `npm ci` refuses one that lacks the optional
# builds of Vite's bundler for other systems, of which not every registry has all.
# The page of `rufous-study serve`. Without Node the program is built all the same, and its page says what is missing.
NODE := $(shell command -v npm > /dev/null 2>&1 && node -p 'parseInt(process.versions.node) >= 20 || ""' 2>/dev/null)
WEB := crates/study/web

ifneq ($(NODE),)
board: ## the page of rufous-study serve (needs Node.js)
	cd $(WEB) && npm install --no-save --no-fund --no-audit && npm run build

board-test: board
	cd $(WEB) && npm test
	$(CARGO) build --locked -p rufous-study
	cd $(WEB) && npm run e2e
else
board board-test:
	@echo "skipped: the page of rufous-study serve and its tests (needs Node.js 20 with npm)"
endif

wasm: ## the engine for browsers and Node, as the npm package in npm/ (see docs/wasm.md)
	scripts/build-wasm

site: ## the board with the engine built in, for any static host, as target/site (needs make wasm and Node.js)
	scripts/build-site

programs: board ## the three programs for every processor of this architecture, in target/programs
	scripts/portable target/programs rufous rufous-study rufous-lab

dist: programs ## an archive of them with manual pages, completions, licences and checksums, in dist/
	python3 scripts/dist target/programs

deb: programs ## a Debian package of the same, in dist/ (needs dpkg-dev)
	scripts/deb target/programs

wheel: programs ## a Python wheel with the engine and rufous-study, in dist/ (needs maturin)
	scripts/wheel target/programs

release-windows: programs ## the archive for Windows, made on Debian 12 (see docs/platforms.md)
	scripts/release-windows

release-arm64: programs ## the archive for Linux on 64-bit ARM, made on Debian 12 (see docs/platforms.md)
	scripts/release-arm64

test-install: ## installs, tests and removes archive, package, wheel and cargo install in a clean prefix
	scripts/test-install

test-packages: ## the same with archive and package of the programs that `make test` has built
	BIN=target/debug scripts/test-install archive deb

capi: ## librufous.a and the shared library for C; the header is crates/capi/include/rufous.h
	RUSTFLAGS="" $(CARGO) build --profile library --locked -p rufous-capi --target-dir target/portable
	cp target/portable/library/librufous_capi.a librufous.a
	if [ -f target/portable/library/librufous_capi.so ]; then cp target/portable/library/librufous_capi.so librufous.so; fi
	if [ -f target/portable/library/librufous_capi.dylib ]; then cp target/portable/library/librufous_capi.dylib librufous.dylib; fi

sprt: ## tests one commit against another: NEW= OLD= BOUNDS=0,5 BOOK=openings.epd (see scripts/sprt)
	@NEW="$(NEW)" OLD="$(OLD)" BOUNDS="$(BOUNDS)" BOOK="$(BOOK)" WHAT="$(WHAT)" LIMIT="$(LIMIT)" GAMES="$(GAMES)" \
		CONCURRENCY="$(CONCURRENCY)" STATE="$(STATE)" LAB="$(LAB)" scripts/sprt

clean:
	$(CARGO) clean

help:
	@grep -E '^[a-z0-9-]+:.*##' Makefile | sed 's/:.*## /\t/' | expand -t 18
