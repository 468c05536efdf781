"""The graph level: whole models as functions over tensors, with what is known of every value (struct info)."""

from __future__ import annotations

from tvmscript.ir.relax.op import registry as operators

__all__ = ["operators"]
