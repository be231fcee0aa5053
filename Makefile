# schmux: `make start` and `make test` are all you need; `make help` lists the rest.
#
# The page is built here and never by cargo: `cargo build` works without node,
# and then the daemon serves a page that says how to get the real one.

SHELL := /bin/bash
# The steps of one command build on each other; cargo and npm are parallel in themselves.
.NOTPARALLEL:

PREFIX ?= $(HOME)/.local
TARGET := $(if $(CARGO_TARGET_DIR),$(CARGO_TARGET_DIR),target)
RELEASE := $(TARGET)/release
# Rows of the benchmark to run; empty means all.
ROWS ?=

# What scripts/setup installs for this user or this checkout is found first.
export PATH := $(CURDIR)/.tools/node_modules/.bin:$(HOME)/.cargo/bin:$(PATH)

# rustup's `cargo` looks for toolchains below HOME. Under another HOME (CI, a
# sandbox) it would find none, so the ones that stand beside it are named.
RUSTUP_BESIDE := $(abspath $(dir $(shell command -v cargo))/../../.rustup)
ifeq ($(RUSTUP_HOME)$(wildcard $(HOME)/.rustup),)
ifneq ($(wildcard $(RUSTUP_BESIDE)/toolchains),)
export RUSTUP_HOME := $(RUSTUP_BESIDE)
export CARGO_HOME ?= $(abspath $(RUSTUP_BESIDE)/../.cargo)
endif
endif

PAGE := web/dist/index.html
PAGE_SOURCES := web/package.json $(wildcard web/*.html web/*.ts web/*.js web/*.mjs web/tsconfig*.json) \
	$(shell find web/src web/public -type f ! -name '*.test.*' 2>/dev/null)
NODE_PACKAGES := web/node_modules/.package-lock.json

.PHONY: start test lint bench lab build page install uninstall clean help setup setup-test

start: setup build ## build schmux, start the daemon and open the dashboard
	@$(RELEASE)/schmux start --open

test: setup-test page ## run every test: Rust, the page's units, a real browser
	@TARGET=$(TARGET) scripts/test

lint: setup-test $(NODE_PACKAGES) ## check format, lints, types and dependencies
	@scripts/lint

bench: setup build ## measure schmux beside tmux itself (ROWS="cpu echo" chooses)
	cargo build --release --locked -p schmux-bench
	@bench/node-pty/install
	@$(RELEASE)/schmux-bench --schmux $(RELEASE)/schmux $(ROWS)

lab: setup ## real agents against a fake LLM: their calls and their states (LAB_DIR names the lab)
	cargo build --locked -p schmux
	@scripts/lab/signals --schmux $(TARGET)/debug/schmux
	@scripts/lab/states --schmux $(TARGET)/debug/schmux
	@scripts/lab/server.sh start && SCHMUX_BIN=$(abspath $(TARGET))/debug/schmux scripts/lab/courier --write docs/courier.md
	@SCHMUX_BIN=$(abspath $(TARGET))/debug/schmux scripts/lab/mcp
	@scripts/lab/hosts --schmux $(TARGET)/debug/schmux

build: page ## build the page and the release binary
	cargo build --release --locked -p schmux

page: $(PAGE)

install: setup build ## install to PREFIX (default ~/.local), with shell completions
	@DESTDIR="$(DESTDIR)" scripts/install "$(RELEASE)/schmux" "$(PREFIX)"

uninstall: ## remove what `make install` put into PREFIX
	@DESTDIR="$(DESTDIR)" scripts/install --remove "$(PREFIX)"

setup: ## install what is needed to build and run
	@scripts/setup run

setup-test: ## install what the tests need besides
	@scripts/setup test

clean: ## remove everything that was built here
	cargo clean
	rm -rf web/dist web/node_modules .tools bench/node-pty/node_modules

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# npm writes this file last, so it is newer than the lock only if all is installed.
$(NODE_PACKAGES): web/package-lock.json
	cd web && npm ci --no-audit --no-fund
	@touch $@

$(PAGE): $(NODE_PACKAGES) $(PAGE_SOURCES)
	cd web && npm run build
	@touch $@
