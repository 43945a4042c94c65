# SPDX-License-Identifier: Apache-2.0
"""Input made to hurt: each ends with a clear error, soon and within little memory. Time and memory are
measured on the program that is shipped; with sanitizers only the answer is looked at."""
import json
import sys
import unittest

sys.dont_write_bytecode = True
import models  # noqa: E402
from program import SANITIZED, Contract, run  # noqa: E402

SECONDS = 1.0
MEGABYTES = 300
DEPTH = 10_000

EXPRESSIONS = {
    "huge loop": "for i in 1..100000000 return i",
    "huge nested loop": "for i in 1..10000, j in 1..10000 return i * j",
    "deep brackets": "(" * DEPTH + "1" + ")" * DEPTH,
    "deep list": "[" * DEPTH + "]" * DEPTH,
    "deep ifs": "if true then " * DEPTH + "1" + " else 2" * DEPTH,
    "many minus signs": "1" + " - -" * DEPTH + "1",
    "endless recursion": "{f: function(n) f(n + 1), r: f(1)}.r",
    "string that doubles": 'for i in 1..60 return if i = 1 then "xxxxxxxxxxxxxxxx" else partial[-1] + partial[-1]',
    "slow pattern": f'matches("{"a" * 5000}b", "(a+)+$")',
    "huge power": "10 ** 100000000",
    "open string": '"' + "a" * 100_000,
}

MODELS = {
    "deep": models.deep(DEPTH),
    "entity bomb": models.entity_bomb(),
    "foreign file": '<?xml version="1.0"?>\n<!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/hostname">]>\n<d>&e;</d>\n',
    "cut in a tag": models.EMPTY[:150],
    "no XML": "\0" * 100_000,
}

SCRIPTS = {
    "endless": "while (true) {}",
    "endless and catching": "while (true) { try { while (true) {} } catch (e) {} }",
    "one gigabyte": 'var s = "x"; while (s.length < 1e9) s += s; _context.s = s;',
    "list without end": "var a = []; while (true) a.push(a.length);",
    "endless recursion": "function f() { return f() + 1; } f();",
    "slow pattern": '/^(a+)+$/.test("a".repeat(40) + "b")',
}


class Hostile(Contract):
    def assert_harmless(self, outcome):
        for sign in ("Sanitizer", "terminate called", "internal error", "runtime error"):
            self.assertNotIn(sign, outcome.err)
        if not SANITIZED:
            self.assertLess(outcome.seconds, SECONDS)
            self.assertLess(outcome.megabytes, MEGABYTES)

    def test_expressions_have_a_budget(self):
        for name, expression in EXPRESSIONS.items():
            with self.subTest(name):
                outcome = run("feel", "--batch", text=json.dumps({"id": 1, "expr": expression}))
                self.assert_harmless(outcome)
                self.assertEqual(outcome.code, 0, outcome.err)
                answer = json.loads(outcome.out)  # an error, null or a small value
                self.assertLess(len(str(answer)), 2_000)
                self.assertTrue("value" in answer or len(answer["error"]) > 20, answer)

    def test_a_loop_without_end_is_refused_not_cut_short(self):
        self.assert_complains(run("feel", EXPRESSIONS["huge loop"]), 1)

    def test_deep_json_is_refused(self):
        for text in ('{"a":' * DEPTH + "1" + "}" * DEPTH, '{"a":' + "[" * DEPTH + "]" * DEPTH + "}"):
            path = self.file("deep.json", text)
            outcome = run("feel", "1", "--vars", "@" + path)
            self.assert_harmless(outcome)
            self.assert_complains(outcome, 1, "deep")

    def test_models_are_refused_at_a_place(self):
        for name, text in MODELS.items():
            with self.subTest(name):
                outcome = run("check", self.file("model.bpmn", text))
                self.assert_harmless(outcome)
                self.assertEqual(outcome.code, 1, outcome)
                self.assertRegex(outcome.out, r"model\.bpmn:\d+:\d+: error: .{20,}")

    def test_scripts_have_a_budget(self):
        for name, script in SCRIPTS.items():
            with self.subTest(name):
                outcome = run("run", self.file("model.bpmn", models.script_process(script)), "--json")
                self.assert_harmless(outcome)
                self.assertEqual(outcome.code, 3, outcome)
                self.assertIn('"state":"incident"', outcome.out)
                self.assertIn('"element":"work"', outcome.out)


if __name__ == "__main__":
    unittest.main()
