"""Blocks of a body while it is built or read."""

from __future__ import annotations

from tvmscript.ir.core.span import Span
from tvmscript.ir.relax.expr import BindingBlock, DataflowBlock, MatchCast, VarBinding


class SequenceBuilder:
    """Blocks that are finished, and the bindings of the one that is not."""

    __slots__ = ("bindings", "blocks", "is_dataflow")

    def __init__(self, is_dataflow: bool = False) -> None:
        self.blocks: list[BindingBlock] = []
        self.bindings: list[VarBinding | MatchCast] = []
        #: of which kind the block is that is not finished
        self.is_dataflow = is_dataflow

    def close(self, span: Span | None = None) -> None:
        """The block ends; an empty one leaves nothing, and a dataflow block behind another one carries that on."""
        if self.bindings:
            cls = DataflowBlock if self.is_dataflow else BindingBlock
            if self.is_dataflow and self.blocks and type(self.blocks[-1]) is DataflowBlock:
                self.bindings[:0] = self.blocks.pop().bindings  # type: ignore[assignment]  # there are no others
            self.blocks.append(cls(tuple(self.bindings), span=span))
            self.bindings = []

    def begin(self, is_dataflow: bool) -> None:
        """The block ends, and one of this kind begins; one that is no dataflow block is carried on."""
        if is_dataflow or self.is_dataflow:
            self.close()
            self.is_dataflow = is_dataflow
