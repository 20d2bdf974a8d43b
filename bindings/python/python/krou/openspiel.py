"""krou in `OpenSpiel <https://github.com/google-deepmind/open_spiel>`_: a bot and an evaluator for
its game ``oware``, which has the rules of ``abapa``.

OpenSpiel ends a game at the second occurrence of a board, and each player then takes the seeds of
their own row. What that is worth depends on the history; the bounds of a board hold whatever
happens.

It needs the package ``open_spiel``: ``pip install krou[openspiel]``.
"""

from __future__ import annotations

import math
from typing import Any, Optional

import numpy as np
import pyspiel  # type: ignore[import-not-found]
from open_spiel.python.algorithms import mcts  # type: ignore[import-untyped]

from ._krou import Board, Engine, Game, Tablebase

__all__ = ["KrouBot", "KrouEvaluator", "perfect_pits", "position_of"]

RULES = "abapa"
#: A lead of so many seeds that is not proven counts for about three quarters of a win.
LEAD = 8


def position_of(state: Any) -> str:
    """The position of a state, in the notation of engines."""
    # The tensor has the seeds of all twelve houses, player 0's first, and both scores,
    # as shares of all seeds.
    total = 12 * state.get_game().get_parameters()["num_seeds_per_house"]
    numbers = [round(share * total) for share in state.observation_tensor(0)]
    return "-".join(map(str, numbers)) + ("-S" if state.current_player() == 0 else "-N")


def perfect_pits(tables: Tablebase, board: Board) -> list[int]:
    """The best pits of a board by their lower bounds; none where tables do not reach.

    Among them the first one has the best value and makes the fastest progress.
    """
    moves = tables.moves(board)
    lower = [move.lower for move in moves if move.lower is not None]
    if len(lower) < len(moves):
        return []
    return [move.pit for move in moves if move.lower == max(lower)]


class KrouBot(pyspiel.Bot):  # type: ignore[misc]
    """Plays perfectly where tables reach, and with krou's engine beyond them.

    ``tables`` are those of ``abapa`` inside krou unless given; ``nodes`` limits each search.
    """

    def __init__(self, tables: Optional[Tablebase] = None, nodes: int = 20_000) -> None:
        pyspiel.Bot.__init__(self)
        self.tables = tables or Tablebase(RULES)
        self.engine = Engine(RULES, self.tables, hash_mib=16, aim="result")
        self.nodes = nodes

    def step(self, state: Any) -> int:
        """The action to play."""
        position = position_of(state)
        pits = perfect_pits(self.tables, Board(position))
        if pits:
            return pits[0]
        report = self.engine.search(Game(RULES, position), nodes=self.nodes)
        assert report is not None, "OpenSpiel asks for no move of a finished game"
        return report.pit

    def restart_at(self, state: Any) -> None:
        """Nothing is kept from one game to the next."""


class KrouEvaluator(mcts.Evaluator):  # type: ignore[misc]
    """Tells OpenSpiel's ``MCTSBot`` what a state is worth.

    A win, draw or loss that the bounds of tables prove is 1, 0 or -1; beyond them the score of
    krou's engine is between. ``tables`` and ``nodes`` are as for ``KrouBot``.
    """

    def __init__(self, tables: Optional[Tablebase] = None, nodes: int = 1_000) -> None:
        self.tables = tables or Tablebase(RULES)
        self.engine = Engine(RULES, self.tables, hash_mib=16)
        self.nodes = nodes

    def evaluate(self, state: Any) -> np.ndarray[Any, Any]:
        """What the state is worth to each player, from -1 to 1."""
        game = Game(RULES, position_of(state))
        lead = game.stores.south - game.stores.north
        if game.to_move == "north":
            lead = -lead
        worth = self._worth(game, lead)
        return np.array([worth, -worth] if game.to_move == "south" else [-worth, worth])

    def _worth(self, game: Game, lead: int) -> float:
        """What the game is worth to the mover, who leads by so much."""
        if game.board in self.tables:
            found = self.tables.probe(game.board)
            assert found.lower is not None and found.upper is not None
            if lead + found.lower > 0:
                return 1.0
            if lead + found.upper < 0:
                return -1.0
            if lead + found.lower == lead + found.upper == 0:
                return 0.0
        report = self.engine.search(game, nodes=self.nodes)
        assert report is not None, "OpenSpiel evaluates no finished game"
        return math.tanh((lead + report.score) / LEAD)

    def prior(self, state: Any) -> list[tuple[int, float]]:
        """A probability for each action: the best ones share it where tables reach."""
        pits = perfect_pits(self.tables, Board(position_of(state)))
        pits = pits or state.legal_actions()
        return [(pit, 1 / len(pits)) for pit in pits]
