"""`T.TMEMPool`: buffers one after the other in the memory of tensor cores."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from tvmscript.ir.arith import tile_layouts as algebra
from tvmscript.ir.core import DType, Span
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.tir import Buffer, BufferLoad, Evaluate, Expr, IfThenElse, IntImm, Var, operators
from tvmscript.ir.tir.intrin.device import instruction
from tvmscript.ir.tir.intrin.memory import address_of
from tvmscript.ir.tir.stmt import seq
from tvmscript.ir.tir.tile import ScopeIdDef
from tvmscript.parser.builtins.argument_checks import integer
from tvmscript.parser.frames import KernelReader, Wrapper
from tvmscript.parser.names.name_hints import name_if_unnamed
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.python.members import MEMBERS
from tvmscript.parser.tir.builtins.constructors import as_dtype
from tvmscript.parser.v0_27 import tensor_core_layouts as layouts
from tvmscript.parser.v0_27.buffers import decl_buffer
from tvmscript.parser.v0_27.instructions import ptx
from tvmscript.parser.v0_27.memory_pool import SharedMemoryPool, extents_of, shared_memory_pool
from tvmscript.parser.v0_27.meta_classes import BufferOwner


class TensorMemoryPool(BufferOwner):
    """A cursor in the memory of tensor cores, in columns of 32 bits. One warp allocates them and gives them back."""

    __slots__ = (
        "_addr_buf", "_alloc_warp", "_cta_group", "_dealloc_warp", "_is_committed", "_is_deallocated", "_is_own",
        "_syncs", "_total_cols", "alloc", "alloc_sf", "alloc_tcgen05_mma_A", "alloc_tcgen05_mma_D", "commit", "dealloc",
        "move_base_to", "offset",
    )  # fmt: skip

    def __init__(
        self, address: Buffer | Expr, total_cols: int, cta_group: int, warps: tuple[int, int], syncs: bool, is_own: bool
    ) -> None:
        self._addr_buf = address
        self._total_cols = total_cols
        self._cta_group = cta_group
        self._alloc_warp, self._dealloc_warp = warps
        self._syncs = syncs
        self._is_own = is_own
        self._is_committed = self._is_deallocated = False
        self.offset = 0
        self.alloc = Builtin("TMEMPool.alloc", self._alloc, True)
        self.alloc_sf = Builtin("TMEMPool.alloc_sf", self._alloc_scale_factors, True)
        self.alloc_tcgen05_mma_A = Builtin("TMEMPool.alloc_tcgen05_mma_A", self._alloc_left, True)
        self.alloc_tcgen05_mma_D = Builtin("TMEMPool.alloc_tcgen05_mma_D", self._alloc_accumulator, True)
        self.commit = Builtin("TMEMPool.commit", self._commit, True)
        self.dealloc = Builtin("TMEMPool.dealloc", self._dealloc, True)
        self.move_base_to = Builtin("TMEMPool.move_base_to", self._move_base_to)

    def __repr__(self) -> str:
        return "a T.TMEMPool"

    @property
    def addr(self) -> Expr:
        """The address of the columns, which the allocation stores."""
        address = self._addr_buf
        return BufferLoad(address, (IntImm("int32", 0),)) if isinstance(address, Buffer) else address

    def give_name(self, name: str) -> None:
        """Name the memory of the address after the pool."""
        if self._is_own:
            name_if_unnamed(self._addr_buf, f"{name}__addr_buf")

    def _alloc(
        self,
        parser: KernelReader,
        span: Span,
        shape: Sequence[object],
        dtype: object = "float32",
        *,
        layout: algebra.Layout | None = None,
        cols: int | None = None,
    ) -> Buffer:
        """Declare a buffer at the cursor, by default with a lane for each row."""
        where = "TMEMPool.alloc"
        if layout is None and len(shape) != 2:
            raise WrongType(where=where, expected="two dimensions, or a layout", got=repr(shape), span=span)
        if layout is None:
            rows, columns = extents_of(where, shape)
            layout = layouts.rows_of_lanes(rows, columns)
        end = self.offset + (_columns_of(where, layout, as_dtype(dtype)) if cols is None else cols)
        if end > self._total_cols:
            raise WrongType(where=where, expected=f"at most {self._total_cols} columns", got=end, span=span)
        frame = decl_buffer(parser, span, shape, dtype, scope="tmem", layout=layout, allocated_addr=self.offset)
        parser.open(frame)
        self.offset = end
        buffer: Buffer = frame.value
        return buffer

    def _alloc_accumulator(
        self,
        parser: KernelReader,
        span: Span,
        shape: Sequence[object],
        dtype: object = "float32",
        *,
        M: int,
        cta_group: int,
        ws: bool = False,
        group: Sequence[object] | None = None,
        cols: int | None = None,
    ) -> Buffer:
        """Declare the result of a product, laid out as the instruction for so many rows writes it."""
        where = "TMEMPool.alloc_tcgen05_mma_D"
        product = layouts.Product(M, cta_group, ws)
        parts = None if group is None else extents_of(where, group)
        layout = layouts.accumulator(where, extents_of(where, shape), product, parts)
        return self._alloc(parser, span, shape, dtype, layout=layout, cols=cols)

    def _alloc_left(
        self,
        parser: KernelReader,
        span: Span,
        shape: Sequence[object],
        dtype: object = "bfloat16",
        *,
        M: int,
        cta_group: int,
        ws: bool = False,
        cols: int | None = None,
    ) -> Buffer:
        """Declare the first matrix of a product, laid out as the instruction for so many rows reads it."""
        where = "TMEMPool.alloc_tcgen05_mma_A"
        layout = layouts.left_operand(where, extents_of(where, shape), layouts.Product(M, cta_group, ws))
        return self._alloc(parser, span, shape, dtype, layout=layout, cols=cols)

    def _alloc_scale_factors(
        self,
        parser: KernelReader,
        span: Span,
        shape: Sequence[object],
        dtype: object,
        *,
        sf_per_mma: int,
        sf_reuse: int = 1,
    ) -> Buffer:
        """Declare the scale factors of the blocks of a matrix."""
        where = "TMEMPool.alloc_sf"
        layout = layouts.scale_factors(where, extents_of(where, shape), sf_per_mma, sf_reuse)
        return self._alloc(parser, span, shape, dtype, layout=layout)

    def _move_base_to(self, col: int, span: Span | None = None) -> None:
        """Set the cursor, in columns."""
        self.offset = col

    def _commit(self, parser: KernelReader, span: Span) -> None:
        """Add the allocation of the columns, by one warp, to the program."""
        if self._is_committed:
            raise WrongType(where="TMEMPool.commit", expected="one call", got="another", span=span)
        self._is_committed = True
        address = address_of(self.addr, span=span)
        calls = [self._instruction("alloc", "sync.aligned.shared::cta.b32", address, span=span)]
        calls += [instruction("cuda.warp_sync")(span=span)] if self._syncs else []
        _add_for_warp(parser, span, self._alloc_warp, calls)

    def _dealloc(self, parser: KernelReader, span: Span) -> None:
        """Add to the program that one warp gives the columns back."""
        if not self._is_committed or self._is_deallocated:
            raise WrongType(where="TMEMPool.dealloc", expected="one call, after commit", got="another", span=span)
        self._is_deallocated = True
        permit = ptx(f"tcgen05.relinquish_alloc_permit.cta_group::{self._cta_group}.sync.aligned").call(span=span)
        _add_for_warp(
            parser, span, self._dealloc_warp,
            [permit, self._instruction("dealloc", "sync.aligned.b32", self.addr, span=span)],
        )  # fmt: skip

    def _instruction(self, name: str, modifiers: str, address: Expr, span: Span) -> Expr:
        count = operators.const(self._total_cols, "uint32")
        return ptx(f"tcgen05.{name}.cta_group::{self._cta_group}.{modifiers}").call(address, count, span=span)


def _add_for_warp(parser: KernelReader, span: Span, warp: int, calls: Sequence[Expr]) -> None:
    """Add calls that one warp of the block does."""
    number = Var("", "int32", None, span)
    parser.open(Wrapper(number, span, lambda body: ScopeIdDef((number,), (), "warp_id", body, span=span)))
    body = seq(*[Evaluate(call, span=span) for call in calls])
    parser.statements.append(IfThenElse(operators.eq(number, warp, span), body, None, span=span))


def tensor_memory_pool(
    parser: KernelReader,
    span: Span,
    pool: object,
    total_cols: int = 512,
    *,
    cta_group: int = 1,
    alloc_warp: int = 0,
    dealloc_warp: int | None = None,
    tmem_addr: Buffer | Expr | None = None,
    sync_after_alloc: bool = True,
) -> TensorMemoryPool:
    """Return a pool of the memory of tensor cores; the address is kept in a pool of shared memory, or where given."""
    warps = (alloc_warp, alloc_warp if dealloc_warp is None else dealloc_warp)
    address = tmem_addr
    if address is None:
        if not isinstance(pool, SharedMemoryPool):
            raise WrongType(where="T.TMEMPool", expected="a T.SMEMPool, or tmem_addr=", got=repr(pool), span=span)
        address = pool.alloc.function(parser, span, (1,), "uint32", align=4)
    return TensorMemoryPool(address, total_cols, cta_group, warps, sync_after_alloc, tmem_addr is None)


def _columns_of(where: str, layout: algebra.Layout, dtype: DType) -> int:
    """Return the columns of 32 bits that a layout takes."""
    columns, rest = divmod(integer(where, algebra.span(layout, "TCol")) * dtype.bits, 32)
    if rest:
        raise WrongType(where=where, expected="whole columns of 32 bits", got=repr(layout))
    return columns


_PUBLIC: Final = (
    "addr", "alloc", "alloc_sf", "alloc_tcgen05_mma_A", "alloc_tcgen05_mma_D", "commit", "dealloc", "move_base_to",
    "offset",
)  # fmt: skip
MEMBERS[TensorMemoryPool] = {
    **{name: attrgetter(name) for name in _PUBLIC},
    "alloc_tcgen05_mma_C": attrgetter("alloc_tcgen05_mma_D"),
}
#: names of `T`
POOLS: Final[dict[str, object]] = {
    "SMEMPool": Builtin("T.SMEMPool", shared_memory_pool, True),
    "TMEMPool": Builtin("T.TMEMPool", tensor_memory_pool, True),
}
