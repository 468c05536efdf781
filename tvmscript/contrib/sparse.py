"""Inputs in compressed form: TVM's `contrib.sparse`."""

from __future__ import annotations

from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.topi.csr import CSRPlaceholder as CSRPlaceholder
from tvmscript.ir.topi.csr import csr_placeholder as placeholder

__all__ = ["CSRPlaceholder", "placeholder"]

__getattr__, __dir__ = lazy_names(
    __name__, {}, {"array": "it takes no part here; pass the values, columns and row starts of a csr_placeholder"}
)
