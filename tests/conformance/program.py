# SPDX-License-Identifier: Apache-2.0
"""Runs the program under test; a crash or a hang is an outcome, not an exception."""
import json
import subprocess
from dataclasses import dataclass
from decimal import Decimal

SECONDS = 60
FILES_PER_CALL = 64
UNDERSTOOD = {0, 1, 2, 3, 4, 5}  # exit codes of the contract; anything else is a crash


@dataclass
class Outcome:
    code: int
    out: str
    err: str

    @property
    def crashed(self):
        return self.code not in UNDERSTOOD or "internal error" in self.err

    def json(self):
        """Standard output as JSON with exact numbers; None if it is not JSON."""
        try:
            return json.loads(self.out, parse_float=Decimal)
        except ValueError:
            return None


class Pawl:
    def __init__(self, path):
        self.path = str(path)

    def run(self, *words, text="", seconds=SECONDS):
        try:
            done = subprocess.run([self.path, *map(str, words)], input=text.encode(), capture_output=True,
                                  timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            return Outcome(-1, "", f"no answer within {seconds} s")
        return Outcome(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))

    def check(self, files):
        """The findings of each file, or None for a file that crashed the program."""
        answers = {}
        files = [str(file) for file in files]
        for begin in range(0, len(files), FILES_PER_CALL):
            answers.update(self._check_some(files[begin:begin + FILES_PER_CALL]))
        return answers

    def _check_some(self, files):
        outcome = self.run("check", "--json", "--", *files)
        answer = None if outcome.crashed else outcome.json()
        if answer is not None:
            return {row["file"]: row["findings"] for row in answer["files"]}
        if len(files) == 1:
            return {files[0]: None}
        middle = len(files) // 2
        return {**self._check_some(files[:middle]), **self._check_some(files[middle:])}


def errors_of(findings):
    return [finding for finding in findings if finding["severity"] == "error"]


def refusals_of(findings):
    """Errors of the model; what this version merely cannot run yet is none."""
    return [finding for finding in errors_of(findings) if finding["rule"] != "not-supported"]
