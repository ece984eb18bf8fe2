"""A server of static files that serves ranges, on this machine, with what may go wrong."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Server(ThreadingHTTPServer):
    """Serves a folder. `asked` has what was asked for; `how` may spoil what is sent."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder = folder
        self.asked: list[str] = []
        self.how = "well"
        self.goes_on = threading.Event()

    def at(self, path: str) -> str:
        """Give the address of a file or folder."""
        return f"http://127.0.0.1:{self.server_address[1]}/{path}"


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Send a file, or a range of it."""
        assert isinstance(self.server, Server)
        path = self.path.split("?", 1)[0]
        self.server.asked.append(path)
        file = self.server.folder / path.lstrip("/")
        if self.server.how == "silent" and not path.endswith(".json"):
            self.server.goes_on.wait(60)
            self.close_connection = True
            return
        if self.server.how == "busy":
            self.send_error(500)
            return
        if not file.is_file():
            self.send_error(404)
            return
        sent = file.read_bytes()
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if asked:
            first, last = int(asked[1]), min(int(asked[2]), len(sent) - 1)
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(sent)}")
            sent = sent[first : last + 1]
        else:
            self.send_response(200)
        if self.server.how == "wrong" and not path.endswith(".json"):
            sent = bytes(byte ^ 0x55 for byte in sent)
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """Serve a folder meanwhile."""
    server = Server(folder)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.goes_on.set()
        server.shutdown()
        server.server_close()
        thread.join()
