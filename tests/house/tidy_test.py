# SPDX-License-Identifier: Apache-2.0
"""tools/tidy finds each kind of offence, and nothing in a clean tree."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TIDY = pathlib.Path(__file__).resolve().parents[2] / "tools" / "tidy"
SPDX = "// SPDX-License-Identifier: Apache-2.0\n"


def hiding(text, space="pawl"):
    return SPDX + f"namespace {space} {{\nnamespace {{\n\n{text}\n\n}}  // namespace\n}}  // namespace {space}\n"


HIDDEN = """namespace pawl {
namespace {

using Kind = int;
int only_here(int x) { return x; }

}  // namespace
}  // namespace pawl
"""
CLEAN = {
    "docs/layers.txt": "base: pure\nvalue: base pure\ncli: base value\n",
    "src/base/a.hpp": SPDX + "#pragma once\n#include <string>\ninline std::string a;\n",
    "src/value/b.cpp": SPDX + '#include "base/a.hpp"\n' + HIDDEN,
}
# What is added to the clean tree, and the rule that must be named.
OFFENCES = [
    ("src/base/c.cpp", SPDX + '#include "value/b.hpp"\n', "layers"),
    ("src/base/c.cpp", SPDX + '#include "a.hpp"\n', "layers"),
    ("src/other/c.cpp", SPDX, "layers"),
    ("src/base/c.cpp", SPDX + "auto t = std::chrono::system_clock::now();\n", "pure"),
    ("src/base/c.cpp", SPDX + "std::unordered_map<int, int> m;\n", "pure"),
    ("src/base/c.cpp", SPDX + "#include <iostream>\n", "pure"),
    ("src/base/c.cpp", "int x;\n", "licence"),
    ("src/base/c.cpp", SPDX + "// TO" + "DO: later\n", "unfinished"),
    ("docs/page.md", "see /ho" + "me/someone/file\n", "absolute-path"),
    ("src/base/c.hpp", SPDX + "#pragma once\n", "unused"),
    ("src/value/b.cpp", SPDX + '#include "base/a.hpp"\n' + "\n" * 801, "size"),
    ("src/base/a.hpp", SPDX + "#pragma once\nusing namespace std;\n", "header"),
    ("src/base/a.hpp", SPDX + "#pragma once\nclass StoreManager {};\n", "name"),
    ("src/base/a.hpp", SPDX + "#pragma once\ninline std::string a;\n", "header"),  # not alone
    ("src/value/c.cpp", hiding("void only_here() {}"), "same-name"),
    ("src/value/c.cpp", hiding("constexpr int only_here[] = {1};"), "same-name"),
    ("src/value/c.cpp", hiding("struct only_here {\n};"), "same-name"),
    ("src/value/c.cpp", hiding("using Kind = long;"), "same-name"),
]


def run_tidy(files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        command = [sys.executable, str(TIDY), "--root", folder, "--headers", str(root / "build")]
        return subprocess.run(command, capture_output=True, text=True, check=False)


class Tidy(unittest.TestCase):
    def test_finds_nothing_in_a_clean_tree(self):
        result = run_tidy(CLEAN)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_names_the_rule_that_is_broken(self):
        for name, text, rule in OFFENCES:
            with self.subTest(file=name, rule=rule):
                result = run_tidy({**CLEAN, name: text})
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                self.assertIn(f"[{rule}]", result.stdout)
                self.assertIn(name, result.stdout)

    def test_lets_names_be_equal_that_are_never_compiled_together(self):
        for name in ("src/value/b_test.cpp", "src/base/b.cpp"):
            self.assertEqual(run_tidy({**CLEAN, name: SPDX + HIDDEN}).returncode, 0, name)
        for text in (hiding("using Kind = int;"), hiding("void only_here() {}", "pawl::other")):
            self.assertEqual(run_tidy({**CLEAN, "src/value/c.cpp": text}).returncode, 0, text)

    def test_lets_a_file_hide_an_overload_of_its_own_header(self):
        header = "#pragma once\nnamespace pawl {\nvoid show(int x);\n}  // namespace pawl\n"
        pair = {"src/value/c.hpp": SPDX + header,
                "src/value/c.cpp": hiding("void show(char x);").replace(SPDX, SPDX + '#include "value/c.hpp"\n')}
        self.assertEqual(run_tidy({**CLEAN, **pair}).returncode, 0)

    def test_lets_the_world_outside_ask_a_clock(self):
        outside = {"src/cli/d.cpp": SPDX + "auto t = std::chrono::system_clock::now();\n"}
        self.assertEqual(run_tidy({**CLEAN, **outside}).returncode, 0)


if __name__ == "__main__":
    unittest.main()
