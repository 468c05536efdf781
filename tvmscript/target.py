"""TVM's spelling of targets: `tvm.target.Target("llvm -mcpu=znver4")`."""

from __future__ import annotations

from tvmscript.ir.core.target import Target
from tvmscript.ir.tir import function as function  # options are constants, which the tensor level makes

__all__ = ["Target"]
