# SPDX-License-Identifier: Apache-2.0
"""Models that fill the memory there is (A17): killed at any moment, the server comes up again with little memory,
three times, and the culprit can be cancelled."""
import time

from harness import Input
from inputs_models import MEGABYTE, bomb_behind_a_timer, calls_itself, self_feeding_fork
from models import circle, mapped, tasks

MEGABYTES_OF_SPACE = 2_500  # addresses, not memory: threads and the allocator reserve more than they use


def comes_back(model, variables=None):
    def attack(server):
        status, answer = server.deploy(model)
        if status != 200:
            return f"refused: {answer}"
        keys = []
        for _ in range(3):
            status, answer = server.start("p", variables)
            if status == 200:
                keys.append(answer["processInstanceKey"])
        slowest = 0.0
        for _ in range(3):
            time.sleep(0.7)
            slowest = max(slowest, server.kill_and_run())
        gone = [server.ask("POST", f"/v2/process-instances/{key}/cancellation", {})[0] for key in keys]
        served = server.start("neighbour")[0]
        fine = slowest < 10 and served == 200 and all(one in (204, 404) for one in gone)
        return f"{'came back' if fine else 'no'}: at most {slowest:.1f} s, cancelled {gone}, start {served}"
    return attack


RESTARTS = [
    Input(f"killed: {name}", comes_back(model, variables), "came back", 1, neighbour=False, memory=MEGABYTES_OF_SPACE)
    for name, model, variables in [
        ("circle of two plain tasks", circle(tasks("a", "b"), "a", "b"), None),
        ("parallel fork that feeds itself", self_feeding_fork(), None),
        ("calls that fork in tens", calls_itself(10), None),
        ("it calls itself with a megabyte", calls_itself(1), {"s": MEGABYTE}),
        ("a value that doubles", circle(mapped("a", outputs=[("=x", "x.a"), ("=x", "x.b")]), "a"), {"x": {"s": "0123456789"}}),
        ("a memory bomb behind a timer", bomb_behind_a_timer(), {"s": MEGABYTE}),
    ]
]
