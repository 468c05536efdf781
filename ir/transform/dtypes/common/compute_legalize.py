"""Narrow floats are kept in memory, and everything is computed in a wider float."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.fold import make
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.types import PointerType, PrimType
from tvmscript.ir.core.visit import Visitor, on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import (
    BinaryOp,
    Broadcast,
    Call,
    Cast,
    FloatImm,
    IntImm,
    Let,
    Select,
    Shuffle,
)
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin.bits import reinterpret_
from tvmscript.ir.tir.operators import cast
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Allocate, AttrStmt, BufferStore, DeclBuffer, LetStmt
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.dtypes.common.narrow_float_conversion import converted

Convert = Callable[[Expr, DType], Expr]


def computed_wider(func: PrimFunc, narrow: frozenset[str], wide: DType, convert: Convert = converted) -> PrimFunc:
    """The function with values of `narrow` dtypes computed in `wide`.

    Loads are converted where they are used, stores where they are made. Memory of constant size that the function
    allocates for itself, and gives to nobody, holds the wide float too.
    """
    return func.with_body(_Promotion(narrow, wide, _own_memory(func.body, narrow), convert).rewrite(func.body))


def _own_memory(body: Stmt, narrow: frozenset[str]) -> list[Var]:
    """What may hold the wide float: memory that is accessed by loads and stores alone."""
    allocated = [
        each.buffer_var
        for each in statements(body)
        if isinstance(each, Allocate)
        and each.dtype.element in narrow
        and all(isinstance(extent, IntImm) for extent in each.extents)
    ]
    if not allocated:
        return []
    addresses = _Addresses()
    addresses.visit(body)
    return [var for var in allocated if var not in addresses.given]


class _Addresses(Visitor):
    """Memory whose address goes elsewhere."""

    def __init__(self) -> None:
        self.given: set[Var] = set()

    @on(Var)
    def var(self, node: Var) -> None:
        if node.dtype.is_handle:
            self.given.add(node)

    @on(Buffer)
    def name(self, node: Buffer) -> None:
        """An access of a buffer gives its data to nobody."""

    @on(DeclBuffer)
    def declaration(self, node: DeclBuffer) -> None:
        self.visit(node.body)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        self.visit(node.value)
        self.visit(node.body)


class _Promotion(TirRewriter):
    def __init__(self, narrow: frozenset[str], wide: DType, own_memory: list[Var], convert: Convert) -> None:
        super().__init__()
        self.convert = convert
        self.narrow = narrow
        self.wide = wide
        for var in own_memory:
            self.renamed[var] = Var(var.name, PointerType(PrimType(wide), var.storage_scope), span=var.span)

    def is_narrow(self, dtype: DType) -> bool:
        return dtype.element in self.narrow

    def wider(self, dtype: DType) -> DType:
        """What a dtype is computed in."""
        return self.wide.with_lanes(dtype.lanes) if self.is_narrow(dtype) else dtype

    def promoted(self, node: Expr) -> Expr:
        """The rewritten expression, as a wide float if it is a narrow one still."""
        value: Expr = self.rewrite(node)
        if not self.is_narrow(value.dtype):
            return value
        if isinstance(value, Cast) and value.value.dtype is self.wider(value.dtype):
            return value.value
        return self.convert(value, self.wider(value.dtype))

    # -- expressions: wide floats come out of all but loads, variables and `reinterpret`

    @on(FloatImm)
    def number(self, node: FloatImm) -> Expr:
        return FloatImm(self.wide, node.value, node.span) if self.is_narrow(node.dtype) else node

    @on(Cast)
    def conversion(self, node: Cast) -> Expr:
        value = self.promoted(node.value)
        dtype = self.wider(node.dtype)
        return node if value is node.value and dtype is node.dtype else cast(dtype, value, node.span)

    @on(BinaryOp)
    def binary(self, node: BinaryOp) -> Expr:
        a, b = self.promoted(node.a), self.promoted(node.b)
        return node if a is node.a and b is node.b else make(type(node), a, b, node.span)

    @on(Select, Broadcast, Shuffle)
    def parts(self, node: Expr) -> Expr:
        changes: dict[str, Any] = {}
        for name in node.schema.children:
            old = getattr(node, name)
            new = self._tuple(old, self.promoted) if isinstance(old, tuple) else old
            new = self.promoted(old) if isinstance(old, Expr) else new
            if new is not old:
                changes[name] = new
        return node.replace(**changes) if changes else node

    @on(Call)
    def call(self, node: Call) -> Expr:
        if node.op is reinterpret_:
            value: Expr = self.rewrite(node.args[0])
            if value.dtype is not node.args[0].dtype:
                value = self.convert(value, node.args[0].dtype)
            return node if value is node.args[0] else reinterpret_(value, dtype=node.dtype, span=node.span)
        args = self._tuple(node.args, self.promoted)
        dtype = self.wider(node.dtype)
        return node if args is node.args and dtype is node.dtype else Call(dtype, node.op, args, node.span)

    def bound(self, var: Var, value: Expr) -> Var:
        """The variable of a `let`, of the dtype that its value has now."""
        if value.dtype is not var.dtype:
            self.renamed[var] = var = Var(var.name, value.dtype, span=var.span)
        return var

    @on(Let)
    def let(self, node: Let) -> Expr:
        value = self.promoted(node.value)
        var, body = self.bound(node.var, value), self.promoted(node.body)
        return node if value is node.value and body is node.body else Let(var, value, body, span=node.span)

    # -- statements

    @on(LetStmt)
    def let_stmt(self, node: LetStmt) -> Stmt:
        value = self.promoted(node.value)
        var, body = self.bound(node.var, value), self.rewrite(node.body)
        return node if value is node.value and body is node.body else LetStmt(var, value, body, span=node.span)

    @on(Buffer)
    def name(self, node: Any) -> Any:
        found = self.renamed.get(node)
        if found is None and isinstance(node, Buffer) and self.is_narrow(node.dtype) and node.data in self.renamed:
            data: Any = self.renamed[node.data]
            found = node.replace(data=data, dtype=self.wider(node.dtype))
            self.renamed[node] = found
        return node if found is None else found

    def define(self, name: Any) -> Any:
        return self.name(name)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        value: Expr = self.rewrite(node.value)
        buffer: Buffer = self.name(node.buffer)
        dtype = buffer.dtype.with_lanes(node.value.dtype.lanes)
        if value.dtype is not dtype:
            # a narrow value for wide memory was loaded: it is what it is, converted by whoever can
            value = self.convert(value, dtype) if self.is_narrow(dtype) else cast(dtype, value)
        indices = self.indices(node.indices)
        predicate = None if node.predicate is None else self.rewrite(node.predicate)
        is_same = buffer is node.buffer and value is node.value and indices is node.indices
        if is_same and predicate is node.predicate:
            return node
        return BufferStore(buffer, value, indices, predicate, span=node.span)

    @on(Allocate)
    def allocate(self, node: Allocate) -> Stmt:
        if node.buffer_var not in self.renamed:
            return self.descend(node)
        made = self.descend(node)
        return made.replace(buffer_var=self.renamed[node.buffer_var], dtype=self.wider(node.dtype))

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        made = self.descend(node)
        about = self.name(node.node) if isinstance(node.node, Buffer | Var) else made.node
        return made if about is made.node else made.replace(node=about)
