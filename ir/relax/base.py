"""Bases of the graph level."""

from __future__ import annotations

from tvmscript.ir.core.node import Node, node, note


@node
class StructInfo(Node):
    """What is known of a value while compiling: its kind, and of tensors the shape, the dtype and the device."""


@node
class RelaxExpr(Node):
    """A value of the graph level. `struct_info` is None where nothing was inferred yet."""

    struct_info: StructInfo | None = note(default=None, kw_only=True)
