"""ConvertToDataflow: move pure bindings into dataflow blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule, Rewriter, on
from tvmscript.ir.relax.expr import Binding, BindingBlock, DataflowBlock, If, SeqExpr
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.sequence import SequenceBuilder
from tvmscript.ir.relax.transform.base import RelaxFunctionPass
from tvmscript.ir.relax.transform.normal_form.canonicalize_bindings import CanonicalizeBindings
from tvmscript.ir.relax.variables import contains_impure_call


@dataclass(frozen=True)
class ConvertToDataflow(RelaxFunctionPass):
    """Make dataflow blocks of runs of at least `min_size` bindings without side effects and conditionals. Runs
    `relax.CanonicalizeBindings` afterwards.

    rewrite:
        lv = R.exp(x)    -->  with R.dataflow():
        gv = R.sin(lv)            lv = R.exp(x)
                                  gv = R.sin(lv)
                                  R.output(gv)
    """

    name = "relax.ConvertToDataflow"
    min_size: int = 2

    def transform(self, func: Function, mod: IRModule) -> Function:
        converted: Function = _Converter(self.min_size).rewrite(func)
        return CanonicalizeBindings().transform(converted, mod)


class _Converter(Rewriter):
    def __init__(self, min_size: int) -> None:
        super().__init__()
        self.min_size = min_size

    @on(SeqExpr)
    def sequence(self, node: SeqExpr) -> SeqExpr:
        body = SequenceBuilder()
        for is_pure, bindings in self._runs(node.blocks):
            body.begin(is_pure and len(bindings) >= self.min_size)
            body.bindings += bindings
        body.close()
        blocks = tuple(body.blocks)
        is_same = len(blocks) == len(node.blocks) and all(
            type(a) is type(b) and a.bindings == b.bindings for a, b in zip(blocks, node.blocks, strict=True)
        )
        return node if is_same else SeqExpr(blocks, node.body, struct_info=node.struct_info)

    def _runs(self, blocks: tuple[BindingBlock, ...]) -> list[tuple[bool, list[Any]]]:
        """Return the bindings in runs of pure and other ones. Those of dataflow blocks are pure."""
        runs: list[tuple[bool, list[Any]]] = []
        for block in blocks:
            for binding in block.bindings:
                is_pure = isinstance(block, DataflowBlock) or _is_pure(binding)
                if not runs or runs[-1][0] != is_pure:
                    runs.append((is_pure, []))
                runs[-1][1].append(self.rewrite(binding))
        return runs


def _is_pure(binding: Binding) -> bool:
    value: Any = getattr(binding, "value", None)
    return not isinstance(value, If) and not contains_impure_call(value)
