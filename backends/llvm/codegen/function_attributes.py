"""Attributes of functions that say what code generation may do with their floats."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.tir import IntImm, PrimFunc

#: attribute of functions whose products may be fused with the sums that they go into; true without it
FP_CONTRACT: Final = "tir.fp_contract"


def contracts(func: PrimFunc) -> bool:
    """Return whether a * b + c of a function may be rounded once."""
    return _is_allowed(func, FP_CONTRACT)


#: attribute of functions whose reductions may be split into lanes; true without it
SPLIT_REDUCTIONS: Final = "tir.split_reductions"


def splits_reductions(func: PrimFunc) -> bool:
    """Return whether the terms of a reduction may be combined in another order."""
    return _is_allowed(func, SPLIT_REDUCTIONS)


def _is_allowed(func: PrimFunc, key: str) -> bool:
    value = func.attrs.get(key)
    return not isinstance(value, IntImm) or value.value != 0
