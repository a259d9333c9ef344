#!/bin/sh
# Retrains the squares net from nothing: environment, piece art, boards, training, measuring,
# calibration, export. Every step is skipped where its result exists, so it may be started again.
#
#   FENWATCH_PIECES  folder of ready piece sets (else they are fetched from package registries)
#   FENWATCH_LABELS  label files of scans to measure on, separated by blanks (optional)
#   CHUNKS           chunks of 500 boards for training (default 120)
#   SEEN             boards seen by the measured net, then half as many by the final one (default 600000)
#   THREADS          threads of training (default 1: more help on an idle machine only)
set -eu
cd "$(dirname "$0")"
CHUNKS=${CHUNKS:-120}
SEEN=${SEEN:-600000}
THREADS=${THREADS:-1}
PYTHON=.venv/bin/python

if [ ! -x "$PYTHON" ]; then
    python3 -m venv .venv
    "$PYTHON" -m pip install -q -r requirements.txt
fi
mkdir -p work
"$PYTHON" gather.py --out work/pieces

# Boards: training ones without the held-out quarter of the families, measuring ones of it alone.
make_boards() { "$PYTHON" dataset.py --pieces work/pieces "$@"; }
make_boards --name val --families held --seed 900000 --chunks 2
make_boards --name book --families held --seed 930000 --least 20 --one-set --clear --chunks 2
make_boards --name drawn --drawn 1 --seed 950000 --least 20 --one-set --chunks 1
make_boards --name clear --drawn 1 --seed 960000 --least 20 --one-set --clear --chunks 1
make_boards --name train --families train --drawn 0.35 --step 2 --first 0 --chunks $((CHUNKS / 2)) &
make_boards --name train --families train --drawn 0.35 --step 2 --first 1 --chunks $((CHUNKS / 2))
wait
make_boards --name rest --families held --drawn 0.2 --seed 500000 --chunks $((CHUNKS / 4))

# The measured net never sees the held-out families; the final one continues on all of them.
"$PYTHON" train.py --prefix train --seen "$SEEN" --threads "$THREADS" --out work/net.pt
"$PYTHON" evaluate.py work/net.pt --prefix val,book,drawn,clear --labels ${FENWATCH_LABELS:-}
"$PYTHON" train.py --prefix train,rest --init work/net.pt --rate 1e-3 --seen $((SEEN / 2)) --threads "$THREADS" --out work/final.pt
"$PYTHON" export.py work/final.pt
"$PYTHON" calibrate.py --held drawn --labels ${FENWATCH_LABELS:-} --write
