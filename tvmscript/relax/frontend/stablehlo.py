"""TVM's front door `tvm.relax.frontend.stablehlo`."""

from __future__ import annotations

from tvmscript.frontend.stablehlo import from_stablehlo

__all__ = ["from_stablehlo"]
