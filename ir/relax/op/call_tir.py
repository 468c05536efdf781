"""Calls of PrimFuncs and external functions in destination-passing style."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tvmscript.ir.core import GlobalVar, Span, WrongType
from tvmscript.ir.core.errors import DuplicateName
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.distributed import DTensorStructInfo
from tvmscript.ir.relax.errors import NotDifferentiable
from tvmscript.ir.relax.expr import Call, Tuple
from tvmscript.ir.relax.op.adjoint import Adjoint
from tvmscript.ir.relax.op.script_functions import make_call
from tvmscript.ir.relax.op.shape_rules import describe_kind, struct_info_of
from tvmscript.ir.relax.operator import Operator, invalid_argument
from tvmscript.ir.relax.struct_info import ShapeExpr, TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.symbolic_shape import shapes_provably_equal
from tvmscript.ir.tir import as_expr

#: struct info of the results: one or several tensors
OutSinfo = StructInfo | Sequence[StructInfo]


def infer_out_sinfo(call: Call) -> StructInfo:
    """Return the `out_sinfo` of the call. Raises `InvalidCall` where there is not exactly one."""
    if len(call.sinfo_args) != 1:
        raise invalid_argument(call, "out_sinfo", "one struct info", len(call.sinfo_args))
    return call.sinfo_args[0]


def tuple_fields(info: StructInfo) -> tuple[StructInfo, ...]:
    """Return the fields of a tuple, or a tuple of the struct info itself."""
    return info.fields if isinstance(info, TupleStructInfo) else (info,)


def _infer_kernel_outputs(call: Call) -> StructInfo:
    if not isinstance(call.args[0], GlobalVar):
        raise invalid_argument(call, 0, "a function of the module", describe_kind(struct_info_of(call, 0)))
    given = struct_info_of(call, 1)
    if not isinstance(call.args[1], Tuple) and not (given is None or isinstance(given, TupleStructInfo)):
        raise invalid_argument(call, 1, "a tuple of values", describe_kind(given))
    return _infer_output_tensors(call)


def _infer_output_tensors(call: Call) -> StructInfo:
    """Infer the output tensors from `out_sinfo`. Raises `InvalidCall`."""
    result = infer_out_sinfo(call)
    for field in tuple_fields(result):
        if isinstance(field, TensorStructInfo):
            if not isinstance(field.shape, ShapeExpr):
                raise invalid_argument(call, "out_sinfo", "tensors with a shape literal", field)
        elif not isinstance(field, DTensorStructInfo):
            raise invalid_argument(call, "out_sinfo", "tensors", field)
    return result


def _infer_in_place(call: Call) -> StructInfo:
    result = _infer_kernel_outputs(call)
    outputs, given = tuple_fields(result), struct_info_of(call, 1)
    inputs = list(tuple_fields(given)) if isinstance(given, TupleStructInfo) else []
    indices = call.attrs["inplace_indices"]
    if len(indices) != len(outputs):
        raise invalid_argument(call, "inplace_indices", f"{len(outputs)}, one for each output", list(indices))
    check_indices(call, indices, len(inputs))
    for index, output in zip(indices, outputs, strict=True):
        if index != -1 and not _have_same_shape(output, inputs[index]):
            raise invalid_argument(
                call, "out_sinfo", f"the shape of argument {index}, which receives the result", output
            )
    return result


def check_indices(call: Call, indices: Sequence[int], count: int) -> None:
    """Check that in-place indices are in range, distinct, and not all -1. Raises `InvalidCall`."""
    used = [index for index in indices if index != -1]
    if not all(0 <= index < count for index in used):
        raise invalid_argument(call, "inplace_indices", f"integers from -1 to {count - 1}", list(indices))
    if not used or len(set(used)) != len(used):
        raise invalid_argument(call, "inplace_indices", "different arguments, at least one", list(indices))


def _have_same_shape(a: StructInfo, b: StructInfo) -> bool:
    return (
        isinstance(a, TensorStructInfo)
        and isinstance(b, TensorStructInfo)
        and shapes_provably_equal(a.extents, b.extents)
    )


# Functions in R


def merge_out_sinfo(out_sinfo: OutSinfo, span: Span | None) -> StructInfo:
    """Return one struct info for `out_sinfo`: several become a tuple. Raises `WrongType`."""
    if isinstance(out_sinfo, StructInfo):
        return out_sinfo
    if not isinstance(out_sinfo, (list, tuple)) or not all(isinstance(info, StructInfo) for info in out_sinfo):
        raise WrongType(
            where="out_sinfo", expected="struct info, as R.Tensor(...), or a list of it", got=out_sinfo, span=span
        )
    return out_sinfo[0] if len(out_sinfo) == 1 else TupleStructInfo(tuple(out_sinfo))


def pack_arguments(args: object) -> Any:
    """Wrap a single argument in a tuple."""
    if isinstance(args, RelaxExpr) and not isinstance(args.struct_info, TupleStructInfo):
        return Tuple((args,))
    return args


def _call(
    operator: Operator,
    func: object,
    args: object,
    out_sinfo: OutSinfo,
    tir_vars: object,
    attrs: Mapping[str, object] | None,
    span: Span | None,
) -> Call:
    values = [func, pack_arguments(args), *([] if tir_vars is None else [tir_vars])]
    return make_call(operator, values, attrs, span, (merge_out_sinfo(out_sinfo, span),))


def _call_tir(
    gvar: GlobalVar, args: object, out_sinfo: OutSinfo, tir_vars: object = None, *, span: Span | None = None
) -> Call:
    return _call(call_tir, gvar, args, out_sinfo, tir_vars, None, span)


def _call_tir_inplace(
    gvar: GlobalVar,
    args: object,
    inplace_indices: int | Sequence[int],
    out_sinfo: OutSinfo,
    tir_vars: object = None,
    *,
    span: Span | None = None,
) -> Call:
    attrs = {"inplace_indices": inplace_indices}
    return _call(call_tir_inplace, gvar, args, out_sinfo, tir_vars, attrs, span)


def _call_tir_with_grad(
    gvar: GlobalVar,
    args: object,
    out_sinfo: OutSinfo,
    te_grad_name: str,
    te_grad_kwargs: Mapping[str, object] | None = None,
    tir_vars: object = None,
    *,
    span: Span | None = None,
) -> Call:
    options = {
        name: value if isinstance(value, str) else as_expr(value)
        for name, value in sorted((te_grad_kwargs or {}).items())
    }
    attrs = {"te_grad_name": te_grad_name, "te_grad_kwargs": options}
    return _call(call_tir_with_grad, gvar, args, out_sinfo, tir_vars, attrs, span)


def _call_dps_packed(func: object, args: object, out_sinfo: OutSinfo, *, span: Span | None = None) -> Call:
    return _call(call_dps_packed, func, args, out_sinfo, None, None, span)


call_tir = Operator(
    "call_tir",
    "gvar: Expr, args: Tuple, packed_ints: Shape | None = None",
    _infer_kernel_outputs,
    script_function=_call_tir,
    doc="Call a PrimFunc with the arguments and new output tensors.",
)
call_tir_inplace = Operator(
    "call_tir_inplace",
    "gvar: Expr, args: Tuple, packed_ints: Shape | None = None, inplace_indices: ints = (0,)",
    _infer_in_place,
    script_function=_call_tir_inplace,
    doc="Call a PrimFunc that writes results into arguments; the index -1 is a new tensor.",
)
#: gradients of kernels by name: (gradient of the result, *arguments, **te_grad_kwargs) -> tensors of `te`, the gradient
#: of each argument
TE_GRADIENTS: Final[dict[str, Callable[..., Any]]] = {}


def register_te_gradient(te_grad_name: str, te_grad_func: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """Register the gradient of kernels that `BlockBuilder.call_te_with_grad` names; also a decorator.

    Raises `DuplicateName`.
    """

    def register(func: Callable[..., Any]) -> Callable[..., Any]:
        if te_grad_name in TE_GRADIENTS:
            raise DuplicateName(kind="te gradient", name=te_grad_name)
        TE_GRADIENTS[te_grad_name] = func
        return func

    return register if te_grad_func is None else register(te_grad_func)


def _differentiate_by_name(adjoint: Adjoint) -> tuple[RelaxExpr | None, ...]:
    """Emit the call of the kernel that a registered gradient function defines. Raises `NotDifferentiable`."""
    call = adjoint.call
    name: str = call.attrs["te_grad_name"]
    func = TE_GRADIENTS.get(name)
    if func is None:
        raise NotDifferentiable(what="R.call_tir_with_grad", reason=f"there is no te gradient {name}", span=call.span)
    arguments = adjoint.y.fields
    result = adjoint.builder.emit_te(func, adjoint.gradient, *arguments, **call.attrs["te_grad_kwargs"])
    partial = Tuple((result,)) if len(arguments) == 1 else result
    return (None, partial, *[None] * (len(call.args) - 2))


call_tir_with_grad = Operator(
    "call_tir_with_grad",
    "gvar: Expr, args: Tuple, packed_ints: Shape | None = None, te_grad_name: str = '', te_grad_kwargs: any = {}",
    _infer_kernel_outputs,
    script_function=_call_tir_with_grad,
    gradient=_differentiate_by_name,
    doc="`call_tir` with the name of a registered gradient function.",
)
call_dps_packed = Operator(
    "call_dps_packed",
    "func: Func, args: Tuple",
    _infer_output_tensors,
    script_function=_call_dps_packed,
    doc="Call an external function with the arguments and new output tensors.",
)
