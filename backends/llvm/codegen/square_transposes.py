"""Transposes of squares in registers, as routines that the whole module shares.

The shuffles of a square of 16 rows cost LLVM as much time as a whole tile of a matrix product; a kernel of a
convolution has three such squares. The calling convention passes rows and columns in registers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tvmscript.backends.llvm.assembly import FunctionText
from tvmscript.backends.llvm.codegen.codegen import Codegen, call_rule
from tvmscript.backends.llvm.codegen.loop_accesses import SHORT_PIPELINE
from tvmscript.backends.llvm.codegen.vectors import GROUP_BITS, shuffle
from tvmscript.backends.llvm.types import value_type
from tvmscript.ir.core import DType, Node
from tvmscript.ir.core.node import node
from tvmscript.ir.tir import IntImm
from tvmscript.ir.tir import expr as tir


@node
class TransposeSquare(Node):
    """What is called with the first rows of a square, and returns its columns together."""


@node
class ColumnOfSquare(Node):
    """What is called with the result of a `TransposeSquare` and a number, and returns that column."""


TRANSPOSE: Final = TransposeSquare()
COLUMN: Final = ColumnOfSquare()
#: registers that x86's `regcall` passes arguments and results in
_CONVENTION: Final = "x86_regcallcc"


@call_rule(TransposeSquare)
def emit_transpose(cg: Codegen, node: tir.Call) -> str:
    dtype = node.args[0].dtype
    kind = value_type(dtype)
    kinds = ", ".join([kind] * dtype.lanes)
    signature = f"{_CONVENTION} {_square(dtype)} {{}}({kinds})"
    routine = cg.program.share(f"transpose.{dtype}", signature, lambda: _define_transpose(cg, dtype))
    rows = [cg.expr(row) for row in node.args] + ["poison"] * (dtype.lanes - len(node.args))
    operands = ", ".join(f"{kind} {row}" for row in rows)
    return cg.text.pure_value(f"call {_CONVENTION} {_square(dtype)} {routine}({operands})")


@call_rule(ColumnOfSquare)
def emit_column(cg: Codegen, node: tir.Call) -> str:
    square, number = node.args
    assert isinstance(number, IntImm)
    return cg.text.pure_value(f"extractvalue {_square(node.dtype)} {cg.expr(square)}, {number.value}")


def _square(dtype: DType) -> str:
    return f"[{dtype.lanes} x {value_type(dtype)}]"


def _define_transpose(cg: Codegen, dtype: DType) -> str:
    """Add a function that returns the columns of a square of rows, and return its symbol."""
    text, kind, square = FunctionText(cg.program.text), value_type(dtype), _square(dtype)
    rows = [f"%a{number}" for number in range(dtype.lanes)]
    params = [f"{kind} {row}" for row in rows]
    for distance, low, high in exchanges(dtype):
        rows = [
            shuffle(cg.program, text, dtype, rows[number & ~distance], rows[number | distance], lanes)
            for number in range(dtype.lanes)
            for lanes in (high if number & distance else low,)
        ]
    result = "poison"
    for number, row in enumerate(rows):
        result = text.value(f"insertvalue {square} {result}, {kind} {row}, {number}")
    text.do(f"ret {square} {result}")
    attributes = f'noinline nounwind memory(none) "{SHORT_PIPELINE}"'
    symbol = cg.program.text.fresh(f"transpose.{dtype}")
    text.define(f"{cg.program.linkage} {_CONVENTION} {square} {symbol}({', '.join(params)}) {attributes}")
    return symbol


def exchanges(dtype: DType) -> Iterator[tuple[int, list[int], list[int]]]:
    """Yield the steps that transpose a square of rows: the distance of two rows, and the lanes of the new ones.

    First inside of groups of lanes, by interleaving them: a bit of the number of a row takes the place of the lowest
    bit of the lane, whose highest one takes that of the row. Then between groups, by picking every other one: a bit of
    the row becomes the highest bit of the group. Each is one instruction of x86, whose instructions that mix all lanes
    are slower, and which LLVM takes long to choose.
    """
    lanes = dtype.lanes
    group = max(min(GROUP_BITS // dtype.bits, lanes), 1)
    distance = group // 2
    while distance:
        low = [lane - lane % group + lane % group // 2 + lane % 2 * lanes for lane in range(lanes)]
        yield distance, low, [lane + group // 2 for lane in low]
        distance //= 2
    distance = group
    while distance < lanes:
        low = [lane % group + lane // group * 2 * group for lane in range(lanes)]
        yield distance, low, [lane + group for lane in low]
        distance *= 2
