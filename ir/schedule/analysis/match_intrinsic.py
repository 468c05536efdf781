"""Match a program against the description of a tensor intrinsic, and bind the buffers.

Statements, the order of operands, and inner blocks except their annotations must be the same. Loop variables, axes,
buffers and offsets may differ. The outermost blocks are compared by regions and body.
"""

from __future__ import annotations

from typing import Any

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import structural_equal
from tvmscript.ir.core.node import Node, Role
from tvmscript.ir.tir import Block, BlockRealize, Buffer, BufferStore, Expr, For, Var, match_types, uses
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, IntImm, IterKind, IterVar


class Mismatch(Exception):
    """A difference between program and description, and the statement of the program that contains it."""

    def __init__(self, what: str, at: Node) -> None:
        super().__init__(what)
        self.what = what
        self.at = at


class IntrinsicMatcher:
    """Comparison of a program with a description; it binds `buffers` and `bases`."""

    def __init__(self) -> None:
        #: buffer of the description -> buffer of the program
        self.buffers: dict[Buffer, Buffer] = {}
        #: buffer of the program -> offset of the description's indices in it
        self.bases: dict[Buffer, list[Expr]] = {}
        self._variables: dict[Var, Var] = {}
        self._analyzer = Analyzer()
        self._place: Node | None = None

    def blocks(self, ours: BlockRealize, theirs: BlockRealize) -> None:
        """Compare a block with the outermost one of a description. Raises `Mismatch`."""
        block, description = ours.block, theirs.block
        self._place = block
        for axis in (*block.iter_vars, *description.iter_vars):
            if axis.iter_type not in (IterKind.DATA_PAR, IterKind.COMM_REDUCE):
                raise self._differ(f"axis {axis.var.name} is neither spatial nor a reduction")
            if axis.dom is not None:
                self._analyzer.bind(axis.var, axis.dom)
        for side in ("writes", "reads"):
            mine, its = getattr(block, side), getattr(description, side)
            if len(mine) != len(its):
                raise self._differ(f"it {side} {_count_regions(len(mine))}, the description {_count_regions(len(its))}")
            for region, described in zip(mine, its, strict=True):
                self._outer_region(region, described)
        self.visit(block.body, description.body)

    def visit(self, ours: Any, theirs: Any) -> None:
        """Compare statements, expressions or attributes. Raises `Mismatch`."""
        if isinstance(ours, tuple):
            if len(ours) != len(theirs):
                raise self._differ(f"it has {len(ours)} items where the description has {len(theirs)}")
            for mine, its in zip(ours, theirs, strict=True):
                self.visit(mine, its)
        elif not isinstance(ours, Node) or not isinstance(theirs, Node):
            if not structural_equal(ours, theirs):
                raise self._differ(f"it has {ours} where the description has {theirs}")
        elif isinstance(ours, Var) and isinstance(theirs, Var):
            if ours is not theirs and self._variables.get(ours) is not theirs:
                raise self._differ(f"it has {ours.name} where the description has {theirs.name}")
        elif isinstance(ours, Expr) and isinstance(theirs, Expr):
            self._expressions(ours, theirs)
        else:
            self._nodes(ours, theirs)

    def _expressions(self, ours: Expr, theirs: Expr) -> None:
        if ours.dtype.is_integer and theirs.dtype.is_integer and self._equal(ours, theirs):
            return
        if ours.dtype is not theirs.dtype and not (ours.dtype.is_integer and theirs.dtype.is_integer):
            raise self._differ(f"{ours} has dtype {ours.dtype}, in the description {theirs} has dtype {theirs.dtype}")
        self._nodes(ours, theirs)

    def _nodes(self, ours: Node, theirs: Node) -> None:
        if type(ours) is not type(theirs):
            mine, its = type(ours).__name__, type(theirs).__name__
            raise self._differ(f"{ours} is a {mine} where the description has a {its}, {theirs}")
        if isinstance(ours, (For, Block, BufferStore)):
            self._place = ours
        if isinstance(ours, (BufferLoad, BufferStore)):
            assert isinstance(theirs, (BufferLoad, BufferStore))
            self._access(ours, theirs)
        elif isinstance(ours, BlockRealize):
            assert isinstance(theirs, BlockRealize)
            self._realization(ours, theirs)
        else:
            for name, role in ours.schema.compared:
                if role is Role.BINDS:
                    self._define(getattr(ours, name), getattr(theirs, name))
                elif name != "dtype":
                    self.visit(getattr(ours, name), getattr(theirs, name))

    def _define(self, ours: object, theirs: object) -> None:
        if isinstance(ours, Var) and isinstance(theirs, Var):
            partner = self._variables.setdefault(ours, theirs)
            if partner is not theirs:
                raise self._differ(f"{ours.name} corresponds to several variables of the description")
            if ours.dtype.is_integer:
                self._analyzer.bind(ours, match_types(theirs, IntImm(ours.dtype, 0))[0])
        elif isinstance(ours, IterVar) and isinstance(theirs, IterVar):
            if ours.iter_type is not theirs.iter_type:
                kinds = ours.iter_type.name.lower(), theirs.iter_type.name.lower()
                raise self._differ(f"axis {ours.var.name} is {kinds[0]}, in the description {kinds[1]}")
            self.visit(ours.dom, theirs.dom)
            self._define(ours.var, theirs.var)
        elif isinstance(ours, Buffer) and isinstance(theirs, Buffer):
            self._buffer(ours, theirs)
            self.bases.setdefault(ours, [IntImm(size.dtype, 0) for size in ours.shape])
        else:
            self.visit(ours, theirs)

    # blocks inside

    def _realization(self, ours: BlockRealize, theirs: BlockRealize) -> None:
        block, described = ours.block, theirs.block
        self._place = block
        extra = len(ours.iter_values) - len(theirs.iter_values)
        if extra < 0:
            count = len(ours.iter_values), len(theirs.iter_values)
            raise self._differ(f"block {block.name_hint} has {count[0]} axes, in the description {count[1]}")
        self.visit(ours.iter_values[extra:], theirs.iter_values)
        for axis, value in zip(block.iter_vars[:extra], ours.iter_values, strict=False):
            if not uses(value).isdisjoint(self._variables):
                raise self._differ(f"axis {axis.var.name} depends on a loop that is not in the description")
            self._analyzer.bind(axis.var, value)
        self.visit(ours.predicate, theirs.predicate)
        for mine, its in zip(block.iter_vars[extra:], described.iter_vars, strict=True):
            self._define(mine, its)
        for buffer, its_buffer in zip(block.alloc_buffers, described.alloc_buffers, strict=False):
            self._define(buffer, its_buffer)
        if len(block.alloc_buffers) != len(described.alloc_buffers) or block.match_buffers:
            raise self._differ(f"block {block.name_hint} allocates or matches other buffers than the description")
        for side in ("writes", "reads"):
            mine_all, its_all = getattr(block, side), getattr(described, side)
            if len(mine_all) != len(its_all):
                what = f"{_count_regions(len(mine_all))}, in the description {_count_regions(len(its_all))}"
                raise self._differ(f"block {block.name_hint} {side} {what}")
            for region, its_region in zip(mine_all, its_all, strict=True):
                self._inner_region(region, its_region)
        self.visit(block.body, described.body)

    # buffers

    def _buffer(self, ours: Buffer, theirs: Buffer) -> None:
        partner = self.buffers.setdefault(theirs, ours)
        if partner is not ours:
            raise self._differ(f"both {partner.name} and {ours.name} correspond to {theirs.name} of the description")
        if ours.dtype is not theirs.dtype:
            raise self._differ(
                f"{ours.name} has dtype {ours.dtype}, in the description {theirs.name} has dtype {theirs.dtype}"
            )
        if ours.storage_scope != theirs.storage_scope:
            raise self._differ(
                f"{ours.name} has storage scope {ours.storage_scope}, in the description {theirs.storage_scope}"
            )

    def _access(self, ours: BufferLoad | BufferStore, theirs: BufferLoad | BufferStore) -> None:
        self._buffer(ours.buffer, theirs.buffer)
        base = self.bases.get(ours.buffer)
        if base is None:
            raise self._differ(f"{ours.buffer.name} is not in the read and write regions of the block")
        extra = len(ours.indices) - len(theirs.indices)
        for index, first, its in zip(ours.indices[extra:], base[extra:], theirs.indices, strict=True):
            if not self._equal(fold.sub(*match_types(index, first)), its):
                raise self._differ(f"index {index} of {ours.buffer.name} is not {first} plus {its}")
        self.visit(ours.predicate, theirs.predicate)
        if isinstance(ours, BufferStore) and isinstance(theirs, BufferStore):
            self.visit(ours.value, theirs.value)

    def _outer_region(self, ours: BufferRegion, theirs: BufferRegion) -> None:
        if ours.buffer in self.bases:
            self._inner_region(ours, theirs)
            return
        extra = self._extra(ours, theirs)
        for part in ours.region[:extra]:
            self._one(ours, part.extent)
        for part, its in zip(ours.region[extra:], theirs.region, strict=True):
            self._extents(ours, part.extent, its.extent)
        self.bases[ours.buffer] = [part.min for part in ours.region]

    def _inner_region(self, ours: BufferRegion, theirs: BufferRegion) -> None:
        extra = self._extra(ours, theirs)
        base = self.bases.get(ours.buffer)
        if base is None:
            raise self._differ(f"{ours.buffer.name} is not in the read and write regions of the outer block")
        for part, first in zip(ours.region[:extra], base, strict=False):
            self._one(ours, part.extent)
            if not self._equal(part.min, first):
                raise self._differ(f"the region of {ours.buffer.name} starts at {part.min}, not at {first}")
        for part, first, its in zip(ours.region[extra:], base[extra:], theirs.region, strict=True):
            self._extents(ours, part.extent, its.extent)
            if not self._equal(fold.sub(*match_types(part.min, first)), its.min):
                raise self._differ(
                    f"the region of {ours.buffer.name} starts at {part.min}, not at {first} plus {its.min}"
                )

    def _extra(self, ours: BufferRegion, theirs: BufferRegion) -> int:
        """Return the number of leading dimensions that the description does not have."""
        self._buffer(ours.buffer, theirs.buffer)
        extra = len(ours.region) - len(theirs.region)
        if extra < 0:
            count = len(ours.region), len(theirs.region)
            raise self._differ(f"{ours.buffer.name} has {count[0]} dimensions, in the description {count[1]}")
        return extra

    def _one(self, region: BufferRegion, extent: Expr) -> None:
        if not fold.is_const(extent, 1):
            raise self._differ(f"the region of {region.buffer.name} has extent {extent}, not 1, in a leading dimension")

    def _extents(self, region: BufferRegion, ours: Expr, theirs: Expr) -> None:
        if not self._equal(ours, theirs):
            raise self._differ(f"the region of {region.buffer.name} has extent {ours}, in the description {theirs}")

    def _equal(self, ours: Expr, theirs: Expr) -> bool:
        return ours is theirs or self._analyzer.can_prove_equal(*match_types(ours, theirs))

    def _differ(self, what: str) -> Mismatch:
        assert self._place is not None, "a comparison begins with a block"
        return Mismatch(what, self._place)


def _count_regions(count: int) -> str:
    return f"{count} region{'s' if count != 1 else ''}"
