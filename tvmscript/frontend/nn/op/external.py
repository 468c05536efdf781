"""Calls of kernels and of external functions; communication between workers."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import Any, TypeVar

from tvmscript.frontend.nn.errors import NotExporting
from tvmscript.frontend.nn.exporter import Exporter
from tvmscript.frontend.nn.extern import to_expression
from tvmscript.frontend.nn.tensor import Tensor, current_builder, emit, wrap_nested
from tvmscript.ir.core import WrongType
from tvmscript.ir.relax.expr import PrimValue, ShapeExpr, StringImm
from tvmscript.ir.relax.struct_info import ObjectStructInfo
from tvmscript.ir.tir import Expr, FloatImm, PrimFunc
from tvmscript.language import R

#: a tensor, or a tuple or list of tensors
OutType = TypeVar("OutType")


def tensor_expr_op(
    tensor_expr_func: Callable[..., Any],
    name_hint: str,
    args: Sequence[Any],
    *,
    attrs: Mapping[str, Any] | None = None,
) -> Any:
    """Return the results of a kernel that a function of `te` tensors defines."""
    values = [arg.expr if isinstance(arg, Tensor) else arg for arg in args]
    builder = current_builder()
    call = builder.emit_te(tensor_expr_func, *values, primfunc_name_hint=name_hint, primfunc_attrs=attrs)
    return wrap_nested(call, name_hint)


def tensor_ir_op(func: PrimFunc, name_hint: str, args: Any, out: OutType) -> OutType:
    """Return the results of a kernel; `out` are tensors that describe them. Raises `WrongType`."""
    tensors, sizes, infos = _kernel_arguments("tensor_ir_op", args, out)
    builder = current_builder()
    call = R.call_tir(builder.add_func(func, name_hint), tensors, infos, tir_vars=sizes or None)
    results: OutType = wrap_nested(builder.emit(call), name_hint)
    return results


def tensor_ir_inplace_op(
    func: PrimFunc, name_hint: str, args: Any, inplace_indices: int | Sequence[int], out: OutType
) -> OutType:
    """Return the results of a kernel that writes them into arguments; the index -1 is a new tensor."""
    tensors, sizes, infos = _kernel_arguments("tensor_ir_inplace_op", args, out)
    builder = current_builder()
    kernel = builder.add_func(func, name_hint)
    call = R.call_tir_inplace(kernel, tensors, inplace_indices, infos, tir_vars=sizes)
    results: OutType = wrap_nested(builder.emit(call), name_hint)
    return results


def _kernel_arguments(name: str, args: Any, out: Any) -> tuple[list[Any], list[Any], list[Any]]:
    """Return tensors, sizes and struct infos of results of a kernel call. Raises `WrongType`."""
    tensors: list[Any] = []
    sizes: list[Any] = []
    for arg in args if isinstance(args, (tuple, list)) else [args]:
        if isinstance(arg, Tensor):
            tensors.append(arg.expr)
        elif isinstance(arg, (ShapeExpr, Expr)):
            sizes.append(arg)
        else:
            raise WrongType(where=f"nn.op.{name}", expected="tensors, shapes and sizes", got=repr(arg))
    results: Sequence[Tensor] = [out] if isinstance(out, Tensor) else out
    return tensors, sizes, [result.expr.struct_info for result in results]


def extern(name: str, args: Sequence[Any], out: OutType) -> OutType:
    """Return the results of an external function; `out` are tensors that describe them."""
    call = R.call_dps_packed(name, to_expression(args), to_expression(out).struct_info)
    results: OutType = wrap_nested(call, name)
    return results


def debug_func(name: str, *args: Any, _line_info: str | None = None) -> None:
    """Call a global function with the line and the arguments at this point. Raises `NotExporting` without `debug`."""
    effect = Exporter.current("nn.op.debug_func").io_effect
    if effect is None:
        raise NotExporting(what="nn.op.debug_func", needed="export_tvm(debug=True)")
    line = _line_info or _line_of(inspect.currentframe())
    values = [PrimValue(FloatImm("float32", arg)) if isinstance(arg, float) else to_expression(arg) for arg in args]
    call = R.call_pure_packed(
        "vm.builtin.invoke_debug_func", effect.effect, StringImm(name), StringImm(line), *values,
        sinfo_args=[ObjectStructInfo()],
    )  # fmt: skip
    effect.effect = current_builder().emit(call, effect.effect.name_hint)


def print_(tensor: Tensor) -> None:
    """Print a tensor when the exported function runs. Raises `NotExporting` without `debug`."""
    debug_func("vm.builtin.debug_print", tensor, _line_info=_line_of(inspect.currentframe()))


def _line_of(frame: FrameType | None) -> str:
    """Return the file and the line that called the function of a frame."""
    caller = frame.f_back if frame is not None else None
    return f"{caller.f_code.co_filename}:{caller.f_lineno}" if caller is not None else "unknown"


def ccl_allreduce(x: Tensor, op_type: str = "sum", in_group: bool = True, name: str = "ccl_allreduce") -> Tensor:
    """Return the reduction over all workers."""
    return emit(R.ccl.allreduce(x.expr, op_type, in_group), name)


def ccl_allgather(x: Tensor, num_workers: int, name: str = "ccl_allgather") -> Tensor:
    """Return the tensors of all workers along axis 0."""
    return emit(R.ccl.allgather(x.expr, num_workers), name)


def ccl_broadcast_from_worker0(x: Tensor, name: str = "broadcast_from_worker") -> Tensor:
    """Return the tensor of worker 0."""
    return emit(R.ccl.broadcast_from_worker0(x.expr), name)
