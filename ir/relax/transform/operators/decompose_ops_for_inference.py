"""DecomposeOpsForInference: replace composite operators by plain ones, as inference needs them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import INT64, IRModule, on
from tvmscript.ir.core.values.constant_data import pack
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Call, Constant, ExternFunc, MatchCast, ShapeExpr, Tuple, Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.binary import add, divide, multiply, subtract
from tvmscript.ir.relax.op.call_packed import call_pure_packed
from tvmscript.ir.relax.op.manipulate import expand_dims
from tvmscript.ir.relax.op.nn.norm import batch_norm
from tvmscript.ir.relax.op.unary import sqrt
from tvmscript.ir.relax.op.value import tensor_to_shape
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import ShapeStructInfo
from tvmscript.ir.relax.transform.base import RelaxFunctionPass
from tvmscript.ir.tir.var import Var as SizeVar


@dataclass(frozen=True)
class DecomposeOpsForInference(RelaxFunctionPass):
    """Replace batch normalization by arithmetic with the moving mean and variance, which stay, and
    `R.tensor_to_shape` by a call of the virtual machine and a shape of size variables.

    Changes the function `func_name`, or all.
    """

    name = "relax.DecomposeOpsForInference"
    is_exact = False
    func_name: str | None = None

    def transform(self, func: Function, mod: IRModule) -> Function:
        if self.func_name is not None and func is not mod[self.func_name]:
            return func
        decomposed: Function = _Decomposer().rewrite(func)
        return decomposed


class _Decomposer(RelaxRewriter):
    @on(Call)
    def call(self, node: Call) -> RelaxExpr:
        call: Call = self.descend(node)
        if call.op is batch_norm:
            return decompose_batch_norm(call)
        return decompose_tensor_to_shape(self.builder, call) if call.op is tensor_to_shape else call


def decompose_tensor_to_shape(builder: BlockBuilder, call: Call) -> RelaxExpr:
    """Return a shape whose sizes are variables, which a cast of the extents that the tensor holds defines."""
    extents = call.struct_info
    assert isinstance(extents, ShapeStructInfo)
    callee = ExternFunc("vm.builtin.tensor_to_shape")
    packed = builder.emit(Call(call_pure_packed, (callee, *call.args), sinfo_args=(extents,)))
    shape = ShapeExpr([SizeVar("x", INT64) for _ in range(extents.ndim)])
    cast = Var("y", shape.struct_info)
    builder.emit_normalized(MatchCast(cast, packed, ShapeStructInfo(shape.values)))
    return shape


def decompose_batch_norm(call: Call) -> RelaxExpr:
    """Return (data - mean) / sqrt(variance + epsilon) * gamma + beta with the mean and the variance, unchanged.

    S. Ioffe and C. Szegedy, "Batch Normalization", 2015.
    """
    data, gamma, beta, mean, variance = call.args
    info = rules.expect_tensor(call)
    axis = rules.normalize_axis(call, "axis", call.attrs["axis"], info.ndim)
    others = tuple([other for other in range(info.ndim) if other != axis])

    def spread(value: Any) -> Call:
        return Call(expand_dims, (value,), {"axis": others})

    epsilon = Constant(pack([call.attrs["epsilon"]], info.dtype, ()), info.dtype)
    deviation = Call(sqrt, (Call(add, (spread(variance), epsilon)),))
    result = Call(divide, (Call(subtract, (data, spread(mean))), deviation))
    if call.attrs["scale"]:
        result = Call(multiply, (result, spread(gamma)))
    if call.attrs["center"]:
        result = Call(add, (result, spread(beta)))
    values: Any = (result, mean, variance)
    return Tuple(values)
