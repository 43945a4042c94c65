# SPDX-License-Identifier: Apache-2.0
"""Models of others: each is read, or refused with a reason and a position; none crashes the program."""
from program import refusals_of
from report import Row


def models_below(folder):
    """All models, also those that are no BPMN: these must be refused by name."""
    return sorted(path for path in folder.rglob("*") if path.suffix in (".bpmn", ".xml", ".dmn"))


def measure_folder(pawl, suites, name):
    answers = pawl.check(models_below(suites / name))
    crashed, unclear, refused = [], [], []
    for file, findings in answers.items():
        if findings is None:
            crashed.append(f"{file}: crashed")
            continue
        refusals = refusals_of(findings)
        if refusals:
            refused.append(f"{file}:{refusals[0]['line']}:{refusals[0]['column']}: "
                           f"{refusals[0]['text']} [{refusals[0]['rule']}]")
        vague = [finding["rule"] for finding in refusals if not finding["line"] or not finding["text"]]
        if vague:
            unclear.append(f"{file}: no position or no text: {', '.join(vague)}")
    read = len(answers) - len(refused) - len(crashed)
    return [Row(f"{name}: models without a crash", len(answers) - len(crashed), len(answers), failures=crashed),
            Row(f"{name}: read, or refused clearly", len(answers) - len(crashed) - len(unclear), len(answers),
                note=f"{read} read, {len(refused)} refused", failures=unclear + refused)]


def measure(pawl, suites):
    return [row for name in ("camunda7", "bpmn-miwg") if (suites / name).is_dir()
            for row in measure_folder(pawl, suites, name)]
