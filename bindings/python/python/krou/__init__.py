"""Exact endgame tables for oware (awari, abapa, awale, mancala).

- ``Tablebase``: what any board of a solved layer is worth, and which moves are best;
- ``build``: solves layers and writes their tables;
- ``legal_moves``, ``play``, ``Board``, ``Ruleset``: the rules, without any tables;
- ``legal_mask``, ``play_many``, ``Tablebase.moves_many``: the same for arrays of boards;
- ``Game``, ``Engine``, ``review``: whole games;
- ``evaluate``: how right the moves of another player are;
- ``krou.errors``: the exceptions.

>>> import krou
>>> tables = krou.Tablebase()
>>> tables.probe("0 1 1 0 2 2 / 0 1 0 1 1 0").value
-5
"""

from ._krou import (
    Board,
    Engine,
    Game,
    LayerChunks,
    Ruleset,
    Tablebase,
    __version__,
    board_at,
    build,
    index_of,
    layer_size,
    legal_mask,
    legal_moves,
    play,
    play_many,
    review,
)
from ._evaluate import Evaluation, evaluate
from ._results import (
    BuildEvent,
    Layer,
    Line,
    Move,
    MoveValues,
    Next,
    Outcome,
    Played,
    PlayerReview,
    ProbeResult,
    ProbeResults,
    RankedMove,
    Review,
    ReviewedMove,
    SearchLine,
    SearchReport,
    Stores,
    Turn,
)
from .errors import (
    BoardError,
    FolderBusyError,
    FolderError,
    GameError,
    IllegalMove,
    KrouError,
    MemoryLimitError,
    MissingFolder,
    MissingTable,
    RulesetError,
    SolveError,
    TableError,
)

__all__ = [
    "Board",
    "BoardError",
    "BuildEvent",
    "Engine",
    "Evaluation",
    "FolderBusyError",
    "FolderError",
    "Game",
    "GameError",
    "IllegalMove",
    "KrouError",
    "Layer",
    "LayerChunks",
    "Line",
    "MemoryLimitError",
    "MissingFolder",
    "MissingTable",
    "Move",
    "MoveValues",
    "Next",
    "Outcome",
    "Played",
    "PlayerReview",
    "ProbeResult",
    "ProbeResults",
    "RankedMove",
    "Review",
    "ReviewedMove",
    "Ruleset",
    "RulesetError",
    "SearchLine",
    "SearchReport",
    "SolveError",
    "Stores",
    "TableError",
    "Tablebase",
    "Turn",
    "__version__",
    "board_at",
    "build",
    "evaluate",
    "index_of",
    "layer_size",
    "legal_mask",
    "legal_moves",
    "play",
    "play_many",
    "review",
]
