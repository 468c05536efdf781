"""Sums of float16 in columns, rounded once for several terms."""

from __future__ import annotations

import numpy as np
import pytest

import tvmscript
from tvmscript.backends.llvm.codegen.half_sums import RoundSumsOnce
from tvmscript.backends.llvm.target import EXACT
from tvmscript.ir.tir import PrimFunc

COLUMNS = """
@T.prim_func
def main(A: T.Buffer((16, 40), "float16"), C: T.Buffer((40,), "float16")):
    T.func_attr({"tir.noalias": True})
    for i, k in T.grid(40, 16):
        with T.block("C"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = T.float16(0)
            C[vi] = C[vi] + A[vk, vi]
"""


@pytest.mark.parametrize(("target", "expected"), [("llvm", 2064), (EXACT, 2048)])
def test_values(target: str, expected: int) -> None:
    """2048 + 1 is 2048 in float16; 2048 + 7 is 2056, and + 8 is 2064."""
    a = np.ones((16, 40), "float16")
    a[0] = 2048
    c = np.zeros(40, "float16")
    tvmscript.build(tvmscript.from_source(COLUMNS), target=target)["main"](a, c)
    assert (c == expected).all()


LOOP = """
@T.prim_func
def main(A: T.Buffer((64,), "{dtype}"), C: T.Buffer((8,), "{dtype}")):
    for k in T.serial(4, annotations={{{annotations}}}):
        for j in range(8):
            C[j] = C[j] + A[k * 16 + j]
            C[j] = C[j] + {term}
"""


def _is_joined(dtype: str, annotations: str, term: str, *, is_alone: bool = True) -> bool:
    func = tvmscript.from_source(LOOP.format(dtype=dtype, annotations=annotations, term=term))
    assert isinstance(func, PrimFunc)
    memory = {buffer.data: is_alone for buffer in func.buffer_map.values()}
    return RoundSumsOnce(memory).rewrite(func.body) is not func.body


def test_what_is_joined() -> None:
    """Terms of a reduction axis that do not depend on the sum, of halves in memory that no other pointer reaches."""
    reduction, term = '"tir.reduction": True', "A[k * 16 + j + 8]"
    assert _is_joined("float16", reduction, term)
    assert _is_joined("bfloat16", reduction, term)
    assert not _is_joined("float32", reduction, term)
    assert not _is_joined("float16", "", term)
    assert not _is_joined("float16", reduction, "C[7 - j]")
    assert not _is_joined("float16", reduction, term, is_alone=False)
