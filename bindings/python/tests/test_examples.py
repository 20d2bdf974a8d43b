"""The examples beside that of OpenSpiel."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))


def test_the_environment_keeps_the_rules_of_pettingzoo() -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test  # type: ignore[import-untyped]
    from pettingzoo_env import OwareEnv

    for rules in ("abapa", "kalah"):
        env = OwareEnv(rules)
        api_test(env, num_cycles=500)
        env.reset(options={"position": "0-0-0-0-0-1-2-0-0-0-0-1-22-20-S"})
        env.step(5)
        assert all(env.terminations.values()) == (env.game.outcome is not None)
    env = OwareEnv("abapa", render_mode="ansi")
    env.reset(options={"position": "0-0-0-0-0-1-2-0-0-0-0-1-22-20-S"})
    env.step(5)
    assert env.rewards == {"south": 1.0, "north": -1.0}
    assert env.render() == str(env.game.board)
