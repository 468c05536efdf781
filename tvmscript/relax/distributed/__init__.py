"""TVM's front door `tvm.relax.distributed`: device meshes, distributed tensors, and passes over them."""

from __future__ import annotations

from tvmscript.ir.core.lazy import lazy_names
from tvmscript.ir.relax.distributed import DeviceMesh, DTensorStructInfo, Placement, PlacementSpec
from tvmscript.relax.distributed import transform as transform

__all__ = ["DTensorStructInfo", "DeviceMesh", "Placement", "PlacementSpec", "transform"]

# TVM's names that are absent are found by `tvm_names`
__getattr__, __dir__ = lazy_names(__name__, {})
