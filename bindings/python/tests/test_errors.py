"""What is wrong is refused, with a message that says what and where."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import krou

NINE = [0, 1, 1, 0, 2, 2, 0, 1, 0, 1, 1, 0]


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ("", "0 were given"),
        ("1 2 3", "3 were given"),
        ("0 0 0 0 0 0 0 0 0 0 0 x", "'x' (number 12"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-X", "'X' is not a side"),
        ("\x00" * 3, ""),
        ([1] * 11, "11 were given"),
        ([1] * 13, "13 were given"),
        ([], "0 were given"),
        ([0] * 11 + [49], "'49' (number 12"),
        ([-1] + [0] * 11, "'-1' (number 1"),
        ([5] * 12, "60 seeds"),
        ([10**30] + [0] * 11, "(number 1"),
        ([1.0] + [0] * 11, "'1.0' (number 1"),
        ([None] * 12, "'None' (number 1"),
        (["1"] * 12, "'1' (number 1"),
        (None, "NoneType"),
        (3, "int"),
        (1.5, "float"),
        (b"\x01" * 12, "bytes"),
        (bytearray(12), "bytearray"),
        ({1, 2, 3}, "set"),
        (dict.fromkeys(range(12), 0), "dict"),
        (np.zeros(12), "'0.0' (number 1"),
        (np.zeros((1, 12), dtype=int), "2 axes"),
        (np.zeros(11, dtype=int), "11 were given"),
        (np.int64(3), "0 axes"),
        (np.ones(12, dtype=bool), "'True' (number 1"),
        ([True] + [0] * 11, "'True' (number 1"),
        (np.array(["1"] * 12), "(number 1"),
        (np.array([2**63] + [0] * 11, dtype=np.uint64), "(number 1"),
    ],
)
def test_something_that_is_not_a_board_is_a_value_error(board: Any, message: str) -> None:
    tables = krou.Tablebase()
    for call in (tables.probe, tables.moves, tables.get, tables.best_line, krou.Board, krou.legal_moves):
        with pytest.raises(krou.BoardError) as raised:
            call(board)
        assert isinstance(raised.value, ValueError)
        assert message in str(raised.value)
    with pytest.raises(ValueError):
        board in tables  # noqa: B015


def test_text_that_cannot_be_encoded_is_a_value_error() -> None:
    with pytest.raises(ValueError):
        krou.Board("\ud800")


@pytest.mark.parametrize(
    ("boards", "message"),
    [
        (np.zeros((3, 11), dtype=int), "(3, 11)"),
        (np.zeros(12, dtype=int), "(12,)"),
        (np.zeros((1, 2, 12), dtype=int), "(1, 2, 12)"),
        (np.array(3), "()"),
        (np.zeros((2, 12)), "float64"),
        (np.zeros((2, 12), dtype=bool), "bool"),
        (np.zeros((2, 12), dtype=complex), "complex"),
        (np.zeros((2, 12), dtype="m8[s]"), "timedelta"),
        (np.full((2, 12), "1"), "<U1"),
        (np.array([[1] * 12, [None] * 12]), "object"),
        (np.array([NINE, [-1] + [0] * 11]), "board 1: '-1' (number 1"),
        (np.array([NINE, [0] * 11 + [49]]), "board 1: '49' (number 12"),
        (np.array([NINE, [0] * 11 + [49]], dtype=np.uint8), "board 1: '49' (number 12"),
        (np.array([[0] * 11 + [2**40]]), "board 0"),
        (np.array([[0] * 11 + [2**64 - 1]], dtype=np.uint64), "board 0"),
        (np.array([[-(2**63)] + [0] * 11]), "board 0"),
        (np.array([NINE, NINE, [5] * 12]), "board 2: there are 60 seeds"),
        (np.array([[256] + [0] * 11]), "board 0: '256'"),
        ([NINE, [1] * 11], "board 1"),
        ([NINE, "x"], "board 1"),
        ("1 1 1 1 1 2 / 4 2 3 0 0 0", "not text"),
        ([1] * 12, "board 0"),
    ],
)
def test_arrays_that_are_not_boards_are_value_errors(boards: Any, message: str) -> None:
    with pytest.raises(krou.BoardError) as raised:
        krou.Tablebase().probe_many(boards)
    assert message in str(raised.value)


def test_a_scalar_is_not_iterable() -> None:
    with pytest.raises(TypeError):
        krou.Tablebase().probe_many(3)  # type: ignore[arg-type]


def test_a_missing_layer_is_a_lookup_error() -> None:
    with pytest.raises(krou.MissingTable) as raised:
        krou.Tablebase().probe(krou.Board.START)
    error = raised.value
    assert isinstance(error, LookupError) and isinstance(error, krou.KrouError)
    assert (error.rules, error.seeds, error.kind) == ("awari", 48, "value")
    assert str(error) == "there is no value table for awari with 48 seeds"
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.seeds == 48
    with pytest.raises(krou.MissingTable):
        krou.Tablebase().layer(10)
    with pytest.raises(krou.MissingTable):
        krou.Tablebase("kalah").probe("0 0 0 0 0 1 / 1 0 0 0 0 0")


def probes(tables: krou.Tablebase, board: Any) -> bool:
    try:
        return board in tables
    except krou.TableError:
        return False


def test_a_damaged_table_is_a_table_error(tmp_path: Path) -> None:
    # Layers up to 9 seeds are built in and would answer.
    krou.build(10, tmp_path, codec="raw")
    boards = krou.Tablebase(paths=tmp_path).layer(10).boards[::20]
    table = tmp_path / "awari-10.value.krou"
    whole = bytearray(table.read_bytes())
    # The header is sound: opening succeeds, probing fails.
    for place in range(len(whole) // 2, len(whole)):
        whole[place] ^= 0x55
    table.write_bytes(whole)
    tables = krou.Tablebase(paths=tmp_path)
    with pytest.raises(krou.TableError) as raised:
        tables.layer(10)
    assert str(table) in str(raised.value) and raised.value.file == str(table)
    with pytest.raises(krou.TableError):
        tables.probe_many(boards)
    damaged = [row for row in range(len(boards)) if not probes(tables, boards[row])]
    assert damaged and len(damaged) < len(boards)
    for call in (tables.probe, tables.moves, tables.get, tables.__contains__):
        with pytest.raises(krou.TableError):
            call(boards[damaged[-1]])

    table.write_bytes(b"Dear diary")
    with pytest.warns(RuntimeWarning, match="is not a krou table"):
        krou.Tablebase(paths=tmp_path)
    with pytest.raises(krou.TableError):
        krou.build(10, tmp_path)


def test_folders_must_exist(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    for paths in (missing, str(missing), [tmp_path, missing]):
        with pytest.raises(krou.MissingFolder, match="missing") as raised:
            krou.Tablebase(paths=paths)
        assert isinstance(raised.value, FileNotFoundError)
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(krou.FolderError):
        krou.Tablebase(paths=file)
    with pytest.raises(krou.FolderError):
        krou.build(2, file)
    # What is built in answers all the same.
    assert krou.Tablebase(paths=tmp_path).layers == list(range(10))
    with pytest.raises(ValueError):
        krou.Tablebase(paths=[])
    wrong: Any
    for wrong in (3, [3], 1.5):
        with pytest.raises(TypeError):
            krou.Tablebase(paths=wrong)


def test_rules_must_be_known() -> None:
    for rules in ("awri", "", "oware+forced"):
        for call in (
            lambda: krou.Tablebase(rules),
            lambda: krou.legal_moves([0] * 12, rules),
            lambda: krou.Ruleset(rules),
            lambda: krou.Game(rules),
            lambda: krou.Engine(rules),
        ):
            with pytest.raises(krou.RulesetError):
                call()
    with pytest.raises(TypeError):
        krou.Tablebase(rules=3)  # type: ignore[arg-type]
    with pytest.raises(krou.RulesetError, match="a grand slam is forced"):
        krou.Ruleset("awari", grand_slam="never")
    with pytest.raises(krou.RulesetError, match="'endless' does not apply to kalah"):
        krou.Ruleset("kalah", endless="even")


@pytest.mark.parametrize(
    "arguments",
    [
        {"seeds": 49},
        {"seeds": -1},
        {"seeds": 10**30},
        {"seeds": 2, "threads": 0},
        {"seeds": 2, "threads": 10**6},
        {"seeds": 2, "memory": "much"},
        {"seeds": 2, "memory": -1},
        {"seeds": 2, "memory": 2**64},
        {"seeds": 2, "codec": "zip"},
        {"seeds": 2, "rules": "awri"},
        {"seeds": 2, "checkpoint": -1.0},
        {"seeds": 2, "checkpoint": float("nan")},
    ],
)
def test_wrong_arguments_of_a_build_are_value_errors(tmp_path: Path, arguments: Any) -> None:
    with pytest.raises(ValueError):
        krou.build(path=tmp_path / "new", **arguments)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        {"seeds": 2.0},
        {"seeds": "2"},
        {"seeds": None},
        {"seeds": 2, "threads": 1.5},
        {"seeds": 2, "memory": 1.5},
        {"seeds": 2, "progress": 3},
    ],
)
def test_arguments_of_a_build_have_types(tmp_path: Path, arguments: Any) -> None:
    with pytest.raises(TypeError):
        krou.build(path=tmp_path / "new", **arguments)


def test_too_little_memory_is_said_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(krou.MemoryLimitError, match="need"):
        krou.build(30, tmp_path / "new", memory="1M")
    assert not (tmp_path / "new").exists()
