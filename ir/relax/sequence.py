"""Builder of the blocks of a function body or branch."""

from __future__ import annotations

from typing import cast

from tvmscript.ir.core import Span
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import BindingBlock, DataflowBlock, MatchCast, Var, VarBinding


class SequenceBuilder:
    """The finished blocks, and the bindings of the open block."""

    __slots__ = ("arguments", "bindings", "blocks", "is_dataflow")

    def __init__(self, is_dataflow: bool = False) -> None:
        self.blocks: list[BindingBlock] = []
        self.bindings: list[VarBinding | MatchCast] = []
        #: nested arguments that the open block has bound -> their variables: one object is computed once
        self.arguments: dict[RelaxExpr, Var] = {}
        #: whether the open block is a dataflow block
        self.is_dataflow = is_dataflow

    def close(self, span: Span | None = None) -> None:
        """Finish the open block. Drop an empty block; merge consecutive blocks of one kind."""
        self.arguments = {}
        if self.bindings:
            cls = DataflowBlock if self.is_dataflow else BindingBlock
            if self.blocks and type(self.blocks[-1]) is cls:
                self.bindings[:0] = cast("tuple[VarBinding | MatchCast, ...]", self.blocks.pop().bindings)
            self.blocks.append(cls(tuple(self.bindings), span=span))
            self.bindings = []

    def begin(self, is_dataflow: bool) -> None:
        """Finish the open block and open one of the given kind. A plain block continues an open plain block."""
        if is_dataflow or self.is_dataflow:
            self.close()
            self.is_dataflow = is_dataflow
