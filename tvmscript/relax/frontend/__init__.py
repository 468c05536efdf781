"""TVM's front door `tvm.relax.frontend`: importers of models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tvmscript.ir.core.lazy import lazy_names

if TYPE_CHECKING:
    from tvmscript.frontend import nn as nn
    from tvmscript.frontend.detach_params import detach_params as detach_params

# TVM's names that are absent are found by `tvm_names`
__getattr__, __dir__ = lazy_names(
    __name__, {"detach_params": "tvmscript.frontend.detach_params", "nn": "tvmscript.frontend.nn:"}
)
