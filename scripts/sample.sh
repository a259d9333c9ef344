#!/usr/bin/env bash
# Lays the sample book into scans/ when nothing is there yet; an existing folder is left alone.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ ! -e scans ]; then
  mkdir -p scans.new
  cp -R samples/*/ scans.new/
  mv scans.new scans
  echo "laid a sample book into scans/" >&2
fi
