# SPDX-License-Identifier: Apache-2.0
"""The rows of the conformance table."""
from dataclasses import dataclass, field


@dataclass
class Row:
    suite: str
    right: int
    total: int
    needed: float = 100.0  # percent; below it the run fails
    note: str = ""
    failures: list = field(default_factory=list)  # lines for --verbose

    @property
    def percent(self):
        return 100.0 * self.right / self.total if self.total else 100.0

    @property
    def good(self):
        return self.percent >= self.needed


def print_table(rows, verbose):
    width = max(len(row.suite) for row in rows)
    print(f"{'suite':<{width}}  {'right':>6} {'total':>6} {'percent':>8} {'needed':>8}")
    for row in rows:
        mark = "" if row.good else "  MISSED"
        print(f"{row.suite:<{width}}  {row.right:>6} {row.total:>6} {row.percent:>7.2f}% {row.needed:>7.2f}%{mark}"
              + (f"  {row.note}" if row.note else ""))
        if verbose:
            for failure in row.failures:
                print(f"    {failure}")
