# SPDX-License-Identifier: Apache-2.0
"""HTTP/2 frame by frame (RFC 9113, RFC 7541): what is sent, and what must come back. Every check is one line and
passes on both ports, with TLS and without."""
import os
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from wire import (CONTINUATION, DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, HEALTH, NO_MESSAGE, PADDED,  # noqa: E402
                  PAWL, PING, PREFACE, PRIORITY, PUSH, RST, SETTINGS, WINDOW, Server, frame, greet, header, number)

NO_ERROR, PROTOCOL, INTERNAL, FLOW, TIMEOUT, STREAM_CLOSED, SIZE, REFUSED, CANCEL, COMPRESSION, _, CALM = range(12)
ACK, PRIORITY_FLAG = 1, 0x20
ENDED = END_STREAM | END_HEADERS


# --- what must come back


def goaway(*codes):
    return ("goaway", *codes)


def reset(*codes):
    return ("reset", *codes)


def answered(status):
    return ("status", status)


CLOSED = ("closed",)
PONG = ("pong",)  # it lives: a ping that is sent at the end comes back


# --- what is sent


def request(*more, method="GET", path="/health/live", authority="localhost", scheme="http"):
    return b"".join(header(*pair) for pair in [
        (":method", method), (":scheme", scheme), (":path", path), (":authority", authority), *more])


def get(*more, stream=1, **named):
    return frame(HEADERS, ENDED, stream, request(*more, **named))


def post(*more, stream=1, path="/v2/signals/broadcast", **named):
    """Without its end: data follows."""
    return frame(HEADERS, END_HEADERS, stream,
                 request(("content-type", "application/json"), *more, method="POST", path=path, **named))


def raw(*pairs, flags=ENDED, stream=1):
    return frame(HEADERS, flags, stream, b"".join(header(*pair) for pair in pairs))


def setting(name, value):
    return frame(SETTINGS, 0, 0, struct.pack(">HI", name, value))


def window(more, stream=0):
    return frame(WINDOW, 0, stream, struct.pack(">I", more))


def streams(count, each):
    return b"".join(each(2 * i + 1) for i in range(count))


PLAIN = [(":method", "GET"), (":scheme", "http"), (":path", "/health/live"), (":authority", "localhost")]
GET, POST, PINGED = get(), post(), frame(PING, 0, 0, b"whatever")
LAST = frame(PING, 0, 0, b"the last")
JSON = b'{"signalName":"s"}'
LONG = header("x-long", "y" * 9_000)

CHECKS = [
    # --- the preface
    ("no settings, but a ping", PREFACE + PINGED, goaway(PROTOCOL)),
    ("no settings, but a request", PREFACE + GET, goaway(PROTOCOL)),
    ("settings cut by the end", PREFACE + frame(SETTINGS, 0, 0, bytes(5)), goaway(SIZE)),
    # --- SETTINGS
    ("settings on a stream", greet(frame(SETTINGS, 0, 1)), goaway(PROTOCOL)),
    ("settings of 7 bytes", greet(frame(SETTINGS, 0, 0, bytes(7))), goaway(SIZE)),
    ("an acknowledgement with bytes", greet(frame(SETTINGS, ACK, 0, bytes(6))), goaway(SIZE)),
    ("push is neither on nor off", greet(setting(2, 2)), goaway(PROTOCOL)),
    ("a window of 2^31", greet(setting(4, 1 << 31)), goaway(FLOW)),
    ("frames that are too small", greet(setting(5, 16_383)), goaway(PROTOCOL)),
    ("frames that are too large", greet(setting(5, 1 << 24)), goaway(PROTOCOL)),
    ("33 settings in one frame", greet(frame(SETTINGS, 0, 0, struct.pack(">HI", 3, 100) * 33)), goaway(CALM, PROTOCOL)),
    ("a setting that nobody knows", greet(setting(0x7F, 1)), PONG),
    ("a table of 0 bytes", greet(setting(1, 0), GET), answered(200)),
    # --- PING
    ("a ping on a stream", greet(frame(PING, 0, 1, bytes(8))), goaway(PROTOCOL)),
    ("a ping of 7 bytes", greet(frame(PING, 0, 0, bytes(7))), goaway(SIZE)),
    ("an answer that nobody asked for", greet(frame(PING, ACK, 0, bytes(8))), PONG),
    # --- GOAWAY
    ("goaway on a stream", greet(frame(GOAWAY, 0, 1, bytes(8))), goaway(PROTOCOL)),
    ("goaway of 4 bytes", greet(frame(GOAWAY, 0, 0, bytes(4))), goaway(SIZE)),
    ("goaway after a request", greet(GET, frame(GOAWAY, 0, 0, bytes(8))), answered(200)),
    # --- PRIORITY
    ("priority of stream 0", greet(frame(PRIORITY, 0, 0, bytes(5))), goaway(PROTOCOL)),
    ("priority of 4 bytes", greet(frame(PRIORITY, 0, 3, bytes(4))), goaway(SIZE), reset(SIZE)),
    ("priority of a stream to come", greet(frame(PRIORITY, 0, 5, bytes(5)), GET), answered(200)),
    # --- RST_STREAM
    ("a reset of stream 0", greet(frame(RST, 0, 0, bytes(4))), goaway(PROTOCOL)),
    ("a reset of a stream to come", greet(frame(RST, 0, 9, bytes(4))), goaway(PROTOCOL)),
    ("a reset of 3 bytes", greet(POST, frame(RST, 0, 1, bytes(3))), goaway(SIZE)),
    # --- PUSH_PROMISE
    ("a promise of a client", greet(GET, frame(PUSH, END_HEADERS, 1, b"\0\0\0\2" + HEALTH)), goaway(PROTOCOL)),
    # --- WINDOW_UPDATE
    ("nothing more for the connection", greet(window(0)), goaway(PROTOCOL)),
    ("nothing more for a stream", greet(POST, window(0, 1)), reset(PROTOCOL), goaway(PROTOCOL)),
    ("a window that overflows", greet(window(0x7FFFFFFF)), goaway(FLOW)),
    ("the window of a stream overflows", greet(POST, window(0x7FFFFFFF, 1)), reset(FLOW)),
    ("a window of 3 bytes", greet(frame(WINDOW, 0, 0, bytes(3))), goaway(SIZE)),
    ("a window of a stream to come", greet(window(1, 7)), goaway(PROTOCOL)),
    # --- DATA
    ("data on stream 0", greet(frame(DATA, 0, 0, b"x")), goaway(PROTOCOL)),
    ("data on a stream to come", greet(frame(DATA, 0, 1, b"x")), goaway(PROTOCOL, STREAM_CLOSED)),
    ("data after the end", greet(get(path="/v2/x"), frame(DATA, 0, 1, b"x")), goaway(STREAM_CLOSED), reset(STREAM_CLOSED)),
    ("data after a reset", greet(POST, frame(RST, 0, 1, bytes(4)), frame(DATA, 0, 1, b"x"), get(stream=3)),
     goaway(STREAM_CLOSED), answered(200)),
    ("padding beyond the frame", greet(POST, frame(DATA, PADDED, 1, b"\x09abc")), goaway(PROTOCOL)),
    ("a frame of 16385 bytes", greet(POST, frame(DATA, 0, 1, bytes(16_385))), goaway(SIZE), reset(SIZE)),
    ("less than was announced", greet(post(("content-length", "9")), frame(DATA, END_STREAM, 1, b"x")), reset(PROTOCOL)),
    ("more than was announced", greet(post(("content-length", "1")), frame(DATA, END_STREAM, 1, b"xyz")),
     reset(PROTOCOL)),
    ("data with padding", greet(post(("content-length", "18")), frame(DATA, PADDED | END_STREAM, 1, b"\4" + JSON + bytes(4))),
     answered(200)),
    # --- HEADERS
    ("headers on stream 0", greet(frame(HEADERS, ENDED, 0, request())), goaway(PROTOCOL)),
    ("headers on an even stream", greet(get(stream=2)), goaway(PROTOCOL)),
    ("an older stream", greet(get(stream=5), get(stream=3)), goaway(PROTOCOL, STREAM_CLOSED), PONG),
    ("headers after the end", greet(POST, frame(DATA, END_STREAM, 1, b""), frame(HEADERS, ENDED, 1, request())),
     goaway(STREAM_CLOSED, PROTOCOL), reset(STREAM_CLOSED)),
    ("padded beyond the frame", greet(frame(HEADERS, ENDED | PADDED, 1, b"\xf0" + request())), goaway(PROTOCOL)),
    ("headers with priority", greet(frame(HEADERS, ENDED | PRIORITY_FLAG, 1, bytes(5) + request())), answered(200)),
    ("headers with padding", greet(frame(HEADERS, ENDED | PADDED, 1, b"\3" + request() + bytes(3))), answered(200)),
    ("priority that is cut short", greet(frame(HEADERS, ENDED | PRIORITY_FLAG, 1, bytes(3))), goaway(SIZE, PROTOCOL)),
    # --- the fields of a request
    ("a name in large letters", greet(raw(*PLAIN, ("X-Large", "1"))), reset(PROTOCOL)),
    ("a name with a space", greet(raw(*PLAIN, ("x y", "1"))), reset(PROTOCOL)),
    ("a value with a new line", greet(raw(*PLAIN, ("x", "a\r\nb: c"))), reset(PROTOCOL)),
    ("connection", greet(raw(*PLAIN, ("connection", "keep-alive"))), reset(PROTOCOL)),
    ("transfer-encoding", greet(raw(*PLAIN, ("transfer-encoding", "chunked"))), reset(PROTOCOL)),
    ("upgrade", greet(raw(*PLAIN, ("upgrade", "h2c"))), reset(PROTOCOL)),
    ("te that is not trailers", greet(raw(*PLAIN, ("te", "gzip"))), reset(PROTOCOL)),
    ("a pseudo-field after a field", greet(raw(*PLAIN[:3], ("x", "1"), PLAIN[3])), reset(PROTOCOL)),
    ("a pseudo-field that nobody knows", greet(raw(*PLAIN, (":colour", "blue"))), reset(PROTOCOL)),
    ("the pseudo-field of an answer", greet(raw(*PLAIN, (":status", "200"))), reset(PROTOCOL)),
    ("no method", greet(raw(*PLAIN[1:])), reset(PROTOCOL)),
    ("no scheme", greet(raw(PLAIN[0], *PLAIN[2:])), reset(PROTOCOL)),
    ("no path", greet(raw(*PLAIN[:2], PLAIN[3])), reset(PROTOCOL)),
    ("two paths", greet(raw(*PLAIN, (":path", "/other"))), reset(PROTOCOL)),
    ("an empty path", greet(get(path="")), reset(PROTOCOL)),
    ("a path without a slash", greet(get(path="health")), reset(PROTOCOL)),
    ("two lengths", greet(raw(*PLAIN, ("content-length", "1"), ("content-length", "2"))), reset(PROTOCOL)),
    ("pseudo-fields as trailers", greet(POST, frame(HEADERS, ENDED, 1, header(":path", "/"))), reset(PROTOCOL)),
    ("trailers without an end", greet(POST, frame(HEADERS, END_HEADERS, 1, header("x", "1"))), reset(PROTOCOL),
     goaway(PROTOCOL)),
    ("trailers", greet(POST, frame(DATA, 0, 1, JSON), frame(HEADERS, ENDED, 1, header("x", "1"))), answered(200)),
    # --- HPACK
    ("an index that is not there", greet(frame(HEADERS, ENDED, 1, b"\xfe\xff\xff\xff\x0f")), goaway(COMPRESSION)),
    ("index 0", greet(frame(HEADERS, ENDED, 1, b"\x80")), goaway(COMPRESSION)),
    ("a number without end", greet(frame(HEADERS, ENDED, 1, b"\x7f" + b"\xff" * 30)), goaway(COMPRESSION)),
    ("a text that is cut short", greet(frame(HEADERS, ENDED, 1, b"\0\x7f\x10abc")), goaway(COMPRESSION)),
    ("Huffman with a wrong end", greet(frame(HEADERS, ENDED, 1, b"\0\x81\x00\x01a")), goaway(COMPRESSION)),
    ("a table that is too large", greet(frame(HEADERS, ENDED, 1, b"\x3f\xff\xff\x03" + request())), goaway(COMPRESSION)),
    ("a table that changes at the end", greet(frame(HEADERS, ENDED, 1, request() + b"\x20")), goaway(COMPRESSION)),
    # --- CONTINUATION
    ("continued on stream 0", greet(frame(HEADERS, END_STREAM, 1, request()), frame(CONTINUATION, END_HEADERS, 0)),
     goaway(PROTOCOL)),
    ("continued without a beginning", greet(frame(CONTINUATION, END_HEADERS, 1, request())), goaway(PROTOCOL)),
    ("continued after the end", greet(POST, frame(CONTINUATION, END_HEADERS, 1)), goaway(PROTOCOL)),
    ("continued on another stream", greet(frame(HEADERS, END_STREAM, 1, request()), frame(CONTINUATION, END_HEADERS, 3)),
     goaway(PROTOCOL)),
    ("a ping in between", greet(frame(HEADERS, END_STREAM, 1, request()), PINGED), goaway(PROTOCOL)),
    ("data in between", greet(frame(HEADERS, 0, 1, request()), frame(DATA, 0, 1)), goaway(PROTOCOL)),
    ("headers in three pieces", greet(frame(HEADERS, END_STREAM, 1, request()[:20]), frame(CONTINUATION, 0, 1, request()[20:30]),
                                      frame(CONTINUATION, END_HEADERS, 1, request()[30:])), answered(200)),
    # --- what must be ignored
    ("a frame that nobody knows", greet(frame(0xAB, 0xFF, 0, bytes(100)), GET), answered(200)),
    ("flags that nobody knows", greet(frame(PING, 0xFE, 0, bytes(8)), GET), answered(200)),
    ("the reserved bit", greet(frame(HEADERS, ENDED, 0x80000001, request())), answered(200)),
    # --- requests, and who may come in
    ("a request", greet(GET), answered(200)),
    ("a body", greet(POST, frame(DATA, END_STREAM, 1, JSON)), answered(200)),
    ("a call of gRPC", greet(frame(HEADERS, END_HEADERS, 1, HEALTH), frame(DATA, END_STREAM, 1, NO_MESSAGE)), answered(200)),
    ("a path that is not there", greet(get(path="/nowhere")), answered(404)),
    ("a method that is not there", greet(get(method="TRACE", path="/v2/topology")), answered(405)),
    ("C1: a host that is not ours", greet(get(authority="evil.example:8080")), answered(421)),
    ("C1: a page of another site", greet(post(("origin", "http://evil.example"))), answered(403)),
    ("C1: a site that is not ours", greet(post(("sec-fetch-site", "cross-site"))), answered(403)),
    ("C1: a page of ours", greet(post(("origin", "http://localhost"), ("sec-fetch-site", "same-origin")),
                                 frame(DATA, END_STREAM, 1, JSON)), answered(200)),
    ("C1: a body that does not say what it is", greet(frame(HEADERS, END_HEADERS, 1, request(
        method="POST", path="/v2/signals/broadcast")), frame(DATA, END_STREAM, 1, JSON)), answered(415)),
    ("C7: a body for health", greet(frame(HEADERS, END_HEADERS, 1, request(method="POST"))), answered(413)),
    # --- limits
    ("headers of 18 KB", greet(frame(HEADERS, END_STREAM, 1, request() + LONG), frame(CONTINUATION, END_HEADERS, 1, LONG)),
     answered(431)),
    ("a body of 5 MB", greet(POST, *[frame(DATA, 0, 1, bytes(16_384))] * 320), answered(413)),
    ("a window of nothing is respected", greet(setting(4, 0), GET), ("status without data", 200)),
    ("10,001 requests that never end", greet(streams(10_001, lambda i: post(stream=i))), reset(REFUSED)),
    ("9 continuations", greet(frame(HEADERS, END_STREAM, 1, request()), *[frame(CONTINUATION, 0, 1)] * 9), goaway(CALM)),
    ("2,000 requests that are taken back", greet(streams(2_000, lambda i: post(stream=i) + frame(RST, 0, i, bytes(4)))),
     goaway(CALM)),
    ("3,000 requests with a mistake", greet(streams(3_000, lambda i: raw(*PLAIN, ("X", "1"), stream=i))), goaway(CALM)),
    ("pings", greet(PINGED * 30_000), goaway(CALM)),
    ("settings", greet(frame(SETTINGS) * 1_500), goaway(CALM)),
    ("empty data", greet(POST, frame(DATA, 0, 1) * 30_000), goaway(CALM)),
    ("priorities", greet(frame(PRIORITY, 0, 3, bytes(5)) * 30_000), goaway(CALM)),
    ("windows", greet(window(1) * 30_000), goaway(CALM)),
    ("goaways", greet(frame(GOAWAY, 0, 0, bytes(8)) * 30_000), goaway(CALM), CLOSED),
    ("frames that nobody knows", greet(frame(0xAB, 0, 0) * 30_000), goaway(CALM)),
]

DIGITS = {"00000": "0", "00001": "1", "00010": "2", "011001": "3", "011010": "4", "011011": "5", "011100": "6",
          "011101": "7", "011110": "8", "011111": "9"}


def status_of(block):
    """The first field of an answer is its status: a well-known one, or three digits as HPACK writes them."""
    while block[0] & 0xE0 == 0x20:  # the size of the table
        block = block[1:]
    known = {0x88: 200, 0x89: 204, 0x8A: 206, 0x8B: 304, 0x8C: 400, 0x8D: 404, 0x8E: 500}
    if block[0] in known:
        return known[block[0]]
    text = block[2:2 + (block[1] & 0x7F)]
    if not block[1] & 0x80:
        return int(text)
    bits, digits = "".join(f"{byte:08b}" for byte in text), ""
    while len(digits) < 3:
        width = 5 if bits[:5] in DIGITS else 6
        digits, bits = digits + DIGITS[bits[:width]], bits[width:]
    return int(digits)


class Talk:
    """What came back over one connection."""

    def __init__(self, connection):
        self.connection, self.got, self.status, self.data = connection, b"", None, b""

    def frame(self):
        """(type, flags, stream, payload), or nothing: it was closed."""
        while len(self.got) < 9 or len(self.got) < 9 + int.from_bytes(self.got[:3], "big"):
            try:
                chunk = self.connection.recv(1 << 16)
            except (ConnectionError, ssl.SSLError):
                chunk = b""
            if not chunk:
                return None
            self.got += chunk
        size = int.from_bytes(self.got[:3], "big")
        one = self.got[3], self.got[4], int.from_bytes(self.got[5:9], "big"), self.got[9:9 + size]
        self.got = self.got[9 + size:]
        return one

    def outcome(self, expected):
        """The first thing that is of the kinds that are expected, or the end."""
        kinds = {one[0] for one in expected}
        while one := self.frame():
            kind, flags, stream, payload = one
            if kind == GOAWAY:
                return "goaway", int.from_bytes(payload[4:8], "big")
            if kind == RST and ("reset" in kinds or "pong" in kinds):
                return "reset", int.from_bytes(payload, "big")
            if kind == HEADERS and self.status is None:
                self.status = status_of(payload)
                if "status" in kinds:
                    return "status", self.status
                self.connection.sendall(LAST)
            if kind == DATA:
                self.data += payload
            if kind == PING and flags & ACK and payload == LAST[9:] and "status without data" in kinds:
                return "status without data" if not self.data else "data", self.status
            if kind == PING and flags & ACK and payload == LAST[9:] and "pong" in kinds:
                return "pong", None
        return "closed", None


def matches(outcome, expected):
    return any(outcome[0] == one[0] and (len(one) == 1 or outcome[1] in one[1:]) for one in expected)


class Frames(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cert, key = (os.path.join(cls.folder.name, name) for name in ("cert.pem", "key.pem"))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-keyout", key, "-out", cert, "-days", "2", "-subj", "/CN=localhost"],
                       check=True, capture_output=True)
        cls.servers = {False: Server(), True: Server("--tls-cert", cert, "--tls-key", key)}

    @classmethod
    def tearDownClass(cls):
        for server in cls.servers.values():
            code, said = server.stop()
            assert code == 0, said[-5000:]
            for sign in ("Sanitizer", "runtime error", "terminate called"):
                assert sign not in said, said[-5000:]
        cls.folder.cleanup()

    def connect(self, port, tls, protocols=("h2",)):
        connection = socket.create_connection(("127.0.0.1", port), timeout=20)
        if not tls:
            return connection
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols(list(protocols))
        return context.wrap_socket(connection)

    def check(self, port, tls, sent, expected):
        with self.connect(port, tls) as connection:
            if tls:
                self.assertEqual(connection.selected_alpn_protocol(), "h2")
            try:
                connection.sendall(sent)
                if PONG in expected:
                    connection.sendall(LAST)
            except (ConnectionError, ssl.SSLError):
                pass
            outcome = Talk(connection).outcome(expected)
            self.assertTrue(matches(outcome, expected), f"expected {expected}, but got {outcome}")

    def all_on(self, tls, name):
        port = getattr(self.servers[tls], name)
        for title, sent, *expected in CHECKS:
            with self.subTest(title):
                self.check(port, tls, sent, expected)
        with self.subTest("it still serves"):
            self.check(port, tls, greet(GET), [answered(200)])

    def test_there_are_enough(self):
        self.assertGreaterEqual(len(CHECKS), 40)
        self.assertEqual(len({title for title, *_ in CHECKS}), len(CHECKS))

    def test_on_the_port_of_grpc(self):
        self.all_on(False, "grpc")

    def test_on_the_port_of_rest(self):
        self.all_on(False, "http")

    def test_on_the_port_of_grpc_with_tls(self):
        self.all_on(True, "grpc")

    def test_on_the_port_of_rest_with_tls(self):
        self.all_on(True, "http")

    def test_C2_clients_that_know_only_http1_are_served_with_tls_too(self):
        for protocols in (("http/1.1",), ("h2", "http/1.1")):
            for port in (self.servers[True].grpc, self.servers[True].http):
                with self.connect(port, True, protocols) as connection:
                    self.assertEqual(connection.selected_alpn_protocol(), protocols[0])
                    if protocols[0] == "http/1.1":
                        connection.sendall(b"GET /health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n")
                        self.assertTrue(connection.recv(1000).startswith(b"HTTP/1.1 200 "))

    def test_C2_curl_reads_the_health_over_both_versions(self):
        for version in ("--http1.1", "--http2"):
            for nothing, port in (("/health/ready", self.servers[True].http), ("/health/ready", self.servers[True].grpc)):
                ran = subprocess.run(["curl", "-sk", version, "-w", "%{http_code} %{http_version}",
                                      f"https://localhost:{port}{nothing}"], capture_output=True, text=True, check=True)
                self.assertRegex(ran.stdout, r'UP.*200 ' + ("2" if version == "--http2" else "1.1"))


class Hosts(unittest.TestCase):
    """C1, as it was seen: any page could command a server on the same machine."""

    def ask(self, server, *headers, method="POST", path="/v2/signals/broadcast", body=JSON):
        lines = [f"{method} {path} HTTP/1.1", *headers, f"Content-Length: {len(body)}", "Connection: close", "", ""]
        with server.connect("\r\n".join(lines).encode() + body, port=server.http) as connection:
            return int(connection.recv(100).split()[1])

    def test_C1_only_who_asks_for_this_server_from_this_server_is_heard(self):
        server = Server("--host", "pawl.example.org", "--host", "pawl:8443,other")
        self.addCleanup(server.process.kill)
        json, ours = "Content-Type: application/json", "Host: localhost"
        rows = [
            (200, ours, json), (200, f"Host: 127.0.0.1:{server.http}", json), (200, "Host: [::1]:1", json),
            (200, "Host: pawl.example.org", json), (200, "Host: PAWL", json), (200, "Host: other:9", json),
            (200, ours, json, "Origin: http://localhost"), (200, ours, json, "Origin: https://pawl.example.org"),
            (200, ours, json, "Origin: https://pawl:8443"), (200, ours, json, "Sec-Fetch-Site: none"),
            (421, "Host: evil", json), (421, "Host: evil.example:80", json), (421, "Host: 192.0.2.1", json),
            (403, ours, json, "Origin: http://evil"), (403, ours, json, "Origin: null"),
            (403, ours, json, "Origin: http://localhost:3000"), (403, ours, json, "Origin: https://pawl"),
            (403, ours, json, "Sec-Fetch-Site: cross-site"), (403, ours, json, "Sec-Fetch-Site: same-site"),
            (415, ours), (415, ours, "Content-Type: text/plain"), (415, ours, "Content-Type:"),
        ]
        for status, *headers in rows:
            with self.subTest(headers):
                self.assertEqual(self.ask(server, *headers), status)
        backup = b'{"directory":"/nowhere"}'
        self.assertEqual(self.ask(server, "Host: evil", "Origin: http://evil", "Content-Type:", body=backup,
                                  path="/v2/pawl/backup"), 421)
        self.assertEqual(self.ask(server, ours, "Content-Type:", body=backup, path="/v2/pawl/backup"), 415)
        self.assertEqual(server.stop()[0], 0)

    def test_a_name_that_is_none_is_refused(self):
        for name in ("", "a b", "http://a", "a,,b"):
            with self.subTest(name):
                ran = subprocess.run([PAWL, "serve", "--host", name], capture_output=True, text=True, check=False)
                self.assertEqual(ran.returncode, 1)
                self.assertIn("--host", ran.stderr)


if __name__ == "__main__":
    unittest.main()
