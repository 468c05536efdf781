"""TVM's front door `tvm.relax.frontend.stablehlo`."""

from __future__ import annotations

from tvmscript.frontend.stablehlo import from_stablehlo

# other paths of TVM are found by `tvm_names`
__path__: list[str] = []

__all__ = ["from_stablehlo"]
