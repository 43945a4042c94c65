# SPDX-License-Identifier: Apache-2.0
"""FEEL expressions with their expected values, through `pawl feel --batch`."""
import json
from decimal import Decimal

from compare import same_answer
from report import Row

NEEDED = 98.5


def question(case):
    context = dict(case["context"])
    line = {"id": case["id"], "expr": case["expr"], "kind": case["kind"]}
    if case["kind"] == "unary":
        line["input"] = context.pop("?", None)
    line["context"] = context
    return json.dumps(line, default=str)


def ask(pawl, cases):
    """The answers by id, and the ids of the cases that stopped the program."""
    answers, stopped = {}, []
    waiting = list(cases)
    while waiting:
        text = "\n".join(map(question, waiting)) + "\n"
        outcome = pawl.run("feel", "--batch", text=text)
        lines = outcome.out.splitlines()[:len(waiting)]
        for case, line in zip(waiting, lines):
            try:
                answers[case["id"]] = json.loads(line, parse_float=Decimal)
            except ValueError:
                answers[case["id"]] = {"error": f"the answer is not JSON: {line}"}
        rest = waiting[len(lines):]
        if rest:
            stopped.append(f"{rest[0]['id']} {rest[0]['expr']}: exit {outcome.code} {outcome.err.strip()[:200]}")
            rest = rest[1:]
        waiting = rest
    return answers, stopped


def measure(pawl, suites):
    cases = json.loads((suites / "feel-cases.json").read_text(encoding="utf-8"), parse_float=Decimal)["cases"]
    counted = [case for case in cases if not case.get("disputed")]
    answers, stopped = ask(pawl, counted)
    wrong = []
    for case in counted:
        answer = answers.get(case["id"], {})
        if not same_answer(case["expect"], answer):
            expected = json.dumps(case["expect"], default=str)
            got = json.dumps(answer.get("value", answer.get("error")), default=str)
            wrong.append(f"{case['id']} {case['kind']} {case['expr']!r} with {json.dumps(case['context'], default=str)}: "
                         f"expected {expected}, got {got[:300]}")
    return [Row("FEEL values", len(counted) - len(wrong), len(counted), NEEDED, failures=wrong),
            Row("FEEL answered without a crash", len(counted) - len(stopped), len(counted), failures=stopped)]
