# SPDX-License-Identifier: Apache-2.0
"""Compares the program with test suites that others wrote, and prints a table.

The suites are not part of the project: PAWL_SUITES names their folder. Without them there is nothing to
compare. Exit 1 if a suite is below what is needed.
"""
import argparse
import os
import pathlib
import sys

sys.dont_write_bytecode = True
import betsy_suite  # noqa: E402
import feel_suite  # noqa: E402
import models_suite  # noqa: E402
from program import Pawl  # noqa: E402
from report import print_table  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUITES = [("feel-cases.json", feel_suite.measure), ("betsy", betsy_suite.measure), ("camunda7", models_suite.measure)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pawl", type=pathlib.Path, default=ROOT / "build" / "release" / "pawl")
    parser.add_argument("--verbose", action="store_true", help="list every failure")
    parser.add_argument("--only", choices=[name for name, _ in SUITES], help="one suite")
    options = parser.parse_args()

    suites = pathlib.Path(os.environ.get("PAWL_SUITES") or ROOT.parent / "shared" / "suites")
    if not suites.is_dir():
        print("conformance: no suites found (PAWL_SUITES is not set to their folder); nothing is compared")
        return 0
    pawl = Pawl(options.pawl.resolve())
    rows = []
    for name, measure in SUITES:
        if (suites / name).exists() and options.only in (None, name):
            rows += measure(pawl, suites)
    if rows:
        print_table(rows, options.verbose)
    missed = [row.suite for row in rows if not row.good]
    print(f"conformance: {len(rows) - len(missed)} of {len(rows)} goals reached"
          + (f"; missed: {', '.join(missed)}" if missed else ""))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
