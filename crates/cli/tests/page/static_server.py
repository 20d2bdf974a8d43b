"""A server of plain files for `scripts/test-site` and `scripts/measure-loading`: as
`python3 -m http.server`, or as a host that compresses; it can be as slow as a weak line, and it
answers requests for ranges of tables."""

import gzip
import http.server
import pathlib
import re
import threading
import time
import urllib.parse

CHUNK = 1460  # bytes, about one packet
# What hosts compress: texts and modules, but nothing that is compressed.
COMPRESSED = (".html", ".js", ".css", ".svg", ".json", ".webmanifest", ".wasm")


class Line:
    """What all answers share: a rate in bytes a second, and a delay before each answer, in
    seconds. None and 0 are without limits."""

    def __init__(self, rate=None, delay=0):
        self.rate = rate
        self.delay = delay
        self.free = 0
        self.lock = threading.Lock()

    def take(self, size):
        """Waits until this many bytes have passed."""
        if self.rate is None:
            return
        with self.lock:
            self.free = max(self.free, time.monotonic()) + size / self.rate
            end = self.free
        time.sleep(max(0, end - time.monotonic()))


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        started = time.time()
        time.sleep(self.server.line.delay)
        held = self.server.held
        if held and urllib.parse.urlparse(self.path).path.endswith(held[0]):
            held[1].wait()
        path = pathlib.Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        body = path.read_bytes() if path.is_file() else b""
        changed = self.date_time_string(path.stat().st_mtime) if body else ""
        if changed and self.headers.get("If-Modified-Since") == changed:
            body, status = b"", 304
        else:
            status = 200 if changed else 404
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        ranged = wanted and status == 200 and not self.server.compresses
        if ranged:
            first, last, length, status = int(wanted[1]), int(wanted[2]), len(body), 206
            body = body[first:last + 1]
        self.send_response(status)
        if ranged:
            self.send_header("Content-Range", f"bytes {first}-{first + len(body) - 1}/{length}")
        if changed:
            self.send_header("Last-Modified", changed)
        self.send_header("Content-Type", self.guess_type(str(path)))
        if self.server.compresses:
            # As GitHub Pages.
            self.send_header("Cache-Control", "max-age=600")
            if path.suffix in COMPRESSED:
                body = gzip.compress(body, 6) if body else body
                self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        for start in range(0, len(body), CHUNK):
            part = body[start:start + CHUNK]
            self.server.line.take(len(part))
            self.wfile.write(part)
        self.server.requests.append((self.path, started, time.time(), len(body)))

    def log_message(self, *_):
        pass


class KeptAlive(Handler):
    protocol_version = "HTTP/1.1"


class StaticServer:
    """Serves a folder. `compresses` makes it a host such as GitHub Pages: gzip, and
    connections that are kept; otherwise it is `python3 -m http.server`.

    `requests` lists the answers in the order of their ends: the path, the times of start and
    end as seconds since the epoch, and the bytes of the body."""

    def __init__(self, folder, compresses=False, line=None):
        self.folder = str(folder)
        self.compresses = compresses
        self.line = line or Line()
        self.requests = []
        self.held = None
        self.port = 0
        self.start()

    def start(self):
        handler = KeptAlive if self.compresses else Handler
        folder = self.folder

        class InFolder(handler):
            def __init__(self, *arguments):
                super().__init__(*arguments, directory=folder)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), InFolder)
        self.server.compresses = self.compresses
        self.server.line = self.line
        self.server.requests = self.requests
        self.server.held = self.held
        self.server.daemon_threads = True
        # A browser that leaves a page ends its connections.
        self.server.handle_error = lambda *_: None
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def hold(self, name):
        """Answers no request for files of this name until `release`."""
        self.held = self.server.held = (name, threading.Event())

    def release(self):
        self.held[1].set()
        self.held = self.server.held = None

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
