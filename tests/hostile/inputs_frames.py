# SPDX-License-Identifier: Apache-2.0
"""Frames and requests: floods, and clients that hold much or take nothing. The connections stay open while the
other client is watched."""
import os
import socket
import sys

from harness import Input

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "clients"))
from wire import (CONTINUATION, DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, HEALTH, PING, PRIORITY,  # noqa: E402
                  RST, SETTINGS, WINDOW, call, frame, greet, header, number)

ENDED = END_HEADERS | END_STREAM
CALM = 11
NO_WINDOW = frame(SETTINGS, 0, 0, b"\0\4\0\0\0\0")
LARGE_ANSWER = b"".join(header(*pair) for pair in [
    (":method", "GET"), (":scheme", "http"), (":path", "/v2/openapi.json"), (":authority", "localhost")])

OPEN = []  # kept until the next input


def connect(port, sent):
    """Sends as much as the server takes within a second."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=1)
    OPEN.append(connection)
    try:
        connection.sendall(sent)
    except OSError:
        pass
    return connection


def told(connection):
    """The code of the GOAWAY that came, or how it ended otherwise."""
    got = b""
    try:
        while chunk := connection.recv(65536):
            got += chunk
            while len(got) >= 9 and len(got) >= 9 + (size := int.from_bytes(got[:3], "big")):
                if got[3] == GOAWAY:
                    return f"goaway {int.from_bytes(got[13:17], 'big')}"
                got = got[9 + size:]
    except OSError as error:
        return type(error).__name__
    return "closed"


def start_over():
    for connection in OPEN:
        connection.close()
    OPEN.clear()


def flood(*frames, connections=5):
    def attack(server):
        start_over()
        sent = greet(*frames)
        return " ".join(sorted({told(connect(port, sent)) for _ in range(connections)
                                for port in (server.grpc, server.http)}))
    return attack


def hold(sent, connections, port="grpc"):
    def attack(server):
        start_over()
        for _ in range(connections):
            connect(getattr(server, port), sent)
        status, _ = server.ask("GET", "/health/live")
        return f"health {status}"
    return attack


def each(count, make):
    return b"".join(make(2 * i + 1) for i in range(count))


def post(path, length):
    return (f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {length}\r\n\r\n").encode()


def poll(stream):
    """With a worker whose name has 4 MB, almost."""
    name = b"\x0a\x01t\x12" + b"\xf0\xff\xfd\x01" + b"w" * 4_161_520 + b"\x18\xe8\x07\x20\x01\x30\xe0\xd4\x03"
    message = b"\0" + len(name).to_bytes(4, "big") + name
    pieces = [message[at:at + 16_384] for at in range(0, len(message), 16_384)]
    return frame(HEADERS, END_HEADERS, stream, call("/gateway_protocol.Gateway/ActivateJobs")) + b"".join(
        frame(DATA, END_STREAM if piece is pieces[-1] else 0, stream, piece) for piece in pieces)


BEGUN = frame(HEADERS, END_HEADERS, 1, HEALTH)
NEVER_ENDS = greet(BEGUN, frame(DATA, 0, 1, b"\0\0\x3f\xff\xff"), *[frame(DATA, 0, 1, bytes(16_000))] * 200)
# Kept by the decoder under the number 62, for which one byte stands.
KEPT = b"\x40" + number(1, 7) + b"x" + number(3_900, 7) + b"y" * 3_900

FRAMES = [
    *(Input(f"flood: {name}", flood(*frames), rf"^goaway {CALM}$") for name, frames in [
        ("pings", [frame(PING, 0, 0, bytes(8)) * 60_000]),
        ("settings", [frame(SETTINGS) * 10_000]),
        ("priorities", [frame(PRIORITY, 0, 3, bytes(5)) * 60_000]),
        ("windows", [frame(WINDOW, 0, 0, b"\0\0\0\1") * 60_000]),
        ("empty data", [BEGUN, frame(DATA, 0, 1) * 60_000]),
        ("unknown frames", [frame(0xAB) * 60_000]),
        ("continuations", [frame(HEADERS, 0, 1, HEALTH), frame(CONTINUATION, 0, 1, header("x", "y" * 8_000)) * 100]),
        ("rapid reset", [each(20_000, lambda i: frame(HEADERS, END_HEADERS, i, HEALTH) + frame(RST, 0, i, bytes(4)))]),
        ("headers that expand", [frame(HEADERS, ENDED, 1, HEALTH + KEPT), each(50, lambda i: frame(
            HEADERS, ENDED, i + 2, HEALTH + b"\xbe" * 16_000))]),
        ("mistakes", [each(20_000, lambda i: frame(HEADERS, ENDED, i, header("X", "1")))]),
    ]),
    Input("held: 947 answers without a window", hold(greet(NO_WINDOW, each(947, lambda i: frame(
        HEADERS, ENDED, i, LARGE_ANSWER))), 20), "health 200"),
    Input("held: 200,000 requests without an end", hold(greet(each(10_000, lambda i: frame(
        HEADERS, END_HEADERS, i, HEALTH))), 20), "health 200", 5.0),
    Input("held: paths of 15 KB", hold(greet(each(5_000, lambda i: frame(
        HEADERS, END_HEADERS, i, call("/" + "x" * 15_000)))), 10), "health 200"),
    Input("held: messages of 3 MB that never end", hold(NEVER_ENDS, 400), "health 200"),
    Input("held: names of workers of 4 MB", hold(greet(each(5, poll)), 20), "health 200"),
    Input("held: bodies for health", hold(post("/health/x", 4_000_000) + bytes(1_000_000), 500, "http"), "health 200"),
    Input("held: bodies that never end", hold(post("/v2/signals/broadcast", 4_000_000) + bytes(3_000_000), 200, "http"),
          "health 200"),
    Input("held: connections that say nothing", hold(b"", 2_000, "http"), "health 200"),
]
