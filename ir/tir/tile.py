"""Nodes of the tile level of TVM 0.27: ids of a scope, layouts of buffers, calls of tile primitives.

They are read and printed in the dialect 0.27. Backends and the dialect 0.17 refuse them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from tvmscript.ir.core import Type
from tvmscript.ir.core.attrs import attribute, attributes
from tvmscript.ir.core.errors import WrongArgumentCount, WrongType
from tvmscript.ir.core.node import Building, Node, binds, filled, node
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.stmt import Attrs
from tvmscript.ir.tir.var import Var

#: name of an id -> the scope that it counts, and the scope inside of which it counts
SCOPE_IDS: dict[str, tuple[str, str]] = {
    "cluster_id": ("cluster", "kernel"),
    "cta_id": ("cta", "kernel"),
    "cta_id_in_cluster": ("cta", "cluster"),
    "cta_id_in_pair": ("cta_pair", "cluster"),
    "warpgroup_id": ("warpgroup", "cta"),
    "warp_id": ("warp", "cta"),
    "warp_id_in_wg": ("warp", "warpgroup"),
    "thread_id": ("thread", "cta"),
    "thread_id_in_wg": ("thread", "warpgroup"),
    "lane_id": ("thread", "warp"),
}
#: execution scopes of tile primitives, the innermost first
EXEC_SCOPES = ("thread", "warp", "warpgroup", "cta", "cluster")
#: axes of layouts: indices of threads and blocks, of memory (m), of tensor memory and of Trainium's memories
AXES = (
    "bx", "by", "bz", "cbx", "cby", "cbz", "tx", "warpid", "laneid", "wgid", "tid_in_wg", "wid_in_wg",
    "m", "P", "F", "Bank", "TCol", "TLane",
)  # fmt: skip
#: the axis of addresses in memory
MEMORY = "m"


@node
class ScopeIdDef(Stmt):
    """Define the ids of this thread in a scope, `bx, by = T.cta_id([4, 2])`, for `body`.

    Without extents the extent follows from those of the other ids.
    """

    vars: tuple[Var, ...] = binds()
    extents: tuple[Expr, ...]
    scope: str
    body: Stmt
    preferred: tuple[Expr, ...] = ()

    def __post_init__(self: Building) -> None:
        where = f"T.{self.scope}"
        if self.scope not in SCOPE_IDS:
            raise WrongType(where="ScopeIdDef", expected=f"one of {', '.join(SCOPE_IDS)}", got=self.scope)
        count = len(self.extents) or 1
        if len(self.vars) != count:
            raise WrongArgumentCount(where=where, expected=f"{count} ids", got=len(self.vars), span=self.span)
        if self.preferred and len(self.preferred) != count:
            expected = f"{count} preferred extents"
            raise WrongArgumentCount(where=where, expected=expected, got=len(self.preferred), span=self.span)
        for part in (*self.vars, *self.extents, *self.preferred):
            if not part.dtype.is_integer or part.dtype.bits != 32 or part.dtype.lanes != 1:
                raise WrongType(where=where, expected="int32 or uint32", got=part.dtype, span=self.span)
        for extent in self.extents:
            if isinstance(extent, IntImm) and extent.value <= 0:
                raise WrongType(where=where, expected="positive extents", got=extent.value, span=self.span)


# layouts


@node
class LayoutIter(Node):
    """`extent` steps of `stride` along an axis."""

    extent: Expr
    stride: Expr
    axis: str = MEMORY
    takes_values: ClassVar[bool] = True

    def __post_init__(self: Building) -> None:
        check_axis(self.axis, self.span)


@node
class LayoutOffset(Node):
    """A constant position along an axis."""

    value: Expr
    axis: str = MEMORY
    takes_values: ClassVar[bool] = True

    def __post_init__(self: Building) -> None:
        check_axis(self.axis, self.span)


def check_axis(axis: str, span: Any = None) -> None:
    """Raise `WrongType` unless it is the name of an axis."""
    if axis not in AXES:
        raise WrongType(where="an axis of a layout", expected=f"one of {', '.join(AXES)}", got=repr(axis), span=span)


@node
class TileLayout(Node):
    """Where the elements of a buffer lie: `shard` maps them to axes, `replica` repeats them, `offset` moves them."""

    shard: tuple[LayoutIter, ...]
    replica: tuple[LayoutIter, ...] = ()
    #: sorted by axis
    offset: tuple[LayoutOffset, ...] = ()

    def __post_init__(self: Building) -> None:
        self.offset = tuple(sorted(self.offset, key=lambda part: part.axis))


@node
class ComposeLayout(Node):
    """A tile layout whose addresses are swizzled: bits above `atom_len` are exclusive-ored into the ones below."""

    per_element: int
    swizzle_len: int
    atom_len: int
    tile_layout: TileLayout
    swizzle_inner: bool = True

    def __post_init__(self: Building) -> None:
        if not isinstance(self.tile_layout, TileLayout):
            where = "the last part of a ComposeLayout"
            raise WrongType(where=where, expected="a TileLayout", got=repr(self.tile_layout), span=self.span)


def is_row_major(layout: object, shape: Sequence[Expr]) -> bool:
    """Whether a layout is the one that a buffer of this constant shape has by default."""
    if not isinstance(layout, TileLayout) or layout.replica or layout.offset or len(layout.shard) != len(shape):
        return False
    stride = 1
    for part, extent in zip(reversed(layout.shard), reversed(shape), strict=True):
        values = [item.value if isinstance(item, IntImm) else None for item in (extent, part.extent, part.stride)]
        if part.axis != MEMORY or values[0] is None or values[0] != values[1] or values[2] != stride:
            return False
        stride *= values[0]
    return True


@node
class TensorMapType(Type):
    """A descriptor of a tensor in global memory, which the copy engine reads."""


# tile primitives


@node
class TileLambda(Node):
    """A function of the indices of a tile: `lambda i, j: i < j`."""

    vars: tuple[Var, ...] = binds()
    body: Expr


@node
class TileOp(Node):
    """A tile primitive as an argument of another one."""

    name: str


@node
class TileCall(Stmt):
    """Call a tile primitive, such as copy, by the threads of a scope.

    Arguments are regions, expressions, lists, or None. `options` are its hints: the implementation (`dispatch`),
    its workspace, and what the implementation is given.
    """

    op: str
    scope: str
    args: tuple[Any, ...]
    options: Attrs = filled(default=None)

    def __post_init__(self: Building) -> None:
        self.args = tuple(attribute(item) for item in self.args)
        self.options = attributes(self.options) if self.options else {}
        if self.scope not in EXEC_SCOPES:
            expected = f"one of {', '.join(EXEC_SCOPES)}"
            raise WrongType(where="a tile primitive", expected=expected, got=self.scope, span=self.span)
