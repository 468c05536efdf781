"""Targets under TVM's name: `tvm.target.Target("llvm -mcpu=znver4")`."""

from __future__ import annotations

from tvmscript.ir.core import Target
from tvmscript.ir.tir import function as function  # target attributes are TIR constants

__all__ = ["Target"]
