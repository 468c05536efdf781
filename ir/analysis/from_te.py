"""Whether a function comes out of a TE schedule."""

from __future__ import annotations

from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.function import PrimFunc


def is_from_te(func: PrimFunc) -> bool:
    """Whether the attribute that schedules of TE leave at their functions says so."""
    said = func.attrs.get("from_legacy_te_schedule", False)
    return bool(said.value) if isinstance(said, IntImm) else bool(said)
