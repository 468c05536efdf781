"""ToNonDataflow: turn dataflow blocks into plain blocks."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.inline import without_dataflow
from tvmscript.ir.relax.transform.base import RelaxFunctionPass


@dataclass(frozen=True)
class ToNonDataflow(RelaxFunctionPass):
    """Emit the bindings of dataflow blocks into plain blocks, to variables that are visible in the whole function.

    rewrite:
        with R.dataflow():            -->  y = R.exp(x)
            y = R.exp(x)
            R.output(y)
    """

    name = "relax.ToNonDataflow"
    is_idempotent = True

    def transform(self, func: Function, mod: IRModule) -> Function:
        return without_dataflow(func)
