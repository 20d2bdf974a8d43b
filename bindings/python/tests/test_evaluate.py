"""Players judged by tables, and ``dataset.npz``, a file of ``krou dataset``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import krou

DATASET = Path(__file__).parent / "dataset.npz"


def first(board: krou.Board) -> int:
    return krou.legal_moves(board)[0].pit


def test_a_data_set_has_what_the_tables_say(tables: krou.Tablebase) -> None:
    data = np.load(DATASET)
    assert {name: (data[name].dtype, data[name].shape[1:]) for name in data} == {
        "boards": (np.uint8, (12,)),
        "value": (np.int8, ()),
        "distance": (np.int16, ()),
        "moves": (np.int8, (6,)),
        "game": (np.bool_, ()),
    }
    boards = data["boards"]
    assert len(boards) == 100 and data["game"].sum() == 50
    found = tables.probe_many(boards)
    assert (found.value == data["value"]).all()
    assert (found.distance == data["distance"]).all()
    legal = krou.legal_mask(boards)
    assert ((data["moves"] != -128) == legal).all()
    assert (tables.moves_many(boards).value[legal] == data["moves"][legal]).all()


def test_players_are_judged_by_their_moves(tables: krou.Tablebase) -> None:
    def best(board: krou.Board) -> int:
        return tables.moves(board)[0].pit

    def worst(board: krou.Board) -> int:
        return tables.moves(board)[-1].pit

    boards = np.load(DATASET)["boards"]
    judged = krou.evaluate(best, DATASET)
    assert 50 < judged.boards < 100
    assert judged == krou.Evaluation(judged.boards, 1.0, 1.0, 0.0)
    assert krou.evaluate(worst, str(DATASET)).keeps_value == 0.0
    judged = krou.evaluate(first, DATASET)
    # By hand, from single probes; boards with equal moves do not count.
    lost, kept = [], []
    for board in boards:
        worth = {move.pit: move.value for move in tables.moves(board)}
        values = [value for value in worth.values() if value is not None]
        if len(set(values)) > 1:
            value = worth[first(krou.Board(board))]
            assert value is not None
            lost.append(max(values) - value)
            kept.append(np.sign(max(values)) == np.sign(value))
    assert judged.boards == len(lost)
    assert judged.seeds_lost == pytest.approx(np.mean(lost))
    assert judged.keeps_value == pytest.approx(np.mean(np.array(lost) == 0))
    assert judged.keeps_result == pytest.approx(np.mean(kept))
    # The same boards with tables in place of the file's values.
    for positions in (boards, [krou.Board(board) for board in boards], boards.tolist()):
        assert krou.evaluate(first, positions, tables) == judged
    assert krou.evaluate(first, boards) == judged


def test_wrong_moves_and_missing_tables_are_errors(tables: krou.Tablebase) -> None:
    with pytest.raises(krou.IllegalMove, match="board 0: pit 0 may not be played"):
        krou.evaluate(lambda board: 0, ["0 1 1 0 2 2 / 0 1 0 1 1 0"])
    for pit in (-1, 6):
        with pytest.raises(krou.IllegalMove, match=f"pit {pit}"):
            krou.evaluate(lambda board, pit=pit: pit, DATASET)  # type: ignore[misc]
    with pytest.raises(TypeError):
        krou.evaluate(lambda board: "A", DATASET)  # type: ignore[arg-type, return-value]
    with pytest.raises(krou.MissingTable):
        krou.evaluate(first, [krou.Board.START], tables)
    with pytest.raises(ValueError, match="none of the boards"):
        krou.evaluate(first, ["0 0 0 0 0 1 / 2 0 0 0 0 1", krou.Board.EMPTY])
    with pytest.raises(FileNotFoundError):
        krou.evaluate(first, "nowhere.npz")
    with pytest.raises(ZeroDivisionError):
        krou.evaluate(lambda board: 1 // 0, DATASET)
