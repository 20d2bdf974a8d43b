"""The names and the behaviour that other programs rely on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import krou

BOARD = "0 1 1 0 2 2 / 0 1 0 1 1 0"
NINE = [0, 1, 1, 0, 2, 2, 0, 1, 0, 1, 1, 0]


def test_built_in_tables_are_those_of_awari_and_abapa_up_to_9_seeds() -> None:
    tables = krou.Tablebase(rules="awari", paths=None)
    assert tables.layers == list(range(10))
    assert tables.rules == krou.Ruleset("awari")
    abapa = krou.Tablebase("abapa")
    assert abapa.layers == list(range(10))
    assert abapa.probe(BOARD).lower is not None and abapa.probe(BOARD).distance is not None
    assert krou.Tablebase("kalah").layers == []


def test_a_probe_has_value_distance_and_bounds(tables: krou.Tablebase) -> None:
    result = tables.probe(BOARD)
    assert (result.value, result.distance) == (-5, 11)
    assert result.lower is None and result.upper is None


def test_bounds_are_those_of_rulesets_with_bounds(abapa: Path) -> None:
    tables = krou.Tablebase("abapa", abapa)
    result = tables.probe("0 0 0 0 0 1 / 2 0 0 0 0 1")
    assert result.value == 4
    assert result.lower is not None and result.upper is not None
    assert result.lower <= result.value <= result.upper
    assert result.distance is not None


@pytest.mark.parametrize(
    "board",
    [
        BOARD,
        "0,1,1,0,2,2,0,1,0,1,1,0",
        "0-1-1-0-2-2-0-1-0-1-1-0-20-19-S",
        "0-1-0-1-1-0-0-1-1-0-2-2-20-19-N",
        NINE,
        tuple(NINE),
        np.array(NINE),
        np.array(NINE, dtype=np.uint8),
        np.array([NINE, NINE], dtype=">i4")[1],
        [np.int64(seeds) for seeds in NINE],
        krou.Board(BOARD),
    ],
)
def test_a_board_has_many_forms(tables: krou.Tablebase, board: object) -> None:
    assert tables.probe(board).value == -5  # type: ignore[arg-type]


def test_moves_are_ranked_with_values(tables: krou.Tablebase) -> None:
    moves = tables.moves(BOARD)
    values = [m.value for m in moves]
    assert values == [-5, -5, -5, -9]
    # The loser delays.
    assert [(m.pit, m.distance) for m in moves] == [(2, 11), (4, 11), (5, 1), (1, 60)]
    assert [m.best for m in moves] == [True, True, True, False]
    capture = moves[2]
    assert (capture.captured, capture.gain, capture.again, capture.ends) == (2, 2, False, False)
    assert capture.value == capture.gain - tables.probe(capture.board).value
    published = "1 1 1 1 1 2 / 4 2 3 0 0 0"
    # No table reaches them all, but the list is the same.
    assert len(tables.moves(published)) == len(krou.legal_moves(published))
    assert all(m.value is None and not m.best for m in tables.moves(published))


def test_get_returns_the_default_where_no_table_reaches(tables: krou.Tablebase) -> None:
    assert tables.get(BOARD) == -5
    assert tables.get(krou.Board.START) is None
    assert tables.get(krou.Board.START, default=99) == 99
    assert BOARD in tables and krou.Board.START not in tables
    with pytest.raises(ValueError):
        tables.get("0 1", default=99)


def test_probe_many_returns_arrays(tables: krou.Tablebase) -> None:
    boards = np.array([NINE, [4] * 12, [0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 1]])
    found = tables.probe_many(boards)
    assert found.value.dtype == np.int8 and found.known.dtype == np.bool_
    assert found.value.tolist() == [-5, 0, 4]
    assert found.known.tolist() == [True, False, True]
    assert found.distance.tolist() == [11, -1, 1]
    assert found.lower is None and found.upper is None
    assert len(found) == 3


def test_legal_moves_need_no_tables() -> None:
    (move,) = krou.legal_moves("0 0 0 0 0 1 / 2 0 0 0 0 1", rules="awari")
    assert (move.pit, move.captured, move.gain) == (5, 3, 3)
    assert move.board == krou.Board("0 0 0 0 0 1 / 0 0 0 0 0 0")
    assert (move.again, move.ends) == (False, False)
    (again,) = krou.legal_moves("0 0 0 0 1 2 / 1 0 0 0 0 0", "kalah")[1:]
    assert (again.pit, again.gain, again.again) == (5, 1, False)
    (last, _) = krou.legal_moves("1 0 0 0 0 1 / 1 0 0 0 0 0", "kalah")[::-1]
    assert (last.pit, last.gain, last.again, last.board[0]) == (5, 1, True, 1)
    assert krou.legal_moves("0 0 0 0 0 0 / 1 1 1 0 0 0") == []


def test_a_pit_is_played_or_refused() -> None:
    for board in (krou.Board.START, NINE):
        for rules in krou.Ruleset.names():
            legal = krou.legal_moves(board, rules)
            assert [krou.play(board, move.pit, rules) for move in legal] == legal
    assert krou.play(krou.Board.START, "C") == krou.play(krou.Board.START, 2)
    for pit, why in ((0, "empty"), (6, "6"), (-1, "no pit -1"), ("a", "South's turn")):
        with pytest.raises(krou.IllegalMove, match=why):
            krou.play(NINE, pit)


def test_build_makes_tables_that_are_opened(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "tables"
    krou.build(5, str(folder), rules="awari", distance=True, threads=2, memory="1G")
    built = krou.Tablebase("awari", str(folder), built_in=False)
    assert built.layers == [0, 1, 2, 3, 4, 5]
    inside = krou.Tablebase()
    for seeds in range(6):
        ours, theirs = built.layer(seeds), inside.layer(seeds)
        assert (ours.value == theirs.value).all()
        assert ours.distance is not None and theirs.distance is not None
        assert (ours.distance == theirs.distance).all()
    both = krou.Tablebase(paths=[folder, tmp_path])
    assert both.layers == list(range(10))


def test_a_damaged_table_closes_no_other_one(tmp_path: Path) -> None:
    krou.build(5, tmp_path, rules="awale")
    (tmp_path / "awale-04.value.krou").write_bytes(b"")
    with pytest.warns(RuntimeWarning, match="awale-04.value.krou"):
        tables = krou.Tablebase("awale", tmp_path)
    assert tables.layers == [0, 1, 2, 3, 5]
    (sentence,) = tables.damaged
    assert "awale-04.value.krou: is cut short" in sentence
    assert tables.probe("0 0 0 0 0 1 / 1 0 0 0 0 1").value is not None
    four = "0 0 0 0 0 1 / 2 0 0 0 0 1"
    with pytest.raises(krou.TableError, match="awale-04.value.krou"):
        tables.probe(four)
    assert tables.get(four, "unknown") == "unknown"


def test_published_values_of_a_board_with_16_seeds(tmp_path: Path) -> None:
    krou.build(16, tmp_path)
    tables = krou.Tablebase(paths=tmp_path)
    board = krou.Board("1 1 1 1 1 2 / 4 2 3 0 0 0")
    assert tables.probe(board).value == 0
    values = {m.pit: m.value for m in tables.moves(board)}
    assert values == {0: -1, 1: -1, 2: -2, 3: -2, 4: -2, 5: 0}
