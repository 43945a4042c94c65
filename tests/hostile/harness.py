# SPDX-License-Identifier: Apache-2.0
"""What every hostile input is measured by: a server of its own, and another client that goes on starting
instances meanwhile. The input passes if its outcome is what it should be, the server lives, its memory
stays bounded, the other client is answered in time, and the server ends when it is told to."""
import dataclasses
import http.client
import json
import multiprocessing
import os
import re
import resource
import signal
import subprocess
import tempfile
import threading
import time
import typing

PAWL = os.environ.get("PAWL", os.path.join("build", "release", "pawl"))

# A machine that does other things meanwhile may say more.
MEGABYTES = int(os.environ.get("PAWL_MEGABYTES", "500"))  # of the server, at its highest
P99 = float(os.environ.get("PAWL_P99", "100"))            # milliseconds until a start of the other client is answered
STOP = 10.0      # seconds from SIGTERM to the end


@dataclasses.dataclass
class Input:
    name: str
    attack: typing.Callable      # (server) → what came of it, in a few words
    expect: str                  # a pattern that the outcome must match
    seconds: float = 2.0         # how long the other client is watched, at least
    options: tuple = ()          # of the server
    neighbour: bool = True       # watch another client; not for inputs that end the server themselves
    memory: int = 0              # megabytes of address space that the server may have; 0: any


class Server:
    def __init__(self, options=(), memory=0):
        self.folder = tempfile.TemporaryDirectory()
        self.data = os.path.join(self.folder.name, "data")
        self.log = open(os.path.join(self.folder.name, "log"), "w+b")
        self.options, self.memory = options, memory
        self.run()

    def run(self):
        def limit():
            if self.memory:
                resource.setrlimit(resource.RLIMIT_AS, (self.memory << 20, self.memory << 20))
        self.process = subprocess.Popen(
            [PAWL, "serve", "--data", self.data, "--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0", *self.options],
            stdout=subprocess.PIPE, stderr=self.log, text=True, preexec_fn=limit)
        line = self.process.stdout.readline()
        ports = re.match(r"pawl is ready: gRPC on 127.0.0.1:(\d+), HTTP on 127.0.0.1:(\d+),", line)
        if not ports:
            raise RuntimeError(f"the server did not start: {line}{self.said()}")
        self.grpc, self.http = int(ports[1]), int(ports[2])

    def kill_and_run(self):
        """Seconds until it is there again."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        began = time.monotonic()
        self.run()
        return time.monotonic() - began

    def said(self):
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def peak_megabytes(self):
        """Of the server and of what it has started, now or before."""
        total = 0.0
        for pid in [self.process.pid, *children_of(self.process.pid)]:
            try:
                with open(f"/proc/{pid}/status", encoding="ascii") as status:
                    total += int(re.search(r"VmHWM:\s+(\d+)", status.read())[1]) / 1024
            except (FileNotFoundError, ProcessLookupError, TypeError):
                pass
        return total

    def lives(self):
        return self.process.poll() is None

    def stop(self):
        """Seconds that it took, or None: it had to be killed."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(STOP)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None
        return time.monotonic() - began if code == 0 else None

    def close(self):
        if self.lives():
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.log.close()
        self.folder.cleanup()

    # --- what an attacker says to it

    def ask(self, method, path, body=None, timeout=60.0, headers=None):
        """(status, answer as JSON or text)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.http, timeout=timeout)
        try:
            text = body if isinstance(body, (bytes, str)) or body is None else json.dumps(body)
            connection.request(method, path, text, {"Content-Type": "application/json", **(headers or {})})
            response = connection.getresponse()
            answer = response.read()
            try:
                return response.status, json.loads(answer)
            except ValueError:
                return response.status, answer.decode(errors="replace")
        finally:
            connection.close()

    def deploy(self, *texts, timeout=60.0):
        boundary = "hostile-boundary"
        parts = []
        for i, text in enumerate(texts):
            parts.append(f'--{boundary}\r\nContent-Disposition: form-data; name="resources"; filename="m{i}.bpmn"\r\n'
                         f"Content-Type: application/xml\r\n\r\n{text}\r\n")
        body = "".join(parts) + f"--{boundary}--\r\n"
        return self.ask("POST", "/v2/deployments", body.encode(), timeout,
                        {"Content-Type": f"multipart/form-data; boundary={boundary}"})

    def start(self, process, variables=None, timeout=60.0):
        return self.ask("POST", "/v2/process-instances",
                        {"processDefinitionId": process, "variables": variables or {}}, timeout)

    def incidents(self):
        status, answer = self.ask("POST", "/v2/incidents/search", {})
        return [f'{one["errorType"]}: {one["errorMessage"]}' for one in answer["items"]] if status == 200 else []

    def states(self, process):
        status, answer = self.ask("POST", "/v2/process-instances/search",
                                  {"filter": {"processDefinitionId": process}})
        return sorted({one["state"] for one in answer["items"]}) if status == 200 else []


def children_of(pid):
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False).stdout
    return [int(one) for one in found.split()]


NEIGHBOUR = """<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="t">
  <process id="neighbour" isExecutable="true">
    <startEvent id="s"/><sequenceFlow id="f" sourceRef="s" targetRef="e"/><endEvent id="e"/>
  </process>
</definitions>"""


def neighbour(port, stop, answered):
    """Another client, in a process of its own: starts one instance after the other on one connection."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    body = json.dumps({"processDefinitionId": "neighbour"})
    while not stop.is_set():
        began = time.monotonic()
        try:
            connection.request("POST", "/v2/process-instances", body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            response.read()
            good = response.status == 200
        except (OSError, http.client.HTTPException):
            connection.close()
            good = False
        answered.put((time.monotonic() - began) * 1000 if good else None)
        stop.wait(0.005)
    connection.close()


@dataclasses.dataclass
class Verdict:
    outcome: str
    megabytes: float
    p99: float
    worst: float
    starts: int
    failures: list


def measure(one):
    server = Server(one.options, one.memory)
    failures = []
    try:
        server.deploy(NEIGHBOUR)
        other = Neighbour(server) if one.neighbour else None
        began = time.monotonic()
        try:
            outcome = str(one.attack(server))
        except (OSError, http.client.HTTPException, RuntimeError) as error:
            outcome = f"{type(error).__name__}: {error}"
        time.sleep(max(0.0, one.seconds - (time.monotonic() - began)))
        times = other.end(failures) if other else [0.0]
        p99 = times[min(len(times) - 1, int(len(times) * 0.99))] if times else float("inf")
        worst = times[-1] if times else float("inf")
        megabytes = server.peak_megabytes()
        if not server.lives():
            failures.append("the server is dead: " + server.said()[-300:])
        if not re.search(one.expect, outcome, re.S):
            failures.append(f"the outcome should match {one.expect!r}")
        if megabytes > MEGABYTES:
            failures.append(f"more than {MEGABYTES} MB")
        if p99 > P99:
            failures.append(f"the other client waits longer than {P99:.0f} ms")
        if server.lives() and server.stop() is None:
            failures.append(f"it does not end within {STOP:.0f} s, or not with 0")
        return Verdict(outcome, megabytes, p99, worst, len(times), failures)
    finally:
        server.close()


class Neighbour:
    def __init__(self, server):
        self.stop, self.answered = multiprocessing.Event(), multiprocessing.SimpleQueue()
        self.client = multiprocessing.Process(target=neighbour, args=(server.http, self.stop, self.answered), daemon=True)
        self.client.start()
        self.times = []
        self.drained = threading.Thread(target=drain, args=(self.answered, self.times), daemon=True)
        self.drained.start()
        time.sleep(0.3)
        self.before = len(self.times)

    def end(self, failures):
        """How long its starts took since the beginning, in order of length."""
        self.stop.set()
        self.client.join(15)
        if self.client.is_alive():
            self.client.kill()
            failures.append("a start of the other client was never answered")
        self.answered.put("end")
        self.drained.join(5)
        meanwhile = self.times[self.before:]
        good = sorted(one for one in meanwhile if one is not None)
        if len(good) != len(meanwhile):
            failures.append(f"{len(meanwhile) - len(good)} starts of the other client failed")
        return good


def drain(answered, times):
    while (one := answered.get()) != "end":
        times.append(one)


def until(asked, seconds=30.0):
    """Asks again and again until there is an answer that counts."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = asked()
        if answer:
            return answer
        time.sleep(0.05)
    return None
