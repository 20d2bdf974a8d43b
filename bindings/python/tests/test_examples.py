"""The examples beside that of OpenSpiel."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import krou

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))


def test_a_training_set_has_the_values_of_the_tables(tmp_path: Path) -> None:
    import training_set

    tables = krou.Tablebase()
    file = tmp_path / "set.npz"
    count = training_set.write(tables, 9, 5_000, str(file))
    data = np.load(file)
    assert len(data["boards"]) == count > 4_000
    assert (data["boards"].sum(axis=1) == 9).all()
    assert (tables.probe_many(data["boards"]).value == data["value"]).all()
    best = np.where(data["legal"], data["moves"], -99).max(axis=1)
    assert (best == data["value"]).all()


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
