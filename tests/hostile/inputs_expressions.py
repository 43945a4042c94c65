# SPDX-License-Identifier: Apache-2.0
"""Expressions that somebody asks to be evaluated, several at once, again and again."""
import threading
import time

from harness import Input

LONG = "a" * 1_000_000


def evaluates(expression, variables=None, at_once=4, seconds=2.5):
    def attack(server):
        said = []
        end = time.monotonic() + seconds

        def go_on():
            while time.monotonic() < end:
                status, answer = server.ask("POST", "/v2/expression/evaluation",
                                            {"expression": expression, "variables": variables or {}})
                detail = answer.get("detail", "") if isinstance(answer, dict) else answer
                said.append(f"{status} {detail}"[:200])
        threads = [threading.Thread(target=go_on) for _ in range(at_once)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return said[0] if said else "no answer"
    return attack


ENDS = r"^(200|4\d\d) "

EXPRESSIONS = [
    Input(f"expression: {name}", evaluates(text, variables), ENDS) for name, text, variables in [
        ("power", "=for i in 1..100000 return 3.3 ** 6000.7", None),
        ("contains", "=for i in 1..100000 return contains(s, t)", {"s": LONG, "t": "a" * 500_000 + "b"}),
        ("trim and blank", "=for i in 1..100000 return is blank(trim(s))", {"s": " " * 1_000_000}),
        ("equality", "=for i in 1..100000 return l = m",
         {"l": list(range(100_000)), "m": list(range(100_000))}),
        ("membership", "=for i in 1..100000 return i in l", {"l": list(range(100_000))}),
        ("minimum", "=for i in 1..100000 return min(l)", {"l": list(range(100_000))}),
        ("logarithm", "=for i in 1..1000000 return log(i + 0.123456789) + exp(i / 1000000)", None),
        ("substring before", "=for i in 1..1000 return substring before(s, t)", {"s": LONG, "t": "b"}),
        ("copies of a text", "=for i in 1..1000 return s + string(i)", {"s": LONG}),
        ("sort", "=for i in 1..1000 return sort(l, function(a, b) a < b)", {"l": list(range(50_000))}),
        ("distinct values", "=for i in 1..100 return distinct values(l)", {"l": [str(i) for i in range(100_000)]}),
        ("pattern", "=for i in 1..100000 return matches(s, \"(a|aa)+$\")", {"s": "a" * 10_000 + "b"}),
        ("replace", "=for i in 1..1000 return replace(s, \"a\", \"bb\")", {"s": LONG}),
        ("product of lists", "=for a in l, b in l, c in l return a + b + c", {"l": list(range(1_000))}),
    ]
]
