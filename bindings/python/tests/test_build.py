"""Builds: progress, and stopping without harm."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import krou

SEEDS = 13
"""A build that takes long enough to be stopped."""


def test_progress_tells_how_far_the_build_is(tmp_path: Path) -> None:
    events: list[krou.BuildEvent] = []
    krou.build(8, tmp_path, rules="abapa", distance=True, progress=events.append)
    kinds = {event.kind for event in events}
    assert {"phase", "sweep", "table", "done"} <= kinds
    assert {"values", "bounds", "distances", "packing"} <= {event.phase for event in events}
    assert [event.total for event in events] == [events[0].total] * len(events)
    done = [event.done for event in events]
    assert done == sorted(done) and done[-1] == events[0].total and events[-1].kind == "done"
    tables = [event for event in events if event.kind == "table"]
    assert len(tables) == 9 * 3
    for event in tables:
        assert event.file is not None
        assert (tmp_path / event.file).stat().st_size == event.bytes
    assert all(event.changes is not None for event in events if event.kind == "sweep")

    again: list[krou.BuildEvent] = []
    krou.build(8, tmp_path, rules="abapa", distance=True, progress=again.append)
    assert [event.kind for event in again] == ["present"] * 9 + ["done"]


def test_tqdm_follows_a_build(tmp_path: Path) -> None:
    tqdm = pytest.importorskip("tqdm")
    with tqdm.tqdm(disable=None, file=open(os.devnull, "w")) as bar:

        def show(event: krou.BuildEvent) -> None:
            bar.total = event.total
            bar.update(event.done - bar.n)

        krou.build(7, tmp_path, progress=show)
        assert bar.disable or bar.n == bar.total


class Enough(Exception):
    """Raised by a callback."""


def partial_files(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir() if not file.name.endswith(".krou")]


def test_an_exception_of_the_callback_stops_the_build(tmp_path: Path) -> None:
    def stop(event: krou.BuildEvent) -> None:
        if event.seeds == SEEDS and event.kind == "phase" and event.phase == "values":
            raise Enough

    started = time.monotonic()
    with pytest.raises(Enough):
        krou.build(SEEDS, tmp_path, progress=stop)
    stopped = time.monotonic() - started
    assert krou.Tablebase(paths=tmp_path, built_in=False).layers == list(range(SEEDS))
    assert partial_files(tmp_path) == []

    built: list[str] = []
    krou.build(
        SEEDS,
        tmp_path,
        progress=lambda event: built.append(event.file) if event.file else None,
    )
    assert built == [f"awari-{SEEDS}.value.krou"]
    print(f"stopped after {stopped:.2f} s")


def test_the_first_event_can_stop_the_build(tmp_path: Path) -> None:
    def stop(event: krou.BuildEvent) -> None:
        raise Enough

    with pytest.raises(Enough):
        krou.build(SEEDS, tmp_path, progress=stop)
    layers = krou.Tablebase(paths=tmp_path, built_in=False).layers
    assert layers == list(range(len(layers))) and len(layers) <= SEEDS
    assert partial_files(tmp_path) == []


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as on Unix")
def test_ctrl_c_stops_a_build_and_the_next_one_resumes(tmp_path: Path) -> None:
    script = (
        "import krou, sys\n"
        "def show(event):\n"
        f"    if event.seeds == {SEEDS}:\n"
        "        print('begun', flush=True)\n"
        "try:\n"
        f"    krou.build({SEEDS + 3}, sys.argv[1], distance=True, progress=show)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', flush=True)\n"
        "    sys.exit(7)\n"
    )
    build = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert build.stdout is not None
    assert build.stdout.readline() == "begun\n"
    build.send_signal(signal.SIGINT)
    interrupted = time.monotonic()
    out, err = build.communicate(timeout=60)
    print(f"ended {time.monotonic() - interrupted:.2f} s after Ctrl-C")
    assert (build.returncode, out.splitlines()[-1]) == (7, "interrupted"), err
    assert err == ""
    # Finished layers are whole, and nothing else is left.
    assert partial_files(tmp_path) == []
    layers = krou.Tablebase(paths=tmp_path, built_in=False).layers
    assert layers == list(range(len(layers))) and SEEDS <= len(layers) <= SEEDS + 3
    present: list[int] = []
    krou.build(
        SEEDS,
        tmp_path,
        distance=True,
        progress=lambda event: present.append(event.seeds) if event.kind == "present" else None,
    )
    assert present[:SEEDS] == list(range(SEEDS))
    assert krou.Tablebase(paths=tmp_path, built_in=False).layers[: SEEDS + 1] == list(range(SEEDS + 1))


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent as on Unix")
def test_ctrl_c_stops_a_search(tmp_path: Path) -> None:
    script = (
        "import krou, math, sys\n"
        "engine = krou.Engine('abapa', hash_mib=16)\n"
        "try:\n"
        "    engine.search(krou.Game('abapa'), time=math.inf,\n"
        "                  progress=lambda report: print('report', flush=True))\n"
        "except KeyboardInterrupt:\n"
        "    sys.exit(7)\n"
    )
    search = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert search.stdout is not None
    assert search.stdout.readline() == "report\n"
    search.send_signal(signal.SIGINT)
    _, err = search.communicate(timeout=60)
    assert (search.returncode, err) == (7, "")


def test_a_folder_that_is_being_built_is_busy(tmp_path: Path) -> None:
    busy: list[str] = []

    def build_again(event: krou.BuildEvent) -> None:
        if event.kind == "phase" and event.seeds == SEEDS and not busy:
            try:
                krou.build(SEEDS, tmp_path)
            except krou.FolderBusyError as error:
                busy.append(str(error))

    krou.build(SEEDS, tmp_path, progress=build_again)
    assert busy and str(tmp_path) in busy[0]


def test_memory_is_bytes_or_text(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    krou.build(9, whole, rules="abapa")
    for memory in (64 << 20, "64M", "64MiB"):
        folder = tmp_path / str(memory)
        krou.build(9, folder, rules="abapa", memory=memory, threads=1)
        for table in whole.iterdir():
            assert table.read_bytes() == (folder / table.name).read_bytes()


def test_checkpoints_are_resumed_from(tmp_path: Path) -> None:
    def stop(event: krou.BuildEvent) -> None:
        if event.seeds == SEEDS and event.phase == "values" and event.kind == "sweep":
            raise Enough

    with pytest.raises(Enough):
        krou.build(SEEDS, tmp_path, checkpoint=0, progress=stop)
    saved = [name for name in partial_files(tmp_path) if name.endswith(".checkpoint")]
    kinds: list[str] = []
    krou.build(SEEDS, tmp_path, progress=lambda event: kinds.append(event.kind))
    assert ("resumed" in kinds) == bool(saved)
    assert partial_files(tmp_path) == []
