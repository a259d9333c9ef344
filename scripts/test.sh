#!/usr/bin/env bash
# All tests: format, lints, unit and whole-path tests, docs, and the score of labelled real scans.
#   scripts/test.sh FOLDER-OF-REAL-SCANS
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '\n== %s\n' "$*"; }

step format
cargo fmt --check
step lints
cargo clippy --locked --all-targets -- -D warnings
step tests
cargo test --locked
step "exports read back by other programs"
tests/readback/run.sh
step docs
RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --quiet
step "shell and Python"
for script in scripts/*.sh .ci/run models/train/*.sh tests/readback/*.sh; do bash -n "$script"; done
python3 -m compileall -q -x '/\.venv/' scripts models/train tests/readback/read.py
step "release build"
cargo build --release --locked
step "labelled real scans"
scripts/score.sh "${1:-../shared}"
