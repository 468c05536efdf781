"""TVM's spelling of targets: `tvm.target.Target("llvm -mcpu=znver4")`."""

from __future__ import annotations

from tvmscript.ir.core.target import Target

__all__ = ["Target"]
