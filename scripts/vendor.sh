#!/usr/bin/env bash
# Fetches the vendored files of the review page again: chessground (GPL-3.0-or-later), pinned by version and checksum.
#   scripts/vendor.sh          writes web/vendor/chessground and web/pieces; nothing changes when they are as pinned
set -euo pipefail
cd "$(dirname "$0")/.."
version=9.2.1
sum=6bcb9f102c05aa1d5e3cfe9eb82338fb79d829cd575b545a6896706b4a06d058
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && npm pack --silent "chessground@$version" >/dev/null)
echo "$sum  $work/chessground-$version.tgz" | sha256sum --quiet -c -
tar xzf "$work/chessground-$version.tgz" -C "$work"
target=web/vendor/chessground
mkdir -p "$target" web/pieces
cp "$work/package/dist/chessground.min.js" "$work/package/LICENSE" "$target/"
cp "$work/package/assets/chessground.base.css" "$target/chessground.base.css"
# the men are data addresses in a style sheet; the page's content policy wants files of its own
python3 - "$work/package/assets/chessground.cburnett.css" web/pieces <<'PY'
import base64, re, sys
css, folder = open(sys.argv[1]).read(), sys.argv[2]
letters = {"pawn": "P", "knight": "N", "bishop": "B", "rook": "R", "queen": "Q", "king": "K"}
rule = re.compile(r"piece\.(\w+)\.(white|black)\s*\{[^}]*base64,([^'\")]+)")
men = rule.findall(css)
assert len(men) == 12, len(men)
for role, color, data in men:
    with open(f"{folder}/{color[0]}{letters[role]}.svg", "wb") as file:
        file.write(base64.b64decode(data))
PY
echo "vendored chessground $version" >&2
