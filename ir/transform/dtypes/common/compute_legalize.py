"""Replace arithmetic on narrow floats by arithmetic in a wider float."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.fold import make
from tvmscript.ir.core import DType, PointerType, PrimType, Visitor, on
from tvmscript.ir.core.visit import has_nodes
from tvmscript.ir.tir import Buffer, CommReducer, Expr, PrimFunc, Stmt, TirRewriter, Var, cast
from tvmscript.ir.tir.expr import BinaryOp, Broadcast, BufferLoad, Call, Cast, FloatImm, IntImm, Let, Select, Shuffle
from tvmscript.ir.tir.intrin.bits import reinterpret_
from tvmscript.ir.tir.intrin.memory import address_of, tvm_access_ptr
from tvmscript.ir.tir.stmt import Allocate, AttrStmt, BufferStore, DeclBuffer, LetStmt
from tvmscript.ir.transform.dtypes.common.narrow_float_conversion import convert as convert_float

Converter = Callable[[Expr, DType], Expr]


def legalize_compute(
    func: PrimFunc, narrow: frozenset[str], wide: DType, convert: Converter = convert_float
) -> PrimFunc:
    """Return the function with values of `narrow` dtypes computed in `wide`.

    Values are converted after loads and before stores. A local allocation of constant size whose address does not
    escape holds the wide float.
    """
    rewriter = _PromotionRewriter(narrow, wide, _local_buffers(func.body, narrow), convert)
    return func.with_body(rewriter.rewrite(func.body))


def _local_buffers(body: Stmt, narrow: frozenset[str]) -> list[Var]:
    """Return the data of local buffers that only loads and stores access; they may hold the wide float."""
    allocated = [
        stmt.buffer_var
        for stmt in statements(body)
        if isinstance(stmt, Allocate)
        and stmt.dtype.element in narrow
        and all(isinstance(extent, IntImm) for extent in stmt.extents)
    ]
    if not allocated:
        return []
    collector = _EscapeCollector()
    collector.visit(body)
    return [var for var in allocated if var not in collector.escaped]


class _EscapeCollector(Visitor):
    """Collect data variables whose address escapes."""

    def __init__(self) -> None:
        self.escaped: set[Var] = set()

    @on(Var)
    def var(self, node: Var) -> None:
        if node.dtype.is_handle:
            self.escaped.add(node)

    @on(Buffer)
    def name(self, node: Buffer) -> None:
        """Skip accesses of buffers: they do not use the address elsewhere."""

    @on(Call)
    def call(self, node: Call) -> None:
        if node.op is address_of and isinstance(node.args[0], BufferLoad):
            self.escaped.add(node.args[0].buffer.data)
        self.walk(node)

    @on(DeclBuffer)
    def declaration(self, node: DeclBuffer) -> None:
        self.visit(node.body)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> None:
        self.visit(node.value)
        self.visit(node.body)


class _PromotionRewriter(TirRewriter):
    def __init__(self, narrow: frozenset[str], wide: DType, own_memory: list[Var], convert: Converter) -> None:
        super().__init__()
        self._convert = convert
        self.narrow = narrow
        self.wide = wide
        for var in own_memory:
            self.renamed[var] = Var(var.name, PointerType(PrimType(wide), var.storage_scope), span=var.span)

    def is_narrow(self, dtype: DType) -> bool:
        return dtype.element in self.narrow

    def widen_dtype(self, dtype: DType) -> DType:
        """Return the dtype in which values of a dtype are computed."""
        return self.wide.with_lanes(dtype.lanes) if self.is_narrow(dtype) else dtype

    def convert(self, value: Expr, dtype: DType) -> Expr:
        """Convert a float. The conversion uses a value several times: one with a `let` in it gets a name."""
        if not has_nodes(value, (Let,)):
            return self._convert(value, dtype)
        var = Var("value", value.dtype)
        return Let(var, value, self._convert(var, dtype))

    def promote(self, node: Expr) -> Expr:
        """Rewrite an expression and convert a narrow result to the wide float."""
        value: Expr = self.rewrite(node)
        if not self.is_narrow(value.dtype):
            return value
        if isinstance(value, Cast) and value.value.dtype is self.widen_dtype(value.dtype):
            return value.value
        return self.convert(value, self.widen_dtype(value.dtype))

    # -- expressions: only loads, variables and `reinterpret` still have narrow results

    @on(FloatImm)
    def number(self, node: FloatImm) -> Expr:
        return FloatImm(self.wide, node.value, node.span) if self.is_narrow(node.dtype) else node

    @on(Cast)
    def conversion(self, node: Cast) -> Expr:
        value = self.promote(node.value)
        dtype = self.widen_dtype(node.dtype)
        return node if value is node.value and dtype is node.dtype else cast(dtype, value, node.span)

    @on(BinaryOp)
    def binary(self, node: BinaryOp) -> Expr:
        a, b = self.promote(node.a), self.promote(node.b)
        return node if a is node.a and b is node.b else make(type(node), a, b, node.span)

    @on(Select, Broadcast, Shuffle)
    def parts(self, node: Expr) -> Expr:
        changes: dict[str, object] = {}
        for name in node.schema.children:
            old = getattr(node, name)
            new = self._tuple(old, self.promote) if isinstance(old, tuple) else old
            new = self.promote(old) if isinstance(old, Expr) else new
            if new is not old:
                changes[name] = new
        return node.replace(**changes) if changes else node

    @on(CommReducer)
    def reducer(self, node: CommReducer) -> CommReducer:
        if not any(self.is_narrow(var.dtype) for var in node.lhs):
            return node
        lhs, rhs = (
            tuple([Var(var.name, self.widen_dtype(var.dtype), span=var.span) for var in side])
            for side in (node.lhs, node.rhs)
        )
        self.renamed.update(zip((*node.lhs, *node.rhs), (*lhs, *rhs), strict=True))
        results, identities = (tuple(map(self.promote, part)) for part in (node.result, node.identity_element))
        return CommReducer(lhs, rhs, results, identities, span=node.span)

    @on(Call)
    def call(self, node: Call) -> Expr:
        if node.op is reinterpret_:
            value: Expr = self.rewrite(node.args[0])
            if value.dtype is not node.args[0].dtype:
                value = self.convert(value, node.args[0].dtype)
            return node if value is node.args[0] else reinterpret_(value, dtype=node.dtype, span=node.span)
        if node.op is tvm_access_ptr:  # its first argument is the type whose elements the offset counts
            return node.replace(args=(node.args[0], *self._tuple(node.args[1:], self.rewrite)))
        if node.op is address_of:
            return node.rebuild(args=self._tuple(node.args, self.rewrite))
        args = self._tuple(node.args, self.promote)
        if args is node.args:  # the dtype may be that of memory, as of `ptx_cp_async`
            return node
        return node.rebuild(args=args, dtype=self.widen_dtype(node.dtype))

    def retype_var(self, var: Var, value: Expr) -> Var:
        """Return the variable of a `let` with the dtype of the rewritten value."""
        if value.dtype is not var.dtype:
            self.renamed[var] = var = Var(var.name, value.dtype, span=var.span)
        return var

    @on(Let)
    def let(self, node: Let) -> Expr:
        value = self.promote(node.value)
        var, body = self.retype_var(node.var, value), self.promote(node.body)
        return node.rebuild(var=var, value=value, body=body)

    # -- statements

    @on(LetStmt)
    def let_stmt(self, node: LetStmt) -> Stmt:
        value = self.promote(node.value)
        var, body = self.retype_var(node.var, value), self.rewrite(node.body)
        return node.rebuild(var=var, value=value, body=body)

    @on(Buffer)
    def name(self, node: Any) -> Any:
        new_name = self.renamed.get(node)
        if new_name is None and isinstance(node, Buffer) and self.is_narrow(node.dtype) and node.data in self.renamed:
            data = self.renamed[node.data]
            new_name = node.replace(data=data, dtype=self.widen_dtype(node.dtype))
            self.renamed[node] = new_name
        return node if new_name is None else new_name

    def define(self, name: object) -> Any:
        return self.name(name)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        value: Expr = self.rewrite(node.value)
        buffer: Buffer = self.name(node.buffer)
        dtype = buffer.dtype.with_lanes(node.value.dtype.lanes)
        if value.dtype is not dtype:
            # a narrow value that was loaded
            value = self.convert(value, dtype) if self.is_narrow(dtype) else cast(dtype, value)
        indices = self.indices(node.indices)
        predicate = None if node.predicate is None else self.rewrite(node.predicate)
        return node.rebuild(buffer=buffer, value=value, indices=indices, predicate=predicate)

    @on(Allocate)
    def allocate(self, node: Allocate) -> Stmt:
        new_allocate = self.descend(node)
        if node.buffer_var not in self.renamed:
            return new_allocate
        return new_allocate.replace(buffer_var=self.renamed[node.buffer_var], dtype=self.widen_dtype(node.dtype))

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        new_attr = self.descend(node)
        return new_attr.rebuild(node=self.name(node.node) if isinstance(node.node, (Buffer, Var)) else new_attr.node)
