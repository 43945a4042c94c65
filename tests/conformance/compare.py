# SPDX-License-Identifier: Apache-2.0
"""When a FEEL value is the expected one: numbers within 1e-8, temporal values by what they mean,
lists in order, contexts by their keys."""
import re
from decimal import Decimal
from numbers import Number

NEAR = Decimal("1e-8")

DURATION = re.compile(
    r"(?P<sign>-)?P(?:(?P<years>\d+)Y)?(?:(?P<months>\d+)M)?(?:(?P<weeks>\d+)W)?(?:(?P<days>\d+)D)?"
    r"(?:T(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+(?:\.\d+)?)S)?)?")
SECONDS_IN = {"weeks": 604800, "days": 86400, "hours": 3600, "minutes": 60, "seconds": 1}


def duration(text):
    """(months, seconds), or the text itself if it is no duration."""
    match = DURATION.fullmatch(text)
    if not match:
        return text
    part = {name: Decimal(value) for name, value in match.groupdict().items() if value and name != "sign"}
    sign = -1 if match["sign"] else 1
    months = part.get("years", 0) * 12 + part.get("months", 0)
    seconds = sum(value * SECONDS_IN[name] for name, value in part.items() if name in SECONDS_IN)
    return sign * months, sign * seconds


def moment(text):
    """A date, time or date and time in one spelling: with seconds, without needless zeros, Z for UTC."""
    text = re.sub(r"(T\d\d:\d\d|^\d\d:\d\d)(?![:\d])", r"\1:00", text)
    text = re.sub(r"(:\d\d)\.0+(?!\d)", r"\1", text)
    text = re.sub(r"(:\d\d\.\d*?[1-9])0+(?!\d)", r"\1", text)
    return re.sub(r"(\+00:00|@Etc/UTC|@UTC)$", "Z", text)


def tagged(value):
    return isinstance(value, dict) and "@type" in value and "@value" in value


def same_temporal(expected, got):
    if "duration" in expected["@type"]:
        return "duration" in got["@type"] and duration(expected["@value"]) == duration(got["@value"])
    return expected["@type"] == got["@type"] and moment(expected["@value"]) == moment(got["@value"])


def is_number(value):
    return isinstance(value, Number) and not isinstance(value, bool)


def same(expected, got):
    if is_number(expected) and is_number(got):
        return abs(Decimal(str(expected)) - Decimal(str(got))) <= NEAR
    if isinstance(expected, bool) or expected is None or isinstance(expected, str):
        return type(expected) is type(got) and expected == got
    if tagged(expected):
        return tagged(got) and same_temporal(expected, got)
    if isinstance(expected, list):
        return (isinstance(got, list) and len(expected) == len(got)
                and all(same(left, right) for left, right in zip(expected, got)))
    if isinstance(expected, dict):
        return (isinstance(got, dict) and expected.keys() == got.keys()
                and all(same(value, got[key]) for key, value in expected.items()))
    return False


def same_answer(expected, answer):
    """`answer` is a line of `pawl feel --batch`: it has a value or an error."""
    if isinstance(expected, dict) and "@error" in expected:
        return "error" in answer
    return "value" in answer and same(expected, answer["value"])
