"""`AxisGraph`: axes of tensors that are sharded alike, and how annotations spread over them."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Final, NamedTuple

from tvmscript.ir.core import Node, structural_equal
from tvmscript.ir.relax.distributed import DeviceMesh, Placement, PlacementSpec

#: the axis that stands for the mesh of a tensor
MESH_AXIS: Final = -1


class Direction(IntEnum):
    """The direction of an edge. Where several shardings reach an axis, the greatest direction wins."""

    TO_ARGUMENT = 0
    BETWEEN_ARGUMENTS = 1
    TO_RESULT = 2


class Axis(NamedTuple):
    """An axis of a tensor: a variable or a constant, and a number for the field of a tuple."""

    tensor: Node
    number: int
    field: int = 0


class Sharding(NamedTuple):
    """The dimension of a mesh along which an axis is sharded. `MESH_AXIS`: the mesh of the tensor."""

    mesh: DeviceMesh
    dimension: int

    def is_same(self, other: Sharding) -> bool:
        """Return whether the shardings agree."""
        return self.dimension == other.dimension and structural_equal(self.mesh, other.mesh)


class AxisGraph:
    """Axes joined by calls, with the shardings that annotations give to some of them."""

    def __init__(self) -> None:
        self._edges: dict[Axis, list[tuple[Axis, Direction]]] = {}
        self._annotated: dict[Axis, Sharding] = {}
        #: axes that stay whole, and pass no sharding on
        self._whole: set[Axis] = set()
        #: axes that two shardings reach alike, after `propagate`
        self.ambiguous: set[Axis] = set()
        self._shardings: dict[Axis, Sharding] = {}

    def join(self, argument: Axis, other: Axis, *, is_result: bool = True) -> None:
        """Shard two axes alike: of an argument and the result, or of two arguments."""
        there, back = Direction.BETWEEN_ARGUMENTS, Direction.BETWEEN_ARGUMENTS
        if is_result:
            there, back = Direction.TO_RESULT, Direction.TO_ARGUMENT
        self._edges.setdefault(argument, []).append((other, there))
        self._edges.setdefault(other, []).append((argument, back))

    def annotate(self, tensor: Axis, mesh: DeviceMesh, placement: Placement) -> None:
        """Give the placement to a tensor. Of two dimensions that shard one axis, the last wins, as in TVM."""
        self._annotated[tensor] = Sharding(mesh, MESH_AXIS)
        for dimension, spec in enumerate(placement.dim_specs):
            if spec.axis >= 0:
                self._annotated[tensor._replace(number=spec.axis)] = Sharding(mesh, dimension)

    def keep_whole(self, axis: Axis) -> None:
        """Do not shard an axis."""
        self._whole.add(axis)

    def propagate(self) -> None:
        """Spread the annotated shardings along edges."""
        reached: dict[Axis, tuple[Sharding, Direction]] = {}
        self.ambiguous.clear()
        for start, sharding in self._annotated.items():
            for axis, direction in self._reachable(start, sharding):
                best = reached.get(axis)
                if best is None or direction > best[1]:
                    reached[axis] = sharding, direction
                    self.ambiguous.discard(axis)
                elif direction == best[1] and not sharding.is_same(best[0]):
                    self.ambiguous.add(axis)
        self._shardings = {axis: sharding for axis, (sharding, _) in reached.items()}

    def _reachable(self, start: Axis, sharding: Sharding) -> Iterator[tuple[Axis, Direction]]:
        """Yield the axes that a sharding reaches. It does not pass axes that are annotated otherwise."""
        pending = [(start, Direction.TO_RESULT)]
        visited: set[Axis] = set()
        while pending:
            axis, direction = pending.pop()
            annotated = self._annotated.get(axis)
            if axis in visited or axis in self._whole or not (annotated is None or annotated.is_same(sharding)):
                continue
            visited.add(axis)
            yield axis, direction
            pending += [(other, min(direction, along)) for other, along in reversed(self._edges.get(axis, []))]

    def sharding_of(self, axis: Axis) -> Sharding | None:
        """Return the sharding of an axis after `propagate`."""
        return self._shardings.get(axis)

    def placement_of(self, tensor: Axis, ndim: int) -> tuple[DeviceMesh, Placement] | None:
        """Return the mesh and the placement of a tensor; None where no annotation reaches it."""
        shardings = [(number, self.sharding_of(tensor._replace(number=number))) for number in range(MESH_AXIS, ndim)]
        reached = [(number, sharding) for number, sharding in shardings if sharding is not None]
        if not reached:
            return None
        mesh = reached[0][1].mesh
        axes = {sharding.dimension: number for number, sharding in reached if number != MESH_AXIS}
        specs = [PlacementSpec(axes.get(dimension, -1)) for dimension in range(len(mesh.shape))]
        return mesh, Placement(tuple(specs))
