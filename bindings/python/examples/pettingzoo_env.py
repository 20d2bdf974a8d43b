"""Oware as an environment of PettingZoo, for agents that learn by playing.

    python pettingzoo_env.py [--rules NAME] [--seed N]

plays a game of random agents. An agent observes the board from its own side, both stores,
its own first, and a mask of the pits that it may play. The winner's reward is 1, the loser's
-1. Boards that repeat end the game, so that every game ends.
"""

from __future__ import annotations

import argparse
from typing import Any, Optional

import krou
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv  # type: ignore[import-untyped]


class OwareEnv(AECEnv):  # type: ignore[misc]
    """A game of two agents, ``south`` and ``north``, who move in turn."""

    metadata = {"name": "oware_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, rules: str = "abapa", render_mode: Optional[str] = None) -> None:
        super().__init__()
        self.rules = rules
        self.render_mode = render_mode
        self.possible_agents = ["south", "north"]
        observation = Dict(
            {
                "observation": Box(0, 48, (14,), np.int8),
                "action_mask": Box(0, 1, (6,), np.int8),
            }
        )
        self.observation_spaces = {agent: observation for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(6) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> None:
        """Begins a game; the option ``position`` is the board or position to begin with."""
        self.game = krou.Game(self.rules, (options or {}).get("position"))
        self.agents = list(self.possible_agents)
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: self.game.outcome is not None for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.game.to_move

    def observe(self, agent: str) -> dict[str, Any]:
        game = self.game
        moves = agent == game.to_move
        board = game.board if moves else game.board.turned()
        south, north = game.stores
        stores = (south, north) if agent == "south" else (north, south)
        mask = np.zeros(6, np.int8)
        if moves and game.outcome is None:
            mask[[move.pit for move in game.legal_moves()]] = 1
        return {"observation": np.array([*board, *stores], np.int8), "action_mask": mask}

    def step(self, action: Optional[int]) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self.game.play(int(action))
        outcome = self.game.outcome
        if outcome is None:
            self.agent_selection = self.game.to_move
        else:
            for player in self.agents:
                won = 0.0 if outcome.winner is None else 1.0 if outcome.winner == player else -1.0
                self.rewards[player] = won
                self.terminations[player] = True
            self.agent_selection = "north" if agent == "south" else "south"
        self._accumulate_rewards()

    def render(self) -> Optional[str]:
        return str(self.game.board) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Plays a game of random agents.")
    parser.add_argument("--rules", default="abapa")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    env = OwareEnv(arguments.rules)
    env.reset()
    generator = np.random.default_rng(arguments.seed)
    for _ in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.step(None)
        else:
            env.step(int(generator.choice(np.flatnonzero(observation["action_mask"]))))
    outcome = env.game.outcome
    assert outcome is not None
    print(f"{env.game.letters}\n{outcome.result}")


if __name__ == "__main__":
    main()
