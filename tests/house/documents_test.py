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
        listed = subprocess.run([ROOT / "tools" / "setup", "--list"], capture_output=True, text=True, check=True)
        in_page = re.findall(r"^\| `([^`]+)` \|", text_of("docs/dependencies.md"), re.M)
        self.assertEqual(sorted(in_page), sorted(listed.stdout.split()))

    def test_links_lead_somewhere(self):
        pages = ["README.md"] + [f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")]
        for page in pages:
            for target in links_of(page):
                path = (ROOT / page).parent / target
                self.assertTrue(path.exists(), f"{page} links to {target}")


if __name__ == "__main__":
    unittest.main()
