"""Dtype conversion."""

from __future__ import annotations

from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op.adjoint import apply
from tvmscript.ir.relax.op.shape_rules import expect_tensor, with_dtype
from tvmscript.ir.relax.operator import Operator


def _infer_cast(call: Call) -> StructInfo:
    return with_dtype(expect_tensor(call), call.attrs["dtype"])


astype = Operator(
    "astype",
    "x: Expr, dtype: dtype",
    _infer_cast,
    mixed_precision="follow",
    layout="elementwise",
    reference=lambda np, x, dtype: x.astype(dtype),
    legalize=lambda topi, x, dtype: topi.cast(x, dtype),
    kernel_name="cast",
    gradient=lambda a: (apply("astype", a.gradient, a.x.struct_info.dtype),),
    doc="Convert the elements to another dtype.",
)
wrap_param = Operator(
    "wrap_param",
    'data: Expr, dtype: dtype = "float32"',
    _infer_cast,
    reference=lambda np, x, dtype: x.astype(dtype),
    legalize=lambda topi, x, dtype: topi.cast(x, dtype),
    kernel_name="cast",
    doc="A bound parameter that is converted to another dtype at run time.",
)
