"""What krou returns: moves, lines, games, searches and reviews.

The native half passes the fields that the command line prints as JSON and the server
sends, so these classes have the same names. All of them are immutable and can be pickled.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Literal, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from ._krou import Board, Ruleset

Player = Literal["south", "north"]
Result = Literal["win", "draw", "loss"]
Winner = Literal["south", "north", "draw"]


class Move(NamedTuple):
    """A legal move and what it does.

    ``pit`` is 0 to 5, and ``letter`` its letter: ``A`` to ``F`` for South, ``a`` to ``f``
    for North. ``captured`` counts the seeds taken by a capture, ``gain`` the net seeds that
    the mover takes by this step, including what the end of the game gives. ``board`` is
    the board as the next player sees it, or as the same player sees it where ``again`` is
    true: then the same player moves again. ``ends``: whether the move ends the game.
    """

    pit: int
    letter: str
    captured: int
    gain: int
    board: Board
    again: bool
    ends: bool


class RankedMove(NamedTuple):
    """A legal move, as ``Move``, and what it is worth to the mover, captures included.

    ``value`` is net seeds, ``None`` where a layer is missing. ``distance`` is the number of
    plies to the next conversion, counted from before the move; ``None`` where it is not
    known, the value is 0, or only a loop attains it. ``lower`` and ``upper`` are the value if
    a repetition is stopped where that is worst and where it is best for the mover; ``None``
    where the ruleset has no bounds.
    ``best``: whether the move keeps the value of the board.
    """

    pit: int
    letter: str
    captured: int
    gain: int
    board: Board
    again: bool
    ends: bool
    value: Optional[int]
    distance: Optional[int]
    lower: Optional[int]
    upper: Optional[int]
    best: bool


class ProbeResult(NamedTuple):
    """What a board is worth to the player to move.

    ``value`` is net seeds. ``distance`` is the number of plies to the next conversion, 0 on
    a terminal position; ``None`` without a table of distances, and where the value is 0 or
    only a loop attains it. ``lower`` and ``upper`` are the value if a repetition is stopped
    where that is worst and where it is best for the mover, and ``value`` lies between them;
    ``None`` where the ruleset has no bounds.
    """

    value: int
    distance: Optional[int]
    lower: Optional[int]
    upper: Optional[int]


class Next(IntEnum):
    """Who moves after a move: the opponent, the same player again, or nobody, because the
    game is over.
    """

    OPPONENT = 0
    AGAIN = 1
    OVER = 2


class Played(NamedTuple):
    """A move on each board of an array.

    ``boards``: after the moves, as whoever is next sees them; without seeds where the game
    is over. ``gain``: the net seeds that the mover takes by the move, including what the
    end of the game gives. ``next``: members of ``Next`` as numbers.
    """

    boards: npt.NDArray[np.uint8]
    gain: npt.NDArray[np.int8]
    next: npt.NDArray[np.int8]


class MoveValues(NamedTuple):
    """What each move of the boards of an array is worth to the mover, by pit.

    ``value``: net seeds, captures included, 0 where they are not known. ``known``: whether
    the pit may be played and tables reach the board that it leads to.
    """

    value: npt.NDArray[np.int8]
    known: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Line:
    """The best moves of both sides from a board on.

    ``board``, ``seeds``, ``rules``, ``value``, ``distance``, ``lower`` and ``upper`` are
    those of the board that it begins with. ``letters`` are the moves without spaces, and
    ``line`` the moves, each on the board that the one before it leads to. ``end`` says why
    it ends: ``"over"`` (the game is), ``"loop"`` (endless play), ``"missing"`` (a layer is)
    or ``"length"``.
    """

    letters: str
    end: Literal["over", "loop", "missing", "length"]
    line: tuple[Move, ...] = field(repr=False)
    board: Board = field(repr=False)
    seeds: int = field(repr=False)
    rules: Ruleset = field(repr=False)
    value: Optional[int] = field(repr=False)
    distance: Optional[int] = field(repr=False)
    lower: Optional[int] = field(repr=False)
    upper: Optional[int] = field(repr=False)

    @property
    def pits(self) -> list[int]:
        """The pits of the moves."""
        return [move.pit for move in self.line]

    def __len__(self) -> int:
        return len(self.line)


@dataclass(frozen=True, eq=False, repr=False)
class ProbeResults:
    """What the boards of an array are worth to the player to move, in arrays of the same
    order.

    ``value``: net seeds, 0 where they are not known. ``known``: whether tables reach the
    board. ``distance``: plies to the next conversion, -1 where there is none, as where the
    value is 0. ``lower`` and ``upper``: the bounds, 0 where they are not known; ``None``
    where the ruleset has no bounds.
    """

    value: npt.NDArray[np.int8]
    known: npt.NDArray[np.bool_]
    distance: npt.NDArray[np.int16]
    lower: Optional[npt.NDArray[np.int8]]
    upper: Optional[npt.NDArray[np.int8]]

    def __len__(self) -> int:
        return len(self.value)

    def __repr__(self) -> str:
        return f"<krou.ProbeResults: {int(self.known.sum())} of {len(self)} boards known>"


@dataclass(frozen=True, eq=False, repr=False)
class Layer:
    """A layer, or some neighbouring boards of one, as arrays in the order of the index.

    ``seeds`` are on each board, and ``start`` is the index of the first one. ``boards`` is
    of shape (N, 12). ``value`` has the values, and ``distance`` the plies to the next
    conversion, -1 where there is none; ``None`` without a table of distances. ``lower``
    and ``upper`` are the bounds; ``None`` where the ruleset has no bounds.
    """

    seeds: int
    start: int
    boards: npt.NDArray[np.uint8]
    value: npt.NDArray[np.int8]
    distance: Optional[npt.NDArray[np.int16]]
    lower: Optional[npt.NDArray[np.int8]]
    upper: Optional[npt.NDArray[np.int8]]

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """All arrays by name, with the pits of ``boards`` as ``pit0`` to ``pit11``, as data
        frames take them: ``pandas.DataFrame(layer.columns())``.
        """
        pits = {f"pit{pit}": self.boards[:, pit] for pit in range(12)}
        arrays = {name: getattr(self, name) for name in ("value", "distance", "lower", "upper")}
        known = {name: array for name, array in arrays.items() if array is not None}
        return {**pits, **known}

    def __len__(self) -> int:
        return len(self.value)

    def __repr__(self) -> str:
        return (
            f"<krou.Layer of {self.seeds} seeds: {len(self)} boards from index {self.start}>"
        )


class Stores(NamedTuple):
    """The seeds that each player has taken."""

    south: int
    north: int


class Turn(NamedTuple):
    """A move that was played, as ``Move``, and who took what by it.

    ``player`` played it. ``taken`` counts the seeds that the player took, including those
    at the end of the game, and ``given`` those that the opponent took, which only the end
    of a game gives.
    """

    player: Player
    pit: int
    letter: str
    captured: int
    taken: int
    given: int
    gain: int
    board: Board
    again: bool
    ends: bool


class Outcome(NamedTuple):
    """The result of a finished game.

    ``winner`` is the player with more seeds, ``None`` for a draw; ``stores`` are the final
    ones, and ``unclaimed`` seeds count for neither player. ``reason_code`` says why the
    game is over: ``"majority"``, ``"no-move"``, ``"grand-slam"``, ``"starved"``,
    ``"empty-row"`` or ``"repetition"``. ``reason`` and ``result`` are sentences about the
    end and about who won.
    """

    winner: Optional[Player]
    stores: Stores
    unclaimed: int
    reason: str
    reason_code: str
    result: str


class SearchLine(NamedTuple):
    """A move of the position that was searched, with its score and the best moves after it.

    ``score`` is what the rest of the game is worth to the player to move, in seeds, and
    ``exact`` whether that is proven: it is at least ``lower`` and at most ``upper``.
    ``result`` is ``"win"``, ``"draw"`` or ``"loss"`` with best play, ``None`` if it was not
    found out. ``net`` is South's final lead, stores included. ``pit`` is the pit to play, 0
    to 5, ``pv`` the best moves of both sides as pits of whoever moves, and ``letters`` the
    same as letters. ``depth`` is that of the score in plies; 0 if it came from tables.
    """

    pit: int
    letters: str
    pv: list[int]
    score: float
    net: float
    exact: bool
    lower: int
    upper: int
    result: Optional[Result]
    depth: int


@dataclass(frozen=True)
class SearchReport:
    """The result of a search, or of one of its iterations.

    ``lines`` has the lines asked for, best first. ``bound`` is ``None`` if the score is
    that of ``depth``, or ``"lower"`` if it is a bound from the next depth, which is not
    complete. ``depth`` is the last completed depth in plies, 0 if the move came from the
    tables alone; ``selective_depth`` is the deepest ply that was searched. ``ties`` has
    other pits that are as good, if the move came from the tables alone. ``nodes`` were
    searched, and the tables knew ``table_hits`` boards. ``hash_full`` is how much of the
    transposition table is in use, in thousandths, and ``time_ms`` the time since the search
    began.
    """

    lines: list[SearchLine]
    bound: Optional[Literal["lower"]]
    depth: int
    selective_depth: int
    ties: list[int]
    nodes: int
    table_hits: int
    hash_full: int
    time_ms: int

    @property
    def pit(self) -> int:
        """The pit to play, 0 to 5."""
        return self.lines[0].pit

    @property
    def score(self) -> float:
        """What the rest of the game is worth to the player to move, in seeds."""
        return self.lines[0].score

    @property
    def exact(self) -> bool:
        """Whether the score is exact."""
        return self.lines[0].exact

    @property
    def lower(self) -> int:
        """What is proven about the score: it is at least this."""
        return self.lines[0].lower

    @property
    def upper(self) -> int:
        """What is proven about the score: it is at most this."""
        return self.lines[0].upper

    @property
    def result(self) -> Optional[Result]:
        """``"win"``, ``"draw"`` or ``"loss"``; ``None`` if it was not found out."""
        return self.lines[0].result

    @property
    def pv(self) -> list[int]:
        """The best moves of both sides, as pits of whoever moves."""
        return self.lines[0].pv

    @property
    def time(self) -> float:
        """Seconds since the search began."""
        return self.time_ms / 1000


class ReviewedMove(NamedTuple):
    """A move with what it gave away. All scores are in seeds.

    ``number`` is that of the move in the notation of games. ``player`` played ``letter``,
    the pit ``pit``, in ``position``, and took ``taken`` seeds. ``best`` and ``played`` are
    the scores of the best and of the played move, for the player who moved; ``given_away``
    is the difference, never negative, and ``exact`` whether both are. ``line`` is the best
    line from before the move on, as letters. ``lead_before`` and ``lead_after`` are South's
    final lead under best play from before and from after the move on, ``winner_before`` and
    ``winner_after`` who wins then, ``None`` if that is not exact. ``turning_point``: whether
    the move changes the winner. ``ending``: why the game is over after the move, as a word,
    if this move ended or decided it. ``depth`` is that of the search in plies; 0 if the
    tables alone knew. ``choices`` is the number of legal moves, and ``only_move`` whether
    the tables prove that only one of several keeps the value.
    """

    number: int
    player: Player
    letter: str
    pit: int
    taken: int
    position: str
    best: float
    played: float
    given_away: float
    exact: bool
    line: str
    lead_before: float
    lead_after: float
    winner_before: Optional[Winner]
    winner_after: Optional[Winner]
    turning_point: bool
    ending: Optional[str]
    depth: int
    choices: int
    only_move: bool


class PlayerReview(NamedTuple):
    """How well a player played a game.

    ``choices`` of the ``moves`` had a choice. Over these, ``accuracy`` is the mean in per
    cent, and ``average_loss`` the seeds that a move gave away; ``None`` without a choice.
    ``only_moves``: where only one of several moves kept the value. The player made
    ``only_moves_found`` of them.
    """

    moves: int
    choices: int
    accuracy: Optional[float]
    average_loss: Optional[float]
    only_moves: int
    only_moves_found: int


@dataclass(frozen=True, repr=False)
class Review:
    """The review of a game.

    ``start`` is the position at the start, ``south`` and ``north`` are the players' names,
    ``None`` where the game has none. ``moves`` are in order; ``players["south"]`` says how
    well South played. ``key_moments`` are the indexes of the moves that gave away most, at
    most three. ``exact_moves`` and ``estimated_moves`` count moves, and ``worst`` is
    the index of the first one that gave away most. ``result`` has the final seeds, once the
    game is over. ``notes`` are sentences about what a text says that its moves contradict.
    """

    rules: Ruleset
    start: str
    south: Optional[str]
    north: Optional[str]
    moves: list[ReviewedMove]
    players: dict[Player, PlayerReview]
    key_moments: list[int]
    exact_moves: int
    estimated_moves: int
    worst: Optional[int]
    result: Optional[Stores]
    notes: list[str]

    def __len__(self) -> int:
        return len(self.moves)

    def __repr__(self) -> str:
        return f"<krou.Review of {len(self)} moves>"


class BuildEvent(NamedTuple):
    """Something that happened in a build.

    ``done`` and ``total`` count visits of boards in the whole build: ``total`` is an
    estimate that stays the same, and ``done`` never falls. ``seeds`` is the layer that is
    worked on, and ``phase`` the name of the phase. ``kind`` says what happened:

    - ``"phase"``: a phase of the work on a layer begins;
    - ``"progress"``: at most ten times a second;
    - ``"sweep"``: a sweep is done and has changed ``changes`` entries;
    - ``"table"``: the table ``file`` of ``bytes`` bytes is complete;
    - ``"present"``: the layer is in the folder already;
    - ``"resumed"``: the next phase resumes from a checkpoint;
    - ``"note"``: something else that ``message`` describes;
    - ``"done"``: the build is complete.
    """

    kind: Literal["phase", "progress", "sweep", "table", "present", "resumed", "note", "done"]
    seeds: int
    phase: Optional[str]
    done: int
    total: int
    changes: Optional[int] = None
    file: Optional[str] = None
    bytes: Optional[int] = None
    message: Optional[str] = None


# The native half calls these, with the fields of an answer.


def move(board: list[int], **fields: Any) -> Move:
    return Move(board=Board(board), **fields)


def ranked_move(board: list[int], **fields: Any) -> RankedMove:
    return RankedMove(board=Board(board), **fields)


def line(board: list[int], rules: str, line: list[dict[str, Any]], **fields: Any) -> Line:
    fields.pop("missing", None)
    moves = tuple(move(**step) for step in line)
    return Line(board=Board(board), rules=Ruleset(rules), line=moves, **fields)


def turn(board: list[int], **fields: Any) -> Turn:
    return Turn(board=Board(board), **fields)


def outcome(stores: dict[str, int], **fields: Any) -> Outcome:
    return Outcome(stores=Stores(**stores), **fields)


def search_report(lines: list[dict[str, Any]], **fields: Any) -> SearchReport:
    return SearchReport(lines=[SearchLine(**line) for line in lines], **fields)


def review(
    rules: str,
    moves: list[dict[str, Any]],
    players: dict[Player, dict[str, Any]],
    result: Optional[dict[str, int]],
    **fields: Any,
) -> Review:
    return Review(
        rules=Ruleset(rules),
        moves=[ReviewedMove(**move) for move in moves],
        players={player: PlayerReview(**one) for player, one in players.items()},
        result=None if result is None else Stores(**result),
        **fields,
    )
