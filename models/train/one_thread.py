"""Imported before numpy: its matrix library on one thread.

The pictures here are small: more threads only wait for each other, and waiting counts as work.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
