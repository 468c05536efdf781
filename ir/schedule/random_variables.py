"""What stands for loops, blocks and numbers in the program that a schedule is: TVM's random variables."""

from __future__ import annotations

from tvmscript.ir.tir.var import Var


class BlockRV:
    """Stands for a block."""

    __slots__ = ()


class LoopRV:
    """Stands for a loop."""

    __slots__ = ()


#: Stands for a number that was sampled: a variable of int32.
ExprRV = Var

#: Anything that an instruction takes or gives.
RandomVariable = BlockRV | LoopRV | ExprRV
