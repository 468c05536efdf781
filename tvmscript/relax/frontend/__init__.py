"""TVM's front door `tvm.relax.frontend`: importers of models."""

from __future__ import annotations

from tvmscript.ir.core.lazy import lazy_names

# TVM's names that are absent are found by `tvm_names`
__getattr__, __dir__ = lazy_names(__name__, {"detach_params": "tvmscript.frontend.detach_params"})
