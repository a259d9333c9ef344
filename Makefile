# Two commands do all: `make run` and `make test`.
SHELL := /bin/bash
CARGO ?= cargo
# labelled real scans, when there are any; their score is then part of the tests
REAL ?= ../shared

.PHONY: run test setup build bench score train fmt help

help: ## list the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

setup: ## install what is missing (system packages, ONNX Runtime)
	@scripts/setup.sh

build: setup ## release build
	$(CARGO) build --release --locked

run: build ## set up, build, lay a sample book in scans/ when there is none, start the daemon
	@scripts/sample.sh
	@exec target/release/fenwatch run

test: ## format, lints, tests, docs; scores the real scans when they are there
	@scripts/setup.sh --test
	@scripts/test.sh "$(REAL)"

bench: build ## time each stage and the whole path on the sample pages
	$(CARGO) bench --locked
	@python3 scripts/bench.py target/release/fenwatch tests/pages

score: build ## score the labelled real scans against tests/floors.toml
	@scripts/score.sh "$(REAL)"

train: ## gather piece art, make boards, train, evaluate, calibrate, export
	@scripts/setup.sh --train
	@models/train/train.sh

fmt: ## format the code
	$(CARGO) fmt
