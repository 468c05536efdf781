"""Pointers to elements, as instructions take them."""

from __future__ import annotations

from tvmscript.backends.c.expressions import write_index
from tvmscript.backends.c.types import UNARY
from tvmscript.backends.cuda.codegen import CudaCodegen
from tvmscript.ir.core import DType
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import expr as tir


def pointer_to(cg: CudaCodegen, data: Expr, offset: Expr, dtype: DType) -> str:
    """Return a pointer to an element: `&A[offset]`, with a cast where the memory is declared with another type."""
    kind = cg.type_name(dtype)
    if isinstance(data, tir.Var):
        text = cg.lookup(data)
        if cg.pointees.get(data) is not dtype:
            text = f"(({kind} *){text})"
    else:
        text = f"(({kind} *){cg.expr(data).inside(UNARY)})"
    distance = write_index(cg, offset).text
    return text if distance == "0" else f"&{text}[{distance}]"


def operand_pointer(cg: CudaCodegen, data: Expr, offset: Expr, dtype: DType) -> str:
    """Return a pointer as instructions take it: the offset counts elements that the memory is declared with.

    Merged shared memory is declared with bytes.
    """
    unit = cg.pointees.get(data, dtype) if isinstance(data, tir.Var) else dtype
    text = pointer_to(cg, data, offset, unit)
    return text if unit is dtype else f"({cg.type_name(dtype)} *){text}"
