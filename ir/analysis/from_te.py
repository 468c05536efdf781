"""Recognize functions made by TE schedules."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.tir import IntImm, PrimFunc

#: the attribute that TE schedules set
FROM_TE: Final = "from_legacy_te_schedule"


def is_from_te(func: PrimFunc) -> bool:
    """Return whether the function has the attribute of TE schedules."""
    said = func.attrs.get(FROM_TE, False)
    return bool(said.value) if isinstance(said, IntImm) else bool(said)
