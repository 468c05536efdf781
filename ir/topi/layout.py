"""Layouts of data: `NCHW` to `NCHW4c`."""

from __future__ import annotations

from tvmscript.ir.arith.data_layout import BijectiveLayout, Layout
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import Expr, const
from tvmscript.ir.topi.common import define, function


def layout_transform(array: Tensor, src_layout: str, dst_layout: str, schedule_rule: str = "None") -> Tensor:
    """Return a tensor in another layout; elements that the old one has not are 0."""
    if src_layout == dst_layout:
        return array
    mapping = BijectiveLayout(Layout(src_layout), Layout(dst_layout))

    def value(*i: Expr) -> Expr:
        indices = mapping.backward_index(i)
        inside = [index < extent for index, extent in zip(indices, array.shape, strict=True)]
        return function("if_then_else")(function("all")(*inside), array(*indices), const(0, array.dtype))

    attrs = {
        "schedule_rule": schedule_rule,
        "src_layout": src_layout,
        "dst_layout": dst_layout,
        "input_shape": list(array.shape),
    }
    return define(mapping.forward_shape(array.shape), value, "T_layout_trans", "injective", attrs)
