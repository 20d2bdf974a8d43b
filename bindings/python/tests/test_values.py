"""Boards, rulesets and layers as Python values."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import krou


def test_boards_are_immutable_hashable_values() -> None:
    board = krou.Board("1 1 1 1 1 2 / 4 2 3 0 0 0")
    assert board == krou.Board(board.pits) and hash(board) == hash(krou.Board(list(board)))
    assert board != board.turned() and board.turned().turned() == board
    assert {board: 1}[krou.Board(board.notation)] == 1
    assert board != board.notation and board != None  # noqa: E711
    assert len(board) == 12 and board[-1] == 0 and board[5] == 2 and 4 in board
    assert board[:6] == (1, 1, 1, 1, 1, 2) and list(reversed(board))[-1] == 1
    assert sorted([board, krou.Board.EMPTY]) == [krou.Board.EMPTY, board]
    assert np.array(board).tolist() == list(board.pits)
    assert repr(board) == "Board('1 1 1 1 1 2 / 4 2 3 0 0 0')"
    assert str(board) == " 0  0  0  3  2  4\n 1  1  1  1  1  2"
    assert pickle.loads(pickle.dumps(board)) == board
    assert copy.deepcopy(board) == board
    assert krou.Board.START.seeds == 48 and krou.Board.EMPTY.seeds == 0
    drawing = board._repr_svg_()
    assert [text.text for text in ElementTree.fromstring(drawing).iter() if text.text] == [
        str(seeds) for seeds in board
    ]
    for place in (12, -13, 2**70):
        with pytest.raises(IndexError):
            board[place]
    with pytest.raises(AttributeError):
        board.seeds = 3  # type: ignore[misc]


def test_rulesets_are_immutable_hashable_values() -> None:
    awari = krou.Ruleset()
    assert awari == krou.Ruleset("awari") and awari.name == "awari"
    assert hash(awari) == hash(krou.Ruleset(awari))
    assert krou.Ruleset("awari", endless="by-side") == krou.Ruleset("awale")
    unnamed = krou.Ruleset("awari", grand_slam="all", leftovers="nobody")
    assert unnamed.name is None and str(unnamed) == "oware+all+required+nobody+even"
    assert krou.Ruleset(str(unnamed)) == unnamed
    assert pickle.loads(pickle.dumps(unnamed)) == unnamed
    assert (unnamed.grand_slam, unnamed.feeding, unnamed.leftovers, unnamed.endless) == (
        "all",
        "required",
        "nobody",
        "even",
    )
    kalah = krou.Ruleset("kalah")
    assert (kalah.family, kalah.endless, kalah.has_bounds) == ("stores", None, False)
    assert len(krou.Ruleset.names()) == 9
    for name in krou.Ruleset.names():
        assert krou.Ruleset(name).name == name


def test_a_ruleset_is_accepted_wherever_a_name_is(tmp_path: Path) -> None:
    rules = krou.Ruleset("pratt", endless="even")
    krou.build(4, tmp_path, rules=rules)
    tables = krou.Tablebase(rules, tmp_path)
    assert tables.rules == rules and tables.layers == [0, 1, 2, 3, 4]
    assert krou.Game(rules).rules == rules
    assert krou.Engine(rules, tables).rules == rules
    with pytest.warns(RuntimeWarning, match="pratt"):
        assert krou.Tablebase("pratt", tmp_path).layers == []


def test_layers_are_in_the_order_of_the_index(abapa: Path) -> None:
    for tables in (krou.Tablebase(), krou.Tablebase("abapa", abapa)):
        rules = tables.rules
        layer = tables.layer(5)
        assert len(layer) == krou.layer_size(5, rules) == len(layer.value)
        assert layer.boards.dtype == np.uint8 and layer.boards.shape == (len(layer), 12)
        assert (layer.boards.sum(axis=1) == 5).all()
        for index in range(0, len(layer), 97):
            board = krou.Board(layer.boards[index])
            assert krou.index_of(board, rules) == index
            assert krou.board_at(5, index, rules) == board
            result = tables.probe(board)
            assert layer.value[index] == result.value
            assert layer.distance is not None
            plies = int(layer.distance[index])
            assert (None if plies < 0 else plies) == result.distance
            if rules.has_bounds:
                assert layer.lower is not None and layer.upper is not None
                assert (layer.lower[index], layer.upper[index]) == (result.lower, result.upper)
            else:
                assert layer.lower is None and layer.upper is None
    with pytest.raises(IndexError):
        krou.board_at(5, krou.layer_size(5))
    with pytest.raises(ValueError):
        krou.board_at(5, -1)


def test_chunks_make_up_the_layer(tables: krou.Tablebase) -> None:
    whole = tables.layer(6)
    for size in (1000, 12375, 10**6):
        chunks = list(tables.layer_chunks(6, size))
        assert [chunk.start for chunk in chunks] == list(range(0, len(whole), size))
        assert (np.concatenate([chunk.value for chunk in chunks]) == whole.value).all()
        assert (np.concatenate([chunk.boards for chunk in chunks]) == whole.boards).all()
    for size in (0, -1):
        with pytest.raises(ValueError):
            tables.layer_chunks(6, size)
    assert len(krou.Tablebase().layer(0)) == 1


def test_probe_many_agrees_with_the_layer_in_any_layout(abapa: Path) -> None:
    tables = krou.Tablebase("abapa", abapa)
    layer = tables.layer(7)
    boards = layer.boards
    layouts = [boards.astype(dtype) for dtype in "bBhHiIlLqQ"]
    layouts += [boards.astype(dtype) for dtype in (">i2", "<i2", ">u8", ">i8")]
    layouts += [np.asfortranarray(boards), np.asfortranarray(boards.astype(int))]
    wide = np.zeros((len(boards) * 2, 30), dtype=np.int16)
    wide[::2, 3:27:2] = boards
    layouts += [wide[::2, 3:27:2], boards[::-1][::-1], boards[:, ::-1].copy()[:, ::-1]]
    readonly = boards.copy()
    readonly.flags.writeable = False
    layouts.append(readonly)
    unaligned = np.zeros(len(boards) * 96 + 1, dtype=np.uint8)[1:].view("<i8").reshape(-1, 12)
    unaligned[:] = boards
    assert not unaligned.flags.aligned
    layouts.append(unaligned)
    for layout in layouts:
        found = tables.probe_many(layout)
        assert found.known.all()
        assert (found.value == layer.value).all()
        assert layer.distance is not None and (found.distance == layer.distance).all()
        assert found.lower is not None and (found.lower == layer.lower).all()
        assert found.upper is not None and (found.upper == layer.upper).all()
    assert len(tables.probe_many(boards[:0])) == 0
    assert len(tables.probe_many(np.zeros((0, 12), dtype=int))) == 0
    assert len(tables.probe_many([])) == 0
    mixed = tables.probe_many(["0 0 0 0 0 1 / 2 0 0 0 0 1", krou.Board.START, boards[0]])
    assert mixed.known.tolist() == [True, False, True]
    assert mixed.value[2] == layer.value[0]


def test_the_best_line_follows_the_values(tables: krou.Tablebase) -> None:
    board = krou.Board("0 1 1 0 2 2 / 0 1 0 1 1 0")
    line = tables.best_line(board)
    assert line.end == "over"
    value, sign, total = tables.probe(board).value, 1, 0
    for step in line.line:
        total += sign * step.gain
        sign = -sign
        assert total + sign * tables.probe(step.board).value == value
    assert len(tables.best_line(board, 0)) == 0
    assert tables.best_line(krou.Board.START).end == "missing"


def test_results_are_pickled(tables: krou.Tablebase) -> None:
    board = "0 1 1 0 2 2 / 0 1 0 1 1 0"
    game = krou.Game("awari", "0-0-0-0-0-1-2-0-0-0-0-1-22-20-S")
    results = [
        tables.probe(board),
        tables.moves(board),
        tables.best_line(board),
        krou.legal_moves(board),
        game.play("F"),
        game.outcome,
        krou.review(game, tables),
        krou.Engine(tablebase=tables, hash_mib=1).search(board, depth=2),
    ]
    assert pickle.loads(pickle.dumps(results)) == results
    line, probed = tables.best_line(board), tables.probe(board)
    assert len({probed, tables.probe(board)}) == len({line, tables.best_line(board)}) == 1
    assert len({*tables.moves(board), *tables.moves(board)}) == 4
    assert probed._asdict() == {"value": -5, "distance": 11, "lower": None, "upper": None}
    many = [*tables.moves_many([board]), *krou.play_many([board], [2])]
    for array, again in zip(many, pickle.loads(pickle.dumps(many))):
        assert (array == again).all()
    arrays: list[Any] = [tables.layer(2), tables.probe_many([board])]
    for array, again in zip(arrays, pickle.loads(pickle.dumps(arrays))):
        assert (array.value == again.value).all() and len(array) == len(again)


def test_moves_have_the_fields_of_the_command_line(tables: krou.Tablebase) -> None:
    (first, *_) = tables.moves("0 1 1 0 2 2 / 0 1 0 1 1 0")
    step = ("pit", "letter", "captured", "gain", "board", "again", "ends")
    assert first._fields == (*step, "value", "distance", "lower", "upper", "best")
    assert krou.legal_moves(krou.Board.START)[0]._fields == step
    north = tables.moves("0-1-0-1-1-0-0-1-1-0-2-2-20-19-N")
    assert [m.letter for m in north] == ["c", "e", "f", "b"]


def test_tablebases_are_pickled_by_their_folders(abapa: Path) -> None:
    tables = pickle.loads(pickle.dumps(krou.Tablebase("abapa", [abapa])))
    assert tables.layers == list(range(10)) and str(tables.rules) == "abapa"
    assert pickle.loads(pickle.dumps(krou.Tablebase())).layers == list(range(10))
    loaded = krou.Tablebase("abapa", [abapa], table_memory="1M")
    assert loaded.__reduce__()[1][3] == 1 << 20
    assert pickle.loads(pickle.dumps(loaded)).layers == list(range(10))


def test_a_tablebase_closes(abapa: Path) -> None:
    with krou.Tablebase("abapa", abapa) as tables:
        engine = krou.Engine("abapa", tables, hash_mib=1)
        assert tables.get([0] * 12) == 0
    assert str(tables.rules) == "abapa" and "closed" in repr(tables)
    for use in (tables.probe, tables.moves, tables.get, lambda _: tables.layers):
        with pytest.raises(ValueError, match="the tablebase is closed"):
            use([0] * 12)
    with pytest.raises(ValueError, match="the tablebase is closed"):
        krou.Engine("abapa", tables)
    tables.close()
    report = engine.search("0 1 1 0 2 2 / 0 1 0 1 1 0", depth=4)
    assert report is not None and report.table_hits > 0
    with pytest.raises(KeyError), krou.Tablebase() as other:
        raise KeyError
    assert "closed" in repr(other)


def test_layers_in_memory_are_probed_without_their_tables(tmp_path: Path) -> None:
    krou.build(6, tmp_path, codec="raw")
    boards = krou.Tablebase(paths=tmp_path).layer(6).boards
    expected = krou.Tablebase(paths=tmp_path).probe_many(boards).value
    on_disk = krou.Tablebase(paths=tmp_path)
    nothing_loaded = krou.Tablebase(paths=tmp_path, table_memory=0)
    in_memory = krou.Tablebase(paths=tmp_path, table_memory="1M")
    for table in tmp_path.glob("*.krou"):
        whole = table.read_bytes()
        # The same file, which is open already.
        with table.open("r+b") as file:
            file.write(bytes(byte ^ 0x55 for byte in whole))
    assert (in_memory.probe_many(boards).value == expected).all()
    assert [in_memory.probe(board).value for board in boards[:100]] == expected[:100].tolist()
    for tables in (on_disk, nothing_loaded):
        with pytest.raises(krou.TableError):
            tables.probe(boards[0])


def test_a_size_of_memory_is_checked() -> None:
    wrong: Any
    for wrong in ("much", -1, 2**64):
        with pytest.raises(ValueError):
            krou.Tablebase(table_memory=wrong)
    with pytest.raises(TypeError):
        krou.Tablebase(table_memory=1.5)  # type: ignore[arg-type]
