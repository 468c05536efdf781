"""TVM's front door `tvm.relax.distributed`: device meshes and distributed tensors."""

from __future__ import annotations

from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.relax.distributed import DeviceMesh, DTensorStructInfo, Placement, PlacementSpec

__all__ = ["DTensorStructInfo", "DeviceMesh", "Placement", "PlacementSpec"]

# TVM's names that are absent are found by `tvm_names`
__path__: list[str] = []
__getattr__, __dir__ = lazy_names(__name__, {})
