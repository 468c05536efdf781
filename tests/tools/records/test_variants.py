"""Variants of scripts."""

from __future__ import annotations

import ast

from tools.records.variants import variants

_SCRIPT = """\
check('''
for i in range(8):
    for j in T.serial(8):
        A[i] = B[j, 4]
''', is_strict=True)
"""


def test_each_is_another_one_that_python_reads() -> None:
    drawn = [*variants([_SCRIPT], 200, 0)]
    assert len({*drawn, _SCRIPT}) == 201
    for each in drawn:
        ast.parse(each)
    assert drawn == [*variants([_SCRIPT], 200, 0)]


def test_each_kind_of_change_is_drawn() -> None:
    drawn = {*variants([_SCRIPT], 400, 0)}
    changed = {
        "one size": _SCRIPT.replace("range(8)", "range(1)"),
        "both sizes": _SCRIPT.replace("8", "17"),
        "a loop": _SCRIPT.replace("T.serial", "T.vectorized"),
        "an option": _SCRIPT.replace("True", "False"),
        "a name": _SCRIPT.replace("A[i]", "A[j]"),
        "a line less": _SCRIPT.replace("        A[i] = B[j, 4]\n", ""),
        "a line twice": _SCRIPT.replace("for i in range(8):\n", "for i in range(8):\n" * 2),
    }
    assert {what for what, script in changed.items() if script not in drawn} == set()


def test_nothing_is_drawn_of_nothing() -> None:
    assert [*variants([], 3, 0)] == []
