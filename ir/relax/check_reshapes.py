"""Check reshapes whose tensors are not proven to have as many elements before as after."""

from __future__ import annotations

from tvmscript.ir.core import IRModule, on
from tvmscript.ir.relax.expr import Call, MatchCast, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.reshape import reshape
from tvmscript.ir.relax.op.shape_rules import num_elements
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import ShapeExpr, ShapeStructInfo, TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import provably_equal
from tvmscript.ir.tir import Expr


def check_reshapes(mod: IRModule) -> IRModule:
    """Return the module with a cast of the number of elements before each reshape that may change it.

    rewrite:
        y = R.reshape(x, R.shape([5, 8]))
          -->
        y_elements = R.match_cast(R.shape([n * 4]), R.Shape([40]))
        y = R.reshape(x, R.shape([5, 8]))
    """
    checked = {var: _Checks().rewrite(func) for var, func in mod.functions.items() if isinstance(func, Function)}
    return mod.replace(functions={**mod.functions, **checked}) if checked else mod


class _Checks(RelaxRewriter):
    """Rewriter of bindings of reshapes."""

    @on(VarBinding)
    def var_binding(self, node: VarBinding) -> None:
        counts = _counts(node.value)
        if counts is not None and not provably_equal(*counts):
            before, after = counts
            info = ShapeStructInfo((after,))
            var = type(node.var)(f"{node.var.name_hint}_elements", info)
            self.builder.emit_normalized(MatchCast(var, ShapeExpr((before,)), info))
        super().var_binding(node)


def _counts(value: object) -> tuple[Expr, Expr] | None:
    """Return the elements of a reshape's argument and of its result, None where one of them is not known."""
    if not isinstance(value, Call) or value.op is not reshape:
        return None
    before, after = value.args[0].struct_info, value.struct_info
    if not isinstance(before, TensorStructInfo) or not isinstance(after, TensorStructInfo):
        return None
    if before.extents is None or after.extents is None:
        return None
    return num_elements(before.extents), num_elements(after.extents)
