"""Inputs in compressed form: TVM's `contrib.sparse`."""

from __future__ import annotations

from tvmscript.ir.topi.csr import CSRPlaceholder as CSRPlaceholder
from tvmscript.ir.topi.csr import csr_placeholder as placeholder

__all__ = ["CSRPlaceholder", "placeholder"]
