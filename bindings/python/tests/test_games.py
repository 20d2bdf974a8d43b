"""Games, the engine, and reviews."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import pytest

import krou


def test_a_game_is_played_taken_back_and_written() -> None:
    game = krou.Game("abapa")
    assert (game.to_move, game.position) == ("south", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S")
    turn = game.play(2)
    assert (turn.player, turn.pit, turn.letter, turn.taken) == ("south", 2, "C", 0)
    game.play("f")
    assert game.letters == "Cf" and [turn.letter for turn in game.turns] == ["C", "f"]
    other = game.copy()
    undone = game.take_back()
    assert undone is not None and undone.letter == "f" and game.letters == "C"
    assert other.letters == "Cf"
    assert game.take_back() is not None and game.take_back() is None
    text = other.to_ogn({"South": "Ama"})
    assert '[South "Ama"]' in text
    again = krou.Game.from_ogn(text)
    assert (again.letters, again.position, again.rules) == ("Cf", other.position, other.rules)
    for same in (pickle.loads(pickle.dumps(other)), copy.copy(other), copy.deepcopy(other)):
        assert (same.letters, same.position) == ("Cf", other.position)


def test_games_end_with_an_outcome() -> None:
    game = krou.Game("awari", "0-0-0-0-0-1-2-0-0-0-0-1-22-20-S")
    assert game.outcome is None
    game.play("F")
    outcome = game.outcome
    assert outcome is not None and game.legal_moves() == []
    assert (outcome.reason_code, outcome.winner) == ("majority", "south")
    assert (outcome.stores.south, outcome.stores.north) == (25, 20)
    with pytest.raises(krou.IllegalMove, match="pit 0 is empty"):
        game.play(0)


def test_repetitions_end_a_game() -> None:
    for repetitions in (2, 3):
        game = krou.Game("abapa", "1 0 0 0 0 0 / 1 0 0 0 0 0", repetitions=repetitions)
        assert game.repetitions == repetitions
        generator = random.Random(0)
        while game.outcome is None:
            game.play(generator.choice(game.legal_moves()).pit)
        assert game.outcome.reason_code in ("repetition", "no-move", "majority")


@pytest.mark.parametrize("move", [6, -1, 255, 256, 10**30, "", "G", "AB", "c", "é", True + 5])
def test_illegal_moves_are_refused_and_change_nothing(move: Any) -> None:
    game = krou.Game("abapa")
    with pytest.raises(krou.IllegalMove) as raised:
        game.play(move)
    assert isinstance(raised.value, ValueError) and str(raised.value)
    assert game.letters == "" and game.to_move == "south"


@pytest.mark.parametrize("move", [1.0, None, [1], b"A"])
def test_moves_have_types(move: Any) -> None:
    with pytest.raises(TypeError):
        krou.Game().play(move)


def test_texts_of_games_are_checked() -> None:
    for text in ("", "1. X", "(", "[FEN \"x\"]", "A" * (1 << 21), "1. C G"):
        with pytest.raises(krou.GameError) as raised:
            krou.Game.from_ogn(text)
        assert isinstance(raised.value, ValueError)
        with pytest.raises(krou.GameError):
            krou.review(text)
    for name in ("", "FEN", "Variant", "a b", "ä"):
        with pytest.raises(krou.GameError):
            krou.Game().to_ogn({name: "x"})
    for position in ("4-4", [5] * 12):
        with pytest.raises(krou.BoardError):
            krou.Game("awari", position)
    with pytest.raises(ValueError):
        krou.Game(repetitions=1)


def test_the_engine_is_exact_inside_the_tables(tables: krou.Tablebase) -> None:
    engine = krou.Engine("awari", tables, hash_mib=4)
    layer = tables.layer(9)
    for row in range(0, len(layer), 9973):
        board = layer.boards[row]
        report = engine.search(board, depth=8)
        if not krou.legal_moves(board):
            assert report is None
            continue
        assert report is not None and report.exact and report.score == layer.value[row]
        assert report.lower == report.upper == layer.value[row]
        assert {m.pit: m.value for m in tables.moves(board)}[report.pit] == layer.value[row]


def test_searches_are_deterministic_and_report_progress() -> None:
    def search() -> tuple[Any, list[krou.SearchReport]]:
        reports: list[krou.SearchReport] = []
        engine = krou.Engine("abapa", hash_mib=4)
        found = engine.search(krou.Game("abapa"), depth=8, lines=3, progress=reports.append)
        assert found is not None
        return (found.pv, found.nodes, found.score, found.lines), reports

    first, reports = search()
    second, _ = search()
    assert first == second
    assert [report.depth for report in reports][-1] == 8
    lines = first[3]
    assert len(lines) == 3 and lines[0].pit == first[0][0]
    assert lines[0].score >= lines[1].score >= lines[2].score


def test_searches_obey_their_limits() -> None:
    engine = krou.Engine("abapa", hash_mib=4, threads=2, aim="result", contempt=0.5)
    assert repr(engine) == "<krou.Engine of abapa>"
    by_nodes = engine.search(krou.Board.START, nodes=1000)
    assert by_nodes is not None and by_nodes.nodes < 100_000
    by_time = engine.search(krou.Board.START, time=0.05)
    assert by_time is not None and by_time.pit in range(6)
    restricted = engine.search(krou.Board.START, depth=3, pits=[4])
    assert restricted is not None and restricted.pit == 4
    engine.clear_hash()
    with pytest.raises(ZeroDivisionError):
        engine.search(krou.Board.START, depth=30, progress=lambda report: 1 // 0)
    # The engine is usable after an error.
    assert engine.search(krou.Board.START, depth=2) is not None


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"depth": 0},
        {"depth": 256},
        {"depth": -1},
        {"nodes": 0},
        {"time": -1.0},
        {"time": float("nan")},
        {"depth": 2, "lines": 0},
        {"depth": 2, "pits": [7]},
        {"depth": 2, "pits": []},
    ],
)
def test_wrong_limits_are_value_errors(arguments: Any) -> None:
    engine = krou.Engine("abapa", hash_mib=1)
    with pytest.raises(ValueError):
        engine.search(krou.Board.START, **arguments)


def test_engines_are_checked(tables: krou.Tablebase) -> None:
    wrong: Any
    for wrong in (
        {"tablebase": tables},
        {"hash_mib": 0},
        {"hash_mib": 10**9},
        {"threads": 0},
        {"aim": "glory"},
        {"contempt": 11.0},
        {"contempt": float("nan")},
        {"table_memory": "much"},
    ):
        with pytest.raises(ValueError):
            krou.Engine("abapa", **wrong)
    engine = krou.Engine("abapa", hash_mib=1)
    with pytest.raises(ValueError, match="the game is of awari"):
        engine.search(krou.Game("awari"), depth=2)
    with pytest.raises(krou.BoardError):
        engine.search("x", depth=2)
    over = krou.Game("awari", "0 0 0 0 0 0 / 1 0 0 0 0 0")
    assert krou.Engine(hash_mib=1).search(over, depth=2) is None


def test_a_review_says_what_each_move_gave_away(tables: krou.Tablebase) -> None:
    game = krou.Game("awari", "1-0-0-0-0-1-2-0-0-0-0-1-20-20-S")
    game.play("A")
    done: list[tuple[int, int]] = []
    review = krou.review(game, tables, progress=lambda *counts: done.append(counts))
    assert done == [(1, 1)] and len(review) == 1 and review.rules == krou.Ruleset("awari")
    (move,) = review.moves
    assert (move.number, move.player, move.letter, move.pit) == (1, "south", "A", 0)
    assert move.exact and move.given_away == move.best - move.played > 0
    assert move.line[0] == "F" and move.depth == 0
    assert review.players["south"].average_loss == move.given_away
    assert review.players["north"].moves == 0 and review.key_moments == [0]
    searched = krou.review("1. C f", rules="abapa", depth=4, hash_mib=4)
    assert [m.letter for m in searched.moves] == ["C", "f"] and not searched.moves[0].exact
    assert searched == krou.review("1. C f", rules="abapa", depth=4, hash_mib=4)
    with pytest.raises(ValueError, match="the tablebase is of awari"):
        krou.review("1. C f", tables, "abapa")
    with pytest.raises(ZeroDivisionError):
        krou.review("1. C f 2. F", depth=3, hash_mib=4, progress=lambda *counts: 1 // 0)
    with pytest.raises(TypeError):
        krou.review(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        krou.review("1. C f", depth=1)
