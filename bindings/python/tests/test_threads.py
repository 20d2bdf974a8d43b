"""Objects that threads and processes share."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import krou

LAYER = krou.Tablebase().layer(8)


def test_threads_share_a_tablebase(tables: krou.Tablebase) -> None:
    def probe(thread: int) -> bool:
        rows = np.random.default_rng(thread).integers(0, len(LAYER), 300)
        one_by_one = [tables.probe(LAYER.boards[row]).value for row in rows]
        at_once = tables.probe_many(LAYER.boards[rows])
        right = LAYER.value[rows]
        best = [tables.moves(LAYER.boards[row]) for row in rows[:50]]
        return (
            one_by_one == right.tolist()
            and (at_once.value == right).all()
            and all(not m or m[0].value == value for m, value in zip(best, right))
        )

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(probe, range(16)))


def test_other_threads_run_during_probe_many(tables: krou.Tablebase) -> None:
    boards = np.tile(LAYER.boards, (8, 1))
    ran = threading.Event()
    counted = 0

    def count() -> None:
        nonlocal counted
        while not ran.is_set():
            counted += 1

    other = threading.Thread(target=count)
    other.start()
    before = counted
    found = tables.probe_many(boards)
    during = counted - before
    ran.set()
    other.join()
    assert found.known.all() and during > 0


def test_threads_play_one_game() -> None:
    game = krou.Game("abapa")

    def play(thread: int) -> int:
        played = 0
        for _ in range(50):
            for move in game.legal_moves():
                try:
                    game.play(move.pit)
                    played += 1
                    break
                except krou.IllegalMove:
                    continue
        return played

    with ThreadPoolExecutor(4) as threads:
        played = sum(threads.map(play, range(4)))
    assert len(game.turns) == played
    assert krou.Game.from_ogn(game.to_ogn()).position == game.position


def test_searches_with_one_engine_wait_for_one_another() -> None:
    engine = krou.Engine("abapa", hash_mib=4)
    with ThreadPoolExecutor(3) as threads:
        reports = list(threads.map(lambda _: engine.search(krou.Board.START, depth=5), range(6)))
    assert all(report is not None and report.depth == 5 for report in reports)


def test_another_thread_stops_a_search() -> None:
    engine = krou.Engine("abapa", hash_mib=4)
    engine.stop()
    reports: list[krou.SearchReport] = []

    def stop_soon(report: krou.SearchReport) -> None:
        reports.append(report)
        if len(reports) == 3:
            threading.Thread(target=engine.stop).start()

    report = engine.search(krou.Game("abapa"), time=float("inf"), progress=stop_soon)
    assert report is not None and not report.exact and report.depth >= 1


def probe_in_child(_: int) -> list[int]:
    found = krou.Tablebase().probe_many(LAYER.boards[:1000])
    values: list[int] = found.value.tolist()
    return values


@pytest.mark.skipif(not hasattr(os, "fork") or sys.platform == "darwin", reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_forked_processes_probe_arrays(tables: krou.Tablebase) -> None:
    # The parent's threads exist, and are not in the child.
    tables.probe_many(LAYER.boards[:1000])
    with multiprocessing.get_context("fork").Pool(2) as children:
        answers = children.map_async(probe_in_child, range(4)).get(timeout=60)
    assert answers == [LAYER.value[:1000].tolist()] * 4


def test_worker_processes_send_results(tables: krou.Tablebase) -> None:
    boards = [krou.Board(row) for row in LAYER.boards[:40]]
    with multiprocessing.get_context("spawn").Pool(2) as children:
        assert children.map(tables.probe, boards) == [*map(tables.probe, boards)]
        assert children.map(tables.moves, boards) == [*map(tables.moves, boards)]
        assert children.map(krou.legal_moves, boards) == [*map(krou.legal_moves, boards)]
        layers = children.map(tables.layer, [2, 3])
        found = children.map(tables.probe_many, [layer.boards for layer in layers])
    assert all((a.value == b.value).all() for a, b in zip(layers, found))
