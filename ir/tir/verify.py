"""Well-formedness: what must hold in every program, as a table of rules."""

from __future__ import annotations

from tvmscript.ir.tir.function import PrimFunc


def verify(func: PrimFunc) -> None:
    """Raise the error of the first rule that the function breaks."""
