"""How pickled objects are made again."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

from ._krou import Game, Tablebase


def open_tablebase(
    rules: str,
    paths: Sequence[str | PathLike[str]] | None,
    built_in: bool,
    table_memory: int,
    insecure: bool,
    cache: PathLike[str] | None,
) -> Tablebase:
    """Opens the tables of some folders."""
    return Tablebase(
        rules,
        paths,
        built_in=built_in,
        table_memory=table_memory,
        insecure=insecure,
        cache=cache,
    )


def replay_game(rules: str, position: str, repetitions: int, pits: Sequence[int]) -> Game:
    """Plays the moves of a game."""
    game = Game(rules, position, repetitions=repetitions)
    for pit in pits:
        game.play(pit)
    return game
