"""What descriptions and implementations of intrinsics are made with: buffers, loops with blocks, functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tvmscript.ir.arith import fold
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer, make_buffer
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, Cast, IntImm, IterKind, IterVar, Ramp, Range
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin import SURFACE
from tvmscript.ir.tir.operators import as_expr
from tvmscript.ir.tir.stmt import Block, BlockRealize, BufferStore, Evaluate, For, ForKind
from tvmscript.ir.tir.tensor_intrin import TensorIntrin
from tvmscript.ir.tir.var import Var

Index = Expr | int


def integer(value: int) -> IntImm:
    """A constant index."""
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
    """A buffer that stands for a part of another one: with an offset, and with strides if they may be any."""
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
    """A call of an operator of `T`."""
    expr: Expr = SURFACE[name](*args)
    return expr


def call_stmt(name: str, *args: object) -> Stmt:
    """The call of an operator of `T` as a statement."""
    return Evaluate(call(name, *args))


def pointer(target: Buffer, count: Index, access: str) -> Expr:
    """The address of a buffer, from which elements are read ("r") or written ("w")."""
    mask = {"r": 1, "w": 2}[access]
    return call(
        "tvm_access_ptr", call("type_annotation", str(target.dtype)), target.data, target.elem_offset, count, mask
    )


def load(source: Buffer, *indices: Index) -> BufferLoad:
    """An element of a buffer."""
    return BufferLoad(source, tuple(map(as_expr, indices)))


def store(target: Buffer, value: Expr, *indices: Index) -> Stmt:
    """Set an element of a buffer."""
    return BufferStore(target, value, tuple(map(as_expr, indices)))


def lane_indices(count: int) -> Ramp:
    """The indices from 0 as a vector."""
    return Ramp(integer(0), integer(1), count)


def cast_to(dtype: str, value: Expr) -> Expr:
    """A value of a type; a cast where it is of another one."""
    return value if str(value.dtype) == dtype else Cast(dtype, value)


def full_region(target: Buffer) -> BufferRegion:
    """All of a buffer."""
    return BufferRegion(target, tuple([Range.from_min_extent(integer(0), size) for size in target.shape]))


def point_region(element: BufferLoad) -> BufferRegion:
    """The region of one element."""
    return BufferRegion(element.buffer, tuple([Range.from_min_extent(index, integer(1)) for index in element.indices]))


def nest(extents: Sequence[int], kinds: str, name: str, body: Callable[..., tuple[BufferLoad, Expr]]) -> Stmt:
    """Loops around a block that stores a value to an element; axes are spatial ("S") or of a reduction ("R").

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
    """The statement on each thread of a warp."""
    tx = Var("tx", "int32")
    thread = IterVar(None, Var("threadIdx.x", "int32"), IterKind.THREAD_INDEX, "threadIdx.x")
    return For(tx, integer(0), integer(count), ForKind.THREAD_BINDING, body(tx), thread)


def function(buffers: Sequence[Buffer], reads: Sequence[Buffer], writes: Sequence[Buffer], body: Stmt) -> PrimFunc:
    """A function over buffers; its outermost block reads and writes all of some of them."""
    params = [Var(f"{item.name}_handle", "handle") for item in buffers]
    block = Block((), tuple(map(full_region, reads)), tuple(map(full_region, writes)), "root", body)
    return PrimFunc(tuple(params), BlockRealize((), fold.TRUE, block), None, dict(zip(params, buffers, strict=True)))


def multiply(
    dtype: str, extents: Sequence[int], kinds: str, name: str, elements: Callable[..., Sequence[BufferLoad]]
) -> Stmt:
    """Loops that add products: `elements` gives the elements of the sum and of both factors by the axes."""

    def body(*axes: Var) -> tuple[BufferLoad, Expr]:
        total, left, right = elements(*axes)
        return total, total + cast_to(dtype, left) * cast_to(dtype, right)

    return nest(extents, kinds, name, body)


def copy(extents: Sequence[int], name: str, elements: Callable[..., Sequence[BufferLoad]]) -> Stmt:
    """Loops that copy: `elements` gives where to and where from by the axes."""

    def body(*axes: Var) -> tuple[BufferLoad, Expr]:
        target, source = elements(*axes)
        return target, source

    return nest(extents, "S" * len(extents), name, body)


#: makes an intrinsic
Maker = Callable[[], TensorIntrin]
