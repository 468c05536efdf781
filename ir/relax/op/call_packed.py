"""Calls of external functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvmscript.ir.core import Span, WrongType
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call, ExternFunc
from tvmscript.ir.relax.infer_call import derive_call_ret_struct_info
from tvmscript.ir.relax.op.call_tir import OutSinfo, check_indices, infer_out_sinfo, merge_out_sinfo
from tvmscript.ir.relax.op.script_functions import convert_to_kind, make_call
from tvmscript.ir.relax.op.shape_rules import describe_kind, struct_info_of
from tvmscript.ir.relax.operator import Operator, invalid_argument
from tvmscript.ir.relax.struct_info import FuncStructInfo, ObjectStructInfo, TupleStructInfo
from tvmscript.ir.relax.struct_info_lattice import BaseCheck, BaseCheckResult

#: struct info of the results: none, one, or several
SinfoArgs = StructInfo | Sequence[StructInfo] | None


def _infer_packed_result(call: Call) -> StructInfo:
    """Infer the result of calling the first argument, an opaque function."""
    if not call.args:
        raise invalid_argument(call, "the call", "a function", "none")
    callee = struct_info_of(call, 0)
    if not isinstance(callee, FuncStructInfo) or callee.params is not None:
        raise invalid_argument(call, 0, "an opaque function", describe_kind(callee))
    result = derive_call_ret_struct_info(call.op.script_name, callee, call.args[1:], call.sinfo_args, call.span)
    return result if result is not None else ObjectStructInfo()


def _infer_in_place(call: Call) -> StructInfo:
    if len(call.args) < 2:
        raise invalid_argument(call, "the call", "a function and at least one argument", f"{len(call.args)} in all")
    result, indices = _infer_packed_result(call), call.attrs["inplace_indices"]
    check_indices(call, indices, len(call.args) - 1)
    parts: Sequence[StructInfo] = (result,)
    if len(indices) > 1:
        if not isinstance(result, TupleStructInfo) or len(result.fields) != len(indices):
            raise invalid_argument(call, "sinfo_args", f"{len(indices)}, one for each in-place index", result)
        parts = result.fields
    for index, part in zip(indices, parts, strict=True):
        given = struct_info_of(call, index + 1)
        if index != -1 and (given is None or BaseCheck().check(part, given) is not BaseCheckResult.PASS):
            raise invalid_argument(
                call, "sinfo_args", f"the struct info of argument {index}, which receives the result", part
            )
    return result


def _infer_builtin_result(call: Call) -> StructInfo:
    if len(call.sinfo_args) > 1:
        raise invalid_argument(call, "sinfo_args", "one struct info at most", len(call.sinfo_args))
    return call.sinfo_args[0] if call.sinfo_args else TupleStructInfo(())


def _infer_object(call: Call) -> StructInfo:
    return ObjectStructInfo()


def _infer_closure_result(call: Call) -> StructInfo:
    if not call.sinfo_args:
        return ObjectStructInfo()
    return call.sinfo_args[0] if len(call.sinfo_args) == 1 else TupleStructInfo(call.sinfo_args)


# Functions in R


def as_struct_infos(sinfo_args: SinfoArgs, span: Span | None) -> tuple[StructInfo, ...]:
    """Convert `sinfo_args` to a tuple. Raises `WrongType`."""
    if sinfo_args is None:
        return ()
    infos: tuple[Any, ...] = tuple(sinfo_args) if isinstance(sinfo_args, (tuple, list)) else (sinfo_args,)
    for info in infos:
        if not isinstance(info, StructInfo):
            raise WrongType(where="sinfo_args", expected="struct info, as R.Tensor(...)", got=info, span=span)
    return infos


def call_packed(
    func: str | ExternFunc, *args: object, sinfo_args: SinfoArgs = None, span: Span | None = None, **attrs: object
) -> Call:
    """Return the call of an external function with possible side effects: `R.call_packed`."""
    name = "R.call_packed"
    callee = convert_to_kind(name, "func", "Func", func, span)
    values = [convert_to_kind(name, "args", "Expr", arg, span) for arg in args]
    infos = as_struct_infos(sinfo_args, span)
    result: StructInfo | None = None
    if isinstance(callee.struct_info, FuncStructInfo):
        result = derive_call_ret_struct_info(name, callee.struct_info, values, infos, span)
    return Call(callee, values, attrs, infos, result, span)


def _call_pure_packed(func: object, *args: object, sinfo_args: SinfoArgs = None, span: Span | None = None) -> Call:
    return make_call(call_pure_packed, (func, *args), None, span, as_struct_infos(sinfo_args, span))


def _call_inplace_packed(
    func: object,
    *args: object,
    inplace_indices: int | Sequence[int],
    sinfo_args: SinfoArgs = None,
    span: Span | None = None,
) -> Call:
    attrs = {"inplace_indices": inplace_indices}
    return make_call(call_inplace_packed, (func, *args), attrs, span, as_struct_infos(sinfo_args, span))


def _call_py_func(py_func_name: object, *args: object, out_sinfo: OutSinfo, span: Span | None = None) -> Call:
    return make_call(call_py_func, (py_func_name, tuple(args)), None, span, (merge_out_sinfo(out_sinfo, span),))


def _call_builtin_with_ctx(
    func: object, args: object, *, sinfo_args: SinfoArgs = None, span: Span | None = None
) -> Call:
    return make_call(call_builtin_with_ctx, (func, args), None, span, as_struct_infos(sinfo_args, span))


def _invoke_closure(closure: object, args: object, sinfo_args: SinfoArgs = (), *, span: Span | None = None) -> Call:
    return make_call(invoke_closure, (closure, args), None, span, as_struct_infos(sinfo_args, span))


def _invoke_pure_closure(
    closure: object, args: object, sinfo_args: SinfoArgs = (), *, span: Span | None = None
) -> Call:
    return make_call(invoke_pure_closure, (closure, args), None, span, as_struct_infos(sinfo_args, span))


call_pure_packed = Operator(
    "call_pure_packed",
    "func: Func, *args: Expr",
    _infer_packed_result,
    script_function=_call_pure_packed,
    doc="Call a pure external function.",
)
call_py_func = Operator(
    "call_py_func",
    "func_name: Str, args: Tuple",
    infer_out_sinfo,
    script_function=_call_py_func,
    doc="Call a Python function that is registered in the module by name.",
)
call_inplace_packed = Operator(
    "call_inplace_packed",
    "func: Func, *args: Expr, inplace_indices: ints = (0,)",
    _infer_in_place,
    script_function=_call_inplace_packed,
    doc="Call an external function that writes results into arguments; the index -1 is a new value.",
)
call_builtin_with_ctx = Operator(
    "call_builtin_with_ctx",
    "func: Func, args: Tuple",
    _infer_builtin_result,
    script_function=_call_builtin_with_ctx,
    pure=False,
    doc="Call a builtin of the virtual machine with the machine as its first argument.",
)
make_closure = Operator(
    "make_closure",
    "func: Func, args: Tuple",
    _infer_object,
    doc="Create a closure from a function and captured values.",
)
invoke_closure = Operator(
    "invoke_closure",
    "closure: Expr, args: Tuple",
    _infer_closure_result,
    script_function=_invoke_closure,
    pure=False,
    doc="Call a closure.",
)
invoke_pure_closure = Operator(
    "invoke_pure_closure",
    "closure: Expr, args: Tuple",
    _infer_closure_result,
    script_function=_invoke_pure_closure,
    doc="Call a pure closure.",
)
