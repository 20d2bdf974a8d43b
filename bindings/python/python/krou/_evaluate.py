"""How right a player's moves are."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from operator import index
from typing import Any, NamedTuple, Optional, SupportsIndex, Union

import numpy as np
import numpy.typing as npt

from ._krou import Board, Tablebase, legal_mask
from .errors import IllegalMove

# What `krou dataset` writes where a pit may not be played.
_ILLEGAL = -128

_Positions = Union[
    str,
    "os.PathLike[str]",
    npt.NDArray[np.integer[Any]],
    Sequence[Union[Board, str, Sequence[SupportsIndex], npt.NDArray[np.integer[Any]]]],
]


class Evaluation(NamedTuple):
    """How right the moves of a player are.

    ``boards`` is the number of boards on which the player was judged. ``keeps_value`` and
    ``keeps_result`` are the shares of moves, 0 to 1, that keep the value of the board, and that
    keep its result: won, drawn or lost, by the sign of the value. ``seeds_lost`` is the mean loss
    of value by a move.
    """

    boards: int
    keeps_value: float
    keeps_result: float
    seeds_lost: float


def evaluate(
    agent: Callable[[Board], SupportsIndex],
    positions: _Positions,
    tablebase: Optional[Tablebase] = None,
) -> Evaluation:
    """Asks an agent for a move on each of many boards, and judges the moves by tables.

    ``agent`` takes a ``Board`` and returns a pit, 0 to 5; ``IllegalMove`` is raised if the pit may
    not be played. ``positions`` is the name of an ``.npz`` file that ``krou dataset`` wrote, or
    an array or a sequence of boards, whose moves ``tablebase`` must know (default: the tables of
    ``awari`` inside krou). Boards at which all moves have the same value tell nothing and are left
    out; ``ValueError`` if no other is there.

    >>> import krou
    >>> def first(board):
    ...     return krou.legal_moves(board)[0].pit
    >>> boards = ["0 1 1 0 2 2 / 0 1 0 1 1 0", "0 0 0 0 1 1 / 2 0 0 0 0 1"]
    >>> krou.evaluate(first, boards)
    Evaluation(boards=2, keeps_value=0.0, keeps_result=0.5, seeds_lost=5.0)
    """
    boards, worth = _judged(positions, tablebase)
    lowest = np.iinfo(worth.dtype).max
    best = worth.max(axis=1, initial=_ILLEGAL)
    worst = np.where(worth == _ILLEGAL, lowest, worth).min(axis=1, initial=lowest)
    numbers = np.flatnonzero(worst < best)
    if not len(numbers):
        raise ValueError("on none of the boards it matters which move is played: give others")
    chosen = np.array([_choose(agent, boards, worth, number) for number in numbers])
    best = best[numbers]
    return Evaluation(
        boards=len(numbers),
        keeps_value=float((chosen == best).mean()),
        keeps_result=float((np.sign(chosen) == np.sign(best)).mean()),
        seeds_lost=float((best - chosen).mean()),
    )


def _judged(positions: _Positions, tablebase: Tablebase | None) -> tuple[Any, Any]:
    """The boards, and what each pit is worth."""
    if isinstance(positions, (str, os.PathLike)):
        with np.load(positions) as arrays:
            return arrays["boards"], arrays["moves"].astype(np.int16)
    tables = Tablebase() if tablebase is None else tablebase
    values, known = tables.moves_many(positions)
    legal = legal_mask(positions, tables.rules)
    for number in np.flatnonzero((legal & ~known).any(axis=1)).tolist():
        # One of these probes raises what is wrong.
        for move in tables.moves(positions[number]):
            tables.probe(move.board)
    return positions, np.where(legal, values.astype(np.int16), _ILLEGAL)


def _choose(
    agent: Callable[[Board], SupportsIndex], boards: Any, worth: Any, number: Any
) -> int:
    """What the agent's move on a board is worth."""
    pit = index(agent(Board(boards[number])))
    if not 0 <= pit < worth.shape[1] or worth[number, pit] == _ILLEGAL:
        raise IllegalMove(f"board {number}: pit {pit} may not be played")
    return int(worth[number, pit])
