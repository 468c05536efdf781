"""Bounds of accesses by intervals of numbers: what is proven is so, and which programs have such a proof."""

from __future__ import annotations

from collections import Counter

import pytest

import tvmscript
from tvmscript.fuzz.analysis.access_programs import random_program
from tvmscript.fuzz.programs.loops import random_program as correct_program
from tvmscript.ir.analysis.access.out_of_bounds import Verdict, check_bounds
from tvmscript.ir.analysis.access.plain_bounds import stays_plainly_inside
from tvmscript.ir.tir.function import PrimFunc


def _read(text: str) -> PrimFunc:
    func = tvmscript.from_source(text)
    assert isinstance(func, PrimFunc)
    return func


def test_nothing_is_proven_that_the_analyzer_does_not_prove() -> None:
    """A proof by intervals is never of a program with an access that may leave its buffer."""
    counted: Counter[tuple[bool, bool]] = Counter()
    texts = [*(random_program(seed) for seed in range(40)), *(correct_program(seed) for seed in range(10))]
    for func in map(_read, texts):
        is_proven = all(finding.verdict is Verdict.PROVEN for finding in check_bounds(func))
        counted[stays_plainly_inside(func), is_proven] += 1
    assert counted[True, False] == 0
    assert counted[True, True] > 10
    assert counted[False, False] > 10


_PROGRAM = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), I: T.Buffer((16,), "int32"), B: T.Buffer((18,), "float32"), n: T.int32):
    for i in range({extent}):
        with T.block("B"):
            vi = T.axis.spatial({extent}, {value})
            B[vi] = {stored}
"""


@pytest.mark.parametrize(
    ("extent", "value", "stored", "is_proven"),
    [
        (18, "i", "T.if_then_else(1 <= vi and vi < 17, A[vi - 1], T.float32(0))", True),
        (18, "i", "T.if_then_else(1 <= vi and vi <= 17, A[vi - 1], T.float32(0))", False),
        (18, "i", "T.if_then_else(0 <= vi and vi < 17, A[vi - 1], T.float32(0))", False),
        (18, "i", "T.if_then_else(1 <= vi and 17 > vi, T.float32(0), A[vi - 1])", False),
        (18, "i", "A[vi // 2 + 7]", True),
        (18, "i", "A[vi // 2 + 8]", False),
        (18, "i", "A[vi % 16]", True),
        (17, "i + 1", "A[vi - 1]", False),
        (16, "i + 2", "A[vi - 2]", True),
        (19, "i", "T.float32(0)", False),
        (16, "i", "A[I[vi]]", False),
        (16, "i", "A[T.min(vi, n)]", False),
    ],
)
def test_single_programs(extent: int, value: str, stored: str, is_proven: bool) -> None:
    """Ranges of loops and axes, and conditions on them, count. Data and parameters are for the analyzer."""
    text = _PROGRAM.format(extent=extent, value=value, stored=stored)
    assert stays_plainly_inside(_read(text)) is is_proven


def test_what_stands_for_other_memory_is_left_to_the_analyzer() -> None:
    """Allocated, matched and masked memory, and loops without a bound."""
    bodies = (
        "D = T.decl_buffer((32,), data=A.data)\n    D[0] = T.float32(0)",
        "D = T.allocate([4], 'float32', 'global')\n    E = T.Buffer((4,), data=D)\n    E[0] = T.float32(0)",
        "while A[0] < T.float32(1):\n        A[0] = A[0] + T.float32(1)",
    )
    for body in bodies:
        func = _read(f'@T.prim_func\ndef main(A: T.Buffer((16,), "float32")):\n    {body}\n')
        assert not stays_plainly_inside(func)
