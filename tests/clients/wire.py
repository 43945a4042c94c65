# SPDX-License-Identifier: Apache-2.0
"""A server under test, and HTTP/2 by hand: enough to say the wrong things to it."""
import os
import re
import signal
import socket
import struct
import subprocess
import tempfile

PAWL = os.environ.get("PAWL", os.path.join("build", "release", "pawl"))
SANITIZED = os.environ.get("PAWL_ASAN") == "ON"

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST, SETTINGS, PUSH, PING, GOAWAY, WINDOW, CONTINUATION = range(10)
END_STREAM, END_HEADERS, PADDED = 1, 4, 8


def frame(kind, flags=0, stream=0, payload=b"", length=None):
    size = len(payload) if length is None else length
    return struct.pack(">I", size)[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def number(value, bits):
    """An integer of HPACK after a prefix of so many bits."""
    most = (1 << bits) - 1
    if value < most:
        return bytes([value])
    out, value = [most], value - most
    while value >= 128:
        out.append(value % 128 + 128)
        value //= 128
    return bytes(out + [value])


def header(name, value):
    """Never indexed, never compressed."""
    name, value = name.encode(), value.encode() if isinstance(value, str) else value
    return b"\0" + number(len(name), 7) + name + number(len(value), 7) + value


def call(path, *more):
    return b"".join(header(*pair) for pair in [
        (":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "localhost"),
        ("content-type", "application/grpc"), ("te", "trailers"), *more])


HEALTH = call("/grpc.health.v1.Health/Check")
NO_MESSAGE = b"\0\0\0\0\0"
SERVING = b"\0\0\0\0\2\x08\1"


class Server:
    def __init__(self, *options):
        self.folder = tempfile.TemporaryDirectory()
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [PAWL, "serve", "--data", os.path.join(self.folder.name, "data"), "--grpc", "127.0.0.1:0",
             "--http", "127.0.0.1:0", *options], stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        ports = re.match(r"pawl is ready: gRPC on 127.0.0.1:(\d+), HTTP on 127.0.0.1:(\d+),", line)
        if not ports:
            raise RuntimeError(f"the server did not start: {line}{self.said()}")
        self.grpc, self.http = int(ports[1]), int(ports[2])

    def said(self):
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def megabytes(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024

    def stop(self):
        """Exit code and log."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(60)
        self.process.stdout.close()
        said = self.said()
        self.log.close()
        self.folder.cleanup()
        return code, said

    def connect(self, *chunks, port=None):
        """A connection that has sent this much; the server may have closed it meanwhile."""
        connection = socket.create_connection(("127.0.0.1", port or self.grpc), timeout=30)
        try:
            for chunk in chunks:
                connection.sendall(chunk)
        except (ConnectionError, socket.timeout):
            pass
        return connection


def greet(*frames):
    return PREFACE + frame(SETTINGS) + b"".join(frames)


def read_to_end(connection):
    """All that comes until the other side closes."""
    got = b""
    try:
        while chunk := connection.recv(65536):
            got += chunk
    except ConnectionError:
        pass
    return got


def answer(connection):
    """How the call on stream 1 ends ("closed": with its connection), and the data that came before."""
    got, data = b"", b""
    while True:
        while len(got) >= 9 and len(got) >= 9 + (size := int.from_bytes(got[:3], "big")):
            kind, flags, stream, payload = got[3], got[4], int.from_bytes(got[5:9], "big"), got[9:9 + size]
            got = got[9 + size:]
            if stream == 1 and kind == DATA:
                data += payload
            if stream == 1 and kind in (HEADERS, DATA) and flags & END_STREAM:
                return "answered", data
            if kind == GOAWAY or stream == 1 and kind == RST:
                return "refused", data
        try:
            chunk = connection.recv(65536)
        except ConnectionError:
            chunk = b""
        if not chunk:
            return "closed", data
        got += chunk


def is_serving(server):
    """Asks for its health as a client does."""
    with server.connect(greet(frame(HEADERS, END_HEADERS, 1, HEALTH),
                              frame(DATA, END_STREAM, 1, NO_MESSAGE))) as connection:
        return answer(connection) == ("answered", SERVING)
