"""Struct info of tensors distributed over a device mesh."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod
from typing import ClassVar

from tvmscript.ir.core import IRError, Span, WrongType
from tvmscript.ir.core.module import GlobalInfo
from tvmscript.ir.core.node import Building, Node, node
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, TensorStructInfo
from tvmscript.ir.tir import IntImm, Range

_SPEC = re.compile(r"R|S\[(\d+)\]")


class InvalidMesh(IRError, code="TS1204"):
    """A device mesh or placement is inconsistent. A mesh has as many devices as the product of its shape, a placement
    has one entry for each dimension of the mesh, and `S[k]` shards an existing dimension of the tensor.
    """

    message = "{what} takes {expected}, but got {got}"


@node
class DeviceMesh(GlobalInfo):
    """An array of device ids. `device_range` is the range that they were given as, if any."""

    shape: tuple[int, ...]
    device_ids: tuple[int, ...]
    device_range: Range | None = None

    argument_order: ClassVar[tuple[str, ...]] = ("shape", "device_ids", "device_range")

    def __init__(
        self: Building,
        shape: Sequence[int],
        device_ids: Sequence[int] | Range,
        device_range: Range | None = None,
        span: Span | None = None,
    ) -> None:
        self.shape = tuple(shape)
        self.span = span
        self.device_range = device_ids if isinstance(device_ids, Range) else device_range
        self.device_ids = _ids_in_range(device_ids) if isinstance(device_ids, Range) else tuple(device_ids)
        if prod(self.shape) != len(self.device_ids):
            raise InvalidMesh(
                what="R.device_mesh", expected=f"{prod(self.shape)} devices", got=len(self.device_ids), span=span
            )


def _ids_in_range(device_range: Range) -> tuple[int, ...]:
    first, count = device_range.min, device_range.extent
    if not (isinstance(first, IntImm) and isinstance(count, IntImm)):
        got, span = device_range, device_range.span
        raise WrongType(where="R.device_mesh", expected="a range of constants", got=got, span=span)
    return tuple(range(first.value, first.value + count.value))


@node
class PlacementSpec(Node):
    """Placement along one dimension of the mesh: shard dimension `axis` of the tensor, or replicate it (-1)."""

    axis: int = -1

    def __str__(self) -> str:
        return "R" if self.axis < 0 else f"S[{self.axis}]"

    @staticmethod
    def sharding(axis: int) -> PlacementSpec:
        """Return the spec that shards dimension `axis`."""
        return PlacementSpec(axis)

    @staticmethod
    def replica() -> PlacementSpec:
        """Return the spec that replicates the tensor."""
        return PlacementSpec()


@node
class Placement(Node):
    """One spec for each dimension of the mesh; as text `"S[0], R"`."""

    dim_specs: tuple[PlacementSpec, ...] = ()

    def __post_init__(self: Building) -> None:
        self.dim_specs = tuple(self.dim_specs)

    def __str__(self) -> str:
        return ", ".join(map(str, self.dim_specs))

    @staticmethod
    def from_text(text: str, span: Span | None = None) -> Placement:
        """Parse a text such as `"S[0], R"`. Raises `InvalidMesh`."""
        specs: list[PlacementSpec] = []
        for part in text.split(",") if text.strip() else ():
            match = _SPEC.fullmatch(part.strip())
            if match is None:
                raise InvalidMesh(
                    what="a placement", expected="R and S[k] separated by commas", got=repr(text), span=span
                )
            specs.append(PlacementSpec(-1 if match.group(1) is None else int(match.group(1))))
        return Placement(tuple(specs), span=span)


@node
class DTensorStructInfo(StructInfo):
    """A tensor distributed over a device mesh."""

    tensor_sinfo: TensorStructInfo
    device_mesh: DeviceMesh
    placement: Placement

    def __post_init__(self: Building) -> None:
        mesh, specs, ndim = self.device_mesh, self.placement.dim_specs, self.tensor_sinfo.ndim
        if len(mesh.shape) != len(specs):
            expected = f"a placement of {len(mesh.shape)} entries, one for each dimension of the mesh"
            raise InvalidMesh(what="R.DTensor", expected=expected, got=repr(str(self.placement)), span=self.span)
        for spec in specs:
            if ndim != UNKNOWN_NDIM and spec.axis >= ndim:
                expected = f"dimensions of the tensor, 0 to {ndim - 1}"
                raise InvalidMesh(what="R.DTensor", expected=expected, got=str(spec), span=self.span)
