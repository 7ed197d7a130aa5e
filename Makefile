# serbench: `make run` sets up, builds and runs the main job; `make test` sets up and tests.
#
#   NO_INSTALL=1         install no system packages; plugins that need missing ones are left out
#   DATASETS=dir:dir     also build the plugins for these dataset folders
#   PLUGINS='name name'  only the plugins in these folders of plugins-rust and plugins-cpp
#   SERBENCH_NATIVE=1    optimise for this machine's CPU (recorded in every plugin's descriptor)

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build

RELEASE := target/release
TEST_PLUGINS := target/test-plugins
LIBRARIES := serbench-canonical serbench-schema serbench-datasets serbench-plugin serbench
# What the tests need beside what the plugins need.
TEST_PACKAGES := abigail-tools capnproto chromium flatbuffers-compiler golang-go pkg-config \
  protobuf-compiler
# Rust plugins that cannot be built without a tool: `tool:package of cargo`.
NEED_TOOLS := capnp:serbench-codec-capnp

# Unset and empty are two things to cargo, which would build every plugin anew.
ifneq ($(DATASETS),)
export SERBENCH_DATASETS = $(DATASETS)
endif
ifeq ($(SERBENCH_NATIVE),1)
export RUSTFLAGS += -C target-cpu=native
export SERBENCH_NATIVE
endif

ifneq ($(PLUGINS),)
unknown := $(foreach name,$(PLUGINS),$(if $(wildcard plugins-rust/$(name)/Cargo.toml plugins-cpp/$(name)/CMakeLists.txt),,$(name)))
ifneq ($(strip $(unknown)),)
$(error PLUGINS: no folder of plugins-rust or plugins-cpp is called $(strip $(unknown)))
endif
RUST := $(foreach name,$(PLUGINS),$(if $(wildcard plugins-rust/$(name)/Cargo.toml),$(name)))
CPP := $(foreach name,$(PLUGINS),$(if $(wildcard plugins-cpp/$(name)/CMakeLists.txt),$(name)))
PACKAGES := $(addprefix --package serbench-codec-,$(subst _,-,$(RUST))) \
  $(if $(CPP),--package serbench-plugins-cpp)
export SERBENCH_PLUGINS = $(CPP)
else
RUST := *
CPP := *
PACKAGES := --workspace $(addprefix --exclude ,$(LIBRARIES) serbench-fidelity)
endif

.PHONY: run build plugins test-plugins setup test test-rust check linked results lint fmt clean fuzz \
  fuzz-setup miri sanitize

run: build
	$(RELEASE)/serbench run --plugins ./plugins --dataset game_level

build: plugins
	cargo build --release --locked --package serbench

## Collects every bundled plugin in ./plugins, without those of an earlier build.
plugins: setup
	$(call build,release,plugins)

## The same for the tests, by a profile that takes less time to build. Never time these.
test-plugins: setup
	$(call build,quick,$(TEST_PLUGINS))

# $(call build,PROFILE,FOLDER): builds the plugins, and collects them in the folder. Without the program:
# Cargo builds a library once, with the features that anybody wants who is built together. With
# `raw_value`, which the program wants, serde_json took 1.5 times as long to write game_level.
define build
excluded=(); \
for need in $(NEED_TOOLS); do \
  if ! command -v "$${need%%:*}" >/dev/null; then \
    echo "$${need#*:} is left out: there is no $${need%%:*}"; \
    excluded+=(--exclude "$${need#*:}"); \
  fi; \
done; \
cargo build --profile $(1) --locked $(PACKAGES) $(if $(PLUGINS),,"$${excluded[@]}")
rm -rf $(2)
mkdir -p $(2)
$(if $(RUST),cp $(patsubst %,target/$(1)/libserbench_codec_%.so,$(subst -,_,$(RUST))) $(2)/)
$(if $(CPP),cp target/$(1)/plugins-cpp/*.so $(2)/)
endef

## Says which system packages are missing (each C++ plugin names its own), and installs them
## where it may.
setup:
	@missing=(); \
	for package in $(EXTRA_PACKAGES) $$(sed -n 's/.*PACKAGES  *\([^)]*\).*/\1/p' plugins-cpp/*/CMakeLists.txt); do \
	  dpkg-query -W -f '$${Status}' "$$package" 2>/dev/null | grep -q 'ok installed' \
	    || missing+=("$$package"); \
	done; \
	if [ $${#missing[@]} -eq 0 ]; then exit 0; fi; \
	echo "Missing system packages: $${missing[*]}"; \
	as_root=(); \
	if [ "$(NO_INSTALL)" = 1 ]; then \
	  echo "NO_INSTALL=1: what needs them is left out."; exit 0; \
	elif ! command -v apt-get >/dev/null; then \
	  echo "No apt-get here: what needs them is left out."; exit 0; \
	elif [ "$$(id -u)" -ne 0 ]; then \
	  if ! sudo -n true 2>/dev/null; then \
	    echo "Neither root nor sudo: what needs them is left out. To install them:"; \
	    echo "  sudo apt-get install $${missing[*]}"; exit 0; \
	  fi; \
	  as_root=(sudo); \
	fi; \
	"$${as_root[@]}" apt-get update -qq; \
	"$${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
	  apt-get install -y -qq --no-install-recommends "$${missing[@]}" >/dev/null

test: EXTRA_PACKAGES := $(TEST_PACKAGES)
test: test-plugins test-rust

test-rust:
	SERBENCH_TEST_PLUGINS="$$PWD/$(TEST_PLUGINS)" cargo test --locked $(LIBRARIES:%=--package %)

## Measures anew what the tests read and the documents show, by the commands that stand in them.
## On a quiet machine: it takes some minutes, and the numbers are for everyone to see.
results: build
	export PATH="$$PWD/$(RELEASE):$$PATH"; \
	grep -h '^serbench run .*--save cli/tests/data/' cli/RESULTS.md cli/REFERENCES.md > target/commands; \
	while read -r command; do \
	  echo "$$command"; \
	  eval "$$command" < /dev/null > /dev/null; \
	done < target/commands; \
	for page in README.md cli/REFERENCES.md; do serbench report --splice "$$page"; done
	INSTA_UPDATE=always cargo test --locked --package serbench --test report

## Makes of each plugin that Criterion is to measure linked statically, too, an object file, and from it
## the shared library that serbench is to measure.
LINKED := bincode bitcode ciborium postcard rmp serde_json
ENTRY := serbench_plugin_entry_v1
linked:
	rm -rf target/linked
	mkdir -p target/linked
	cd target/linked; \
	for name in $(LINKED); do \
	  library="libserbench_codec_$$name"; \
	  cargo rustc --release --locked --package "serbench-codec-$${name//_/-}" --crate-type staticlib; \
	  ld -r --force-group-allocation -T ../../cli/fidelity/code.lds -u $(ENTRY) \
	    "../release/$$library.a" -o "$$name.o"; \
	  objcopy --keep-global-symbol=$(ENTRY) "$$name.o"; \
	  $(CC) -shared "$$name.o" -o "$$library.so" -lgcc_s -lm -Wl,-z,relro,-z,now \
	    -Wl,--version-script=../../plugin-abi/sdk/cmake/exports.map; \
	  objcopy --redefine-sym "$(ENTRY)=serbench_linked_$$name" "$$name.o"; \
	done

## Holds every bundled codec to the contract, on every dataset. The slowest take their time to read the
## largest value, on a busy machine more than what is the default.
check: build
	$(RELEASE)/serbench check plugins --timeout 5m

## What follows needs a nightly compiler, which nothing else does.
NIGHTLY := nightly
HOST = $$(rustc -vV | sed -n 's/^host: //p')

## Each target is fuzzed for so long. What it finds is left in the folder `artifacts` beside the
## corpus, and goes into the corpus when it is mended.
FUZZ_SECONDS := 15
FUZZ := datasets/schema datasets/canonical cli/loader cli/results
fuzz: fuzz-setup
	for target in $(FUZZ); do \
	  folder="$${target%/*}/fuzz"; target="$${target#*/}"; \
	  dictionary="$$(find "$$folder" -name "$$target.dict" -printf '-dict=%p')"; \
	  mkdir -p "target/fuzz/corpus/$$target"; \
	  cargo +$(NIGHTLY) fuzz run --fuzz-dir "$$folder" --target-dir target/fuzz "$$target" \
	    "target/fuzz/corpus/$$target" "$$folder/corpus/$$target" -- \
	    -max_total_time=$(FUZZ_SECONDS) -max_len=8192 -timeout=20 $$dictionary; \
	done

fuzz-setup:
	rustup toolchain list | grep -q '^$(NIGHTLY)' \
	  || rustup toolchain install $(NIGHTLY) --profile minimal
	cargo fuzz --version >/dev/null 2>&1 || cargo install --locked cargo-fuzz

## The unsafe code of the Rust SDK, driven by its tests.
miri:
	rustup component add --toolchain $(NIGHTLY) miri rust-src
	cargo +$(NIGHTLY) miri test --locked --package serbench-plugin

## The C++ plugins (all, or those of PLUGINS) with values drawn at random and with damaged bytes,
## and the host's own tests. The C in the host is left as it is: what gcc makes of it does not go with
## the runtime of rustc, which then takes a constant table of zstd for a stack.
sanitize: setup
	only='$(filter-out *,$(CPP))'; \
	cmake -S plugins-cpp -B target/sanitize/cpp -DSERBENCH_SANITIZE=ON -DCMAKE_BUILD_TYPE=None \
	  "-DSERBENCH_PLUGINS=$${only// /;}"
	cmake --build target/sanitize/cpp --target all serbench_conformance
	target/sanitize/cpp/serbench_conformance target/sanitize/cpp/*/*.so
	RUSTFLAGS=-Zsanitizer=address CFLAGS=-fno-sanitize=all \
	  cargo +$(NIGHTLY) test --locked --target $(HOST) \
	  --target-dir target/sanitize/host --package serbench --lib

lint:
	cargo fmt --all --check
	cargo fmt --check --manifest-path cli/fuzz/Cargo.toml
	cargo fmt --check --manifest-path datasets/fuzz/Cargo.toml
	cargo clippy --locked --workspace --all-targets -- -D warnings
	git ls-files '*.h' '*.hpp' '*.c' '*.cpp' | xargs clang-format --dry-run -Werror

fmt:
	cargo fmt --all
	git ls-files '*.h' '*.hpp' '*.c' '*.cpp' | xargs clang-format -i

clean:
	cargo clean
	rm -rf plugins
