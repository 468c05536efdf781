"""The names of `tvm.tir.data_layout`: named layouts of tensors."""

from __future__ import annotations

from tvmscript.ir.arith.data_layout import BijectiveLayout, Layout, bijective_layout, layout

__all__ = ["BijectiveLayout", "Layout", "bijective_layout", "layout"]
