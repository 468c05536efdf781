"""Operators of matrices in CSR: TVM's `topi.sparse`."""

from __future__ import annotations

from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.topi.csr import csrmm, csrmv, dense

__all__ = ["csrmm", "csrmv", "dense"]

# absent names of TVM below this module are found by `tvm_names`
__path__: list[str] = []
__getattr__, __dir__ = lazy_names(__name__, {})
