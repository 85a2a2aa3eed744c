"""A server that keeps Jobs as the API of Kubernetes does, over TLS and for who shows the right token."""

from __future__ import annotations

import datetime
import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

NAMESPACE, TOKEN = "parlay", "token-of-the-worker"
PATH = f"/apis/batch/v1/namespaces/{NAMESPACE}/jobs"


class ClusterApi(ThreadingHTTPServer):
    """Create, get and delete of Jobs in one namespace; everything else is refused, as the role of the chart has it."""

    jobs: dict[str, dict[str, Any]]
    asked: list[str]

    def end(self, name: str, how: str) -> None:
        """Have a Job come to its end, ``Complete`` or ``Failed``, as its controller would."""
        self.jobs[name]["status"] = {"conditions": [{"type": how, "status": "True"}]}


class _Handler(BaseHTTPRequestHandler):
    server: ClusterApi

    def do_POST(self) -> None:
        job = self._body()
        name = job["metadata"]["name"]
        if not self._may(PATH):
            return
        if (
            job["apiVersion"] != "batch/v1"
            or job["kind"] != "Job"
            or job["metadata"]["namespace"] != NAMESPACE
        ):
            self._status(400, "BadRequest")
        elif name in self.server.jobs:
            self._status(409, "AlreadyExists")
        else:
            self.server.jobs[name] = job | {"status": {}}
            self._answer(201, self.server.jobs[name])

    def do_GET(self) -> None:
        self._one(delete=False)

    def do_DELETE(self) -> None:
        assert self._body() == {"propagationPolicy": "Background"}, "else its pod would live on"
        self._one(delete=True)

    def _one(self, *, delete: bool) -> None:
        folder, _, name = self.path.rpartition("/")
        if not self._may(PATH, folder):
            return
        if name not in self.server.jobs:
            self._status(404, "NotFound")
        else:
            self._answer(200, self.server.jobs.pop(name) if delete else self.server.jobs[name])

    def _may(self, path: str, asked: str = "") -> bool:
        self.server.asked.append(self.command)
        if self.headers["Authorization"] != f"Bearer {TOKEN}":
            self._status(401, "Unauthorized")
        elif (asked or self.path) != path:
            self._status(403, "Forbidden")
        else:
            return True
        return False

    def _body(self) -> Any:
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))

    def _status(self, code: int, reason: str) -> None:
        told = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason, "code": code}
        self._answer(code, told)

    def _answer(self, code: int, told: Any) -> None:
        content = json.dumps(told).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # its name in the standard library
        pass


@contextmanager
def cluster_api(account: Path) -> Iterator[ClusterApi]:
    """The server, and in ``account`` what a pod finds there: token, namespace, and whom to believe."""
    account.mkdir()
    key = account / "server.pem"
    _certify(key, account / "ca.crt")
    (account / "token").write_text(f"{TOKEN}\n")
    (account / "namespace").write_text(NAMESPACE)
    server = ClusterApi(("127.0.0.1", 0), _Handler)
    server.jobs, server.asked = {}, []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _certify(private: Path, public: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "cluster")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(minutes=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    shown = made.public_bytes(pem)
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    private.write_bytes(secret + shown)
    public.write_bytes(shown)
