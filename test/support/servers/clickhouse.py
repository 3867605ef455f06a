"""An HTTP interface in front of ClickHouse's engine: arguments are its folder, a user and a password.

It passes statements on as ClickHouse's own interface gets them: in `query`, with the rest in the body. The engine reads
the rows, stores them and answers.
"""

import base64
import gzip
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from chdb import session

folder, user, password = sys.argv[1:]
engine = session.Session(folder)
engine_lock = threading.Lock()
AUTHORIZATION = "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()
NOT_SETTINGS = {"query", "query_id", "database", "session_id", "role"}
"""Settings that this build lacks, or that belong to the connection."""
UNKNOWN = {"wait_end_of_query", "enable_http_compression", "send_progress_in_http_headers"}


def run(parameters, body):
    with engine_lock:
        if "database" in parameters:
            engine.query(f"USE {parameters['database']}")
        for name, value in parameters.items():
            if name not in NOT_SETTINGS | UNKNOWN:
                engine.query(f"SET {name} = {value}")
        statement = "\n".join(part for part in (parameters.get("query", ""), body.decode()) if part)
        return str(engine.query(statement))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, text):
        data = text.encode()
        self.send_response(status)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        self.answer(200, "Ok.\n")

    def do_POST(self):
        if self.headers.get("transfer-encoding") == "chunked":
            chunks = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                chunks.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            body = b"".join(chunks)
        else:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        if self.headers.get("authorization") != AUTHORIZATION:
            self.answer(403, "Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)")
            return
        parameters = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        try:
            self.answer(200, run(parameters, body))
        except Exception as error:
            self.answer(500, str(error))


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
