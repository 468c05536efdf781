"""Build statements by calls: `ib = create(); with ib.for_range(0, n) as i: ...`."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from tvmscript.ir.core import BOOL, DType, PointerType, PrimType, TVMScriptError
from tvmscript.ir.tir import (
    Allocate,
    AttrStmt,
    Buffer,
    BufferLoad,
    BufferStore,
    Evaluate,
    Expr,
    For,
    ForKind,
    IfThenElse,
    IntImm,
    LetStmt,
    Max,
    Stmt,
    StringImm,
    Var,
    While,
    as_expr,
    const,
    intrin,
    make_buffer,
    match_types,
    seq,
)
from tvmscript.ir.tir.buffer import Operand

#: a statement, or a function from the statements that follow to the statement around them
Part = Stmt | Callable[[Stmt], Stmt]
_KINDS: Final = {
    "serial": ForKind.SERIAL,
    "parallel": ForKind.PARALLEL,
    "vectorize": ForKind.VECTORIZED,
    "unroll": ForKind.UNROLLED,
}


class InvalidBuild(TVMScriptError, ValueError, code="TS7042"):
    """Statements are built by calls in an order that gives no program."""

    message = "{reason}"


class BufferVar:
    """Elements of a buffer: `b[i]` loads one, `b[i] = value` emits a store.

    A single index of a buffer of another rank is a position in row-major order.
    """

    def __init__(self, builder: IRBuilder, buffer: Buffer) -> None:
        self._builder = builder
        self._buffer = buffer

    def asobject(self) -> Buffer:
        """Return the buffer."""
        return self._buffer

    @property
    def dtype(self) -> DType:
        return self._buffer.dtype

    def __getitem__(self, index: Any) -> BufferLoad:
        return BufferLoad(self._buffer, self._indices(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        expr = as_expr(value, self.dtype if isinstance(value, (int, float)) else None)
        if expr.dtype.element is not self.dtype.element:
            raise InvalidBuild(reason=f"a value of {expr.dtype} is stored to {self._buffer.name} of {self.dtype}")
        self._builder.emit(BufferStore(self._buffer, expr, self._indices(index)))

    def _indices(self, index: Any) -> tuple[Expr, ...]:
        indices: Sequence[Any] = index if isinstance(index, (tuple, list)) else (index,)
        if len(indices) == 1 and len(self._buffer.shape) != 1:
            indices = unravel_position(indices[0], self._buffer.shape)
        return tuple(map(as_expr, indices))


def unravel_position(position: Operand, shape: Sequence[Expr | int]) -> list[Expr]:
    """Return the indices of an element at a position in row-major order, which is inside."""
    indices: list[Expr] = []
    rest = as_expr(position)
    for axis in reversed(range(len(shape))):
        indices.append(rest % shape[axis] if axis else rest)
        rest = rest // shape[axis]
    return indices[::-1]


class IRBuilder:
    """Statements in the order of the calls that emit them; `get` returns them as one."""

    def __init__(self) -> None:
        self._open: list[list[Part]] = [[]]
        #: loops that are named i, by default or not
        self._count = 0

    def emit(self, stmt: Part | Expr) -> None:
        """Add a statement, an expression to evaluate, or a function that wraps the statements that follow."""
        self._open[-1].append(Evaluate(stmt) if isinstance(stmt, Expr) else stmt)

    def get(self) -> Stmt:
        """Return all statements as one."""
        if len(self._open) != 1:
            raise InvalidBuild(reason="a scope is still open")
        return self._close()

    def _close(self) -> Stmt:
        parts = self._open.pop()
        body: Stmt | None = None
        for part in reversed(parts):
            if isinstance(part, Stmt):
                body = part if body is None else seq(part, body)
            else:
                body = part(Evaluate(const(0)) if body is None else body)
        return Evaluate(const(0)) if body is None else body

    @contextmanager
    def _scope(self, value: Any, emit: Callable[[Stmt], None]) -> Generator[Any, None, None]:
        self._open.append([])
        yield value
        emit(self._close())

    def scope_attr(self, node: Any, attr_key: str, value: Any) -> None:
        """Put the statements that follow below an attribute."""
        target = StringImm(node) if isinstance(node, str) else node
        content = StringImm(value) if isinstance(value, str) else as_expr(value)
        if attr_key == "thread_extent" and not isinstance(content, IntImm):
            content = Max(const(1, content.dtype), content)
        self.emit(lambda body: AttrStmt(target, attr_key, content, body))

    def for_range(
        self, begin: Any, end: Any, name: str = "i", dtype: DType | str | None = None, kind: str = "serial"
    ) -> AbstractContextManager[Var]:
        """Return the scope of a loop from `begin` to before `end`."""
        low, high = match_types(begin, end)
        var = Var(self._next_name() if name == "i" else name, low.dtype if dtype is None else dtype)
        first, extent = (as_expr(item).astype(var.dtype) for item in (low, high - low))
        return self._scope(var, lambda body: self.emit(For(var, first, extent, _KINDS[kind], body)))

    def _next_name(self) -> str:
        """Return the name of a loop that is named i, as TVM: i, j, k, i_0, i_1, ..."""
        count, self._count = self._count, self._count + 1
        return "ijk"[count] if count < 3 else f"i_{count - 3}"

    def while_loop(self, condition: Any) -> AbstractContextManager[None]:
        """Return the scope of a loop that runs while a condition holds."""
        return self._scope(None, lambda body: self.emit(While(as_expr(condition), body)))

    def if_scope(self, cond: Any) -> AbstractContextManager[None]:
        """Return the scope of what happens where a condition holds."""
        return self._scope(None, lambda body: self.emit(IfThenElse(as_expr(cond), body)))

    def else_scope(self) -> AbstractContextManager[None]:
        """Return the scope of what happens otherwise; it follows an `if_scope`."""
        before = self._open[-1][-1] if self._open[-1] else None
        if not isinstance(before, IfThenElse) or before.else_case is not None:
            raise InvalidBuild(reason="an else_scope follows an if_scope")
        branch: IfThenElse = before
        self._open[-1].pop()
        return self._scope(None, lambda body: self.emit(branch.replace(else_case=body)))

    def new_scope(self) -> AbstractContextManager[None]:
        """Return a scope of its own for what is allocated in it."""
        return self._scope(None, self.emit)

    def let(self, var_name: str, value: Any) -> Var:
        """Return a variable that has a value in the statements that follow."""
        expr = as_expr(value)
        var = Var(var_name, expr.dtype)
        self.emit(lambda body: LetStmt(var, expr, body))
        return var

    def allocate(
        self, dtype: DType | str, shape: Any, name: str = "buf", axis_separators: Any = None, scope: str = ""
    ) -> BufferVar:
        """Return memory that the statements that follow can use."""
        extents: Sequence[Any] = shape if isinstance(shape, (tuple, list)) else (shape,)
        content = DType(dtype)
        data = Var(name, PointerType(PrimType(content), scope or "global"))
        buffer = make_buffer(tuple(extents), content, name, data=data, axis_separators=axis_separators)
        sizes = tuple(map(as_expr, extents))
        self.emit(lambda body: Allocate(data, content, sizes, const(True, BOOL), body))
        return BufferVar(self, buffer)

    def pointer(self, content_type: DType | str, name: str = "ptr", scope: str = "") -> BufferVar:
        """Return memory that somebody else has allocated."""
        content = DType(content_type)
        data = Var(name, PointerType(PrimType(content), scope or "global"))
        return BufferVar(self, make_buffer((1,), content, name, data=data))

    def buffer_ptr(self, buf: Buffer) -> BufferVar:
        """Return the elements of a buffer."""
        return BufferVar(self, buf)

    def likely(self, expr: Any) -> Expr:
        """Return a condition that holds nearly always."""
        likely: Callable[..., Expr] = intrin.SURFACE["likely"]
        return likely(as_expr(expr))


def create() -> IRBuilder:
    """Return a new builder."""
    return IRBuilder()
