"""The graph level (Relax): models as functions over tensors, with struct info for every value."""

from __future__ import annotations

from tvmscript.ir.relax.op import registry as operators

__all__ = ["operators"]
