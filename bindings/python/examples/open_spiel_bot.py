"""A bot for OpenSpiel's ``oware`` that plays perfectly where tables reach.

    python open_spiel_bot.py [--tables FOLDER] [--seeds N] [--houses S] [--games G]

builds tables of the ruleset ``abapa``, which OpenSpiel plays, in the folder if they are not
there yet, and plays games against a random bot. Beyond the tables the bot searches with
krou's engine.
"""

from __future__ import annotations

import argparse
import tempfile
from typing import Any

import krou
import pyspiel  # type: ignore[import-not-found]

RULES = "abapa"


def position_of(state: Any) -> str:
    """The position of a state, in the notation of engines."""
    # The tensor has the seeds of all twelve houses, player 0's first, and both scores,
    # as shares of all seeds.
    total = 12 * state.get_game().get_parameters()["num_seeds_per_house"]
    numbers = [round(share * total) for share in state.observation_tensor(0)]
    return "-".join(map(str, numbers)) + ("-S" if state.current_player() == 0 else "-N")


def perfect_pit(tables: krou.Tablebase, board: krou.Board) -> int | None:
    """The best pit of a board; ``None`` where tables do not reach.

    OpenSpiel ends a game when a board repeats, and each player takes the seeds of their
    own row then. What that is worth depends on the history, so the move with the best
    lower bound counts: it holds whatever a repetition gives. Among such moves the first
    one has the best value and makes the fastest progress.
    """
    moves = tables.moves(board)
    if not moves or any(move.lower is None for move in moves):
        return None
    return max(moves, key=lambda move: move.lower or 0).pit


class KrouBot(pyspiel.Bot):  # type: ignore[misc]
    """Plays from tables, and with the engine beyond them."""

    def __init__(self, tables: krou.Tablebase, nodes: int = 20_000) -> None:
        pyspiel.Bot.__init__(self)
        self.tables = tables
        self.engine = krou.Engine(RULES, tables, hash_mib=16, aim="result")
        self.nodes = nodes

    def step(self, state: Any) -> int:
        position = position_of(state)
        pit = perfect_pit(self.tables, krou.Board(position))
        if pit is None:
            report = self.engine.search(krou.Game(RULES, position), nodes=self.nodes)
            assert report is not None, "OpenSpiel asks for no move of a finished game"
            pit = report.pit
        return pit

    def restart_at(self, state: Any) -> None:
        """Nothing is kept from one game to the next."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Lets krou play OpenSpiel's oware.")
    parser.add_argument("--tables", help="folder of tables (default: a temporary one)")
    parser.add_argument("--seeds", type=int, default=8, help="highest layer to build")
    parser.add_argument("--houses", type=int, default=1, help="seeds in each house at the start")
    parser.add_argument("--games", type=int, default=10, help="games to play")
    arguments = parser.parse_args()

    game = pyspiel.load_game("oware", {"num_seeds_per_house": arguments.houses})
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.tables or temporary
        krou.build(arguments.seeds, folder, RULES, distance=True)
        bot = KrouBot(krou.Tablebase(RULES, folder))
        results = {1.0: 0, 0.0: 0, -1.0: 0}
        for number in range(arguments.games):
            player = number % 2
            bots = [bot, bot]
            bots[1 - player] = pyspiel.make_uniform_random_bot(1 - player, number)
            returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, number)
            results[returns[player]] += 1
    print(f"won {results[1.0]}, drawn {results[0.0]}, lost {results[-1.0]}")


if __name__ == "__main__":
    main()
