"""TVM's front door `tvm.relax.training.utils`: `register_te_gradient`."""

from __future__ import annotations

from tvmscript.ir.relax.op.call_tir import register_te_gradient as register_te_gradient

__all__ = ["register_te_gradient"]
