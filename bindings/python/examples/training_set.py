"""Writes a training set: random boards of a layer, and what each of their moves is worth.

    python training_set.py [--rules NAME] [--tables FOLDER] [--seeds N] [--boards COUNT] [--out FILE]

The ``.npz`` has ``boards`` (N, 12), the mover's row first; ``legal`` (N, 6); ``moves`` (N, 6),
the net seeds that each legal move is worth to the mover; and ``value`` (N,), that of the
best move. The boards are drawn uniformly from the layer.
"""

from __future__ import annotations

import argparse

import numpy as np

import krou


def write(tables: krou.Tablebase, seeds: int, count: int, path: str, seed: int = 1) -> int:
    """Writes the training set, and tells how many boards it has."""
    generator = np.random.default_rng(seed)
    indexes = generator.integers(0, krou.layer_size(seeds, tables.rules), count)
    boards = krou.board_at(seeds, indexes, tables.rules)
    legal = krou.legal_mask(boards, tables.rules)
    moves, known = tables.moves_many(boards)
    value = tables.probe_many(boards).value
    # Boards without a move have no best one, and others may need a layer that is missing.
    useful = legal.any(axis=1) & (known == legal).all(axis=1)
    np.savez_compressed(
        path, boards=boards[useful], legal=legal[useful], moves=moves[useful], value=value[useful]
    )
    return int(useful.sum())


def main() -> None:
    parser = argparse.ArgumentParser(description="Writes a training set from tables.")
    parser.add_argument("--rules", default="awari")
    parser.add_argument("--tables", help="folder or address (default: the tables inside krou)")
    parser.add_argument("--seeds", type=int, default=9, help="seeds on each board")
    parser.add_argument("--boards", type=int, default=100_000, help="boards to draw")
    parser.add_argument("--out", default="training.npz")
    arguments = parser.parse_args()

    with krou.Tablebase(arguments.rules, arguments.tables) as tables:
        written = write(tables, arguments.seeds, arguments.boards, arguments.out)
    print(f"{arguments.out}: {written} boards with {arguments.seeds} seeds")


if __name__ == "__main__":
    main()
