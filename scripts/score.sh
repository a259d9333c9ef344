#!/usr/bin/env bash
# Scores the labelled real scans below FOLDER (real/*.json) against tests/floors.toml.
#   scripts/score.sh FOLDER
# Without the folder it says so and succeeds: the scans are not part of this repository.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:?folder with real/}
if [ ! -e "$folder/real/crops.json" ]; then
  echo "score: skipped, there are no labelled real scans at $folder"
  exit 0
fi
exec python3 scripts/score.py "$folder" tests/floors.toml target/release/fenwatch
