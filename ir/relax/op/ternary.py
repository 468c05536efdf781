"""Elementwise operators of three operands."""

from __future__ import annotations

from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.operator import Operator, invalid_argument
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import provably_equal


def _infer_clip(call: Call) -> StructInfo:
    info = rules.expect_tensor(call)
    rules.expect_prim(call, 1)
    rules.expect_prim(call, 2)
    return info


def _infer_fma(call: Call) -> StructInfo:
    infos = [rules.expect_tensor(call, position) for position in range(3)]
    dtype = rules.common_dtype(call, range(3), [info.dtype for info in infos])
    vdevice = rules.unify_vdevices(call, infos)
    ndim = UNKNOWN_NDIM
    for position, info in enumerate(infos):
        if ndim == UNKNOWN_NDIM:
            ndim = info.ndim
        elif info.ndim not in (UNKNOWN_NDIM, ndim):
            raise invalid_argument(call, position, f"{ndim} dimensions, as the tensors before it", info.ndim)
    first, second, third = infos
    if first.extents is not None and second.extents is not None and third.extents is not None:
        for position, others in ((1, second.extents), (2, third.extents)):
            if not all(provably_equal(a, b) for a, b in zip(first.extents, others, strict=True)):
                raise invalid_argument(
                    call,
                    position,
                    f"the shape {rules.format_extents(first.extents)}, as x1",
                    rules.format_extents(others),
                )
        return TensorStructInfo(first.shape, dtype, vdevice=vdevice)
    if first.shape is not None and first.shape is second.shape and first.shape is third.shape:
        return TensorStructInfo(first.shape, dtype, vdevice=vdevice)
    return rules.tensor_of_ndim(ndim, dtype, vdevice)


clip = Operator(
    "clip",
    "x: Expr, min: Prim, max: Prim",
    _infer_clip,
    reference=lambda np, x, low, high: np.clip(x, low, high).astype(x.dtype),
    legalize=lambda topi, x, low, high: topi.clip(x, low, high),
    kernel_name="tir_clip",
    doc="Clamp the elements to the bounds.",
)
ewise_fma = Operator(
    "ewise_fma",
    "x1: Expr, x2: Expr, x3: Expr",
    _infer_fma,
    mixed_precision="follow",
    layout="ternary",
    reference=lambda np, a, b, c: a * b + c,
    legalize=lambda topi, a, b, c: topi.add(topi.multiply(a, b), c),
    doc="Multiply and add, x1 * x2 + x3, without broadcasting.",
)
