"""`detect_linear_equation` and `detect_clip_bound` agree with TVM 0.17."""

from __future__ import annotations

import pytest

from tests.ir.arith.test_rules import NAMES, read
from tvmscript.arith import detect_clip_bound, detect_linear_equation

#: expression, variables -> coefficients and the rest
EQUATIONS = [
    ("i * 4 + j * n + 3", "ij", ["4", "n", "3"]),
    ("i * j", "ij", []),
    ("i * j", "i", ["j", "0"]),
    ("i // 4", "i", []),
    ("n // 4 * i + 2", "i", ["n // 4", "2"]),
    ("i - j * 2 + k", "ij", ["1", "-2", "k"]),
    ("n", "i", ["0", "n"]),
    ("(i + 1) * (n + 2) * 3", "i", ["3 * (n + 2)", "3 * (n + 2)"]),
    ("i - i", "i", ["0", "0"]),
    ("i * 4", "", ["i * 4"]),
    ("(i + j) * (i + 1)", "i", []),
    ("i * i", "i", []),
    ("j + (i + j) * 2", "ij", ["2", "3", "0"]),
    ("i * 4 + i * n", "i", ["4 + n", "0"]),
]


@pytest.mark.parametrize(("expr", "variables", "expected"), EQUATIONS)
def test_linear_equations(expr: str, variables: str, expected: list[str]) -> None:
    found = detect_linear_equation(read(expr), [NAMES[name] for name in variables])
    assert [str(part) for part in found] == expected


#: condition, variables -> least and greatest value of each
CLIPS = [
    ("T.And(i < 10, i >= 3)", "i", ["3", "9"]),
    ("T.And(i < 10, j >= 3)", "ij", ["None", "9", "3", "None"]),
    ("i * 2 < 10", "i", ["None", "4"]),
    ("i + j < 10", "ij", []),
    ("i + n < 10", "i", ["None", "9 - n"]),
    ("i == 5", "i", ["5", "5"]),
    ("T.Or(i < 3, i > 5)", "i", []),
    ("T.And(i < 10, n < 5)", "i", []),
    ("-i <= 3", "i", ["-3", "None"]),
    ("n - i < k", "i", ["n + 1 - k", "None"]),
    ("T.And(T.And(i < 10, i < 8), i < n)", "i", ["None", "T.min(7, n - 1)"]),
    ("T.And(i < 10, i != 3)", "i", []),
]


@pytest.mark.parametrize(("condition", "variables", "expected"), CLIPS)
def test_clip_bounds(condition: str, variables: str, expected: list[str]) -> None:
    found = detect_clip_bound(read(condition), [NAMES[name] for name in variables])
    assert [str(end) for end in found] == expected
