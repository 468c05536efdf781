"""The operator inventory: functions from tensors to tensors, one file a family, with the texts of TVM's `topi`.

A docstring names the function of NumPy or the operator of ONNX that an operator is. Names and argument order are TVM's.
"""

from __future__ import annotations

from types import ModuleType

from tvmscript.ir.core.hooks import hook


@hook
def inventory() -> ModuleType:
    """Return the package that has all operators under TVM's names."""
    raise NotImplementedError
