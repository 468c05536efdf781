"""RemoveRedundantReshape: reshape once, or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule, structural_equal
from tvmscript.ir.relax.dpl.matcher import Matches
from tvmscript.ir.relax.dpl.pattern import is_op, wildcard
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.reshape import reshape
from tvmscript.ir.relax.transform.base import RelaxFunctionPass
from tvmscript.ir.relax.transform.rewriters.rewrite_call import rewrite_call


@dataclass(frozen=True)
class RemoveRedundantReshape(RelaxFunctionPass):
    """Reshape the tensor that an inner reshape is of, and remove a reshape to the shape that the tensor has.

    rewrite:
        a = R.reshape(x, (64,))       -->  b = R.reshape(x, (4, 16))
        b = R.reshape(a, (4, 16))
    """

    name = "relax.RemoveRedundantReshape"
    is_idempotent = True

    def transform(self, func: Function, mod: IRModule) -> Function:
        tensor, shape = wildcard(), wildcard()
        inner = is_op("relax.reshape")(tensor, wildcard())

        def simplify(call: Call, matches: Matches) -> Any:
            original: Any = matches[tensor]
            if structural_equal(original.struct_info, call.struct_info):
                return original
            return call if inner not in matches else Call(reshape, (original, matches[shape]))

        return rewrite_call(is_op("relax.reshape")(inner | tensor, shape), simplify, func)
