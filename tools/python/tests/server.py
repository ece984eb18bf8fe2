"""A server of static files on this machine. It supports ranges, and can simulate faults."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Server(ThreadingHTTPServer):
    """Serves a folder. `asked` lists the requests, and `how` names the fault to simulate."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder = folder
        self.asked: list[str] = []
        self.how = "well"
        self.goes_on = threading.Event()

    def at(self, path: str) -> str:
        """Return the address of a file or folder."""
        return f"http://127.0.0.1:{self.server_address[1]}/{path}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server  # pyright: ignore[reportIncompatibleVariableOverride]

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        self.server.asked.append(path)
        file = self.server.folder / path.lstrip("/")
        # Only the fault `busy` applies to descriptions of tables, too.
        how = "well" if path.endswith(".json") and self.server.how != "busy" else self.server.how
        if how == "silent":
            self.server.goes_on.wait(60)
            self.close_connection = True
        elif how == "busy" or not file.is_file():
            self.send_error(500 if how == "busy" else 404)
        else:
            self.send_part(file.read_bytes(), spoilt=how == "wrong")

    def send_part(self, data: bytes, spoilt: bool) -> None:
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        first, last = (int(asked[1]), int(asked[2])) if asked else (0, len(data) - 1)
        sent = data[first : last + 1]
        self.send_response(206 if asked else 200)
        if asked:
            end = first + len(sent) - 1
            self.send_header("Content-Range", f"bytes {first}-{end}/{len(data)}")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(bytes(byte ^ 0x55 for byte in sent) if spoilt else sent)


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """Serve a folder until the end of the `with` block."""
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
