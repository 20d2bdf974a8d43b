"""Prints how many boards a second ``probe_many`` answers over the tables inside krou, and how
many moves a second ``play_many`` plays on one core.
"""

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
    play()


def play() -> None:
    """Plays random moves of random boards with 24 seeds."""
    generator = np.random.default_rng(1)
    boards = krou.board_at(24, generator.integers(0, krou.layer_size(24), 1_000_000))
    legal = krou.legal_mask(boards)
    boards, legal = boards[legal.any(axis=1)], legal[legal.any(axis=1)]
    pits = (legal * generator.random(legal.shape)).argmax(axis=1)
    for name, call in (
        ("legal_mask", lambda: krou.legal_mask(boards)),
        ("play_many", lambda: krou.play_many(boards, pits)),
    ):
        best = float("inf")
        for _ in range(5):
            start = time.process_time()
            call()
            best = min(best, time.process_time() - start)
        print(f"{name}: {len(boards) / best / 1e6:.2f} M boards/s of processor time, one core")


if __name__ == "__main__":
    main()
