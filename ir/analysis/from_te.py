"""Recognize functions made by TE schedules."""

from __future__ import annotations

from tvmscript.ir.tir import IntImm, PrimFunc


def is_from_te(func: PrimFunc) -> bool:
    """Return whether the function has the attribute that TE schedules set."""
    said = func.attrs.get("from_legacy_te_schedule", False)
    return bool(said.value) if isinstance(said, IntImm) else bool(said)
