#!/usr/bin/env bash
# Installs what a build of Fenwatch needs and is not there yet. Quick when all is there.
#   scripts/setup.sh            what run and test need
#   scripts/setup.sh --test     what the tests need besides (a browser)
#   scripts/setup.sh --train    what training needs besides
#   scripts/setup.sh --readback what reading exports back needs, and nothing else: python-chess, chess.js
# Each step that cannot be done says what to do by hand.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*" >&2; }
die() { printf 'setup: %s\n' "$@" >&2; exit 1; }

# --- Rust -------------------------------------------------------------------------------------
command -v cargo >/dev/null || die "cargo is missing: install Rust 1.95 or newer (https://rustup.rs) and call make again"

# --- system packages --------------------------------------------------------------------------
packages=(
  build-essential pkg-config libclang-dev     # C parts of crates, bindgen
  libtesseract-dev libleptonica-dev tesseract-ocr
  python3 python3-pip                         # fetches ONNX Runtime's wheel
)
# languages of captions: see [caption] in config/fenwatch.toml
languages=(eng deu fra spa ita nld rus pol por ces hun swe dan ron tur ukr ell jpn chi_sim chi_tra)
for language in "${languages[@]}"; do packages+=("tesseract-ocr-${language//_/-}"); done

missing_packages() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s ' "$package"
  done
}

install_packages() {
  local missing; missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  command -v apt-get >/dev/null || die "this is no Debian system; install what corresponds to: $missing"
  local root=()
  if [ "$(id -u)" != 0 ]; then
    if sudo -n true 2>/dev/null; then root=(sudo -n); else
      die "these packages are missing and installing them needs root:" "  sudo apt-get install $missing" "then call make again"
    fi
  fi
  say "installing $missing"
  # the list of packages may be old or empty on a fresh machine
  "${root[@]}" apt-get update -qq || say "apt-get update failed; trying with the lists that are there"
  # shellcheck disable=SC2086 # one word a package
  DEBIAN_FRONTEND=noninteractive "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
    die "apt-get could not install the packages; is a Debian mirror reachable? By hand:" "  apt-get install $missing"
}

# --- readers of exports -----------------------------------------------------------------------
if [ "${1:-}" = --readback ]; then
  tools=tests/readback
  if ! cmp -s $tools/requirements.txt $tools/.python/installed 2>/dev/null; then
    say "fetching python-chess"
    rm -rf $tools/.python
    python3 -m pip install -q --disable-pip-version-check --root-user-action=ignore --no-deps --no-compile \
      --require-hashes --target $tools/.python -r $tools/requirements.txt ||
      die "cannot fetch python-chess from PyPI"
    cp $tools/requirements.txt $tools/.python/installed
  fi
  if ! cmp -s $tools/package-lock.json $tools/node_modules/installed 2>/dev/null; then
    command -v npm >/dev/null || install_packages nodejs npm
    say "fetching chess.js"
    (cd $tools && npm ci --silent --no-audit --no-fund) || die "cannot fetch chess.js from the npm registry"
    cp $tools/package-lock.json $tools/node_modules/installed
  fi
  exit 0
fi

install_packages "${packages[@]}"

# --- ONNX Runtime -----------------------------------------------------------------------------
# The shared library out of its PyPI wheel, pinned by version and checksum.
onnx_version=1.32.0
library=runtime/libonnxruntime.so
case "$(uname -m)" in
  x86_64) platform=manylinux_2_28_x86_64 sum=5a34fc4dfeb5a7b4a74c95dcba1e773d722abda720b474edf1b0c419dc6d163d ;;
  aarch64) platform=manylinux_2_28_aarch64 sum=2303372a85299b6757b0e11e1cbf13e410ddf7e10c37f4b37e99d1c90e7daf7c ;;
  *) die "there is no ONNX Runtime wheel for $(uname -m); build libonnxruntime.so $onnx_version and put it at $library" ;;
esac
if [ "$(cat runtime/version 2>/dev/null)" != "$onnx_version $platform" ] || [ ! -s "$library" ]; then
  say "fetching ONNX Runtime $onnx_version"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  python3 -m pip download -q --disable-pip-version-check --no-deps --only-binary=:all: \
    --python-version 311 --implementation cp --abi cp311 --platform "$platform" \
    -d "$work" "onnxruntime==$onnx_version" ||
    die "cannot fetch onnxruntime $onnx_version from PyPI; without a network, put libonnxruntime.so $onnx_version at $library" \
        "and write '$onnx_version $platform' into runtime/version"
  echo "$sum  $(echo "$work"/*.whl)" | sha256sum --quiet -c - || die "the ONNX Runtime wheel is not the pinned one; nothing was installed"
  mkdir -p runtime
  python3 - "$work"/*.whl "$onnx_version" <<'PY'
import sys, zipfile
wheel, version = sys.argv[1], sys.argv[2]
with zipfile.ZipFile(wheel) as z:
    data = z.read(f"onnxruntime/capi/libonnxruntime.so.{version}")
    licence = z.read("onnxruntime/LICENSE")
open("runtime/libonnxruntime.so.new", "wb").write(data)
open("runtime/LICENSE.onnxruntime", "wb").write(licence)
PY
  mv runtime/libonnxruntime.so.new "$library"
  echo "$onnx_version $platform" > runtime/version
fi

# --- tests ------------------------------------------------------------------------------------
if [ "${1:-}" = --test ]; then
  # the review page is tested in a real browser; where there is none, those tests say that they were skipped
  (install_packages chromium chromium-driver) || say "without chromium and chromium-driver the tests of the review page in a browser are skipped"
fi

# --- training ---------------------------------------------------------------------------------
if [ "${1:-}" = --train ]; then
  install_packages python3-venv
  venv=models/train/.venv
  if ! cmp -s models/train/requirements.txt "$venv/requirements.installed" 2>/dev/null; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install -q --disable-pip-version-check -r models/train/requirements.txt
    cp models/train/requirements.txt "$venv/requirements.installed"
  fi
fi
