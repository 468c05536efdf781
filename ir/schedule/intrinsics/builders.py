"""Builders of intrinsic descriptions and implementations: buffers, loops with blocks, functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tvmscript.ir.arith import fold
from tvmscript.ir.tir import Buffer, Expr, PrimFunc, Stmt, Var, as_expr, make_buffer
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, Cast, IntImm, IterKind, IterVar, Ramp, Range
from tvmscript.ir.tir.intrin import SURFACE
from tvmscript.ir.tir.stmt import Block, BlockRealize, BufferStore, Evaluate, For, ForKind, LetStmt
from tvmscript.ir.tir.tensor_intrin import TensorIntrin

Index = Expr | int


def integer(value: int) -> IntImm:
    """Construct a constant index."""
    return IntImm("int32", value)


def buffer(
    name: str,
    shape: Sequence[int],
    dtype: str,
    scope: str = "global",
    offset_factor: int = 0,
    *,
    is_strided: bool = False,
    align: int = 0,
) -> Buffer:
    """Construct a matched buffer: with an offset, and with symbolic strides if any are allowed."""
    strides = tuple([Var(f"{name}_s{axis}", "int32") for axis in range(len(shape))]) if is_strided else ()
    return make_buffer(
        tuple(map(integer, shape)),
        dtype,
        name,
        strides=strides,
        scope=scope,
        offset_factor=offset_factor,
        data_alignment=align,
    )


def call(name: str, *args: object) -> Expr:
    """Construct a call of an operator of `T`."""
    expr: Expr = SURFACE[name](*args)
    return expr


def call_stmt(name: str, *args: object) -> Stmt:
    """Construct a call of an operator of `T` as a statement."""
    return Evaluate(call(name, *args))


class Lets:
    """Bind values to names, in order, around a statement."""

    def __init__(self) -> None:
        self.bindings: list[tuple[Var, Expr]] = []

    def __call__(self, name: str, value: Expr) -> Var:
        """Bind a value; return its variable."""
        var = Var(name, value.dtype)
        self.bindings.append((var, value))
        return var

    def around(self, body: Stmt) -> Stmt:
        """Return the statement inside of the bindings."""
        for var, value in reversed(self.bindings):
            body = LetStmt(var, value, body)
        return body


def pointer(target: Buffer, count: Index, access: str) -> Expr:
    """Construct an access pointer for reading ("r") or writing ("w")."""
    mask = {"r": 1, "w": 2}[access]
    return call(
        "tvm_access_ptr", call("type_annotation", str(target.dtype)), target.data, target.elem_offset, count, mask
    )


def load(source: Buffer, *indices: Index) -> BufferLoad:
    """Load an element of a buffer."""
    return BufferLoad(source, tuple(map(as_expr, indices)))


def store(target: Buffer, value: Expr, *indices: Index) -> Stmt:
    """Store to an element of a buffer."""
    return BufferStore(target, value, tuple(map(as_expr, indices)))


def lane_indices(count: int) -> Ramp:
    """Construct the vector of indices from 0."""
    return Ramp(integer(0), integer(1), count)


def cast_to(dtype: str, value: Expr) -> Expr:
    """Cast a value unless it has the dtype."""
    return value if str(value.dtype) == dtype else Cast(dtype, value)


def full_region(target: Buffer) -> BufferRegion:
    """The full region of a buffer."""
    return BufferRegion(target, tuple([Range.from_min_extent(integer(0), size) for size in target.shape]))


def point_region(element: BufferLoad) -> BufferRegion:
    """The region of one element."""
    return BufferRegion(element.buffer, tuple([Range.from_min_extent(index, integer(1)) for index in element.indices]))


def nest(extents: Sequence[int], kinds: str, name: str, body: Callable[..., tuple[BufferLoad, Expr]]) -> Stmt:
    """Construct loops around a block that stores a value; axes are spatial ("S") or reductions ("R").

    Of a reduction, the element is read first.
    """
    loops = [Var(f"i{place}", "int32") for place in range(len(extents))]
    axes = [
        IterVar(
            Range.from_min_extent(integer(0), integer(extent)),
            Var(f"v{place}", "int32"),
            IterKind.DATA_PAR if kind == "S" else IterKind.COMM_REDUCE,
        )
        for place, (extent, kind) in enumerate(zip(extents, kinds, strict=True))
    ]
    target, value = body(*[axis.var for axis in axes])
    reads = tuple([point_region(item) for item in _find_loads(value)])
    stmt: Stmt = BufferStore(target.buffer, value, target.indices)
    stmt = BlockRealize(tuple(loops), fold.TRUE, Block(tuple(axes), reads, (point_region(target),), name, stmt))
    for var, extent in reversed([*zip(loops, extents, strict=True)]):
        stmt = For(var, integer(0), integer(extent), ForKind.SERIAL, stmt)
    return stmt


def _find_loads(value: Expr) -> list[BufferLoad]:
    if isinstance(value, BufferLoad):
        return [value]
    parts = (getattr(value, name, None) for name in ("a", "b", "value"))
    return [item for part in parts if isinstance(part, Expr) for item in _find_loads(part)]


def for_each_thread(count: int, body: Callable[[Var], Stmt]) -> Stmt:
    """Bind a statement to the threads of a warp."""
    tx = Var("tx", "int32")
    thread = IterVar(None, Var("threadIdx.x", "int32"), IterKind.THREAD_INDEX, "threadIdx.x")
    return For(tx, integer(0), integer(count), ForKind.THREAD_BINDING, body(tx), thread)


def function(buffers: Sequence[Buffer], reads: Sequence[Buffer], writes: Sequence[Buffer], body: Stmt) -> PrimFunc:
    """Construct a function over buffers whose root block reads and writes full regions."""
    params = [Var(f"{item.name}_handle", "handle") for item in buffers]
    block = Block((), tuple(map(full_region, reads)), tuple(map(full_region, writes)), "root", body)
    return PrimFunc(tuple(params), BlockRealize((), fold.TRUE, block), None, dict(zip(params, buffers, strict=True)))


def multiply(
    dtype: str, extents: Sequence[int], kinds: str, name: str, elements: Callable[..., Sequence[BufferLoad]]
) -> Stmt:
    """Construct a multiply-accumulate nest: `elements` maps the axes to the sum and both factors."""

    def body(*axes: Var) -> tuple[BufferLoad, Expr]:
        total, left, right = elements(*axes)
        return total, total + cast_to(dtype, left) * cast_to(dtype, right)

    return nest(extents, kinds, name, body)


def copy(extents: Sequence[int], name: str, elements: Callable[..., Sequence[BufferLoad]]) -> Stmt:
    """Construct a copy nest: `elements` maps the axes to target and source."""

    def body(*axes: Var) -> tuple[BufferLoad, Expr]:
        target, source = elements(*axes)
        return target, source

    return nest(extents, "S" * len(extents), name, body)


#: constructs an intrinsic
Maker = Callable[[], TensorIntrin]
