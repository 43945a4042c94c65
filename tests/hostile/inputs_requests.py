# SPDX-License-Identifier: Apache-2.0
"""Requests: what comes through the doors before any model runs (frames and floods: inputs_frames.py)."""
import concurrent.futures
import gzip
import os
import socket
import time

from harness import Input
from inputs_frames import connect
from models import START, Flows, job, process
from wire import DATA, END_HEADERS, END_STREAM, HEADERS, RST, call, frame, greet

JOBS = process(START + job("x", "x") + Flows()("s", "x"), "q")


def asks(method, path, body=None, headers=None):
    def attack(server):
        status, answer = server.ask(method, path, body, headers=headers)
        return f"{status} {answer}"
    return attack


def many(count, attack):
    """The same from many at once."""
    def together(server):
        with concurrent.futures.ThreadPoolExecutor(count) as pool:
            found = [one.result() for one in [pool.submit(attack, server) for _ in range(count)]]
        return " ".join(sorted(set(found)))
    return together


def evaluates(expression, variables=None):
    return asks("POST", "/v2/expression/evaluation", {"expression": expression, "variables": variables or {}})


def raw(text, count=1, hold=0.0):
    """Bytes to the HTTP port, on connections that then wait."""
    def attack(server):
        open_ones = []
        for _ in range(count):
            one = socket.create_connection(("127.0.0.1", server.http), timeout=5)
            try:
                one.sendall(text)
            except OSError:
                pass
            open_ones.append(one)
        time.sleep(hold)
        answers = set()
        for one in open_ones:
            one.settimeout(0.2)
            try:
                answers.add(one.recv(100).split(b"\r\n")[0].decode(errors="replace"))
            except (TimeoutError, ConnectionError):
                answers.add("no answer")
            one.close()
        return " ".join(sorted(answers))
    return attack


def searches_for_a_pattern(server):
    server.deploy(JOBS)
    for _ in range(3):
        server.start("q", {"s": "a" * 3_000_000})
    search = asks("POST", "/v2/variables/search", {"filter": {"name": "s", "value": {"$like": "*aaa" * 200 + "b"}}})
    return many(4, search)(server)


def one_call(message, *more):
    """A call whose message is odd, or whose headers are; it has an answer, or ends."""
    def attack(server):
        pieces = [message[at:at + 16_000] for at in range(0, len(message), 16_000)]
        connection = connect(server.grpc, greet(
            frame(HEADERS, END_HEADERS, 1, call("/gateway_protocol.Gateway/Topology", *more)),
            *[frame(DATA, 0, 1, piece) for piece in pieces], frame(DATA, END_STREAM, 1)))
        connection.settimeout(5)
        stream = connection.makefile("rb")
        try:
            while len(head := stream.read(9)) == 9:
                stream.read(int.from_bytes(head[:3], "big"))
                if head[3] in (HEADERS, RST) and (head[3] == RST or head[4] & END_STREAM):
                    return "answered" if head[3] == HEADERS else "reset"
        except OSError as error:
            return type(error).__name__
        return "closed"
    return attack


def large_jobs(server):
    """More bytes of jobs than a client takes at once (C3): nobody is cut off, and all jobs are had."""
    server.deploy(JOBS)
    for _ in range(40):
        server.start("q", {"s": "a" * 2_000_000})
    had = set()
    for _ in range(60):
        status, answer = server.ask("POST", "/v2/jobs/activation",
                                    {"type": "x", "worker": "w", "timeout": 600_000, "maxJobsToActivate": 40})
        if status != 200:
            return f"{status} {answer}"
        had |= {one["jobKey"] for one in answer["jobs"]}
        if len(had) == 40:
            break
    return f"had {len(had)} jobs"


def backup_elsewhere(server):
    target = os.path.join(server.folder.name, "stolen")
    status, answer = server.ask("POST", "/v2/pawl/backup", {"directory": target})
    return f"{status} {answer} {'written' if os.path.exists(target) else 'nothing written'}"


BODY = b"POST /health/x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4000000\r\nContent-Type: application/json\r\n\r\n"
PACKED = gzip.compress(bytes(200_000_000))
BOMB = b"\x01" + len(PACKED).to_bytes(4, "big") + PACKED
LONG = "=for i in 1..100000 return contains(s, t)"

REQUESTS = [
    Input("request: a page of another site", asks("POST", "/v2/pawl/backup", {"directory": "x"},
                                                  {"Origin": "http://evil.example"}), "^403"),
    Input("request: a fetch that crosses sites", asks("POST", "/v2/process-instances", {"processDefinitionId": "neighbour"},
                                                      {"Sec-Fetch-Site": "cross-site"}), "^403"),
    Input("request: the name of another host", asks("GET", "/v2/topology", None, {"Host": "evil.example"}), "^(403|421)"),
    Input("request: a body without its type", raw(
        b"POST /v2/process-instances HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}"), "415"),
    Input("request: a backup anywhere", backup_elsewhere, "^4.*nothing written"),
    Input("request: JSON 100,000 deep", asks("POST", "/v2/process-instances", "[" * 100_000 + "]" * 100_000), "^400"),
    Input("request: a body of 100 MB", asks("POST", "/v2/process-instances", b"x" * 100_000_000),
          "^413|BrokenPipe|ConnectionReset"),
    Input("request: 10,000 header fields", raw(b"GET /v2/topology HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"".join(
        b"X-%d: y\r\n" % i for i in range(10_000)) + b"\r\n"), "431|400|no answer"),
    Input("request: 200 heads that never end", raw(b"GET /v2/topology HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ", 200, 2),
          "no answer|408"),
    Input("request: 500 bodies that never end", raw(BODY + b"x" * 100_000, 500, 2), "4\\d\\d|no answer"),
    Input("request: four slow expressions", many(4, evaluates(LONG, {"s": "a" * 1_000_000, "t": "a" * 1_000 + "b"})),
          "^(4|200)"),
    Input("request: searches for a slow pattern", searches_for_a_pattern, "^(200|4|5)"),
    Input("request: 40 jobs of two megabytes", large_jobs, "had 40 jobs", 4),
    Input("frames: no preface but noise", raw(os.urandom(100_000)), "400|no answer"),
    Input("frames: a gzip bomb", one_call(BOMB, ("grpc-encoding", "gzip")), "answered|reset|closed"),
    Input("frames: a message that says 4 GB", one_call(b"\x00\xff\xff\xff\xff" + b"x" * 100_000), "answered|reset|closed"),
    Input("frames: a deadline beyond time", one_call(bytes(5), ("grpc-timeout", "99999999H")), "answered"),
    Input("frames: a deadline that is over", one_call(bytes(5), ("grpc-timeout", "0n")), "answered"),
]
