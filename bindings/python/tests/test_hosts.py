"""Tables on a web host, and folders with tables of other rulesets."""

from __future__ import annotations

import hashlib
import json
import pickle
import threading
import warnings
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import krou


class Ranges(SimpleHTTPRequestHandler):
    """Serves ranges of files, which Python's server does not."""

    def do_GET(self) -> None:
        file = Path(self.translate_path(self.path))
        if not file.is_file():
            self.send_error(404)
            return
        whole = file.read_bytes()
        wanted = self.headers.get("Range")
        part = whole
        if wanted:
            first, last = map(int, wanted.removeprefix("bytes=").split("-"))
            part = whole[first : last + 1]
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(whole)}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def host(abapa: Path) -> Iterator[str]:
    tables = []
    for table in abapa.glob("*.krou"):
        content = table.read_bytes()
        sha256 = hashlib.sha256(content).hexdigest()
        tables.append({"name": table.name, "bytes": len(content), "sha256": sha256})
    index = abapa / "krou-index.json"
    index.write_text(json.dumps({"tables": tables}))
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Ranges, directory=str(abapa))) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
    index.unlink()


def test_a_host_answers_as_its_folder(host: str, abapa: Path, tmp_path: Path) -> None:
    here = krou.Tablebase("abapa", abapa, built_in=False)
    with krou.Tablebase("abapa", host, built_in=False) as there:
        assert there.layers == here.layers == list(range(8))
        boards = here.layer(7).boards[::500]
        found, expected = there.probe_many(boards), here.probe_many(boards)
        assert found.known.all() and (found.value == expected.value).all()
        assert (found.distance == expected.distance).all()
        assert there.moves(boards[3]) == here.moves(boards[3])
        with pytest.raises(krou.KrouError, match="another machine"):
            there.layer(7)
        for again in (pickle.loads(pickle.dumps(there)), krou.Tablebase("abapa", Path(host))):
            assert again.probe(boards[3]) == here.probe(boards[3])
    both = krou.Tablebase("abapa", [tmp_path, host])
    assert both.layers == list(range(10))


def test_plain_http_is_allowed_on_purpose_and_a_cache_kept(
    host: str, abapa: Path, tmp_path: Path
) -> None:
    # Of this machine, but by an address that does not say so.
    other = host.replace("127.0.0.1", "0.0.0.0")
    with pytest.raises(krou.TableError, match="not encrypted"):
        krou.Tablebase("abapa", other, built_in=False)
    cache = tmp_path / "cache"
    there = krou.Tablebase("abapa", other, built_in=False, insecure=True, cache=cache)
    board = "0 0 0 0 0 1 / 2 0 0 0 0 1"
    expected = krou.Tablebase("abapa", abapa, built_in=False).probe(board)
    assert there.probe(board) == expected
    assert any(file.is_file() for file in cache.rglob("*"))
    again = pickle.loads(pickle.dumps(there))
    assert again.probe(board) == expected


def test_hosts_without_tables_are_errors(host: str) -> None:
    for url, message in (
        (f"{host}nowhere/", "krou-index.json.*the host answers '404"),
        ("http://example.invalid/", "is not encrypted"),
        ("https://", "is not an address"),
    ):
        with pytest.raises(krou.TableError, match=message):
            krou.Tablebase("abapa", url)


def test_a_folder_of_another_ruleset_is_told(abapa: Path, tmp_path: Path) -> None:
    with pytest.warns(RuntimeWarning, match="has tables of abapa, and none of awale"):
        assert krou.Tablebase("awale", abapa).layers == []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        krou.Tablebase("abapa", [abapa, tmp_path])
