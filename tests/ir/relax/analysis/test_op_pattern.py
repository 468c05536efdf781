"""The pattern of a kernel by the indices that it writes and reads, and by what it adds up."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.relax.analysis.op_pattern import OpPatternKind, op_pattern
from tvmscript.ir.tir import PrimFunc

KERNEL = """@T.prim_func
def main(A: T.Buffer((8, 8), "float32"), V: T.Buffer((8,), "float32"), U: T.Buffer((8, 1), "float32"),
         C: T.Buffer((8,), "int32"), B: T.Buffer((8, 8), "float32"), R: T.Buffer((8,), "float32")):
    for i, j in T.grid(8, 8):
        with T.block("b"):
            v, w = T.axis.remap({axes}, [i, j])
            {body}
"""


def pattern(body: str, axes: str = '"SS"') -> OpPatternKind:
    text = KERNEL.format(axes=axes, body=body.replace("\n", "\n            "))
    func = tvmscript.from_source(text, check_well_formed=False)
    assert isinstance(func, PrimFunc)
    return op_pattern(func)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("B[v, w] = A[v, w]", OpPatternKind.ELEM_WISE),
        ("B[w, v] = A[w, v]", OpPatternKind.ELEM_WISE),
        ("B[v, w] = 1.0", OpPatternKind.ELEM_WISE),
        ("B[v, w] = V[v]", OpPatternKind.BROADCAST),
        ("B[v, w] = V[w]", OpPatternKind.BROADCAST),
        ("B[v, w] = U[w, 0]", OpPatternKind.BROADCAST),
        ("B[v, w] = A[v, w] + V[w]", OpPatternKind.ELEM_WISE),
        ("B[v, w] = A[w, v]", OpPatternKind.INJECTIVE),
        ("B[v, w] = A[v, v]", OpPatternKind.INJECTIVE),
        ("B[v, w] = A[v, 0]", OpPatternKind.INJECTIVE),
        ("B[v, w] = A[v, w // 2]", OpPatternKind.INJECTIVE),
        ("B[v, w] = V[w] + A[w, v]", OpPatternKind.INJECTIVE),
        ("B[v, w] = A[v, C[w]]", OpPatternKind.OPAQUE),
        ("B[v, 0] = A[v, v]", OpPatternKind.OPAQUE),
        ("B[0, v] = A[v, v]", OpPatternKind.OPAQUE),
        ("B[v, w // 2] = A[w, v]", OpPatternKind.OPAQUE),
        ("B[v, w] = A[v, w]\nB[v, w] = V[v]", OpPatternKind.ELEM_WISE),
        ("B[v, w] = A[v, w]\nB[w, v] = A[v, w]", OpPatternKind.OPAQUE),
        ("B[v, w] = A[v, w]\nR[v] = V[v]", OpPatternKind.OPAQUE),
        ("T.evaluate(A[v, w])", OpPatternKind.OPAQUE),
    ],
)
def test_elements(body: str, kind: OpPatternKind) -> None:
    assert pattern(body) is kind


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("R[v] = R[v] + A[v, w]", OpPatternKind.COMM_REDUCE),
        ("R[v] = T.max(R[v], A[v, w])", OpPatternKind.COMM_REDUCE),
        ("R[v] = R[v] + A[v, w] * V[w]", OpPatternKind.OUT_ELEM_WISE_FUSABLE),
        ("R[v] = R[v] + A[v, w] * 2.0", OpPatternKind.COMM_REDUCE),
        ("R[v] = A[v, w] * V[w] + R[v]", OpPatternKind.COMM_REDUCE),
        ("R[v] = R[v] + V[v + w]", OpPatternKind.OUT_ELEM_WISE_FUSABLE),
        ("R[v] = R[v] + A[v, w] + V[v + w]", OpPatternKind.OUT_ELEM_WISE_FUSABLE),
        ("R[v] = R[v] + A[w, w]", OpPatternKind.COMM_REDUCE),
    ],
)
def test_reductions(body: str, kind: OpPatternKind) -> None:
    assert pattern(f"with T.init():\n    R[v] = 0.0\n{body}", '"SR"') is kind
