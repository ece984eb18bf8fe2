# `make` lists the targets with their purposes. Each target installs what it needs, if possible.

# The tables of build-db. If a variable is empty, the program chooses.
MAXPILE = 64
LENGTH  =
GAMES   =
DB      = db
THREADS =
MEMORY  =

# The folder of release, the bound of its certificate, and the keys to sign it.
RELEASE     = release
CERTIFICATE = 1500
KEY         =
PUBKEY      =

# The folder and the targets of dist; without targets, dist makes all archives.
DIST    = dist
TARGETS =

# Seconds for each target of fuzz-smoke.
SECONDS = 20

# The crate for mutants, the part n/t of its mutants (n from 0), and the number of parallel jobs.
CRATE  = grundy-rules
SAMPLE = 0/1
JOBS   = 1

CARGO  = cargo
PYTHON = python3

TARGET := $(or $(CARGO_TARGET_DIR),target)
GRUNDY  = $(TARGET)/release/grundy
VENV    = .venv

FUZZ_TARGETS = shard position table question certificate law

# The options common to all subcommands, if they are set.
COMMON = --db '$(DB)' $(if $(THREADS),--threads $(THREADS)) $(if $(MEMORY),--memory $(MEMORY))

export PYTHON

.PHONY: help
help:
	@echo "make build-db            build the tables of every game"
	@echo "     MAXPILE=64            largest pile"
	@echo "     LENGTH=6              largest number of piles; by default, the largest for a short build"
	@echo "     GAMES=end-nim         games, separated by commas; by default all"
	@echo "     DB=db                 folder of the database"
	@echo "     THREADS=2 MEMORY=4G   limits on threads and memory"
	@echo "make verify              check every byte of the database, and derive a sample of values again"
	@echo "make diff                check the theorems and conjectures of the papers"
	@echo "make release             make a pack of tables and a certificate, sign it and test it"
	@echo "     RELEASE=release       folder of the result; KEY=key.sec PUBKEY=key.pub sign with minisign"
	@echo "make dist                make archives of the program for Linux, Windows and macOS, in DIST=dist"
	@echo "     TARGETS=              Rust targets, by default all; KEY=key.sec PUBKEY=key.pub sign"
	@echo "make pictures            draw the pictures of tables in the documents"
	@echo "make db-small            build small tables of every game with each instruction set, and compare"
	@echo "                         their digests with db/expected"
	@echo "make clean-db            remove the tables from the database"
	@echo
	@echo "make test                run all tests"
	@echo "make test-long           run slow tests that make test omits; minutes, mostly for compiling"
	@echo "make crash-storm         kill builds 500 times, and make every step of a build fail; minutes"
	@echo "make corruption-storm    flip every bit of every kind of shard; minutes"
	@echo "make door-storm          full disks, limits, hostile packs and servers, edited rules, Python; minutes"
	@echo "make storms              these three storms, one after another"
	@echo "make check               check format, lints, types, documentation and text; includes wasm and package"
	@echo "make style               only the checks of module circles, and of Python and JavaScript"
	@echo "make wasm                compile crates for a browser"
	@echo "make proofs              check the proofs of docs/proofs with Coq, and certificates with proved checkers;"
	@echo "                         make test does this if Coq is installed"
	@echo "make foreign             check other systems and processors with compilers and emulators; minutes"
	@echo "     PARTS='arm wine'      some of: oldest windows wine mac musl arm old big-endian"
	@echo "make package             package every crate for publication, without an upload"
	@echo "make cluster             install grundy-cluster, which spreads work over machines, in .venv-cluster"
	@echo "make cluster-test        test grundy-cluster: faults, a bucket, TLS, Slurm; part of make test"
	@echo "make cluster-storm       cause a hundred faults during builds (FAULTS=100 SEED=1); minutes"
	@echo "make python              build the package grundy for Python and install it in .venv-python"
	@echo "make wheel               make a wheel of this package, which others install with pip"
	@echo "make python-test         test the wheel; part of make test"
	@echo "make python-bench        measure the package, and other programs for comparison"
	@echo "make notebooks           run the notebooks of docs/notebooks and write them as HTML"
	@echo "make docs                make a site of all documentation in site/, and check its links"
	@echo "make explorer            make the page in the browser, in target/explorer, for any web server"
	@echo "make explorer-test       test the page in Chromium; part of make test"
	@echo "make bench               measure whole tasks, and other methods for comparison"
	@echo "make fuzz-smoke          fuzz each target for SECONDS=20"
	@echo "make mutants             change the code of CRATE=grundy-rules, and list the changes that no test notices"
	@echo "     SAMPLE=0/8 JOBS=1     the first of eight samples of these changes; all take hours"
	@echo "make deny                check licences and sources of all packages"
	@echo "make version V=0.2.0     set the version everywhere"
	@echo "make release-all         make the six parts of a release (RELEASING.md); DRY=1 makes small ones as a test"

# --- The database ---------------------------------------------------------------------

.PHONY: setup
setup:
	@sh tools/setup.sh compiler

.PHONY: grundy
grundy: setup
	@echo "==> compiling the program $(GRUNDY) (this takes minutes the first time)"
	$(CARGO) build --release -p grundy-cli

.PHONY: build-db
build-db: grundy
	@echo "==> building tables up to piles of $(MAXPILE)$(if $(LENGTH), and $(LENGTH) piles) in $(DB)/"
	$(GRUNDY) build $(strip $(COMMON) --max-pile $(MAXPILE) $(if $(LENGTH),--length $(LENGTH)) $(if $(GAMES),--games $(GAMES)))

.PHONY: verify
verify: grundy
	$(GRUNDY) verify $(strip $(COMMON))

# The ranges take a few minutes. Stored tables are read if there are any.
P_CLAIMS    = an.prop1 an.thm2 ch.thm2.1 ch.thm2.2 ch.thm2.3 end.p-count end.zeros
THREE_PILES = ch.three-pile-p ch.thm5.1 ch.thm5.2 ch.thm5.3 ch.thm5.4 ch.proof5.1
TWO_PILES   = ch.two-pile ch.prop4.1 ch.prop4.2 end.misere-2 end.misere-3
NIM         = bouton.thm1 bouton.general bouton.misere
PARTIZAN    = partizan.thm partizan.even-n partizan.p-rows partizan.odd-n partizan.sums
SINGLE_PILES = gn.thm2 gn.cor11 gn.prop16 gn.half-bound gn.below-half gn.prop19.corrected gn.prop20 gn.cor21 gn.once
PILES       = gn.thm3 gn.thm4 gn.cor5
SETS        = lgn.thm23 lgn.thm24 lgn.thm25 lgn.thm26 lgn.thm27.corrected lgn.five-choice lgn.five-remark
RUNS        = $(TARGET)/diff

.PHONY: diff
diff: grundy
	@echo "==> checking the statements of the papers; the findings go to docs/FINDINGS.md"
	@mkdir -p $(RUNS)
	$(GRUNDY) diff $(strip $(COMMON)) --json > $(RUNS)/1-defaults.jsonl
	$(GRUNDY) diff $(strip $(COMMON)) --json $(P_CLAIMS) --max-pile 64 --length 6 > $(RUNS)/2-length-6.jsonl
	$(GRUNDY) diff $(strip $(COMMON)) --json $(P_CLAIMS) --max-pile 32 --length 7 > $(RUNS)/3-length-7.jsonl
	$(GRUNDY) diff $(strip $(COMMON)) --json end.rows end.bound ch.cor2.4 --max-pile 64 --length 5 --memory 8G > $(RUNS)/4-length-5.jsonl
	$(GRUNDY) diff $(strip $(COMMON)) --json $(THREE_PILES) --max-pile 200 > $(RUNS)/5-three-piles.jsonl
	$(GRUNDY) diff $(strip $(COMMON)) --json $(TWO_PILES) --max-pile 2000 > $(RUNS)/6-two-piles.jsonl
	$(GRUNDY) diff $(strip $(COMMON)) --json an.period an.period-pow2 --max-pile 32 --to 20000000 --memory 8G --seconds 3600 > $(RUNS)/7-periods.jsonl
	$(GRUNDY) diff $(strip $(COMMON)) --json $(NIM) --max-pile 64 --length 5 > $(RUNS)/8-nim.jsonl
	$(GRUNDY) diff $(strip $(COMMON)) --json $(PARTIZAN) --max-pile 64 --length 6 > $(RUNS)/9-partizan.jsonl
	$(GRUNDY) diff $(strip $(COMMON)) --json $(SINGLE_PILES) --to 10000000 > $(RUNS)/a-single-piles.jsonl
	$(GRUNDY) diff $(strip $(COMMON)) --json $(PILES) --max-pile 600 > $(RUNS)/b-two-piles.jsonl
	$(GRUNDY) diff $(strip $(COMMON)) --json gn.thm6 gn.smallest-pile.corrected --max-pile 64 --length 4 > $(RUNS)/c-several-piles.jsonl
	$(GRUNDY) diff $(strip $(COMMON)) --json gn.thm14 gn.thm14-differ gn.cor15 --to 4000 > $(RUNS)/d-g-series.jsonl
	$(GRUNDY) diff $(strip $(COMMON)) --json $(SETS) --to 26 > $(RUNS)/e-sets.jsonl
	$(GRUNDY) diff $(strip $(COMMON)) --json lgn.conj34 --to 2000 --certificate $(RUNS)/conj34.cert > $(RUNS)/f-conjecture.jsonl
	$(GRUNDY) diff $(strip $(COMMON)) --json ew.wythoff --max-pile 200 > $(RUNS)/g-end-wythoff.jsonl
	$(GRUNDY) findings $(RUNS)/*.jsonl docs/runs/*.jsonl > docs/FINDINGS.md

# A release of tables: docs/SHIPPING.md.
TRY_RELEASE = PYTHON='$(VENV)/bin/python3' sh tools/release.sh

.PHONY: release
release: grundy $(VENV)/ready
	PROGRAM='$(GRUNDY)' OUT='$(RELEASE)' MAXPILE='$(MAXPILE)' LENGTH='$(or $(LENGTH),4)' \
		CERTIFICATE='$(CERTIFICATE)' KEY='$(KEY)' PUBKEY='$(PUBKEY)' $(TRY_RELEASE)

# A small release, signed with a new key if minisign is installed.
RELEASE_TEST = $(TARGET)/release-test

.PHONY: release-test
release-test: cluster-program $(VENV)/ready
	@rm -rf '$(RELEASE_TEST)'
	@mkdir -p '$(RELEASE_TEST)'
	@key=; if command -v minisign >/dev/null 2>&1; then \
		key='$(RELEASE_TEST)/key'; minisign -GW -p $$key.pub -s $$key.sec >/dev/null; \
	else echo "release-test: minisign is missing; signatures are not tested"; test -z '$(CI)'; fi; \
	PROGRAM='$(TARGET)/debug/grundy' OUT='$(RELEASE_TEST)' MAXPILE=8 LENGTH=3 HEAP=1000 \
		CERTIFICATE=100 KEY="$${key:+$$key.sec}" PUBKEY="$${key:+$$key.pub}" $(TRY_RELEASE)

# All six parts of a release, in the order of RELEASING.md, without an upload. With DRY=1 tables and
# archives are small, and signed with a new key.
.PHONY: release-all
release-all:
	@for part in $(if $(DRY),release-test dist-test,release dist) package wheel explorer docs; do \
		echo "==> $$part"; \
		$(MAKE) --no-print-directory $$part || { \
			echo "release-all: $$part failed; see \"If a part fails\" in RELEASING.md" >&2; exit 1; }; \
	done
	@OUT='$(TARGET)/upload' WHEELS='$(TARGET)/wheels' PAGE='$(TARGET)/explorer' \
		ARCHIVES='$(if $(DRY),$(DIST_TEST),$(DIST))' TABLES='$(if $(DRY),$(RELEASE_TEST),$(RELEASE))' \
		KEY='$(KEY)' PUBKEY='$(PUBKEY)' DRY='$(DRY)' sh tools/gather.sh

.PHONY: version
version:
	@CARGO='$(CARGO)' sh tools/version.sh '$(V)'

# Archives of the program: docs/PLATFORMS.md.
.PHONY: dist
dist: setup
	@OUT='$(DIST)' KEY='$(KEY)' PUBKEY='$(PUBKEY)' sh tools/dist.sh $(TARGETS)

# One archive, compiled as fast as possible, and signed with a new key if minisign is installed. This needs
# only Linux with rustup. With CI=true it fails if a program is missing.
DIST_TEST = $(TARGET)/dist-test

.PHONY: dist-test
dist-test: setup
	@rm -rf '$(DIST_TEST)'
	@mkdir -p '$(DIST_TEST)'
	@if [ "$$(uname -s)" != Linux ] || ! command -v rustup >/dev/null 2>&1; then \
		echo "dist-test: this needs Linux with rustup; the archive of the program is not tested"; \
		test -z '$(CI)'; exit; \
	fi; \
	key=; if command -v minisign >/dev/null 2>&1; then \
		key='$(DIST_TEST)/key'; minisign -GW -p $$key.pub -s $$key.sec >/dev/null; \
	else echo "dist-test: minisign is missing; the signature is not tested"; test -z '$(CI)' || exit; fi; \
	OUT='$(DIST_TEST)' TRIAL=yes KEY="$${key:+$$key.sec}" PUBKEY="$${key:+$$key.pub}" \
		sh tools/dist.sh "$$(uname -m)-unknown-linux-musl"

# The pictures of tables.
.PHONY: pictures
pictures: grundy
	$(GRUNDY) plot $(strip $(COMMON)) short-global-nim --to 5000 docs/pictures/short-global-nim.png
	$(GRUNDY) plot $(strip $(COMMON)) end-nim --middle 4 --max-pile 256 docs/pictures/end-nim-a-4-b.png
	$(GRUNDY) plot $(strip $(COMMON)) end-nim --middle 4 --max-pile 256 --differences docs/pictures/end-nim-a-4-b-differences.png
	$(GRUNDY) prove end-nim --piles 2 --format svg --output docs/pictures/end-nim-automaton.svg

# Uses the program that the tests compile; PROFILE=release uses the optimised program.
PROFILE = dev

.PHONY: db-small
db-small: setup
	@$(BUILT) $(CARGO) build --quiet --profile $(PROFILE) -p grundy-cli
	@PROGRAM=$(TARGET)/$(if $(filter dev,$(PROFILE)),debug,$(PROFILE))/grundy sh tools/db-small.sh

# Removes only files that a build writes: see "The database folder" in docs/FORMAT.md.
.PHONY: clean-db
clean-db:
	@if [ ! -e '$(DB)/lock' ] && [ ! -e '$(DB)/manifest.json' ]; then \
		echo "no database in '$(DB)'"; exit; \
	fi; \
	echo "==> removing the tables in $(DB)/"; \
	for game in '$(DB)'/*/; do \
		case $$game in */expected/) continue ;; esac; \
		rm -rf -- "$$game"n[0-9]*; \
		rmdir -- "$$game" 2>/dev/null || true; \
	done; \
	rm -rf -- '$(DB)'/again.tmp; \
	rm -f -- '$(DB)'/manifest.json* '$(DB)'/lock

# --- Development ----------------------------------------------------------------------

# Python packages for tests that read our files with other programs.
$(VENV)/ready: docs/requirements.txt
	@sh tools/setup.sh python
	@echo "==> a Python environment in $(VENV)/ with the packages of docs/requirements.txt"
	$(PYTHON) -m venv --clear $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -r docs/requirements.txt
	@touch $@

# These crates are tested with the same features, so that everything, with the program, is compiled once.
# The module for Python is tested from Python, because its Rust tests could not link an interpreter.
# (`--lib` would build such tests in spite of `test = false`.) The benchmarks have no tests.
TESTED = --workspace --exclude grundy-python --exclude grundy-benches

# The value `:` skips compiling the program for the scripts.
BUILT =

# Hides the two jobs of `make test` from cargo, which would otherwise use only two jobs too.
APART = MAKEFLAGS='$(filter-out -j% --jobserver% -Oline --output-sync%,$(MAKEFLAGS))'

# Compiling runs in parallel with tests that wait for schedulers, browsers and emulators.
.PHONY: test
test: setup
	@$(MAKE) --no-print-directory $(VENV)/ready || { \
		echo "test: the packages of docs/requirements.txt cannot be installed;" \
			"the tests that need them, and the small release, are skipped" >&2; test '$(CI)' != true; }
	@echo "==> compiling the tests and the program"
	$(CARGO) test $(TESTED) --lib --bins --tests --examples --no-run
	@$(MAKE) --no-print-directory --jobs=2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=line) \
		BUILT=: test-elsewhere test-program
	@echo "==> the tests beside the code"
	$(CARGO) test $(TESTED) --lib --bins --examples

.PHONY: test-elsewhere
test-elsewhere:
	@echo "==> the examples in the documentation"
	$(APART) $(CARGO) test $(TESTED) --doc
	@echo "==> an archive of the program"
	@$(APART) $(MAKE) --no-print-directory dist-test
ifeq ($(CI),true)
	@$(APART) $(MAKE) --no-print-directory foreign PARTS='oldest windows wine mac musl arm'
else
	@echo "==> skipped, because it takes as long as all other tests: make foreign (other systems and processors)"
endif

.PHONY: test-program
test-program:
	@echo "==> building small tables with each instruction set, and comparing them with db/expected"
	@$(APART) $(MAKE) --no-print-directory db-small
	@echo "==> a small release"
	@[ ! -e $(VENV)/ready ] || $(APART) $(MAKE) --no-print-directory release-test
	@$(APART) $(MAKE) --no-print-directory proofs-test
	@CARGO='$(CARGO)' OUT='$(TARGET)/new-game' $(APART) sh tools/new-game.sh
	@$(APART) $(MAKE) --no-print-directory cluster-test
	@$(APART) $(MAKE) --no-print-directory python-test
	@$(APART) $(MAKE) --no-print-directory explorer-test
	@echo "==> the suites of tests"
	@$(APART) $(CARGO) test $(TESTED) --test '*'
ifeq ($(CI),true)
	@$(APART) $(MAKE) --no-print-directory foreign PARTS='old big-endian'
endif

# Coq checks the proofs, and the checkers that it has proved read certificates. `make test` does not install Coq;
# with CI=true it fails if Coq is missing.
PROOFS = $(TARGET)/proofs
CHECK_PROOFS = GRUNDY='$(CLUSTER_GRUNDY)' sh tools/proofs.sh '$(PROOFS)'

.PHONY: proofs
proofs: cluster-program
	@sh tools/setup.sh coq
	@$(CHECK_PROOFS)

.PHONY: proofs-test
proofs-test: cluster-program
	@$(CHECK_PROOFS) || { \
		code=$$?; if [ $$code != 3 ] || [ '$(CI)' = true ]; then exit $$code; fi; \
		echo "proofs: not checked" >&2; }

# The filter excludes ignored functions that write golden files instead of testing.
.PHONY: test-long
test-long: setup
	$(CARGO) test --release -p grundy-kernels --test suite -- --ignored short_global::

# --- Many machines --------------------------------------------------------------------

CLUSTER      = tools/cluster
CLUSTER_VENV = .venv-cluster

$(CLUSTER_VENV)/ready: $(CLUSTER)/pyproject.toml
	@sh tools/setup.sh python
	@echo "==> a Python environment in $(CLUSTER_VENV)/ with grundy-cluster and the packages of its tests"
	$(PYTHON) -m venv --clear $(CLUSTER_VENV)
	$(CLUSTER_VENV)/bin/pip install --quiet --no-compile --disable-pip-version-check -e './$(CLUSTER)[s3,test]'
	@touch $@

.PHONY: cluster
cluster: $(CLUSTER_VENV)/ready
	@echo "the program is $(CLUSTER_VENV)/bin/grundy-cluster; it needs grundy on the PATH, here and on each node"

# Tests that cannot run are reported as skipped; with CI=true they fail.
CLUSTER_GRUNDY = $(abspath $(TARGET))/debug/grundy

.PHONY: cluster-program
cluster-program: setup
	@$(BUILT) $(CARGO) build --quiet -p grundy-cli

.PHONY: cluster-test
cluster-test: cluster-program
	@CI='$(CI)' MAKE='$(MAKE)' VENV='$(CLUSTER_VENV)' GRUNDY='$(CLUSTER_GRUNDY)' sh tools/cluster/test.sh

# --- Python ---------------------------------------------------------------------------

PYTHON_VENV = .venv-python
PYTHON_BIN  = $(abspath $(PYTHON_VENV))/bin

# Needs a version of pip with dependency groups.
$(PYTHON_VENV)/ready: tools/python/pyproject.toml
	@sh tools/setup.sh python
	@echo "==> a Python environment in $(PYTHON_VENV)/ with the packages that grundy for Python and its tests need"
	$(PYTHON) -m venv --clear $(PYTHON_VENV)
	$(PYTHON_VENV)/bin/pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(PYTHON_VENV)/bin/pip install --quiet --disable-pip-version-check \
		--group tools/python/pyproject.toml:test --group tools/python/pyproject.toml:notebooks
	@touch $@

# Installs the dependency group that has the name of the target.
$(PYTHON_VENV)/style $(PYTHON_VENV)/docs: $(PYTHON_VENV)/ready
	$(PYTHON_VENV)/bin/pip install --quiet --disable-pip-version-check --group tools/python/pyproject.toml:$(@F)
	@touch $@

.PHONY: python
python: setup $(PYTHON_VENV)/ready
	@BIN='$(PYTHON_BIN)' PROFILE=release sh tools/python/wheel.sh
	@echo "the package grundy is in $(PYTHON_VENV)/bin/python; the wheel, for any Python from 3.10, in $(TARGET)/wheels"

.PHONY: wheel
wheel: setup $(VENV)/ready
	@echo "==> compiling the package; this takes some minutes"
	$(VENV)/bin/pip wheel --verbose --disable-pip-version-check --no-deps --wheel-dir $(TARGET)/wheels ./tools/python
	@echo "to install it on systems of the same kind: pip install $$(ls -t $(TARGET)/wheels/grundy-*.whl | head -n 1)"

.PHONY: python-test
python-test: cluster-program
	@CI='$(CI)' MAKE='$(MAKE)' VENV='$(PYTHON_VENV)' GRUNDY='$(CLUSTER_GRUNDY)' PROFILE='$(PROFILE)' \
		sh tools/python/test.sh

.PHONY: notebooks
notebooks: python
	@BIN='$(PYTHON_BIN)' sh tools/python/notebooks.sh docs/notebooks/html

# One site: the documents, the notebooks, the package for Python, and the crates.
.PHONY: docs
docs: python $(PYTHON_VENV)/docs
	@BIN='$(PYTHON_BIN)' CARGO='$(CARGO)' TARGET='$(abspath $(TARGET))' sh tools/python/docs.sh site

.PHONY: python-bench
python-bench: python grundy
	@$(PYTHON_BIN)/pip install --quiet --disable-pip-version-check --group tools/python/pyproject.toml:bench || \
		echo "numba cannot be installed; the measurements that need it are skipped"
	GRUNDY='$(abspath $(GRUNDY))' $(PYTHON_BIN)/python tools/python/bench.py

# --- Faults ---------------------------------------------------------------------------

FAULTS = 100

.PHONY: cluster-storm
cluster-storm: cluster-program $(CLUSTER_VENV)/ready
	@echo "==> causing $(FAULTS) faults: killing workers, tasks, nodes, drivers and schedulers, damaging files"
	cd $(CLUSTER) && STORM=$(FAULTS) $(if $(SEED),SEED=$(SEED)) GRUNDY='$(CLUSTER_GRUNDY)' \
		$(abspath $(CLUSTER_VENV))/bin/pytest -s -k storm

# --- The explorer ---------------------------------------------------------------------

EXPLORER       = $(TARGET)/explorer
EXPLORER_TOOLS = $(TARGET)/explorer-tools

.PHONY: explorer
explorer: setup
	@CARGO='$(CARGO)' OUT='$(EXPLORER)' sh tools/explorer.sh

# PICTURES=docs/pictures draws the screenshots of docs/COMMANDS.md again; LATE=300 delays each answer by 300 ms.
PICTURES =
LATE     =

.PHONY: explorer-test
explorer-test: cluster-program
	@CI='$(CI)' CARGO='$(CARGO)' TOOLS='$(EXPLORER_TOOLS)' EXPLORER='$(abspath $(EXPLORER))' \
		GRUNDY='$(CLUSTER_GRUNDY)' LATE='$(LATE)' PICTURES='$(if $(PICTURES),$(abspath $(PICTURES)))' sh tools/explorer/test.sh

# --- Storms ---------------------------------------------------------------------------

# Runs the ignored tests, which are long versions of other tests.
STORM = $(CARGO) test --quiet -p

.PHONY: crash-storm
crash-storm: setup
	@echo "==> every step of a build fails in every way"
	$(STORM) grundy-builder --test suite -- --ignored --nocapture faults::
	@echo "==> builds of every kind are killed at random moments"
	$(STORM) grundy-cli --test program -- --ignored --nocapture storm::kills::

.PHONY: corruption-storm
corruption-storm: setup
	@echo "==> every bit of every kind of shard is flipped"
	$(STORM) grundy-cli --test program -- --ignored --nocapture storm::corruption::

.PHONY: door-storm
door-storm: setup
	@echo "==> disks are full, processes meet, packs and servers are hostile"
	$(STORM) grundy-cli --test program -- --ignored --nocapture --test-threads 1 \
		storm::disks:: storm::races:: storm::archives:: storm::servers::
	@echo "==> a thousand hostile arguments for the package for Python"
	@STORM=1000 VENV='$(PYTHON_VENV)' GRUNDY='$(CLUSTER_GRUNDY)' PROFILE='$(PROFILE)' MAKE='$(MAKE)' \
		sh tools/python/test.sh -s tests/test_hostile.py

.PHONY: storms
storms: crash-storm corruption-storm door-storm

.PHONY: check
check: setup
	@sh tools/setup.sh lint
	sh tools/check-text.sh
	$(CARGO) fmt --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS=-Dwarnings $(CARGO) doc --workspace --no-deps
	@CARGO='$(CARGO)' sh tools/wasm.sh
	@CARGO='$(CARGO)' sh tools/package.sh
	@$(MAKE) --no-print-directory style

.PHONY: style
style:
	@CI='$(CI)' MAKE='$(MAKE)' VENV='$(PYTHON_VENV)' CLUSTER_VENV='$(CLUSTER_VENV)' TOOLS='$(EXPLORER_TOOLS)' \
		sh tools/style.sh

.PHONY: wasm
wasm: setup
	@CARGO='$(CARGO)' sh tools/wasm.sh

# The parts of foreign to run: oldest windows wine mac musl arm old big-endian.
PARTS =

.PHONY: foreign
foreign: setup
	@CARGO='$(CARGO)' sh tools/foreign.sh $(PARTS)

.PHONY: package
package: setup
	@CARGO='$(CARGO)' sh tools/package.sh

.PHONY: bench
bench: setup
	@$(CARGO) run --release --quiet -p grundy-benches --bin table
	@$(CARGO) run --release --quiet -p grundy-benches --bin games
	@$(CARGO) run --release --quiet -p grundy-benches --bin shapes

# libFuzzer needs flags that stable Rust accepts only with RUSTC_BOOTSTRAP.
.PHONY: fuzz-smoke
fuzz-smoke: setup
	@sh tools/setup.sh c++
	@command -v cargo-fuzz >/dev/null || { \
		echo "==> installing cargo-fuzz"; $(CARGO) install --locked cargo-fuzz; }
	$(CARGO) run --quiet -p grundy-fuzz --example seeds
	@set -e; for target in $(FUZZ_TARGETS); do \
		echo "==> fuzzing $$target for $(SECONDS) seconds"; \
		RUSTC_BOOTSTRAP=1 $(CARGO) fuzz run --features libfuzzer $$target -- \
			-max_total_time=$(SECONDS) -verbosity=0 -print_final_stats=1; \
	done

# A mutant is a copy of the code with one changed operator, constant or function. If the crate's own tests
# accept it, a test is missing or the mutant has the same meaning.
MUTANTS = $(TARGET)/mutants

.PHONY: mutants
mutants: setup
	@command -v cargo-mutants >/dev/null || { \
		echo "==> installing cargo-mutants (minutes)"; $(CARGO) install --locked cargo-mutants; }
	@mkdir -p $(MUTANTS)
	@echo "==> mutants of $(CRATE), part $(SAMPLE); the lists go to $(MUTANTS)/mutants.out"
	nice -n 19 $(CARGO) mutants -p $(CRATE) --shard $(SAMPLE) --sharding round-robin -j $(JOBS) \
		--timeout 60 -o $(MUTANTS) -- --lib --tests

.PHONY: deny
deny: setup
	@command -v cargo-deny >/dev/null || { \
		echo "==> installing cargo-deny (minutes)"; $(CARGO) install --locked cargo-deny; }
	$(CARGO) deny --config deny.toml check -A license-exception-not-encountered licenses bans sources
