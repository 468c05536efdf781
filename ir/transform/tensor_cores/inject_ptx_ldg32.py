"""Lower guarded 32-bit loads from global memory to ldg32 instructions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tvmscript.ir.arith.fold import TRUE
from tvmscript.ir.core import BOOL, INT32, CallEffect, Op, PointerType, PrimType, on
from tvmscript.ir.tir import Buffer, BufferLoad, Call, IntImm, PrimFunc, Stmt, TirRewriter, Var, effect_of, make_buffer
from tvmscript.ir.tir.intrin.matrix import ptx_ldg32
from tvmscript.ir.tir.stmt import Allocate, AttrStmt, BufferStore, Evaluate, seq
from tvmscript.ir.transform.base import Form, PrimFuncPass

_BITS: Final = 32


def _element(index: int) -> tuple[IntImm]:
    return (IntImm(INT32, index),)


class _Ldg32Rewriter(TirRewriter):
    """Rewrite guarded loads; `home` is the statement that gets the buffers for addresses and conditions."""

    def __init__(self, home: Stmt | None) -> None:
        super().__init__()
        self.home = home
        two, one = (IntImm(INT32, 2),), (IntImm(INT32, 1),)
        self.addresses = make_buffer(two, INT32, "addr", scope="local")
        data = Var("predicate", PointerType(PrimType(BOOL), "local"))
        self.condition = make_buffer(one, BOOL, "predicate", data=data)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        guarded = _guarded_load(node)
        if guarded is None:
            return node
        condition, load, other = guarded.args
        assert isinstance(load, BufferLoad)
        source, target = [BufferLoad(self.addresses, _element(k)) for k in (0, 1)]
        holds = BufferLoad(self.condition, _element(0))
        loaded = BufferLoad(load.buffer, (source,), span=load.span)
        return seq(
            BufferStore(self.addresses, load.indices[0], _element(0), span=node.span),
            BufferStore(self.addresses, node.indices[0], _element(1), span=node.span),
            BufferStore(self.condition, condition, _element(0), span=node.span),
            BufferStore(node.buffer, other, (target,), span=node.span),
            Evaluate(ptx_ldg32(node.buffer.data, holds, loaded, target, span=node.span), span=node.span),
        )

    @on(Allocate)
    def allocation(self, node: Allocate) -> Stmt:
        stmt: Stmt = self.descend(node)
        return self.wrap_allocations(stmt) if node is self.home else stmt

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        new_attr = self.descend(node)
        return new_attr.replace(body=self.wrap_allocations(new_attr.body)) if node is self.home else new_attr

    def wrap_allocations(self, body: Stmt) -> Stmt:
        """Wrap a statement in the allocations of the buffers."""
        for buffer in (self.addresses, self.condition):
            body = Allocate(buffer.data, buffer.dtype, buffer.shape, TRUE, body)
        return body


def _guarded_load(store: BufferStore) -> Call | None:
    """Match a stored `if_then_else(condition, load, other)` that has an instruction."""
    value = store.value
    if not isinstance(value, Call) or not isinstance(value.op, Op) or value.op.name != "tir.if_then_else":
        return None
    _, load, other = value.args
    if not isinstance(load, BufferLoad) or not (_is_simple(load.buffer, load) and _is_simple(store.buffer, store)):
        return None
    # the other value is always computed
    is_safe = effect_of(other) is CallEffect.PURE
    return (
        value if is_safe and load.buffer.storage_scope == "global" and store.buffer.storage_scope == "local" else None
    )


def _is_simple(buffer: Buffer, access: BufferLoad | BufferStore) -> bool:
    """Return whether an access is to one 32-bit element with one 32-bit index."""
    return (
        buffer.dtype.bits == _BITS
        and buffer.dtype.lanes == 1
        and access.predicate is None
        and len(access.indices) == 1
        and access.indices[0].dtype is INT32
    )


def _home(body: Stmt) -> Stmt | None:
    """Return the innermost allocation or launch around all guarded loads; None if there is none."""
    paths: list[list[Stmt]] = []
    stack: list[tuple[Stmt, list[Stmt]]] = [(body, [])]
    while stack:
        stmt, path = stack.pop()
        if isinstance(stmt, Allocate) or (isinstance(stmt, AttrStmt) and stmt.attr_key == "thread_extent"):
            path = [*path, stmt]
        if isinstance(stmt, BufferStore) and _guarded_load(stmt) is not None:
            paths.append(path)
        stack += [(part, path) for part in _child_statements(stmt)]
    home: Stmt | None = None
    for level in zip(*paths, strict=False):
        if any(other is not level[0] for other in level):
            break
        home = level[0]
    return home


def _child_statements(stmt: Stmt) -> Sequence[Stmt]:
    """Return the direct child statements."""
    children: list[Stmt] = []
    for name in stmt.schema.children:
        value = getattr(stmt, name)
        children += [part for part in (value if isinstance(value, tuple) else (value,)) if isinstance(part, Stmt)]
    return children


@dataclass(frozen=True)
class InjectPTXLDG32(PrimFuncPass):
    """Replace conditional loads of 32-bit elements from global to local memory by `ptx_ldg32`.

    The other value is stored before. Address and condition are kept in buffers that are allocated at the innermost
    allocation (or launch) around all such loads. `enable_inject_ptx_intrin=False` disables the pass.

    rewrite:
        L[i] = T.if_then_else(i < n, A[j], T.float32(0))
        -->
        addr[0] = j
        addr[1] = i
        predicate[0] = i < n
        L[addr[1]] = T.float32(0)
        T.ptx_ldg32(L.data, predicate[0], A[addr[0]], addr[1])
    """

    name = "tir.InjectPTXLDG32"
    is_idempotent = True
    takes = Form.FLAT
    looks_for_in_values = frozenset({"tir.if_then_else"})
    enable_inject_ptx_intrin: bool = True

    def transform(self, func: PrimFunc) -> PrimFunc:
        if not self.enable_inject_ptx_intrin:
            return func
        home = _home(func.body)
        return func if home is None else func.with_body(_Ldg32Rewriter(home).rewrite(func.body))
