"""Arrays of boards against the same questions one by one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import krou

RULES = ["awari", "abapa", "awale-info", "kalah"]


def some_boards(rules: str, seeds: int = 8, count: int = 400) -> Any:
    indexes = np.random.default_rng(seeds).integers(0, krou.layer_size(seeds, rules), count)
    return krou.board_at(seeds, indexes, rules)


@pytest.mark.parametrize("rules", RULES)
def test_masks_and_moves_are_those_of_single_boards(rules: str) -> None:
    boards = some_boards(rules)
    legal = krou.legal_mask(boards, rules)
    assert legal.dtype == np.bool_ and legal.shape == (len(boards), 6)
    for board, mask in zip(boards, legal):
        assert [move.pit for move in krou.legal_moves(board, rules)] == np.flatnonzero(mask).tolist()
    rows, pits = np.nonzero(legal)
    played = krou.play_many(boards[rows], pits, rules)
    assert [array.dtype for array in played] == [np.uint8, np.int8, np.int8]
    seen = set()
    for row, pit, board, gain, code in zip(rows, pits, *played):
        (move,) = [m for m in krou.legal_moves(boards[row], rules) if m.pit == pit]
        following = krou.Next.OVER if move.ends else krou.Next.OPPONENT
        following = krou.Next.AGAIN if move.again else following
        assert (krou.Board(board), gain, code) == (move.board, move.gain, following)
        seen.add(following)
    assert krou.Next.OPPONENT in seen and (rules != "kalah" or len(seen) == 3)


def test_boards_and_pits_may_be_of_any_kind() -> None:
    boards = some_boards("awari")
    pits = krou.legal_mask(boards).argmax(axis=1)
    movable = krou.legal_mask(boards).any(axis=1)
    boards, pits = boards[movable], pits[movable]
    expected = krou.play_many(boards, pits)
    for others in (boards.astype(">i4"), np.asfortranarray(boards), [*boards], [*map(krou.Board, boards)]):
        for kind in (np.uint8, ">i2", np.uint64):
            found = krou.play_many(others, pits.astype(kind))
            assert all((a == b).all() for a, b in zip(found, expected))
    assert (krou.play_many(boards, pits.tolist()).boards == expected.boards).all()
    assert krou.legal_mask(boards[:0]).shape == (0, 6)
    assert krou.play_many(boards[:0], pits[:0]).boards.shape == (0, 12)
    # The boards that were given do not change.
    assert (krou.index_of(boards) >= 0).all()


def test_wrong_moves_are_told_with_their_board() -> None:
    boards = np.array([[4] * 12] * 3)
    for pits in ([0, 1, 6], [0, 1, -1], [0, 1, 2**40], np.array([0, 1, 2**64 - 1], np.uint64)):
        with pytest.raises(krou.IllegalMove, match="board 2: there is no pit"):
            krou.play_many(boards, pits)
    boards[1, 3] = 0
    with pytest.raises(krou.IllegalMove, match="board 1: pit 3 is empty|board 1: "):
        krou.play_many(boards, [0, 3, 0])
    for pits in ([0, 1], [0, 1, 2, 3]):
        with pytest.raises(ValueError, match="a pit for each board"):
            krou.play_many(boards, pits)
    wrong: Any
    for wrong in ([0.5] * 3, [[0], [1], [2]], np.array([True] * 3), 3, "012"):
        with pytest.raises(TypeError, match="pits must be an array of integers"):
            krou.play_many(boards, wrong)
    for call in (krou.legal_mask, krou.Tablebase().moves_many):
        with pytest.raises(krou.BoardError, match="board 0"):
            call(np.full((1, 12), 49))


def test_move_values_are_those_of_ranked_moves(abapa: Path) -> None:
    for tables in (krou.Tablebase(), krou.Tablebase("abapa", abapa)):
        boards = np.concatenate([some_boards(str(tables.rules)), [[4] * 12]])
        value, known = tables.moves_many(boards)
        assert value.dtype == np.int8 and known.dtype == np.bool_
        for row, board in enumerate(boards):
            moves = {move.pit: move.value for move in tables.moves(board)}
            found = {pit: int(value[row, pit]) for pit in np.flatnonzero(known[row])}
            assert found == {pit: worth for pit, worth in moves.items() if worth is not None}
        best = np.where(known, value, -99).max(axis=1)
        movable = known.any(axis=1)
        assert (best == tables.probe_many(boards).value)[movable].all()
        assert not known[-1].any() and not value[~known].any()


@pytest.mark.parametrize("rules", RULES)
def test_indexes_lead_to_boards_and_back(rules: str) -> None:
    for seeds in (0, 1, 5, 30, 48):
        size = krou.layer_size(seeds, rules)
        indexes = np.random.default_rng(1).integers(0, size, 300)
        boards = krou.board_at(seeds, indexes, rules)
        assert boards.dtype == np.uint8 and boards.shape == (300, 12)
        again = krou.index_of(boards, rules)
        assert again.dtype == np.int64 and (again == indexes).all()
        for index, board in zip(indexes[:20], boards):
            assert krou.board_at(seeds, int(index), rules) == krou.Board(board)
            assert krou.index_of(board, rules) == index
        wrong: Any
        for wrong in ([size], [-1], [0, 2**62]):
            with pytest.raises(IndexError, match=f"there is no board {wrong[-1]} among"):
                krou.board_at(seeds, np.array(wrong), rules)
    layer = krou.Tablebase().layer(6)
    assert (krou.index_of(layer.boards) == np.arange(len(layer))).all()
    mixed = np.array([[0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 1], [4] * 12])
    assert krou.index_of(mixed).tolist() == [1203, -1]
    with pytest.raises(TypeError):
        krou.board_at(5, np.array([0.5]))


def test_frames_of_pandas_are_boards_and_layers_make_frames() -> None:
    pandas = pytest.importorskip("pandas")
    tables = krou.Tablebase()
    layer = tables.layer(6)
    frame = pandas.DataFrame(layer.columns())
    assert frame.columns.tolist() == [f"pit{pit}" for pit in range(12)] + ["value", "distance"]
    boards = frame.iloc[:, :12]
    assert (tables.probe_many(boards).value == frame["value"]).all()
    assert (krou.index_of(boards) == frame.index).all()
    assert tables.probe(boards.iloc[70]).value == frame["value"][70]
