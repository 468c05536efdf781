"""Random variables: handles of blocks, loops and sampled numbers."""

from __future__ import annotations

from tvmscript.ir.tir.var import Var


class BlockRV:
    """Handle of a block."""

    __slots__ = ()


class LoopRV:
    """Handle of a loop."""

    __slots__ = ()


#: Handle of a sampled number: an int32 variable.
ExprRV = Var

#: An input or output of an instruction.
RandomVariable = BlockRV | LoopRV | ExprRV
