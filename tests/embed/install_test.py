# SPDX-License-Identifier: Apache-2.0
"""Pawl is installed to a folder, and the examples are built against it and run: what a user of the library does.

PAWL_BUILD names the build folder that is installed."""
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("PAWL_BUILD", ROOT / "build" / "release"))


def call(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{words} ended with {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return done.stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        place = pathlib.Path(cls.folder.name)
        cls.prefix, cls.examples = place / "prefix", place / "examples"
        call("cmake", "--install", BUILD, "--prefix", cls.prefix)
        call("cmake", "-S", ROOT / "examples" / "embed", "-B", cls.examples, f"-DCMAKE_PREFIX_PATH={cls.prefix}")
        call("cmake", "--build", cls.examples, "--parallel", "2")

    def run_example(self, name, data=None):
        return call(self.examples / name, data or pathlib.Path(self.folder.name) / f"data-{name}")

    def test_one_library_with_its_headers_is_installed(self):
        libraries = [path.name for path in self.prefix.rglob("*.a")]
        self.assertEqual(libraries, ["libpawl.a"])
        self.assertTrue((self.prefix / "bin" / "pawl").exists())
        for header in self.prefix.rglob("*.hpp"):  # nothing of ours or of others leaks out
            for line in header.read_text(encoding="utf-8").splitlines():
                if line.startswith('#include "'):
                    self.assertIn('"pawl/', line, header)
                elif line.startswith("#include <"):
                    self.assertRegex(line, r"^#include <[a-z_]+>$", header)

    def test_E3_make_builds_all_that_is_installed(self):
        planned = call("make", "--dry-run", "-C", ROOT, "build")
        self.assertIn("--target pawl pawl_archive", planned)

    def test_the_installed_files_carry_nothing_for_debuggers(self):
        self.assertIn(".debug_line", call("readelf", "--sections", "--wide", BUILD / "pawl"))
        for path in (self.prefix / "bin" / "pawl", *self.prefix.rglob("*.a")):
            self.assertNotIn(".debug_", call("readelf", "--sections", "--wide", path), path.name)
        self.assertNotIn(".symtab", call("readelf", "--sections", "--wide", self.prefix / "bin" / "pawl"))

    def test_hello(self):
        self.assertIn('{"name":"world","greeting":"Hello, world!"}', self.run_example("hello"))

    def test_message(self):
        self.assertEqual(self.run_example("message"), 'refused: 1304\n{"orderId":"A-17","amount":129.8}\n')

    def test_loop(self):
        self.assertEqual(self.run_example("loop"),
                         '{"numbers":[1,2,3,4,5],"squares":[1,4,9,16,25]}\n5 jobs were done\n')

    def test_recover(self):
        data = pathlib.Path(self.folder.name) / "recover"
        first = self.run_example("recover", data)
        self.assertTrue(first.startswith("started "), first)
        key = first.split()[1]
        self.assertEqual(self.run_example("recover", data), f'finished {key}: {{"name":"again"}}\n')

    def test_examples_are_short(self):
        for path in (ROOT / "examples" / "embed").glob("*.cpp"):
            self.assertLessEqual(path.read_text(encoding="utf-8").count("\n"), 50, path.name)


if __name__ == "__main__":
    unittest.main()
