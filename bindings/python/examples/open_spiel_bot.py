"""krou plays OpenSpiel's ``oware``, perfectly where tables reach.

    python open_spiel_bot.py [--tables FOLDER] [--seeds N] [--houses S] [--games G] [--mcts]

builds tables of the ruleset ``abapa``, which OpenSpiel plays, in the folder if they are not
there yet, and plays games against a random bot: with krou's engine beyond the tables, or with
OpenSpiel's search and krou's evaluation (``--mcts``).
"""

from __future__ import annotations

import argparse
import tempfile

import krou
import numpy as np
import pyspiel  # type: ignore[import-not-found]
from krou.openspiel import RULES, KrouBot, KrouEvaluator
from open_spiel.python.algorithms import mcts  # type: ignore[import-untyped]


def main() -> None:
    parser = argparse.ArgumentParser(description="Lets krou play OpenSpiel's oware.")
    parser.add_argument("--tables", help="folder of tables (default: a temporary one)")
    parser.add_argument("--seeds", type=int, default=8, help="highest layer to build")
    parser.add_argument("--houses", type=int, default=1, help="seeds in each house at the start")
    parser.add_argument("--games", type=int, default=10, help="games to play")
    parser.add_argument("--mcts", action="store_true", help="search with OpenSpiel's MCTS")
    arguments = parser.parse_args()

    game = pyspiel.load_game("oware", {"num_seeds_per_house": arguments.houses})
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.tables or temporary
        krou.build(arguments.seeds, folder, RULES, distance=True)
        tables = krou.Tablebase(RULES, folder)
        bot = KrouBot(tables)
        if arguments.mcts:
            chance = np.random.RandomState(1)
            bot = mcts.MCTSBot(game, 2, 50, KrouEvaluator(tables), random_state=chance)
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
