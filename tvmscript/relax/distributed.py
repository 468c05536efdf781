"""TVM's front door `tvm.relax.distributed`: device meshes and distributed tensors."""

from __future__ import annotations

from tvmscript.ir.relax.distributed import DeviceMesh, DTensorStructInfo, Placement, PlacementSpec

__all__ = ["DTensorStructInfo", "DeviceMesh", "Placement", "PlacementSpec"]
