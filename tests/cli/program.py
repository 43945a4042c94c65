# SPDX-License-Identifier: Apache-2.0
"""The program under test, seen from outside. PAWL names it; PAWL_ASAN=ON says that it is slow and large."""
import os
import subprocess
import tempfile
import time
import unittest
from dataclasses import dataclass

PAWL = os.environ.get("PAWL", os.path.join("build", "release", "pawl"))
SANITIZED = os.environ.get("PAWL_ASAN") == "ON"


@dataclass
class Outcome:
    code: int
    out: str
    err: str
    seconds: float = 0.0    # processor time
    megabytes: float = 0.0  # largest resident size


def run(*words, text=b"", environment=None):
    """Runs the program and measures what it used."""
    text = text.encode() if isinstance(text, str) else text
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(text)
        given.seek(0)
        child = subprocess.Popen([PAWL, *words], stdin=given, stdout=out, stderr=err,
                                 env={**os.environ, **(environment or {})})
        status, usage = _wait(child.pid, 60)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return Outcome(child.returncode, out.read().decode(errors="replace"), err.read().decode(errors="replace"),
                       usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def _wait(pid, limit):
    """Waits for the child; one that hangs is killed, which shows as a negative exit code."""
    end = time.monotonic() + limit
    while True:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if done:
            return status, usage
        if time.monotonic() > end:
            os.kill(pid, 9)
            _, status, usage = os.wait4(pid, 0)
            return status, usage
        time.sleep(0.002)


class Contract(unittest.TestCase):
    """A test of the program, with a folder of its own for files."""
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def file(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def assert_complains(self, outcome, code, *parts):
        """One sentence on standard error, with these parts, and this exit code."""
        self.assertEqual(outcome.code, code, outcome)
        self.assertTrue(outcome.err.startswith("pawl: "), outcome)
        for part in parts:
            self.assertIn(part, outcome.err)
