"""Prints how many boards a second ``probe_many`` answers over the tables inside krou."""

from __future__ import annotations

import os
import time

import numpy as np

import krou


def main() -> None:
    tables = krou.Tablebase()
    layer = tables.layer(9)
    rows = np.random.default_rng(1).integers(0, len(layer), 1_000_000)
    boards = layer.boards[rows]
    for name, array in (("uint8", boards), ("int64", boards.astype(np.int64))):
        tables.probe_many(array[:1000])
        best = float("inf")
        for _ in range(3):
            start = time.perf_counter()
            found = tables.probe_many(array)
            best = min(best, time.perf_counter() - start)
        assert (found.value == layer.value[rows]).all()
        speed = len(array) / best / 1e6
        print(f"probe_many, {name}: {speed:.2f} M boards/s on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
