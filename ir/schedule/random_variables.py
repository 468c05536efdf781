"""Random variables: handles of blocks, loops and sampled numbers."""

from __future__ import annotations

from tvmscript.ir.tir import Var


class BlockRV:
    """Handle of a block."""

    __slots__ = ("name",)

    def __init__(self, name: str = "") -> None:
        #: the name of the block when it was looked up
        self.name = name

    def __repr__(self) -> str:
        return f"<block {self.name}>" if self.name else "<block>"


class LoopRV:
    """Handle of a loop."""

    __slots__ = ("name",)

    def __init__(self, name: str = "") -> None:
        #: the name of the loop variable when the loop was looked up
        self.name = name

    def __repr__(self) -> str:
        return f"<loop {self.name}>" if self.name else "<loop>"


#: Handle of a sampled number: an int32 variable.
ExprRV = Var
