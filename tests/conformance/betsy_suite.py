# SPDX-License-Identifier: Apache-2.0
"""Small processes with exact traces, and models that must be refused.

The scripts of these models are placeholders. A copy of each model gets JavaScript in their place; the
trace is read off the path that `pawl run --json` prints, element by element, and compared as a multiset.
"""
import json
import pathlib
import re
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import Counter

from program import errors_of, refusals_of
from report import Row

NEEDED_REFUSED = 90.0
DEFAULTS = {"test": "", "integerVariable": 0, "testCaseNumber": 1}

JAVASCRIPT = {
    "INCREMENT_INTEGER_VARIABLE": "_context.integerVariable = integerVariable + 1;",
    "INCREMENT_INTEGER_VARIABLE_AND_LOG": "_context.integerVariable = integerVariable + 1;",
    "THROW_ERROR": 'throw new BpmnError("ERR_CODE");',
    "SET_STRING_DATA": '_context.data = "text";',
    "LOG_DATA": 'if (data !== "text") throw new Error("the data is lost");',
}
LABELS = {
    "CREATE_MARKER_FILE": "MARKER_exists",
    "INCREMENT_INTEGER_VARIABLE_AND_LOG": "INCREMENT_correct",
    "LOG_DATA": "DATA_correct",
}
SCRIPT = re.compile(r"(<(?:\w+:)?script>)([A-Z_a-z0-9]+)(</(?:\w+:)?script>)")
WAITING = re.compile(r"<(\w+:)scriptTask( id=\"[^\"]*\")[^>]*>((?:(?!</\1scriptTask>).)*?)"
                     r"<\1script>WAIT_TEN_SECONDS</\1script>\s*</\1scriptTask>", re.S)


def with_javascript(xml):
    """The model with scripts that can be run. A script that waits becomes a timer."""
    xml = WAITING.sub(r"<\1intermediateCatchEvent\2>\3<\1timerEventDefinition><\1timeDuration "
                      r'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="\1tFormalExpression">PT10S'
                      r"</\1timeDuration></\1timerEventDefinition></\1intermediateCatchEvent>", xml)
    return SCRIPT.sub(lambda match: match[1] + JAVASCRIPT.get(match[2], "0;") + match[3], xml)


def local_name(element):
    return element.tag.rsplit("}", 1)[-1]


class Model:
    """What a trace needs to know of a model: labels of script tasks, and who calls whom."""

    def __init__(self, xml):
        self.labels = {}
        self.process_of = {}
        self.called = set()
        for process in ElementTree.fromstring(xml):
            if local_name(process) == "globalScriptTask":
                self._add(process, process.get("id"))
            if local_name(process) != "process":
                continue
            for element in process.iter():
                if local_name(element) == "callActivity":
                    self.called.add(element.get("calledElement"))
                if local_name(element) == "scriptTask":
                    self._add(element, process.get("id"))

    def _add(self, element, process):
        text = next((child.text for child in element if local_name(child) == "script"), "") or ""
        label = LABELS.get(text.strip(), text.strip() if text.startswith("SCRIPT_") else "")
        if label:
            self.labels[element.get("id")] = label
            self.process_of.setdefault(label, set()).add(process)

    def cannot_log(self, case):
        """What is expected and no script of the model writes: a mistake of the suite."""
        known = set(self.labels.values()) | {"ERROR_runtime"}
        return [label for label in case["trace"] if label.startswith("SCRIPT_") and label not in known]

    def needs_second_instance(self, name, case):
        """Something that is expected happens in a process that is neither started nor called."""
        if "also_start" in case:
            return True
        started = self.called | {name}
        return any(not self.process_of.get(label, started) & started for label in case["trace"])


def trace_of(answer, model, expected):
    trace = [model.labels[element] for element in answer.get("path", []) if element in model.labels]
    if "MARKER_exists" not in expected:  # the marker is looked at by some tests only
        trace = [label for label in trace if label != "MARKER_exists"]
    if answer.get("state") in ("incident", "failed"):
        trace.append("ERROR_runtime")
    return trace


def run_case(pawl, file, test, case, model):
    """None if the trace is right, else what is wrong."""
    variables = json.dumps({**DEFAULTS, **case["start"]})
    outcome = pawl.run("run", file, "--process", test["name"], "--vars", variables, "--json", seconds=20)
    answer = outcome.json()
    if outcome.crashed or not isinstance(answer, dict):
        return f"exit {outcome.code}, no JSON: {outcome.err.strip()[:300]}"
    trace = trace_of(answer, model, case["trace"])
    if Counter(trace) == Counter(case["trace"]):
        return None
    return f"expected {case['trace']}, got {trace} ({answer.get('state')}, {answer.get('incidents')})"


def run_tests(pawl, betsy, tests, findings_of, folder):
    right, total, wrong, second, later, mistaken = 0, 0, [], [], [], []
    for test in tests:
        findings = findings_of[str(betsy / test["model"])]
        if findings is None or refusals_of(findings):
            continue  # counted by another row
        if errors_of(findings):
            later.append(f"not run: {test['name']}: {errors_of(findings)[0]['text']}")
            continue
        xml = (betsy / test["model"]).read_text(encoding="utf-8")
        model = Model(xml)
        file = pathlib.Path(folder) / pathlib.Path(test["model"]).name
        file.write_text(with_javascript(xml), encoding="utf-8")
        for case in test["cases"]:
            problem = run_case(pawl, file, test, case, model)
            if problem and model.needs_second_instance(test["name"], case):
                second.append(f"needs a second instance: {test['name']}")
                continue
            if problem and model.cannot_log(case):
                mistaken.append(f"not counted: {test['name']}: no script of the model writes {model.cannot_log(case)}")
                continue
            total += 1
            right += problem is None
            if problem:
                wrong.append(f"{test['name']} {case['start']}: {problem}")
    note = (f"{len(later)} processes not supported yet, {len(second)} cases need a second instance, "
            f"{len(mistaken)} expect what their model does not do")
    return Row("betsy: traces of what is supported", right, total, note=note, failures=wrong + second + mistaken + later)


def measure(pawl, suites):
    betsy = suites / "betsy"
    facts = json.loads((betsy / "expected.json").read_text(encoding="utf-8"))
    tests, forbidden = facts["tests"], facts["must_not_deploy"]
    findings_of = pawl.check(sorted({betsy / entry["model"] for entry in tests + forbidden}))
    crashed = [f"{file}: crashed" for file, findings in findings_of.items() if findings is None]

    accepted = [f"accepted: {entry['name']} ({entry['constraint']})" for entry in forbidden
                if not errors_of(findings_of[str(betsy / entry["model"])] or [])]
    # These cannot be deployed either, but their defect was not what was seen.
    by_chance = [entry for entry in forbidden
                 if not refusals_of(findings_of[str(betsy / entry["model"])] or [])]
    valid = [test for test in tests if any("ERROR" not in case["trace"] for case in test["cases"])]
    refused = [f"{test['model']}:{finding['line']}: {finding['text']} [{finding['rule']}]"
               for test in valid
               for finding in refusals_of(findings_of[str(betsy / test["model"])] or [])[:1]]
    with tempfile.TemporaryDirectory() as folder:
        traces = run_tests(pawl, betsy, valid, findings_of, folder)
    return [
        Row("betsy: models without a crash", len(findings_of) - len(crashed), len(findings_of), failures=crashed),
        Row("betsy: wrong models refused", len(forbidden) - len(accepted), len(forbidden), NEEDED_REFUSED,
            note=f"{len(by_chance) - len(accepted)} of them only because they are not supported",
            failures=accepted),
        Row("betsy: right models not refused", len(valid) - len(refused), len(valid), failures=refused),
        traces,
    ]
