"""Statements to LLVM blocks: loops in rotated form, memory with the life of its scope, leaving from anywhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tvmscript.backends.llvm.assembly import FunctionText
from tvmscript.backends.llvm.codegen.codegen import on
from tvmscript.backends.llvm.codegen.loop_optimization import adds_to_one_vector, walks
from tvmscript.backends.llvm.codegen.math_calls import MathCalls
from tvmscript.backends.llvm.context import Program
from tvmscript.backends.llvm.errors import KernelOutOfMemory, NotSupportedByLLVM, kind_of
from tvmscript.backends.llvm.types import container_bits, value_type
from tvmscript.backends.runtime.errors import KernelAssertion
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir import stmt
from tvmscript.ir.tir.base import Expr, Stmt

#: Bytes of a constant-sized buffer that may lie on the stack, and of all of them in one function.
STACK_BUFFER_BYTES = 8 * 1024
STACK_FRAME_BYTES = 64 * 1024
#: Alignment of memory that the program allocates, in bytes.
ALIGNMENT = 64

#: C's functions for memory, with what LLVM needs to know to see through them.
_ALLOCATE = (
    "noalias noundef ptr {}(i64 allocalign, i64) nounwind "
    'allockind("alloc,uninitialized,aligned") allocsize(1) "alloc-family"="malloc"'
)
_FREE = 'void {}(ptr allocptr captures(none)) nounwind allockind("free") "alloc-family"="malloc"'
#: Loop hints by kind of loop.
_HINTS = {
    stmt.ForKind.UNROLLED: "llvm.loop.unroll.full",
    stmt.ForKind.VECTORIZED: "llvm.loop.vectorize.enable",
}


@dataclass
class Owned:
    """Memory on the heap: the block that frees it on a way out of the function, and whether one goes there."""

    way_out: str
    is_left: bool = False


class Statements(MathCalls):
    """Writes statements into one function.

    The function returns 0, or -1 after it has recorded an error with tvm-ffi.
    """

    def __init__(self, program: Program, text: FunctionText, name: str) -> None:
        super().__init__(program, text)
        self.name = name
        #: heap memory that is alive here, outermost first: every way out passes through where it is freed
        self.owned: list[Owned] = []
        #: data variables that no other pointer overlaps
        self.exclusive: set[tir.Var] = set()
        self._stack_bytes = 0
        #: whether no loop was written since the last one began
        self._innermost = False
        #: stack slot of the status while memory is freed on the way out
        self._status = ""

    def statement(self, node: Stmt) -> None:
        """Write a statement. Raises `NotSupportedByLLVM`."""
        rule = self.nodes.get(type(node))
        if rule is None:
            raise NotSupportedByLLVM(what=f"the statement {type(node).__name__}", span=node.span)
        if self.program.debug is None or node.span is None:
            rule(self, node)
            return
        around = self.text.location
        self.program.debug.locate(self.text, node.span)
        rule(self, node)
        if around:
            self.text.locate(around)

    @on(stmt.SeqStmt)
    def _seq(self, node: stmt.SeqStmt) -> None:
        for part in node.seq:
            self.statement(part)

    @on(stmt.Evaluate)
    def _evaluate(self, node: stmt.Evaluate) -> None:
        if not isinstance(node.value, tir.IntImm):
            self.expr(node.value)

    @on(stmt.BufferStore)
    def _store(self, node: stmt.BufferStore) -> None:
        self.store_to(node.buffer, node.indices, node.value, node.predicate)

    @on(stmt.LetStmt)
    def _let_statement(self, node: stmt.LetStmt) -> None:
        self.bind(node.var, node.value)
        self.statement(node.body)

    @on(stmt.AttrStmt)
    def _attr(self, node: stmt.AttrStmt) -> None:
        if node.attr_key in ("thread_extent", "virtual_thread"):
            raise NotSupportedByLLVM(what=f"the attribute {node.attr_key}: a CPU has no such threads", span=node.span)
        self.statement(node.body)

    @on(stmt.DeclBuffer)
    def _declare(self, node: stmt.DeclBuffer) -> None:
        self.statement(node.body)

    @on(stmt.IfThenElse)
    def _if(self, node: stmt.IfThenElse) -> None:
        then, done = self.text.label("then"), self.text.label("endif")
        other = self.text.label("else") if node.else_case is not None else done
        branch = self.text.branch_likely if _is_likely(node.condition) else self.text.branch
        branch(self.expr(node.condition), then, other)
        self.text.place(then)
        self.statement(node.then_case)
        self.text.jump(done)
        if node.else_case is not None:
            self.text.place(other)
            self.statement(node.else_case)
            self.text.jump(done)
        self.text.place(done)

    @on(stmt.While)
    def _while(self, node: stmt.While) -> None:
        test, body, done = self.text.label("while"), self.text.label("body"), self.text.label("endwhile")
        self.text.jump(test)
        self.text.place(test)
        self.text.branch(self.expr(node.condition), body, done)
        self.text.place(body)
        self.statement(node.body)
        self.text.jump(test)
        self.text.place(done)

    @on(stmt.For)
    def _for(self, node: stmt.For) -> None:
        if node.kind is stmt.ForKind.THREAD_BINDING:
            raise NotSupportedByLLVM(what="a loop that is bound to threads of a device", span=node.span)
        if node.kind is stmt.ForKind.PARALLEL and self.parallel(node):
            return
        self.ranges.loop(node.loop_var, node.min, node.extent)
        if isinstance(node.extent, tir.IntImm) and node.extent.value <= 1:
            if node.extent.value == 1:
                self.env[node.loop_var] = self.expr(node.min)
                self.statement(node.body)
            return
        first, extent = self.loop_value(node, node.min), self.loop_value(node, node.extent)
        if not _is_zero(node.min):
            extent = self.text.value(f"add {_no_wrap(node)} {loop_type(node)} {first}, {extent}")
        self.loop(node, first, extent, isinstance(node.extent, tir.IntImm))

    def loop_value(self, node: stmt.For, value: Expr) -> str:
        """A bound of a loop in the type that it counts in."""
        return self.int64(value) if node.loop_var.dtype.is_signed else self.expr(value)

    def loop(self, node: stmt.For, first: str, end: str, runs: bool) -> None:
        """The body for each value from `first` to before `end`; `runs` if there is at least one."""
        text, kind = self.text, loop_type(node)
        signed = node.loop_var.dtype.is_signed
        body, done = text.label("loop"), text.label("endloop")
        if not runs:
            enter = text.label("enter")
            text.branch(text.value(f"icmp {'slt' if signed else 'ult'} {kind} {first}, {end}"), enter, done)
            text.place(enter)
        before = text.block
        text.jump(body)
        text.place(body)
        line = text.reserve()
        var = f"%{body}.{_plain(node.loop_var.name)}"
        if signed:
            self.widen(node.loop_var, var)
        else:
            self.env[node.loop_var] = var
        self._innermost = True
        self.statement(node.body)
        innermost, self._innermost = self._innermost, False
        following = text.value(f"add {_no_wrap(node)} {kind} {var}, 1")
        text.lines[line] = f"  {var} = phi {kind} [ {first}, %{before} ], [ {following}, %{text.block} ]"
        more = text.value(f"icmp {'slt' if signed else 'ult'} {kind} {following}, {end}")
        text.branch(more, body, done, self._hint(node, innermost))
        text.place(done)

    def _hint(self, node: stmt.For, innermost: bool) -> str:
        hint = _HINTS.get(node.kind)
        if hint is None and not _is_short(node) and (not innermost or walks(node) or adds_to_one_vector(node)):
            # Copies of loops inside of loops make code long, and hardly faster. So do copies of iterations that do not
            # wait for each other, which the processor overlaps by itself, and of those that can do nothing but wait.
            hint = "llvm.loop.unroll.disable"
        return f", !llvm.loop {self.program.text.loop_hint(hint)}" if hint is not None else ""

    def parallel(self, node: stmt.For) -> bool:
        """Write a parallel loop; False where it has to run serially."""
        return False

    @on(stmt.AssertStmt)
    def _assert(self, node: stmt.AssertStmt) -> None:
        if not isinstance(node.message, tir.StringImm):
            raise NotSupportedByLLVM(what="an assertion whose message is no constant", span=node.span)
        good, bad = self.text.label("holds"), self.text.label("fails")
        self.text.branch_likely(self.expr(node.condition), good, bad)
        self.text.place(bad)
        self.fail(KernelAssertion, text=node.message.value)
        self.text.place(good)
        self.statement(node.body)

    def fail(self, error: type[TVMScriptError], **facts: str) -> None:
        """Record an error and leave the function."""
        symbol = self.program.text.declare("TVMFFIErrorSetRaisedFromCStr", "void {}(ptr, ptr)")
        kind, message = (
            self.program.text.string(kind_of(error)),
            self.program.text.string(error.message.format(**facts)),
        )
        self.text.do(f"call void {symbol}(ptr {kind}, ptr {message})")
        self.leave("-1")

    def leave(self, status: str) -> None:
        """Return, after freeing what the function owns here."""
        if not self.owned:
            self.text.do(f"ret i32 {status}")
            return
        self._status = self._status or self.text.slot("i32")
        self.text.do(f"store i32 {status}, ptr {self._status}")
        self.unwind()

    def unwind(self) -> None:
        """Go to where the innermost memory is freed, or return with the status that was stored."""
        if self.owned:
            self.owned[-1].is_left = True
            self.text.jump(self.owned[-1].way_out)
        else:
            status = self.text.value(f"load i32, ptr {self._status}")
            self.text.do(f"ret i32 {status}")

    def check(self, status: str) -> None:
        """Go on where the status of a call is 0; otherwise hand its error on."""
        good, bad = self.text.label("good"), self.text.label("bad")
        self.text.branch_likely(self.text.value(f"icmp eq i32 {status}, 0"), good, bad)
        self.text.place(bad)
        self.leave("-1")
        self.text.place(good)

    @on(stmt.Allocate)
    def _allocate(self, node: stmt.Allocate) -> None:
        self.exclusive.add(node.buffer_var)
        size = _constant_bytes(node)
        if size is not None and size <= STACK_BUFFER_BYTES and self._stack_bytes + size <= STACK_FRAME_BYTES:
            self._stack_bytes += size
            self.env[node.buffer_var] = self.text.slot(f"[{max(size, 1)} x i8], align {ALIGNMENT}")
            self.statement(node.body)
            return
        pointer = self._heap(node, size)
        self.env[node.buffer_var] = pointer
        memory = Owned(self.text.label("freed"))
        self.owned.append(memory)
        self.statement(node.body)
        self.owned.pop()
        self.free(pointer)
        if memory.is_left:
            after = self.text.label("after")
            self.text.jump(after)
            self.text.place(memory.way_out)
            self.free(pointer)
            self.unwind()
            self.text.place(after)

    def _heap(self, node: stmt.Allocate, size: int | None) -> str:
        if size is not None:
            amount = str(-(-max(size, 1) // ALIGNMENT) * ALIGNMENT)
        else:
            amount = self._bytes(node)
        if not isinstance(node.condition, tir.IntImm):
            amount = self.text.value(f"select i1 {self.expr(node.condition)}, i64 {amount}, i64 {ALIGNMENT}")
        return self.claim(amount, node.buffer_var)

    def claim(self, amount: str, data: tir.Var) -> str:
        """So many bytes of the heap, a whole number of alignments; leaves the function where there are none."""
        text = self.text
        symbol = self.program.text.declare("aligned_alloc", _ALLOCATE)
        pointer = text.value(f"call noalias align {ALIGNMENT} ptr {symbol}(i64 {ALIGNMENT}, i64 {amount})")
        good, bad = text.label("memory"), text.label("nomemory")
        text.branch_likely(text.value(f"icmp ne ptr {pointer}, null"), good, bad)
        text.place(bad)
        self.fail(KernelOutOfMemory, function=self.name, name=data.name)
        text.place(good)
        return pointer

    def _bytes(self, node: stmt.Allocate) -> str:
        """Bytes of a buffer, rounded up to a whole number of alignments; the largest number where it is too large."""
        text = self.text
        multiply = self.program.text.declare("llvm.umul.with.overflow.i64", "{{ i64, i1 }} {}(i64, i64)")
        amount, wrapped = str(_element_bytes(node)), "false"
        for extent in node.extents:
            pair = text.value(f"call {{ i64, i1 }} {multiply}(i64 {amount}, i64 {self.int64(extent)})")
            amount = text.value(f"extractvalue {{ i64, i1 }} {pair}, 0")
            wrapped = text.value(f"or i1 {wrapped}, {text.value(f'extractvalue {{ i64, i1 }} {pair}, 1')}")
        rounded = text.value(f"and i64 {text.value(f'add i64 {amount}, {ALIGNMENT}')}, {-ALIGNMENT}")
        return text.value(f"select i1 {wrapped}, i64 {(1 << 63) - ALIGNMENT}, i64 {rounded}")

    def free(self, pointer: str) -> None:
        """Give memory of the heap back."""
        symbol = self.program.text.declare("free", _FREE)
        self.text.do(f"call void {symbol}(ptr {pointer})")

    @on(stmt.AllocateConst)
    def _allocate_const(self, node: stmt.AllocateConst) -> None:
        data = np.ascontiguousarray(node.data)
        width = container_bits(node.dtype.bits) // 8
        if data.dtype.itemsize != width:
            data = data.astype(np.dtype(f"{'i' if node.dtype.is_signed else 'u'}{width}"))
        raw = data.tobytes()
        self.env[node.buffer_var] = self.program.text.data(raw, ALIGNMENT)
        self.statement(node.body)


def loop_type(node: stmt.For) -> str:
    """The type that a loop counts in: signed ones in 64 bits, as addresses are computed."""
    return "i64" if node.loop_var.dtype.is_signed else value_type(node.loop_var.dtype)


def _is_short(node: stmt.For) -> bool:
    return isinstance(node.extent, tir.IntImm) and node.extent.value <= 16


def _plain(name: str) -> str:
    return name if name.isalnum() and name.isascii() else "i"


def _is_zero(expr: Expr) -> bool:
    return isinstance(expr, tir.IntImm) and expr.value == 0


def _is_likely(expr: Expr) -> bool:
    return isinstance(expr, tir.Call) and getattr(expr.op, "name", "") == "tir.likely"


def _no_wrap(node: stmt.For) -> str:
    return "nsw" if node.loop_var.dtype.is_signed else "nuw"


def _element_bytes(node: stmt.Allocate) -> int:
    return container_bits(node.dtype.bits) // 8 * node.dtype.lanes


def _constant_bytes(node: stmt.Allocate) -> int | None:
    size = _element_bytes(node)
    for extent in node.extents:
        if not isinstance(extent, tir.IntImm):
            return None
        size *= extent.value
    return size
