"""The ruleset ``abapa`` against OpenSpiel's ``oware``.

OpenSpiel ends a game at the second occurrence of a board with the same player to move; krou
does so at the third unless told otherwise. When a player has a majority, OpenSpiel also
shares out the seeds on the board, which does not change the winner. Actions are pits of the
player to move in both.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import krou

pyspiel = pytest.importorskip("pyspiel")
from krou.openspiel import KrouBot, KrouEvaluator, perfect_pits, position_of  # noqa: E402
from open_spiel.python.algorithms import mcts  # type: ignore[import-untyped] # noqa: E402

GAMES = 300


def start(seeds: int) -> tuple[Any, krou.Game]:
    game = pyspiel.load_game("oware", {"num_seeds_per_house": seeds})
    return game.new_initial_state(), krou.Game("abapa", [seeds] * 12, repetitions=2)


def choose(generator: random.Random, actions: list[int], captures: dict[int, int]) -> int:
    """A random move, more often one that captures: such games have more kinds of ends."""
    best = max(actions, key=lambda action: captures[action])
    return best if generator.random() < 0.4 else generator.choice(actions)


def check_end(state: Any, game: krou.Game) -> str:
    outcome = game.outcome
    assert outcome is not None
    winner = {1.0: "south", 0.0: None, -1.0: "north"}[state.returns()[0]]
    assert outcome.winner == winner
    total = 12 * state.get_game().get_parameters()["num_seeds_per_house"]
    scores = [round(share * total) for share in state.observation_tensor(0)[12:]]
    if outcome.reason_code != "majority":
        assert scores == [outcome.stores.south, outcome.stores.north]
    return outcome.reason_code


def test_random_games_agree_move_by_move() -> None:
    endings: dict[str, int] = {}
    positions = 0
    for seed in range(GAMES):
        generator = random.Random(seed)
        state, game = start(1 + seed % 4)
        while not state.is_terminal():
            assert game.outcome is None
            assert game.position == position_of(state)
            legal = game.legal_moves()
            assert [move.pit for move in legal] == state.legal_actions()
            action = choose(
                generator, state.legal_actions(), {move.pit: move.captured for move in legal}
            )
            turn = game.play(action)
            assert turn.letter == state.action_to_string(action)
            state.apply_action(action)
            positions += 1
        ending = check_end(state, game)
        endings[ending] = endings.get(ending, 0) + 1
    assert positions > 10_000
    assert {"majority", "no-move", "repetition"} <= endings.keys(), endings


def test_the_bot_takes_what_the_tables_promise(abapa: Path) -> None:
    tables = krou.Tablebase("abapa", abapa)
    bot = KrouBot(tables, nodes=2_000)
    promises = 0
    for seed in range(20):
        generator = random.Random(seed)
        player = seed % 2
        state, game = start(1)
        promised: int | None = None
        while not state.is_terminal():
            if state.current_player() == player:
                board, stores = game.board, game.stores
                lead = stores.south - stores.north if player == 0 else stores.north - stores.south
                if perfect_pits(tables, board):
                    lower = tables.probe(board).lower
                    assert lower is not None
                    # What is promised once is never lost again.
                    assert promised is None or lead + lower >= promised
                    promised = lead + lower
                action = bot.step(state)
            else:
                action = generator.choice(state.legal_actions())
            game.play(action)
            state.apply_action(action)
        check_end(state, game)
        if promised is not None:
            promises += 1
            margin = state.returns()[player]
            assert promised <= 0 or margin > 0
            assert promised < 0 or margin >= 0
    assert promises > 10


def test_the_evaluator_knows_what_tables_prove(abapa: Path) -> None:
    tables = krou.Tablebase("abapa", abapa)
    evaluator = KrouEvaluator(tables, nodes=500)
    proven = 0
    for seed in range(20):
        generator = random.Random(seed)
        state, game = start(1)
        promised: float | None = None
        while not state.is_terminal():
            worth = evaluator.evaluate(state)
            assert worth.shape == (2,) and worth.sum() == 0 and abs(worth[0]) <= 1
            prior = dict(evaluator.prior(state))
            assert set(prior) <= set(state.legal_actions())
            assert abs(sum(prior.values()) - 1) < 1e-9
            known = bool(perfect_pits(tables, krou.Board(position_of(state))))
            if known and abs(worth[0]) == 1:
                # Whoever wins keeps the win by the moves of the prior, whatever the other plays.
                assert promised is None or worth[0] == promised
                promised = worth[0]
            wins = worth[state.current_player()] == 1
            choices = list(prior) if known and wins else state.legal_actions()
            action = generator.choice(choices)
            game.play(action)
            state.apply_action(action)
        if promised is not None:
            proven += 1
            assert state.returns()[0] == promised
    assert proven > 10


def test_the_search_of_openspiel_uses_the_evaluator() -> None:
    game = pyspiel.load_game("oware", {"num_seeds_per_house": 1})
    chance = np.random.RandomState(1)
    search = mcts.MCTSBot(game, 2, 30, KrouEvaluator(nodes=200), random_state=chance)
    won = 0.0
    for number in range(6):
        bots = [search, pyspiel.make_uniform_random_bot(1, number)]
        won += pyspiel.evaluate_bots(game.new_initial_state(), bots, number)[0]
    assert won >= 4
