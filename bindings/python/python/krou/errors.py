"""The exceptions of krou.

Each message is one sentence that says what is wrong and where. Where Python has a class
for such an error, krou's class is also one of these::

    KrouError
        BoardError          also ValueError
        RulesetError        also ValueError
        IllegalMove         also ValueError
        GameError           also ValueError
        MissingTable        also LookupError
        TableError
        FolderError         also OSError
            MissingFolder   also FileNotFoundError
            FolderBusyError
        MemoryLimitError
        SolveError
"""

__all__ = [
    "BoardError",
    "FolderBusyError",
    "FolderError",
    "GameError",
    "IllegalMove",
    "KrouError",
    "MemoryLimitError",
    "MissingFolder",
    "MissingTable",
    "RulesetError",
    "SolveError",
    "TableError",
]


class KrouError(Exception):
    """The base of all exceptions of krou."""


class BoardError(KrouError, ValueError):
    """Something that should be a board is none."""


class RulesetError(KrouError, ValueError):
    """There is no such ruleset or choice."""


class IllegalMove(KrouError, ValueError):
    """A move that may not be played, or a game that is over."""


class GameError(KrouError, ValueError):
    """A text cannot be read as a game, or a game not written as text."""


class MissingTable(KrouError, LookupError):
    """A table that is needed is not there."""

    rules: str
    """The ruleset."""
    seeds: int
    """The layer."""
    kind: str
    """The kind of table: ``"value"``, ``"distance"`` or ``"bounds"``."""


class TableError(KrouError):
    """A table is damaged, or cannot be read or written."""

    file: str
    """The path of the table."""


class FolderError(KrouError, OSError):
    """A folder cannot be used for tables."""


class MissingFolder(FolderError, FileNotFoundError):
    """A folder of tables does not exist, or is not a folder."""


class FolderBusyError(FolderError):
    """Another build is at work in the folder."""


class MemoryLimitError(KrouError):
    """The memory limit is too low."""


class SolveError(KrouError):
    """A layer cannot be solved: a spill file or a checkpoint cannot be used."""
