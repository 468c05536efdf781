"""TVM's spelling of tensors over devices."""

from __future__ import annotations

from tvmscript.ir.relax.distributed import DeviceMesh, DTensorStructInfo, Placement, PlacementSpec

__all__ = ["DTensorStructInfo", "DeviceMesh", "Placement", "PlacementSpec"]
