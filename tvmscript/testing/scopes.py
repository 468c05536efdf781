"""Hypothesis strategies of statements that open scopes: blocks with all clauses, threads, allocations, constant data.

from hypothesis import given
from tvmscript.testing.scopes import scoped_funcs

@given(scoped_funcs())
def test_reads_back(func): ...

The functions need not be safe to run; those of `tvmscript.testing.kernels` are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from hypothesis import strategies as st

from tvmscript.ir.core import PointerType, PrimType
from tvmscript.ir.core.dtype import BOOL, FLOAT32, INT8, INT32, DType
from tvmscript.ir.core.values.constant_data import pack
from tvmscript.ir.tir import Buffer, Expr, PrimFunc, Stmt, make_buffer
from tvmscript.ir.tir import stmt as tir
from tvmscript.ir.tir.expr import BufferRegion, Call, IntImm, IterKind, IterVar, Ramp, Range, Var
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic
from tvmscript.testing.strategies import exprs, stmts
from tvmscript.testing.strategies.expressions import NAMES

_DTYPES: Final = tuple(map(DType, ("float32", "int32", "bool", "int8", "float16", "uint8")))
_KINDS: Final = (*[IterKind.DATA_PAR, IterKind.COMM_REDUCE] * 3, IterKind.ORDERED, IterKind.OPAQUE)
_TAGS: Final = ("threadIdx.x", "blockIdx.y", "vthread")
#: what blocks, loops and allocations may be annotated with
_NOTES: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"pragma_x": IntImm("int32", 1)},
    {"s": "text \" ' \\ \n", "n": None},
    {"list": [1, [2, 3]], "f": 0.5, "path": "a\\b"},
)


def _number(value: int, dtype: DType | str = INT32) -> IntImm:
    return IntImm(dtype, value)


@st.composite
def layouts(
    draw: st.DrawFn,
    rank: int | None = None,
    dtype: DType | None = None,
    scope: str | None = None,
    *,
    is_known: bool = False,
) -> Buffer:
    """Draw a buffer of any layout: strides, offset, alignment, axis separators, storage scope.

    Strides and offset may be variables, which parameters and matched buffers define, unless `is_known`.
    """
    count = draw(st.integers(0, 2)) if rank is None else rank
    extents = tuple(_number(draw(st.sampled_from([4, 1, 3, 16, 0]))) for _ in range(count))
    name: str = draw(st.sampled_from(NAMES))
    strides: tuple[Expr, ...] = ()
    kind = draw(st.sampled_from(["dense", "dense", "numbers"] + ["names"] * (not is_known)))
    if kind != "dense":
        strides = tuple(_number(32 - step) if kind == "numbers" else Var("s", INT32) for step in range(count))
    offset_kind = draw(st.sampled_from([None, None, _number(0), _number(8)] + ["name"] * (not is_known)))
    offset: Expr | None = Var("offset", INT32) if isinstance(offset_kind, str) else offset_kind
    return make_buffer(
        extents,
        dtype or draw(st.sampled_from(_DTYPES)),
        name,
        strides=strides,
        elem_offset=offset,
        scope=scope if scope is not None else draw(st.sampled_from(["global", "shared", "local"])),
        data_alignment=draw(st.sampled_from([64, 16, 128])),
        offset_factor=0 if offset is None else draw(st.sampled_from([1, 1, 16])),
        axis_separators=(1,) if count == 2 and draw(st.integers(0, 3)) == 3 else (),
    )


class _Scopes:
    """Draws statements over the variables and buffers in scope."""

    def __init__(self, draw: st.DrawFn, variables: Sequence[Var], buffers: Sequence[Buffer], depth: int) -> None:
        self.draw = draw
        self.variables = variables
        self.buffers = buffers
        self.depth = depth

    def one(self, items: Sequence[Any]) -> Any:
        return self.draw(st.sampled_from(items))

    def chance(self) -> bool:
        return bool(self.draw(st.booleans()))

    def condition(self) -> Expr:
        """Draw true with a high probability."""
        predicate: Expr = _number(1, BOOL) if self.chance() else self.draw(exprs(BOOL, self.variables, self.buffers, 1))
        return predicate

    def body(self, variables: Sequence[Var] = (), buffers: Sequence[Buffer] = ()) -> Stmt:
        names = [*self.variables, *variables], [*self.buffers, *buffers]
        if self.depth and self.chance():
            return _Scopes(self.draw, *names, self.depth - 1).statement()
        stmt: Stmt = self.draw(stmts(*names, 0))
        return stmt

    def statement(self) -> Stmt:
        """Draw a statement with a scope."""
        choices = [self.nest, self.nest, self.nest, self.allocation, self.constant, self.launch, self.masked]
        stmt: Stmt = self.one(choices)()
        return tir.seq(stmt, self.body()) if self.draw(st.integers(0, 3)) == 3 else stmt

    # -- blocks

    def nest(self) -> Stmt:
        """Draw a block in loops, most of which bind its axes."""
        loops: list[tuple[Var, Range]] = []
        for _ in range(self.draw(st.integers(0, 3))):
            loops.append(self.loop([var for var, _ in loops]))
        inside = _Scopes(self.draw, [*self.variables, *[loop[0] for loop in loops]], self.buffers, self.depth)
        stmt = inside.block(loops)
        for var, domain in reversed(loops):
            stmt = self.around(var, domain, stmt)
        return stmt

    def loop(self, outer: Sequence[Var]) -> tuple[Var, Range]:
        """Draw a loop variable and its bounds, which may depend on outer loops."""
        dtype = self.one([INT32, INT32, DType("int64")])
        low, extent = _number(self.one([0, 0, 2]), dtype), _number(self.one([4, 4, 1, 16]), dtype)
        candidates = [var for var in outer if var.dtype is dtype]
        is_known = not candidates or self.draw(st.integers(0, 2)) < 2
        return Var(self.one(NAMES), dtype), Range.from_min_extent(low, extent if is_known else self.one(candidates))

    def around(self, var: Var, domain: Range, body: Stmt) -> tir.For:
        """Draw a loop of any kind."""
        kind = self.one(
            [tir.ForKind.SERIAL] * 3 + [tir.ForKind.UNROLLED, tir.ForKind.PARALLEL, tir.ForKind.THREAD_BINDING]
        )
        thread = None
        if kind is tir.ForKind.THREAD_BINDING:
            thread = IterVar(None, Var("", var.dtype), IterKind.THREAD_INDEX, self.one(_TAGS))
        notes = {} if self.chance() else self.one(_NOTES)
        return tir.For(var, domain.min, domain.extent, kind, body, thread, notes)

    def axis(self, loop: tuple[Var, Range] | None) -> tuple[IterVar, Expr]:
        """Draw an axis and its binding: a loop variable or any expression."""
        kind = self.one(_KINDS)
        if loop is not None and self.draw(st.integers(0, 3)) < 3:
            var, domain = loop
            own = domain if self.chance() else Range.from_min_extent(_number(0, var.dtype), domain.extent)
            return IterVar(own, Var(self.one(NAMES), var.dtype), kind), var
        domain = Range.from_min_extent(_number(self.one([0, 3])), _number(self.one([4, 16])))
        value: Expr = self.draw(exprs(INT32, self.variables, (), 1))
        return IterVar(domain, Var(self.one(NAMES), INT32), kind), value

    def block(self, loops: Sequence[tuple[Var, Range]]) -> Stmt:
        """Draw a block with any of its fields."""
        count = self.draw(st.integers(0, len(loops) + 1))
        axes = [self.axis(loops[place] if place < len(loops) else None) for place in range(count)]
        allocated = [self.draw(layouts(is_known=True)) for _ in range(self.draw(st.integers(0, 1)))]
        matched = [match for match in [self.match()] if match is not None]
        buffers = [*allocated, *[match.buffer for match in matched]]
        inside = [axis.var for axis, _ in axes]
        init = self.draw(stmts(inside, [*self.buffers, *buffers], 0)) if self.draw(st.integers(0, 3)) == 3 else None
        block = tir.Block(
            tuple(axis for axis, _ in axes),
            self.regions(),
            self.regions(),
            self.one(["B", "", "a.b"]),
            _Scopes(self.draw, inside, self.buffers, self.depth).body((), buffers),
            init,
            tuple(allocated),
            tuple(matched),
            self.one(_NOTES),
        )
        if self.draw(st.integers(0, 5)) == 5:
            return block
        return tir.BlockRealize(tuple(value for _, value in axes), self.condition(), block)

    def regions(self) -> tuple[BufferRegion, ...]:
        """Draw regions of the buffers in scope."""
        if not self.buffers:
            return ()
        chosen = [self.one(self.buffers) for _ in range(self.draw(st.integers(0, 2)))]
        return tuple(self.region(buffer) for buffer in chosen)

    def region(self, buffer: Buffer) -> BufferRegion:
        ranges = [
            Range.from_min_extent(_number(0, extent.dtype), extent)
            if self.chance()
            else Range.from_min_extent(_number(self.one([0, 1]), extent.dtype), _number(self.one([1, 2]), extent.dtype))
            for extent in buffer.shape
        ]
        return BufferRegion(buffer, tuple(ranges))

    def match(self) -> tir.MatchBufferRegion | None:
        """Draw a matched buffer of a region."""
        if not self.buffers or not self.chance():
            return None
        region = self.region(self.one(self.buffers))
        source = region.buffer
        view = self.draw(layouts(len(region.region), source.dtype, source.storage_scope))
        return tir.MatchBufferRegion(view.replace(shape=tuple(part.extent for part in region.region)), region)

    # -- memory and threads

    def allocation(self) -> Stmt:
        """Draw an allocation and possibly a buffer over it."""
        dtype = self.one(_DTYPES)
        stored = INT8 if dtype is BOOL and self.chance() else dtype
        var = Var(self.one(NAMES), PointerType(PrimType(stored), self.one(["global", "shared"])))
        extents = tuple(_number(self.one([4, 16])) for _ in range(self.draw(st.integers(1, 2))))
        buffer = make_buffer(extents, dtype, self.one(NAMES), data=var)
        if self.chance():
            buffer = buffer.replace(dtype=self.one(_DTYPES), shape=(_number(4),))
        body = tir.DeclBuffer(buffer, self.body((), [buffer]))
        return tir.Allocate(var, stored, extents, self.condition(), body, self.one(_NOTES))

    def constant(self) -> Stmt:
        """Draw constant data."""
        dtype = self.one([FLOAT32, INT32, INT8])
        var = Var(self.one(NAMES), PointerType(PrimType(dtype)))
        numbers = [self.draw(st.integers(-2, 2)) for _ in range(3)]
        buffer = make_buffer((_number(3),), dtype, self.one(NAMES), data=var)
        body = tir.DeclBuffer(buffer, self.body((), [buffer]))
        return tir.AllocateConst(var, dtype, (_number(3),), pack(numbers, dtype, (3,)), body, self.one(_NOTES[:2]))

    def launch(self) -> Stmt:
        """Draw a thread launch."""
        tag = self.one(_TAGS)
        extent = _number(self.one([1, 32]))
        axis = IterVar(
            Range.from_min_extent(_number(0), extent), Var(self.one(NAMES), INT32), IterKind.THREAD_INDEX, tag
        )
        return tir.AttrStmt(axis, tir.launch_key(tag), extent, self.body([axis.var]))

    def masked(self) -> Stmt:
        """Draw a masked vector store, or the address of an element."""
        flat = [buffer for buffer in self.buffers if len(buffer.shape) == 1 and buffer.dtype.lanes == 1]
        if not flat:
            return self.nest()
        buffer = self.one(flat)
        dtype = buffer.shape[0].dtype
        if self.chance():
            element = buffer[_number(0, dtype)]
            return tir.Evaluate(Call("handle", Intrinsic.get("tir.address_of"), (element,)))
        value = self.draw(exprs(buffer.dtype.with_lanes(4), self.variables, self.buffers, 1))
        mask = self.draw(exprs(BOOL.with_lanes(4), self.variables, self.buffers, 1))
        at = Ramp(_number(0, dtype), _number(self.one([1, 2]), dtype), 4)
        return tir.BufferStore(buffer, value, (at,), mask)


@st.composite
def scoped_funcs(draw: st.DrawFn, depth: int = 2) -> PrimFunc:
    """Draw a function of scopes, with parameters of any layout. It need not be safe to run."""
    count = draw(st.integers(0, 2))
    params = tuple(Var(f"p{place}", "handle") for place in range(count))
    buffers = [draw(layouts()) for _ in params]
    body = _Scopes(draw, (), buffers, depth).statement()
    return PrimFunc(params, body, None, dict(zip(params, buffers, strict=True)), {"global_symbol": "f"})


__all__ = ["layouts", "scoped_funcs"]
