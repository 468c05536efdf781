"""Expand virtual threads into copies or loops, and privatize memory that depends on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import add, cast, make, mul
from tvmscript.ir.core import DType, PointerType, PrimType, Visitor, nodes, on
from tvmscript.ir.tir import Buffer, Expr, PrimFunc, Stmt, Var, const, copied, match_types, substitute
from tvmscript.ir.tir.expr import Add, Broadcast, BufferLoad, Call, Div, IntImm, IterVar
from tvmscript.ir.tir.intrin.memory import tvm_access_ptr, type_annotation
from tvmscript.ir.tir.intrin.packed import tvm_context_id
from tvmscript.ir.tir.intrin.sync import allreduce_arguments, tvm_thread_allreduce
from tvmscript.ir.tir.rewrite import AccessRewriter, flatten_seq
from tvmscript.ir.tir.scopes import bodies, bound_vars, operands
from tvmscript.ir.tir.stmt import (
    Allocate,
    AssertStmt,
    AttrStmt,
    BufferStore,
    DeclBuffer,
    Evaluate,
    For,
    ForKind,
    IfThenElse,
    LetStmt,
    SeqStmt,
    While,
    seq,
)
from tvmscript.ir.transform.base import Form, PrimFuncPass
from tvmscript.ir.transform.errors import VirtualThreadsUnknown
from tvmscript.ir.transform.rewriters.with_analyzer import ConditionFolder

#: from this number of virtual threads on, they become a loop
MAX_COPIES = 16


class _DependenceAnalysis(Visitor):
    """Variables and buffers whose values depend on a variable."""

    def __init__(self, var: Var) -> None:
        self.dependent: set[Var] = {var}
        #: variable -> variables that depend on it
        self.affects: dict[Var, list[Var]] = {}

    def compute(self, body: Stmt) -> set[Var]:
        self.visit(body)
        worklist = list(self.dependent)
        while worklist:
            for other in self.affects.get(worklist.pop(), ()):
                if other not in self.dependent:
                    self.dependent.add(other)
                    worklist.append(other)
        return self.dependent

    def record(self, var: Var, *values: Expr) -> None:
        for used in _read_variables(values):
            self.affects.setdefault(used, []).append(var)

    @on(Stmt)
    def statement(self, node: Stmt) -> None:
        for var in bound_vars(node):
            self.record(var, *operands(node))
        for _, body in bodies(node):
            self.visit(body)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        self.record(node.buffer.data, node.value, *node.indices)

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> None:
        for call in nodes(node.value):
            if not isinstance(call, Call):
                continue
            if call.op is tvm_access_ptr and isinstance(call.args[1], Var):
                mask = call.args[4]
                if isinstance(mask, IntImm) and mask.value & 2:
                    self.record(call.args[1], node.value)
            elif call.op is tvm_thread_allreduce and isinstance(call.args[0], IntImm):
                arguments = allreduce_arguments(call, call.args[0].value)
                for data in () if arguments is None else _read_variables(arguments.results):
                    self.record(data, node.value)


def _read_variables(values: Iterable[Expr]) -> set[Var]:
    """Return the variables and the data of the buffers that expressions read."""
    variables: set[Var] = set()
    stack: list[object] = list(values)
    while stack:
        node = stack.pop()
        if isinstance(node, Var):
            variables.add(node)
        elif isinstance(node, BufferLoad):
            variables.add(node.buffer.data)
            stack += node.indices
        elif isinstance(node, Call) and node.op is tvm_access_ptr:
            mask = node.args[4]
            if isinstance(mask, IntImm) and mask.value & 1:
                stack.append(node.args[1])
            stack.append(node.args[2])
        elif isinstance(node, Call):
            stack += node.args
        elif isinstance(node, tuple):
            stack += node
        elif isinstance(node, Expr):
            stack += node.schema.last_parts_first(node)
    return variables


class _VirtualThreadExpander(AccessRewriter, ConditionFolder):
    """Copy the smallest statements that depend on a virtual thread, or wrap them in a loop."""

    def __init__(self, var: Var, count: int, dependent: set[Var], is_shared: bool) -> None:
        super().__init__()
        self.thread, self.count, self.dependent, self.is_shared = var, count, dependent, is_shared
        self.analyzer = Analyzer()
        #: data variable -> elements of each virtual thread
        self.strides: dict[Var, Expr] = {}
        #: whether the last expression depends on the thread
        self.is_dependent = False
        #: whether the current statement is inside of a copy
        self.is_inside = False
        #: depth of loops in the last statement
        self.depth = 0

    # -- expressions

    @on(Var)
    def var(self, node: Var) -> Expr:
        self.is_dependent |= node in self.dependent
        stride = self.strides.get(node)
        if stride is None:
            return node
        self.is_dependent = True
        dtype = _pointee_dtype(node)
        return tvm_access_ptr(
            type_annotation(str(dtype)), node, self.thread_index(const(0, stride.dtype), stride), stride, 3
        )

    def thread_index(self, index: Expr, stride: Expr) -> Expr:
        """Return the index in the part of the memory that belongs to the thread."""
        thread, stride = match_types(self.thread, stride)
        start: Expr = mul(thread, stride)
        lanes = index.dtype.lanes
        if lanes != 1:
            return self.analyzer.simplify(Add(index, Broadcast(_cast_to(index.dtype.element, start), lanes)))
        return self.analyzer.simplify(add(*match_types(index, start)))

    @on(Buffer)
    def buffer(self, node: Buffer) -> Buffer:
        self.is_dependent |= node.data in self.dependent or node.data in self.strides
        return super().buffer(node)

    def map_buffer(self, buffer: Buffer) -> Buffer:
        if buffer.data not in self.strides:
            return buffer
        return buffer.replace(shape=(mul(buffer.shape[0], const(self.count, buffer.shape[0].dtype)),))

    def map_indices(self, node: BufferLoad | BufferStore, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        stride = self.strides.get(node.buffer.data)
        return indices if stride is None else (self.thread_index(indices[0], stride),)

    @on(Call)
    def call(self, node: Call) -> Expr:
        data = node.args[1] if node.op is tvm_access_ptr else None
        if isinstance(data, Var) and data in self.strides:
            kind, _, offset, extent, mask = node.args
            self.is_dependent = True
            stride = make(Div, self.strides[data], const(kind.dtype.lanes, self.strides[data].dtype))
            start = self.thread_index(self.rewrite(offset), stride)
            return node.replace(args=(kind, data, start, self.rewrite(extent), mask))
        if node.op is tvm_context_id:
            return node if self.is_shared else self.thread
        return super().call(node)

    # -- statements

    def expr(self, node: Expr) -> Expr:
        """Rewrite an expression and set `is_dependent`."""
        self.is_dependent = False
        return self.rewrite(node)

    def copy_or_values(self, node: Stmt, *values: Expr) -> Stmt | tuple[Expr, ...]:
        """Return copies of the whole statement if one of its values depends on the thread; otherwise the values."""
        new_values: list[Expr] = []
        is_dependent = False
        for value in values:
            new_values.append(self.expr(value))
            is_dependent |= self.is_dependent
        if is_dependent and not self.is_inside:
            return self.copy_statement(node)
        return tuple(new_values)

    def copy_statement(self, node: Stmt) -> Stmt:
        self.is_inside = True
        self.depth = 0
        stmt = self.rewrite(node)
        self.is_inside = False
        return self.repeat(stmt)

    def repeat(self, stmt: Stmt) -> Stmt:
        """Repeat a statement for each thread."""
        if self.depth == 0 and self.count < MAX_COPIES:
            values = [IntImm(self.thread.dtype, value) for value in range(self.count)]
            return seq(*[copied(stmt, {self.thread: value}, is_fresh=value.value > 0) for value in values])
        loop = Var(f"{self.thread.name}.s", self.thread.dtype)
        zero, count = IntImm(loop.dtype, 0), IntImm(loop.dtype, self.count)
        return For(loop, zero, count, ForKind.SERIAL, substitute(stmt, {self.thread: loop}), span=stmt.span)

    def leaf(self, stmt: Stmt, is_always: bool) -> Stmt:
        """Repeat a statement without inner statements if it depends on the thread."""
        if self.is_inside or not (self.is_dependent or is_always):
            return stmt
        return self.repeat(stmt)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        self.is_dependent = False
        return self.leaf(super().store(node), is_always=False)

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> Stmt:
        return self.leaf(node.rebuild(value=self.expr(node.value)), is_always=not self.is_shared)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if not self.is_shared and not self.is_inside and node.attr_key in ("coproc_uop_scope", "coproc_scope"):
            return self.copy_statement(node)
        return self.rewrite_parts(node, ["value"])

    @on(LetStmt, AssertStmt, For, While, IfThenElse)
    def statement(self, node: Stmt) -> Stmt:
        return self.rewrite_parts(node, [name for name in node.schema.values if isinstance(getattr(node, name), Expr)])

    def rewrite_parts(self, node: Stmt, names: Sequence[str]) -> Stmt:
        """Rewrite the fields `names` of a statement and its bodies, or copy the whole."""
        values = self.copy_or_values(node, *[getattr(node, name) for name in names])
        if isinstance(values, Stmt):
            stmt = values
        else:
            stmts = {name: self.rewrite_separately(body) for name, body in bodies(node)}
            stmt = node.rebuild(**dict(zip(names, values, strict=True)), **stmts)
        self.depth += node.schema.repeats
        return stmt

    def rewrite_separately(self, node: Stmt) -> Stmt:
        """Rewrite a statement with a loop depth of its own, then take the larger depth."""
        before, self.depth = self.depth, 0
        stmt: Stmt = self.rewrite(node)
        self.depth = max(self.depth, before)
        return stmt

    @on(SeqStmt)
    def sequence(self, node: SeqStmt) -> Stmt:
        stmts = tuple([self.rewrite_separately(stmt) for stmt in node.seq])
        return node if all(a is b for a, b in zip(stmts, node.seq, strict=True)) else flatten_seq(stmts, node)

    @on(Allocate)
    def allocate(self, node: Allocate) -> Stmt:
        values = self.copy_or_values(node, *node.extents, node.condition)
        if isinstance(values, Stmt):
            return values
        extents, condition = values[:-1], values[-1]
        if (node.buffer_var in self.dependent or not self.is_shared) and len(extents) == 1:
            self.strides[node.buffer_var] = extents[0]
            extents = (mul(extents[0], const(self.count, extents[0].dtype)),)
        body = self.rewrite(node.body)
        is_same = body is node.body and all(a is b for a, b in zip(extents, node.extents, strict=True))
        return node if is_same else node.replace(extents=extents, condition=condition, body=body)

    @on(DeclBuffer)
    def declare(self, node: DeclBuffer) -> Stmt:
        return node.rebuild(buffer=self.buffer(node.buffer), body=self.rewrite(node.body))


def _cast_to(dtype: DType, value: Expr) -> Expr:
    return value if value.dtype is dtype else cast(dtype, value)


def _pointee_dtype(var: Var) -> DType:
    """Return the dtype that a pointer points to."""
    pointer = var.pointer_type
    assert isinstance(pointer, PointerType)
    assert isinstance(pointer.element_type, PrimType)
    return pointer.element_type.dtype


class _Injector(ConditionFolder):
    """Expand virtual threads, innermost first."""

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        attr: AttrStmt = self.descend(node)
        axis = attr.node
        if attr.attr_key != "virtual_thread" or not isinstance(axis, IterVar):
            return attr
        if not isinstance(attr.value, IntImm):
            raise VirtualThreadsUnknown(thread=axis.var.name, extent=attr.value, span=node.span)
        is_shared = axis.thread_tag.startswith("vthread")
        dependent = _DependenceAnalysis(axis.var).compute(attr.body)
        return _VirtualThreadExpander(axis.var, attr.value.value, dependent, is_shared).rewrite(attr.body)


def _needs_rewrite(node: Stmt) -> bool:
    """Return whether a statement launches virtual threads or has a constant condition."""
    if isinstance(node, IfThenElse):
        return isinstance(node.condition, IntImm)
    return isinstance(node, AttrStmt) and node.attr_key == "virtual_thread"


@dataclass(frozen=True)
class InjectVirtualThread(PrimFuncPass):
    """Repeat the smallest statements that depend on a virtual thread for each of its values.

    Statements are copied, or wrapped in a loop if they contain loops or there are 16 threads or more. Memory that
    depends on the thread is allocated once per thread, contiguously. Threads whose tag does not begin with `vthread`
    have private memory throughout, and all their evaluations are repeated.

    Raises `VirtualThreadsUnknown`. TVM rejects addresses of memory that depends on the thread, and while loops.

    rewrite:
        with T.launch_thread("vthread", 2) as vx:        for i in range(4):
            for i in range(4):                     -->       B[T.Mul(0, 4) + i] = A[i]
                B[vx * 4 + i] = A[i]                         B[T.Mul(1, 4) + i] = A[i]
    """

    name = "tir.InjectVirtualThread"
    is_idempotent = True
    takes = Form.FLAT

    def transform(self, func: PrimFunc) -> PrimFunc:
        if not any(map(_needs_rewrite, statements(func.body))):
            return func
        return func.with_body(_Injector().rewrite(func.body))
