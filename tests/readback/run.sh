#!/usr/bin/env bash
# Exports a collection full of awkward words and reads it back with python-chess, chess.js, Python's csv and a JSON schema.
# Says so and succeeds when those readers are neither installed nor to be had.
set -euo pipefail
cd "$(dirname "$0")/../.."
tools=tests/readback
if ! scripts/setup.sh --readback; then
  if [ -e $tools/.python/installed ] || [ -e $tools/node_modules/chess.js ]; then
    echo "readback: the readers are installed in part or of another version, and cannot be completed" >&2
    exit 1
  fi
  echo "readback: skipped, python-chess and chess.js are not installed and cannot be fetched"
  exit 0
fi
folder=target/readback
rm -rf "$folder"
mkdir -p "$folder"
FENWATCH_READBACK_DIR="$PWD/$folder" cargo test --locked --quiet --test export_readback
PYTHONPATH=$tools/.python python3 -B $tools/read.py "$folder" docs/collection.schema.json
node $tools/read.mjs "$folder"
