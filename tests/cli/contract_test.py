# SPDX-License-Identifier: Apache-2.0
"""What scripts may rely on: exit codes, outputs and messages of the commands that need no server."""
import json
import os
import pty
import re
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
import models  # noqa: E402
from program import PAWL, Contract, run  # noqa: E402


class Help(Contract):
    def test_version_is_one_line(self):
        outcome = run("--version")
        self.assertEqual(outcome.code, 0)
        self.assertRegex(outcome.out, r"\Apawl \d+\.\d+\.\d+\n\Z")

    def test_help_lists_the_commands_and_each_explains_itself(self):
        outcome = run("help")
        self.assertEqual(outcome.code, 0)
        commands = re.findall(r"^  ([a-z]+) ", outcome.out, re.M)
        self.assertGreaterEqual(set(commands), {"check", "feel", "help"})
        for command in commands:
            asked, flagged = run("help", command), run(command, "--help")
            self.assertEqual((asked.code, asked.out), (0, flagged.out))
            self.assertIn(f"usage: pawl {command}", asked.out)
            self.assertIn("example:", asked.out)

    def test_a_wrong_line_is_usage_with_a_hint(self):
        rows = [
            ((), "commands:"),
            (("chekc",), 'did you mean "check"?'),
            (("xyzzy",), "pawl help lists the commands"),
            (("--vars",), "before a command"),
            (("feel", "1", "--vrs", "{}"), "did you mean --vars?"),
            (("feel", "1", "--vars"), "needs a value"),
            (("feel", "1", "2"), "a word too many (2)"),
            (("feel",), "there is no expression"),
            (("feel", "1", "--batch"), "--batch stands alone"),
            (("check",), "usage: pawl check"),
            (("help", "chekc"), 'did you mean "check"?'),
        ]
        for words, hint in rows:
            with self.subTest(words=words):
                outcome = run(*words)
                self.assertEqual(outcome.code, 2)
                self.assertEqual(outcome.out, "")
                self.assertIn(hint, outcome.err)


class Feel(Contract):
    def test_prints_the_value_as_json(self):
        rows = [
            (("1 + 1",), "2"),
            (("-1 + 2",), "1"),
            (("0.1 + 0.2",), "0.3"),
            (('"a" + "b"',), '"ab"'),
            (("[1, null, true]",), "[1,null,true]"),
            (("a * 2", "--vars", '{"a": 21}'), "42"),
            (("a * 2", '--vars={"a": 21}'), "42"),
            (("monthly salary * 12", "--vars", '{"monthly salary": 100}'), "1200"),
            (('date("2024-01-31") + duration("P1M")',), '"2024-02-29"'),
            (("> 5", "--unary", "7"), "true"),
            (('"a", "b"', "--unary", '"c"'), "false"),
            (("[date(\"2024-01-01\")..date(\"2024-12-31\")]", "--unary", 'date("2024-05-01")'), "true"),
            (("> limit", "--unary", "7", "--vars", '{"limit": 8}'), "false"),
        ]
        for words, expected in rows:
            with self.subTest(words=words):
                outcome = run("feel", *words)
                self.assertEqual((outcome.code, outcome.out), (0, expected + "\n"), outcome.err)

    def test_reads_variables_from_a_file(self):
        path = self.file("vars.json", '{"a": 20}')
        self.assertEqual(run("feel", "a + 1", "--vars", "@" + path).out, "21\n")

    def test_explains_a_null_on_standard_error(self):
        outcome = run("feel", "missing + 1")
        self.assertEqual((outcome.code, outcome.out), (0, "null\n"))
        self.assertIn("missing", outcome.err)

    def test_wrong_input_is_a_sentence_and_exit_code_1(self):
        rows = [
            (("1 +",), "1 +"),
            (("1", "--vars", "{"), "--vars"),
            (("1", "--vars", "[1]"), "--vars"),
            (("1", "--vars", "@no/such/file"), "there is no such file"),
        ]
        for words, part in rows:
            with self.subTest(words=words):
                self.assert_complains(run("feel", *words), 1, part)

    def test_a_batch_answers_each_line_and_survives_a_wrong_one(self):
        lines = [
            {"id": 1, "expr": "a + 1", "context": {"a": 1}},
            {"id": 2, "expr": "1 +", "context": {}},
            {"id": "x", "expr": "> 5", "kind": "unary", "input": 6, "context": {}},
            {"id": 4, "expr": 'date("2024-02-29")', "context": {}},
            {"id": 5, "expr": "d.year", "context": {"d": {"@type": "date", "@value": "2020-01-01"}}},
        ]
        text = "".join(json.dumps(line) + "\n" for line in lines) + "not json\n"
        outcome = run("feel", "--batch", text=text)
        self.assertEqual(outcome.code, 0, outcome.err)
        answers = [json.loads(line) for line in outcome.out.splitlines()]
        self.assertEqual(len(answers), 6)
        self.assertEqual(answers[0], {"id": 1, "value": 2})
        self.assertEqual((answers[1]["id"], set(answers[1])), (2, {"id", "error"}))
        self.assertEqual(answers[2], {"id": "x", "value": True})
        self.assertEqual(answers[3]["value"], {"@type": "date", "@value": "2024-02-29"})
        self.assertEqual(answers[4]["value"], 2020)
        self.assertIn("error", answers[5])

    def test_a_batch_answers_before_the_input_ends(self):
        with subprocess.Popen([PAWL, "feel", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
            child.stdin.write(b'{"id": 1, "expr": "1 + 1"}\n')
            child.stdin.flush()
            self.assertEqual(json.loads(child.stdout.readline()), {"id": 1, "value": 2})
            child.stdin.close()
            self.assertEqual(child.wait(), 0)

    def test_an_empty_batch_is_fine(self):
        outcome = run("feel", "--batch")
        self.assertEqual((outcome.code, outcome.out), (0, ""))


class Check(Contract):
    def test_a_right_model_has_no_findings(self):
        outcome = run("check", self.file("right.bpmn", models.EMPTY))
        self.assertEqual(outcome.code, 0, outcome)
        self.assertNotIn("error", outcome.out)

    def test_a_finding_is_a_line_with_place_and_rule(self):
        path = self.file("wrong.bpmn", models.LOST_FLOW)
        outcome = run("check", path)
        self.assertEqual(outcome.code, 1)
        pattern = re.escape(path) + r":\d+:\d+: (error|warning): .+ \[[a-z0-9-]+\]"
        for line in outcome.out.splitlines():
            self.assertRegex(line, pattern)
        self.assertIn("nowhere", outcome.out)

    def test_json_has_the_same_findings_for_each_file(self):
        right, wrong = self.file("right.bpmn", models.EMPTY), self.file("wrong.bpmn", models.LOST_FLOW)
        outcome = run("check", "--json", right, wrong)
        self.assertEqual(outcome.code, 1)
        answer = json.loads(outcome.out)
        self.assertEqual([row["file"] for row in answer["files"]], [right, wrong])
        self.assertEqual(answer["files"][0]["processes"], ["p"])
        self.assertGreaterEqual(answer["errors"], 1)
        finding = answer["files"][1]["findings"][0]
        self.assertEqual(set(finding), {"severity", "rule", "element", "line", "column", "text"})
        self.assertGreater(finding["line"], 0)

    def test_what_is_no_model_is_refused(self):
        for name, text in [("empty", ""), ("text", "hello"), ("html", "<html><body/></html>"), ("cut", models.EMPTY[:200])]:
            with self.subTest(name=name):
                outcome = run("check", self.file(name, text))
                self.assertEqual(outcome.code, 1)
                self.assertIn(": error: ", outcome.out)

    def test_a_missing_file_is_said_and_the_others_are_checked(self):
        right = self.file("right.bpmn", models.EMPTY)
        outcome = run("check", "no-such.bpmn", right)
        self.assert_complains(outcome, 1, "no-such.bpmn", "there is no such file")
        self.assertIn(right, outcome.out)


class Output(Contract):
    def on_terminal(self, *words, environment=None):
        """What the program writes to a terminal."""
        leader, follower = pty.openpty()
        env = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
        child = subprocess.Popen([PAWL, *words], stdout=follower, stderr=follower, env={**env, **(environment or {})})
        child.wait()
        os.close(follower)
        text = os.read(leader, 65536).decode()
        os.close(leader)
        return text

    def test_colour_is_for_terminals_and_not_with_no_color(self):
        self.assertIn("\033[", self.on_terminal("feel", "1 +"))
        self.assertNotIn("\033[", self.on_terminal("feel", "1 +", environment={"NO_COLOR": "1"}))
        self.assertNotIn("\033[", run("feel", "1 +").err)

    def test_output_that_cannot_be_written_is_no_success(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PAWL, "feel", "1"], stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 5)
        self.assertTrue(done.stderr.startswith(b"pawl: "))


if __name__ == "__main__":
    unittest.main()
