# SPDX-License-Identifier: Apache-2.0
"""Every example says in its documentation how to run it and what it gives; this does it."""
import json
import pathlib
import re
import shlex
import sys
import unittest
import xml.etree.ElementTree

sys.dont_write_bytecode = True
from program import run  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
BPMN = "{http://www.omg.org/spec/BPMN/20100524/MODEL}"


def documentation_of(file):
    process = xml.etree.ElementTree.parse(file).getroot().find(f"{BPMN}process")
    return process.findtext(f"{BPMN}documentation")


class Examples(unittest.TestCase):
    def test_each_gives_what_it_says(self):
        names = ("multi-instance", "event-sub-process", "compensation", "ad-hoc")
        folders = [ROOT / "examples" / name for name in names]
        files = [file for folder in folders for file in sorted(folder.glob("*.bpmn"))]
        self.assertGreaterEqual(len(files), 17)
        for file in files:
            with self.subTest(file=file.name):
                command, promise = documentation_of(file).strip().split("gives ", 1)
                words = shlex.split(command.replace("\\\n", " "))
                self.assertEqual(words[:2], ["pawl", "run"])
                words = [str(ROOT / word) if word.endswith(".bpmn") else word for word in words[1:]]
                outcome = run(*[word for word in words if word != "--trace"], "--json")
                self.assertEqual(outcome.code, 0, outcome)
                variables = json.loads(outcome.out)["variables"]
                name, text = re.match(r"(\w+) = (.*?)[.;](?: |$)", promise.split("\n")[0]).groups()
                self.assertIn(name, variables)
                if "an object" in text:
                    self.assertIn("error", variables[name][1])
                else:
                    self.assertEqual(variables[name], json.loads(text))


    def test_those_of_failures_end_as_they_say(self):
        folder = ROOT / "examples" / "multi-instance"
        stops = run("run", str(folder / "on-error-tolerate.bpmn"), "--vars", '{"numbers": [4, -1, -9]}', "--json")
        self.assertEqual((stops.code, json.loads(stops.out)["state"]), (3, "incident"))
        fine = run("run", str(folder / "on-error-fail.bpmn"), "--vars", '{"numbers": [4, 1, 9]}', "--json")
        self.assertEqual(json.loads(fine.out)["variables"]["roots"], [2, 1, 3])


if __name__ == "__main__":
    unittest.main()
