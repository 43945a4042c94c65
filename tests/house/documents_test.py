# SPDX-License-Identifier: Apache-2.0
"""The documents that must agree with the code do."""
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def links_of(page):
    """Relative links of a page, without their anchors."""
    targets = re.findall(r"\]\(([^)\s]+)\)", text_of(page))
    return [target.split("#")[0] for target in targets if "://" not in target and not target.startswith("#")]


class Documents(unittest.TestCase):
    maxDiff = None

    def test_every_error_code_has_its_entry(self):
        enum = re.search(r"enum class Code[^{]*\{(.*?)\};", text_of("src/base/error.hpp"), re.S)[1]
        in_code = {(number, name) for name, number in re.findall(r"(\w+) = (\d+)", enum)}
        in_page = set(re.findall(r"^### PAWL-(\d+) `(\w+)`$", text_of("docs/errors.md"), re.M))
        self.assertTrue(in_code)
        self.assertEqual(in_page, in_code)

    def test_every_entry_says_meaning_cause_and_cure(self):
        for entry in text_of("docs/errors.md").split("\n### ")[1:]:
            for part in ("Meaning:", "Cause:", "Cure:"):
                self.assertIn(part, entry, entry.splitlines()[0])

    def test_every_package_of_setup_has_its_reason(self):
        page = text_of("docs/dependencies.md")
        building, testing = page.split("\n## For building\n")[1].split("\n## For testing\n")
        for words, part in ((["build"], building), (["test"], testing), ([], page)):
            listed = subprocess.run([ROOT / "tools" / "setup", "--list", *words], capture_output=True, text=True, check=True)
            in_page = re.findall(r"^\| `([^`]+)` \|", part, re.M)
            self.assertEqual(sorted(in_page), sorted(listed.stdout.split()), words)

    def test_E3_the_packages_below_the_library_are_named(self):
        """Found by CMake or by pkg-config, each belongs to a package whose name contains its own."""
        config = text_of("cmake/pawlConfig.cmake.in")
        found = re.findall(r"find_dependency\((\w+)\)|IMPORTED_TARGET (\S+?)(?:-8)?\)", config)
        named = re.search(r"apt-get install ([^`]*)", text_of("docs/embedding.md"))[1].lower().replace("-", "")
        for word in {"".join(pair).lower().replace("-", "") for pair in found} - {"threads"}:
            self.assertIn(word, named)

    def test_setup_refuses_a_part_that_it_does_not_have(self):
        refused = subprocess.run([ROOT / "tools" / "setup", "biuld"], capture_output=True, text=True, check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn('"biuld" is not known', refused.stderr)

    def test_links_lead_somewhere(self):
        pages = ["README.md"] + [f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")]
        for page in pages:
            for target in links_of(page):
                path = (ROOT / page).parent / target
                self.assertTrue(path.exists(), f"{page} links to {target}")


if __name__ == "__main__":
    unittest.main()
