"""What of a buffer is allocated where its address is taken: what the block states, but for one element alone."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.core import IRModule, nodes
from tvmscript.ir.tir.stmt import Block
from tvmscript.ir.transform.registry import get_pass

TEXT = """@T.prim_func
def main(B: T.Buffer((8, 8), "float32"), n: T.int32):
    A = T.alloc_buffer((16, 16), "float32")
    for i, j in T.grid(8, 8):
        with T.block("b"):
            T.reads({})
            T.writes(B[i, j])
            T.evaluate(T.call_extern("int32", "f", T.address_of(A[0, 0]), T.address_of(B[i, j])))
"""


@pytest.mark.parametrize(
    ("stated", "shape"),
    [
        ("A[0, 0:4]", "1, 4"),
        ("A[0:4, 0]", "4, 1"),
        ("A[2:6, 3:5]", "6, 5"),  # from the element whose address is taken
        ("A[0, 0]", "16, 16"),
        ("A[i, j]", "16, 16"),
        ("A[0, 0], A[0:2, 0:3]", "2, 3"),
        ("A[0:5, 0], A[0:2, 0:3]", "5, 3"),
        ("A[i, 0:2]", "8, 2"),
        ("B[i, j]", "16, 16"),
    ],
)
def test_addresses(stated: str, shape: str) -> None:
    func = tvmscript.from_source(TEXT.format(stated), check_well_formed=False)
    mod = get_pass("tir.CompactBufferAllocation")(IRModule({"main": func}))
    (buffer,) = [each for node in nodes(mod["main"].body) if isinstance(node, Block) for each in node.alloc_buffers]
    assert ", ".join(map(str, buffer.shape)) == shape
