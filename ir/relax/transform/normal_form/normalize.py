"""Normalize: convert graph functions to A-normal form."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.anf import Normalizer
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.transform.base import RelaxFunctionPass


@dataclass(frozen=True)
class Normalize(RelaxFunctionPass):
    """Bind every nested call to a variable of its own.

    rewrite:
        gv = R.add(R.exp(x), y)  -->  gv = R.exp(x)
                                      gv1 = R.add(gv, y)
    """

    name = "relax.Normalize"
    is_idempotent = True

    def transform(self, func: Function, mod: IRModule) -> Function:
        builder = BlockBuilder()
        body = Normalizer(builder).sequence(func.body, func.params)
        return func if body is func.body else func.replace(body=body)
