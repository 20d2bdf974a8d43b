"""Tables that several tests share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import krou


@pytest.fixture(scope="session")
def abapa(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tables of abapa up to 7 seeds, with distances."""
    folder = tmp_path_factory.mktemp("abapa")
    krou.build(7, folder, rules="abapa", distance=True)
    return folder


@pytest.fixture(scope="session")
def tables() -> Iterator[krou.Tablebase]:
    """The tables inside krou."""
    yield krou.Tablebase()
