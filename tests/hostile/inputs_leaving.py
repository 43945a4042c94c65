# SPDX-License-Identifier: Apache-2.0
"""Clients that leave: they send much and do not wait for the answer, so that only their work stays."""
import concurrent.futures
import json
import socket

from harness import Input
from inputs_frames import connect
from models import START, Flows, job, process
from wire import DATA, END_HEADERS, END_STREAM, HEADERS, RST, WINDOW, call, frame, greet

TIMES, TOGETHER = 300, 10
MEGABYTES_4 = 4_000_000
CANCEL = (8).to_bytes(4, "big")


def large_model():
    """Its tasks take their time to be read."""
    task = '<task id="t{0}"/><sequenceFlow id="f{0}" sourceRef="t{1}" targetRef="t{0}"/>\n'
    lines, size = ['<task id="t0"/><sequenceFlow id="f0" sourceRef="s" targetRef="t0"/>'], 0
    while size < MEGABYTES_4 - 2_000:
        lines.append(task.format(len(lines), len(lines) - 1))
        size += len(lines[-1]) + 1
    return process(START + "\n".join(lines), "large").encode()


def post(path, kind, body):
    return (f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode() + body


def deployment():
    return post("/v2/deployments", "multipart/form-data; boundary=b", (
        b'--b\r\nContent-Disposition: form-data; name="resources"; filename="m.bpmn"\r\n\r\n'
        + large_model() + b"\r\n--b--\r\n"))


def start(value):
    text = json.dumps({"processDefinitionId": "q", "variables": {"v": value}}, separators=(",", ":"))
    return post("/v2/process-instances", "application/json", text.encode())


def sends_and_leaves(port, sent):
    connection = socket.create_connection(("127.0.0.1", port), timeout=30)
    try:
        connection.sendall(sent)
        return "sent"
    except OSError:
        return "refused"  # while it was still sending
    finally:
        connection.close()


def many_times(act):
    with concurrent.futures.ThreadPoolExecutor(TOGETHER) as pool:
        done = [one.result() for one in [pool.submit(act) for _ in range(TIMES)]]
    return f"{done.count('sent')} sent"


def leaves(make):
    def attack(server):
        server.deploy(process(START + job("x", "x") + Flows()("s", "x"), "q"))
        sent = make()
        outcome = many_times(lambda: sends_and_leaves(server.http, sent))
        status, _ = server.ask("GET", "/health/live")
        return f"health {status}, {outcome}"
    return attack


class Caller:
    """Calls with large messages, each taken back as soon as it was sent: HTTP/2 with windows."""

    def __init__(self, port):
        self.connection = connect(port, greet(frame(WINDOW, 0, 0, b"\x3f\0\0\0")))
        self.connection.settimeout(30)
        self.come = b""
        self.windows = {0: 65_535}
        self.stream = -1

    def take_back(self, method, message):
        self.stream += 2
        stream = self.stream
        self.windows[stream] = 256 << 10
        self.connection.sendall(frame(HEADERS, END_HEADERS, stream, call(method)))
        left = b"\0" + len(message).to_bytes(4, "big") + message
        while left:
            size = min(16_384, len(left), self.windows[0], self.windows[stream])
            if size == 0:
                if not self.take_frame(stream):
                    return "refused"
                continue
            self.windows[0] -= size
            self.windows[stream] -= size
            piece, left = left[:size], left[size:]
            self.connection.sendall(frame(DATA, 0 if left else END_STREAM, stream, piece))
        self.connection.sendall(frame(RST, 0, stream, CANCEL))
        return "sent"

    def take_frame(self, mine):
        while len(self.come) < 9 or len(self.come) < 9 + int.from_bytes(self.come[:3], "big"):
            chunk = self.connection.recv(65_536)
            if not chunk:
                raise ConnectionError("closed")
            self.come += chunk
        size, kind, flags = int.from_bytes(self.come[:3], "big"), self.come[3], self.come[4]
        stream, payload = int.from_bytes(self.come[5:9], "big"), self.come[9:9 + size]
        self.come = self.come[9 + size:]
        if kind == WINDOW:
            self.windows[stream] = self.windows.get(stream, 0) + int.from_bytes(payload, "big")
        ended = kind == RST or (kind in (HEADERS, DATA) and flags & END_STREAM)
        return not (stream == mine and ended)


def field(number, content):
    size, length = len(content), bytearray()
    while size >= 128:
        length.append(size % 128 + 128)
        size //= 128
    return bytes([number << 3 | 2, *length, size]) + content


def takes_back(method, make):
    def attack(server):
        server.deploy(process(START + job("x", "x") + Flows()("s", "x"), "q"))
        message = make()

        def of_one_client():
            client = Caller(server.grpc)
            return [client.take_back(method, message) for _ in range(TIMES // TOGETHER)].count("sent")

        with concurrent.futures.ThreadPoolExecutor(TOGETHER) as pool:
            sent = sum(one.result() for one in [pool.submit(of_one_client) for _ in range(TOGETHER)])
        status, _ = server.ask("GET", "/health/live")
        return f"health {status}, {sent} sent"
    return attack


def deploy_call():
    return field(1, field(1, b"m.bpmn") + field(2, large_model()))


def start_call():
    return field(2, b"q") + b"\x18" + b"\xff" * 9 + b"\x01" + field(
        4, json.dumps({"v": [0] * (MEGABYTES_4 // 2)}, separators=(",", ":")).encode())


ALIVE = "^health 200"
LEAVING = [
    Input("leaving: deployments of 4 MB", leaves(deployment), ALIVE, 5),
    Input("leaving: starts with a text of 4 MB", leaves(lambda: start("a" * MEGABYTES_4)), ALIVE, 5),
    Input("leaving: starts with 2,000,000 numbers", leaves(lambda: start([0] * (MEGABYTES_4 // 2 - 100))), ALIVE, 5),
    Input("leaving: calls that deploy, taken back", takes_back(
        "/gateway_protocol.Gateway/DeployResource", deploy_call), ALIVE, 5),
    Input("leaving: calls that start, taken back", takes_back(
        "/gateway_protocol.Gateway/CreateProcessInstance", start_call), ALIVE, 5),
]
