"""Lower asynchronous copies to shared memory to cp.async instructions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from tvmscript.ir.arith.fold import is_const, mul
from tvmscript.ir.core import Op, PointerType, PrimType, on
from tvmscript.ir.tir import AttrStmt, Buffer, BufferStore, Evaluate, Expr, PrimFunc, Stmt, TirRewriter
from tvmscript.ir.tir.expr import Add, Broadcast, BufferLoad, Call, FloatImm, IntImm, Ramp
from tvmscript.ir.tir.intrin.matrix import ptx_cp_async
from tvmscript.ir.transform.base import Form, PrimFuncPass
from tvmscript.ir.transform.errors import NotFlat

ASYNC: Final = "async_scope"
_SHARED: Final = ("shared", "shared.dyn")
#: sizes of one instruction in bytes
_SIZES: Final = (4, 8, 16)


class _AsyncCopyRewriter(TirRewriter):
    def __init__(self) -> None:
        super().__init__()
        self.is_async = False

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if node.attr_key != ASYNC:
            return self.descend(node)
        outer, self.is_async = self.is_async, True
        body: Stmt = self.rewrite(node.body)
        self.is_async = outer
        return body

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        if self.is_async and node.buffer.storage_scope in _SHARED and node.predicate is None:
            copied, condition = _match_copy(node.value)
            if copied is not None and copied.buffer.storage_scope == "global" and copied.predicate is None:
                return _make_instruction(node, copied, condition) or node
        return node


def _match_copy(value: Expr) -> tuple[BufferLoad | None, Expr | None]:
    """Match a stored load and its condition; the instruction writes zeros where it does not hold."""
    if isinstance(value, BufferLoad):
        return value, None
    if isinstance(value, Call) and isinstance(value.op, Op) and value.op.name == "tir.if_then_else":
        condition, loaded, other = value.args
        if isinstance(loaded, BufferLoad) and _is_zero(other):
            return loaded, condition
    return None, None


def _is_zero(value: Expr) -> bool:
    """Return whether all bits are zero, which does not hold for -0.0."""
    if isinstance(value, Broadcast):
        value = value.value
    if isinstance(value, FloatImm):
        return value.value == 0 and math.copysign(1.0, value.value) > 0
    return is_const(value, 0)


def _make_instruction(store: BufferStore, load: BufferLoad, condition: Expr | None) -> Stmt | None:
    """Return the copy as an instruction; None if there is none for its size or indices."""
    for buffer, indices in ((store.buffer, store.indices), (load.buffer, load.indices)):
        if len(indices) != 1:
            raise NotFlat(name=InjectPTXAsyncCopy.name, buffer=buffer.name, span=store.span)
    size = load.indices[0].dtype.lanes * load.buffer.dtype.itemsize
    source, target = _first_index(load.indices[0]), _merged_index(store.indices[0])
    factor = _element_factor(store.buffer, load.buffer)
    if size not in _SIZES or source is None or target is None or factor is None:
        return None
    if store.buffer.dtype.lanes != 1:
        return None
    args = [
        store.buffer.data,
        mul(target, IntImm(target.dtype, factor)),
        load.buffer.data,
        source,
        IntImm("int32", size),
    ]
    if condition is not None:
        args.append(condition)
    return Evaluate(ptx_cp_async(*args, dtype=store.buffer.dtype, span=store.span), span=store.span)


def _first_index(index: Expr) -> Expr | None:
    """Return the index of the first of contiguous elements; None if they are not provably contiguous."""
    if isinstance(index, Ramp):
        return index.base if is_const(index.stride, 1) else None
    return index if index.dtype.lanes == 1 else None


def _merged_index(index: Expr) -> Expr | None:
    """Return the first index, also for the form `index + Broadcast(offset)` of merged shared memory."""
    if index.dtype.lanes == 1 or not (isinstance(index, Add) and isinstance(index.b, Broadcast)):
        return _first_index(index)
    inner = _first_index(index.a)
    return None if inner is None else Add(inner, index.b.value)


def _element_factor(target: Buffer, source: Buffer) -> int | None:
    """Return the number of target elements per copied element; merged shared memory has bytes as elements."""
    kinds = [buffer.data.pointer_type for buffer in (target, source)]
    stored, read = [
        kind.element_type.dtype if isinstance(kind, PointerType) and isinstance(kind.element_type, PrimType) else None
        for kind in kinds
    ]
    if stored is None or read is None:
        return None
    factor, rest = divmod(read.itemsize, stored.itemsize)
    return factor if rest == 0 else None


@dataclass(frozen=True)
class InjectPTXAsyncCopy(PrimFuncPass):
    """Replace copies from global to shared memory under the attribute `async_scope` by `ptx_cp_async`, and remove the
    attribute.

    Copies of 4, 8 or 16 contiguous bytes are replaced. A load under a condition, with zeros elsewhere, becomes a
    predicated copy. Raises `NotFlat` for buffers of more than one dimension.

    rewrite:
        with T.attr(0, "async_scope", 1):
            S[T.Ramp(tx * 8, 1, 8)] = A[T.Ramp(i * 8, 1, 8)]
        -->
        T.ptx_cp_async("float16", S.data, tx * 8, A.data, i * 8, 16)
    """

    name = "tir.InjectPTXAsyncCopy"
    is_idempotent = True
    takes = Form.FLAT
    looks_for = frozenset({ASYNC})

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_AsyncCopyRewriter().rewrite(func.body))
