"""Match the arguments of a call inside a module with the signature of its callee, at compile time."""

from __future__ import annotations

from collections.abc import Mapping

from tvmscript.ir import tir
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core import HANDLE
from tvmscript.ir.tir import Buffer, Call, Expr, PrimFunc, Var, cast
from tvmscript.ir.tir.intrin.memory import tvm_stack_make_array
from tvmscript.ir.tir.substitute import substitute


def match_arguments(func: PrimFunc, call: Call) -> Mapping[Var, Expr] | None:
    """Return the values of the variables of a signature: scalars, sizes and data pointers.

    Arrays are calls of `tvm_stack_make_array`. Return None where it is not proven that an array has the dtype, the
    rank, the extents and the compact layout of its buffer: the call has to check its arguments at run time.
    """
    if len(func.params) != len(call.args):
        return None
    values: dict[Var, Expr] = {}
    extents: list[tuple[Expr, Expr]] = []
    for param, arg in zip(func.params, call.args, strict=True):
        buffer = func.buffer_map.get(param)
        if buffer is None:
            if param.dtype.is_handle is not arg.dtype.is_handle or param.dtype.is_integer is not arg.dtype.is_integer:
                return None
            values[param] = arg
        else:
            array = _compact_array(arg, buffer)
            if array is None or buffer.data in values:
                return None
            data, shape = array
            values[buffer.data] = data
            if isinstance(buffer.elem_offset, Var):
                values[buffer.elem_offset] = tir.const(0, buffer.elem_offset.dtype)
            extents += zip(buffer.shape, shape, strict=True)
    for extent, given in extents:
        if isinstance(extent, Var):
            values.setdefault(extent, given)
    analyzer = Analyzer()
    equal = (_is_equal(analyzer, substitute(extent, values), given) for extent, given in extents)
    return values if all(equal) else None


def _is_equal(analyzer: Analyzer, a: Expr, b: Expr) -> bool:
    return a is b or analyzer.can_prove_equal(cast(b.dtype, a), b)


def _compact_array(arg: Expr, buffer: Buffer) -> tuple[Expr, tuple[Expr, ...]] | None:
    """Return pointer and extents of an array argument, None where it may not be compact, of this dtype and rank."""
    if not isinstance(arg, Call) or arg.op is not tvm_stack_make_array or buffer.strides:
        return None
    data, shape, strides, _, sample, offset = arg.args
    is_offset_known = isinstance(buffer.elem_offset, Var) or is_const(buffer.elem_offset, 0)
    is_compact = strides.dtype is not HANDLE and is_const(offset, 0) and is_offset_known
    if not is_compact or not isinstance(shape, Call) or sample.dtype is not buffer.dtype:
        return None
    return (data, shape.args) if len(shape.args) == len(buffer.shape) else None
