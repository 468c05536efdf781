"""TVM's front door `tvm.relax.training`: gradients of kernels."""

from __future__ import annotations

from tvmscript.ir.core.lazy import lazy_names
from tvmscript.relax.training import utils as utils

__all__ = ["utils"]

# TVM's names that are absent are found by `tvm_names`
__getattr__, __dir__ = lazy_names(__name__, {})
