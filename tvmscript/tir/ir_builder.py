"""The names of `tvm.tir.ir_builder`: statements built by calls, `ib = create(); with ib.for_range(0, n) as i: ...`."""

from __future__ import annotations

from tvmscript.ir.tir.ir_builder import BufferVar, IRBuilder, create

__all__ = ["BufferVar", "IRBuilder", "create"]
