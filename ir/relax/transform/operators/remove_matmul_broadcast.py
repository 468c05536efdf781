"""RemoveMatmulBroadcast: multiply by a matrix that a batch repeats, not by its copies."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.core import IRModule, structural_equal
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.dpl.matcher import Matches
from tvmscript.ir.relax.dpl.pattern import DFPattern, is_op, wildcard
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.linear_algebra import matmul
from tvmscript.ir.relax.op.manipulate import broadcast_to
from tvmscript.ir.relax.struct_info import extents_of
from tvmscript.ir.relax.symbolic_shape import shapes_provably_equal
from tvmscript.ir.relax.transform.base import RelaxFunctionPass
from tvmscript.ir.relax.transform.rewriters.rewrite_call import rewrite_call
from tvmscript.ir.relax.variables import iter_bindings


@dataclass(frozen=True)
class RemoveMatmulBroadcast(RelaxFunctionPass):
    """Multiply by the tensor that is repeated over the batch where the product has the same shape, since `matmul`
    broadcasts its operands. A reshape between the two that changes nothing is removed with it.

    rewrite:
        copies = R.broadcast_to(w, (8, 64, 32))    -->  y = R.matmul(x, w)
        y = R.matmul(x, copies)
    """

    name = "relax.RemoveMatmulBroadcast"
    is_idempotent = True

    def transform(self, func: Function, mod: IRModule) -> Function:
        operators = {binding.value.op for binding in iter_bindings(func) if isinstance(binding.value, Call)}
        if matmul not in operators or broadcast_to not in operators:
            return func
        for operand in (0, 1):
            func = _remove_broadcast(func, operand)
        return func


def _remove_broadcast(func: Function, operand: int) -> Function:
    """Return the function whose products take one of their operands without copies."""
    source = wildcard()
    copies = is_op("relax.broadcast_to")(source, wildcard())
    reshaped = is_op("relax.reshape")(copies, wildcard())
    operands: list[DFPattern] = [wildcard(), wildcard()]
    operands[operand] = copies | reshaped

    def multiply_source(call: Call, matches: Matches) -> RelaxExpr:
        shape, copied = extents_of(matches[source]), extents_of(matches[copies])
        has_same_matrices = len(shape) >= 2 and shapes_provably_equal(shape[-2:], copied[-2:])
        if not has_same_matrices or (
            reshaped in matches and not shapes_provably_equal(copied, extents_of(matches[reshaped]))
        ):
            return call
        args = list(call.args)
        args[operand] = matches[source]
        product = Call(matmul, tuple(args), call.attrs)
        return product if structural_equal(product.struct_info, call.struct_info) else call

    return rewrite_call(is_op("relax.matmul")(*operands), multiply_source, func)
