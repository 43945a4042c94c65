# SPDX-License-Identifier: Apache-2.0
"""tools/run_tests names the slowest tests, also when one fails; tools/timed says how long the parts took."""
import pathlib
import re
import subprocess
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
CASES = '<testsuites><testsuite name="A"><testcase name="b" classname="A" time="99.5"/></testsuite></testsuites>'


def tests_of(*lines):
    return "".join(f"add_test({line})\n" for line in lines)


class RunTests(unittest.TestCase):
    def run_tests(self, text):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "CTestTestfile.cmake").write_text(text, encoding="utf-8")
            return subprocess.run([TOOLS / "run_tests", folder, "--parallel", "2"], capture_output=True, text=True, check=False)

    def test_the_slowest_come_first_and_the_exit_code_is_that_of_the_tests(self):
        outcome = self.run_tests(tests_of('quick "true"', 'slow "sleep" "0.5"', 'wrong "false"'))
        self.assertNotEqual(outcome.returncode, 0)
        shown = outcome.stdout.split("the slowest tests")[1]
        self.assertEqual(re.findall(r"\d  (\w+)$", shown, re.M)[0], "slow")
        self.assertIn("wrong", shown)

    def test_ten_are_shown(self):
        outcome = self.run_tests(tests_of(*(f'test_{number} "true"' for number in range(12))))
        self.assertEqual(outcome.returncode, 0, outcome.stdout)
        self.assertEqual(outcome.stdout.split("the slowest tests")[1].count(".0  test_"), 10)

    def test_the_cases_of_a_program_are_shown_instead_of_it(self):
        writes = f"mkdir -p results && echo '{CASES}' >results/unit.xml".replace('"', '\\"')
        outcome = self.run_tests(tests_of(f'unit "sh" "-c" "{writes}"'))
        self.assertIn("    99.5  unit: A.b\n", outcome.stdout)


class Timed(unittest.TestCase):
    def timed(self, *words):
        return subprocess.run([TOOLS / "timed", *words], capture_output=True, text=True, check=False)

    def test_parts_are_noted_and_shown_with_their_sum(self):
        self.assertEqual(self.timed("test part", "true && exit 3").returncode, 3)
        shown = self.timed("--show", "test part", "test never ran").stdout
        self.assertRegex(shown, r"^time: test part 0:0\d, test never ran not ended, together 0:0\d\n$")

    def test_the_words_of_a_command_stay_as_they_are(self):
        self.assertEqual(self.timed("test part", "printf", "%s.", "a|b", "c d").stdout, "a|b.c d.")


if __name__ == "__main__":
    unittest.main()
