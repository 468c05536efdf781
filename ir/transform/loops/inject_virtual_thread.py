"""Virtual threads are loops around what depends on them, or copies of it; memory that depends on them is theirs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import add, cast, make, mul
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.types import PointerType, PrimType
from tvmscript.ir.core.visit import Visitor, nodes, on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import Add, Broadcast, BufferLoad, Call, Div, IntImm, IterVar
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin.memory import tvm_access_ptr, type_annotation
from tvmscript.ir.tir.intrin.packed import tvm_context_id
from tvmscript.ir.tir.operators import const, match_types
from tvmscript.ir.tir.rewrite import flattened
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
from tvmscript.ir.tir.substitute import copied, substitute
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import Form, PrimFuncPass
from tvmscript.ir.transform.errors import VirtualThreadsUnknown
from tvmscript.ir.transform.rewriters.with_analyzer import ConditionFolder

#: More virtual threads are a loop.
MAX_COPIES = 16


class _Affected(Visitor):
    """Which variables and memory have values that depend on a variable."""

    def __init__(self, var: Var) -> None:
        self.touched: set[Var] = {var}
        #: what depends on a variable
        self.affects: dict[Var, list[Var]] = {}

    def of(self, body: Stmt) -> set[Var]:
        self.visit(body)
        pending = list(self.touched)
        while pending:
            for other in self.affects.get(pending.pop(), ()):
                if other not in self.touched:
                    self.touched.add(other)
                    pending.append(other)
        return self.touched

    def record(self, var: Var, *values: Expr) -> None:
        for used in _read(values):
            self.affects.setdefault(used, []).append(var)

    @on(LetStmt)
    def let(self, node: LetStmt) -> None:
        self.record(node.var, node.value)
        self.visit(node.body)

    @on(For)
    def loop(self, node: For) -> None:
        self.record(node.loop_var, node.min, node.extent)
        self.visit(node.body)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        self.record(node.buffer.data, node.value, *node.indices)

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> None:
        for each in nodes(node.value):
            if isinstance(each, Call) and each.op is tvm_access_ptr and isinstance(each.args[1], Var):
                mask = each.args[4]
                if isinstance(mask, IntImm) and mask.value & 2:
                    self.record(each.args[1], node.value)

    @on(Allocate)
    def allocate(self, node: Allocate) -> None:
        self.record(node.buffer_var, *node.extents, node.condition)
        self.visit(node.body)


def _read(values: Iterable[Expr]) -> set[Var]:
    """Variables whose values expressions depend on, memory that they read included."""
    found: set[Var] = set()
    stack: list[Any] = list(values)
    while stack:
        node = stack.pop()
        if isinstance(node, Var):
            found.add(node)
        elif isinstance(node, BufferLoad):
            found.add(node.buffer.data)
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
    return found


class _Injection(ConditionFolder):
    """Copies of the smallest statements that depend on a virtual thread; loops around them where there are many."""

    def __init__(self, var: Var, count: int, touched: set[Var], is_shared: bool) -> None:
        super().__init__()
        self.thread, self.count, self.touched, self.is_shared = var, count, touched, is_shared
        self.analyzer = Analyzer()
        #: memory -> elements that each virtual thread has
        self.strides: dict[Var, Expr] = {}
        #: whether what was looked at since depends on the thread
        self.is_touched = False
        #: inside of a copy: nothing more is copied
        self.is_inside = False
        #: loops in the statement that was looked at
        self.depth = 0

    # -- expressions

    @on(Var)
    def var(self, node: Var) -> Expr:
        self.is_touched |= node in self.touched
        stride = self.strides.get(node)
        if stride is None:
            return node
        self.is_touched = True
        dtype = _element(node)
        return tvm_access_ptr(type_annotation(str(dtype)), node, self.moved(const(0, stride.dtype), stride), stride, 3)

    def moved(self, index: Expr, stride: Expr) -> Expr:
        """The index in the memory of the thread."""
        thread, stride = match_types(self.thread, stride)
        start: Expr = mul(thread, stride)
        lanes = index.dtype.lanes
        if lanes != 1:
            return self.analyzer.simplify(Add(index, Broadcast(_as(index.dtype.element, start), lanes)))
        return self.analyzer.simplify(add(*match_types(index, start)))

    @on(Buffer)
    def buffer(self, node: Buffer) -> Buffer:
        self.is_touched |= node.data in self.touched or node.data in self.strides
        if node.data not in self.strides:
            return node
        made: Any = self.renamed.get(node)
        if made is None:
            shape = (mul(node.shape[0], const(self.count, node.shape[0].dtype)),)
            made = self.renamed[node] = node.replace(shape=shape)
        return made  # type: ignore[no-any-return]  # buffers are renamed to buffers

    def define(self, name: Any) -> Any:
        return self.buffer(name) if isinstance(name, Buffer) else name

    def accessed(self, node: BufferLoad | BufferStore) -> tuple[Expr, ...]:
        indices = self.indices(node.indices)
        stride = self.strides.get(node.buffer.data)
        return indices if stride is None else (self.moved(indices[0], stride),)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        buffer, indices = self.buffer(node.buffer), self.accessed(node)
        predicate = None if node.predicate is None else self.rewrite(node.predicate)
        if buffer is node.buffer and indices is node.indices and predicate is node.predicate:
            return node
        return BufferLoad(buffer, indices, predicate, span=node.span)

    @on(Call)
    def call(self, node: Call) -> Expr:
        data = node.args[1] if node.op is tvm_access_ptr else None
        if isinstance(data, Var) and data in self.strides:
            kind, _, offset, extent, mask = node.args
            self.is_touched = True
            stride = make(Div, self.strides[data], const(kind.dtype.lanes, self.strides[data].dtype))
            start = self.moved(self.rewrite(offset), stride)
            return node.replace(args=(kind, data, start, self.rewrite(extent), mask))
        if node.op is tvm_context_id:
            return node if self.is_shared else self.thread
        return super().call(node)

    # -- statements

    def expr(self, node: Expr) -> Expr:
        """The expression; from here on `is_touched` tells about it."""
        self.is_touched = False
        made: Expr = self.rewrite(node)
        return made

    def around(self, node: Stmt, *values: Expr) -> Stmt | tuple[Expr, ...]:
        """Copies of the whole statement where its own values depend on the thread; else the values."""
        made: list[Expr] = []
        is_touched = False
        for value in values:
            made.append(self.expr(value))
            is_touched |= self.is_touched
        if is_touched and not self.is_inside:
            return self.copies(node)
        return tuple(made)

    def copies(self, node: Stmt) -> Stmt:
        self.is_inside = True
        self.depth = 0
        made: Stmt = self.rewrite(node)
        self.is_inside = False
        return self.repeated(made)

    def repeated(self, made: Stmt) -> Stmt:
        """The statement for each thread."""
        if self.depth == 0 and self.count < MAX_COPIES:
            values = [IntImm(self.thread.dtype, value) for value in range(self.count)]
            return seq(*[copied(made, {self.thread: value}, is_fresh=value.value > 0) for value in values])
        loop = Var(f"{self.thread.name}.s", self.thread.dtype)
        zero, count = IntImm(loop.dtype, 0), IntImm(loop.dtype, self.count)
        return For(loop, zero, count, ForKind.SERIAL, substitute(made, {self.thread: loop}), span=made.span)

    def leaf(self, made: Stmt, is_always: bool) -> Stmt:
        """A statement without statements inside."""
        if self.is_inside or not (self.is_touched or is_always):
            return made
        return self.repeated(made)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        self.is_touched = False
        buffer, indices, value = self.buffer(node.buffer), self.accessed(node), self.rewrite(node.value)
        predicate = None if node.predicate is None else self.rewrite(node.predicate)
        made = node
        if buffer is not node.buffer or indices is not node.indices or value is not node.value:
            made = BufferStore(buffer, value, indices, predicate, span=node.span)
        return self.leaf(made, is_always=False)

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> Stmt:
        value = self.expr(node.value)
        made = node if value is node.value else Evaluate(value, span=node.span)
        return self.leaf(made, is_always=not self.is_shared)

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if not self.is_shared and not self.is_inside and node.attr_key in ("coproc_uop_scope", "coproc_scope"):
            return self.copies(node)
        values = self.around(node, node.value)
        if isinstance(values, Stmt):
            return values
        body = self.rewrite(node.body)
        return node if values[0] is node.value and body is node.body else node.replace(value=values[0], body=body)

    @on(LetStmt)
    def let(self, node: LetStmt) -> Stmt:
        values = self.around(node, node.value)
        if isinstance(values, Stmt):
            return values
        body = self.rewrite(node.body)
        return node if values[0] is node.value and body is node.body else node.replace(value=values[0], body=body)

    @on(AssertStmt)
    def check(self, node: AssertStmt) -> Stmt:
        values = self.around(node, node.condition)
        if isinstance(values, Stmt):
            return values
        body = self.rewrite(node.body)
        is_same = values[0] is node.condition and body is node.body
        return node if is_same else node.replace(condition=values[0], body=body)

    @on(For)
    def loop(self, node: For) -> Stmt:
        values = self.around(node, node.min, node.extent)
        if isinstance(values, Stmt):
            self.depth += 1
            return values
        body = self.rewrite(node.body)
        self.depth += 1
        start, extent = values
        if start is node.min and extent is node.extent and body is node.body:
            return node
        return For(node.loop_var, start, extent, node.kind, body, node.thread_binding, node.annotations, span=node.span)

    @on(While)
    def while_loop(self, node: While) -> Stmt:
        values = self.around(node, node.condition)
        if isinstance(values, Stmt):
            self.depth += 1
            return values
        body = self.rewrite(node.body)
        self.depth += 1
        is_same = values[0] is node.condition and body is node.body
        return node if is_same else node.replace(condition=values[0], body=body)

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> Stmt:
        values = self.around(node, node.condition)
        if isinstance(values, Stmt):
            return values
        cases = [None if each is None else self.separately(each) for each in (node.then_case, node.else_case)]
        if values[0] is node.condition and cases[0] is node.then_case and cases[1] is node.else_case:
            return node
        return node.replace(condition=values[0], then_case=cases[0], else_case=cases[1])

    def separately(self, node: Stmt) -> Stmt:
        """A statement whose loops are its own; afterwards the deepest count."""
        before, self.depth = self.depth, 0
        made: Stmt = self.rewrite(node)
        self.depth = max(self.depth, before)
        return made

    @on(SeqStmt)
    def sequence(self, node: SeqStmt) -> Stmt:
        parts = tuple([self.separately(each) for each in node.seq])
        return node if all(a is b for a, b in zip(parts, node.seq, strict=True)) else flattened(parts, node)

    @on(Allocate)
    def allocate(self, node: Allocate) -> Stmt:
        values = self.around(node, *node.extents, node.condition)
        if isinstance(values, Stmt):
            return values
        extents, condition = values[:-1], values[-1]
        if (node.buffer_var in self.touched or not self.is_shared) and len(extents) == 1:
            self.strides[node.buffer_var] = extents[0]
            extents = (mul(extents[0], const(self.count, extents[0].dtype)),)
        body = self.rewrite(node.body)
        is_same = body is node.body and all(a is b for a, b in zip(extents, node.extents, strict=True))
        return node if is_same else node.replace(extents=extents, condition=condition, body=body)

    @on(DeclBuffer)
    def declare(self, node: DeclBuffer) -> Stmt:
        buffer = self.buffer(node.buffer)
        body = self.rewrite(node.body)
        return node if buffer is node.buffer and body is node.body else node.replace(buffer=buffer, body=body)


def _as(dtype: DType, value: Expr) -> Expr:
    return value if value.dtype is dtype else cast(dtype, value)


def _element(var: Var) -> DType:
    """What a pointer points to."""
    about = var.type_annotation
    assert isinstance(about, PointerType)
    assert isinstance(about.element_type, PrimType)
    return about.element_type.dtype


class _VirtualThreads(ConditionFolder):
    """Innermost first."""

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        made: AttrStmt = self.descend(node)
        axis = made.node
        if made.attr_key != "virtual_thread" or not isinstance(axis, IterVar):
            return made
        if not isinstance(made.value, IntImm):
            raise VirtualThreadsUnknown(thread=axis.var.name, extent=made.value, span=node.span)
        is_shared = axis.thread_tag.startswith("vthread")
        touched = _Affected(axis.var).of(made.body)
        return _Injection(axis.var, made.value.value, touched, is_shared).rewrite(made.body)


def _is_concerned(node: Stmt) -> bool:
    """Whether the statement starts virtual threads, or a constant decides what it does."""
    if isinstance(node, IfThenElse):
        return isinstance(node.condition, IntImm)
    return isinstance(node, AttrStmt) and node.attr_key == "virtual_thread"


@dataclass(frozen=True)
class InjectVirtualThread(PrimFuncPass):
    """The smallest statements that depend on a virtual thread are there once for each value of it: as copies, or in a
    loop where they have loops inside, or there are 16 threads or more. Memory that depends on the thread is there once
    for each, one after the other; threads whose tag does not begin with `vthread` have all their memory, and all that
    they evaluate, for themselves.

    Raises `VirtualThreadsUnknown`. TVM refuses addresses of memory that depends on the thread, and while loops.

    rewrite:
        with T.launch_thread("vthread", 2) as vx:        for i in range(4):
            for i in range(4):                     -->       B[T.Mul(0, 4) + i] = A[i]
                B[vx * 4 + i] = A[i]                         B[T.Mul(1, 4) + i] = A[i]
    """

    name: ClassVar[str] = "tir.InjectVirtualThread"
    takes: ClassVar[Form] = Form.FLAT

    def transform(self, func: PrimFunc) -> PrimFunc:
        if not any(map(_is_concerned, statements(func.body))):
            return func
        return func.with_body(_VirtualThreads().rewrite(func.body))
