# SPDX-License-Identifier: Apache-2.0
"""The comparison that the conformance table rests on is neither too mild nor too strict."""
import sys
import unittest
from decimal import Decimal

sys.dont_write_bytecode = True
from compare import same, same_answer  # noqa: E402


def temporal(kind, text):
    return {"@type": kind, "@value": text}


SAME = [
    (1, Decimal("1.0")),
    (0.1, Decimal("0.1000000001")),
    ([1, "a", None], [1, "a", None]),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    (temporal("duration", "PT24H"), temporal("days and time duration", "P1D")),
    (temporal("duration", "P1Y6M"), temporal("duration", "P18M")),
    (temporal("duration", "-PT90S"), temporal("duration", "-PT1M30S")),
    (temporal("time", "10:30"), temporal("time", "10:30:00")),
    (temporal("date and time", "2024-01-01T10:00:00.500+00:00"), temporal("date and time", "2024-01-01T10:00:00.5Z")),
]
DIFFERENT = [
    (1, Decimal("1.0000001")),
    (1, True),
    (True, 1),
    (None, False),
    ("1", 1),
    ([1, 2], [2, 1]),
    ([1], [1, 1]),
    ({"a": 1}, {"a": 1, "b": 2}),
    (temporal("date", "2024-01-01"), "2024-01-01"),
    (temporal("date", "2024-01-01"), temporal("date", "2024-01-02")),
    (temporal("duration", "P1D"), temporal("duration", "-P1D")),
    (temporal("time", "10:30:00"), temporal("time", "10:30:00Z")),
]


class Compare(unittest.TestCase):
    def test_takes_equal_values_as_equal(self):
        for expected, got in SAME:
            with self.subTest(expected=expected, got=got):
                self.assertTrue(same(expected, got))

    def test_tells_different_values_apart(self):
        for expected, got in DIFFERENT:
            with self.subTest(expected=expected, got=got):
                self.assertFalse(same(expected, got))

    def test_an_error_is_neither_null_nor_a_value(self):
        self.assertTrue(same_answer({"@error": "parse"}, {"error": "no"}))
        self.assertFalse(same_answer({"@error": "parse"}, {"value": None}))
        self.assertFalse(same_answer(None, {"error": "no"}))
        self.assertTrue(same_answer(None, {"value": None}))


if __name__ == "__main__":
    unittest.main()
