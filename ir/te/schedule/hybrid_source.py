"""Schedules as the text of a hybrid function."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final

from tvmscript.ir.core.name_supply import NameSupply
from tvmscript.ir.te.errors import InvalidSchedule
from tvmscript.ir.te.schedule.bound import infer_bound
from tvmscript.ir.te.schedule.lower import parameter_buffer, schedule_ops
from tvmscript.ir.te.schedule.schedule import Schedule
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import (
    EQ,
    GE,
    GT,
    LE,
    LT,
    NE,
    Add,
    And,
    AssertStmt,
    AttrStmt,
    Buffer,
    BufferLoad,
    BufferRealize,
    BufferStore,
    Call,
    Cast,
    Div,
    Evaluate,
    Expr,
    FloatImm,
    FloorDiv,
    FloorMod,
    For,
    ForKind,
    IfThenElse,
    IntImm,
    LetStmt,
    Max,
    Min,
    Mul,
    Not,
    Or,
    Select,
    SeqStmt,
    Stmt,
    StringImm,
    Sub,
    Var,
)

_OPERATORS: Final[dict[type[Expr], str]] = {
    Add: "+", Sub: "-", Mul: "*", Div: "/", FloorDiv: "//", FloorMod: "%", LT: "<", LE: "<=", GT: ">", GE: ">=",
    EQ: "==", NE: "!=", And: "and", Or: "or",
}  # fmt: skip
_FUNCTIONS: Final = frozenset(["sqrt", "rsqrt", "log", "tanh", "exp", "sigmoid", "popcount", "round", "likely"])
_LOOPS: Final = {
    ForKind.SERIAL: "range",
    ForKind.PARALLEL: "parallel",
    ForKind.VECTORIZED: "vectorize",
    ForKind.UNROLLED: "unroll",
}


def hybrid_source(schedule: Schedule, inputs: Sequence[Tensor], outputs: Sequence[Tensor], name: str) -> str:
    """Return the hybrid function that does what a schedule says. Raises `InvalidSchedule` for what it cannot say."""
    normal = schedule.normalize()
    buffers = {tensor: parameter_buffer(tensor) for tensor in (*inputs, *outputs)}
    body = schedule_ops(normal, infer_bound(normal), dict(buffers))
    writer = _Writer([buffers[tensor] for tensor in (*inputs, *outputs)])
    params, results = (", ".join(writer.name(buffers[tensor]) for tensor in tensors) for tensors in (inputs, outputs))
    memories = [f"{writer.memory('output_tensor', buffers[tensor])})" for tensor in outputs]
    lines = ["@tvm.te.hybrid.script", f"def {name}({params}):"]
    return "\n".join([*lines, *("    " + line for line in (*memories, *writer.lines(body), f"return {results}")), ""])


class _Writer:
    def __init__(self, arguments: Collection[Buffer]) -> None:
        self.arguments = arguments
        self.supply = NameSupply(separator="_")
        self.names: dict[Buffer | Var, str] = {}

    def name(self, named: Buffer | Var) -> str:
        """Return the name of a buffer or a variable."""
        if named not in self.names:
            self.names[named] = self.supply.fresh(named.name)
        return self.names[named]

    def memory(self, function: str, buffer: Buffer) -> str:
        extents = "".join(f"{self.text(extent)}, " for extent in buffer.shape)
        return f"{self.name(buffer)} = {function}(({extents}), '{buffer.dtype}'"

    # statements

    def lines(self, stmt: Stmt) -> Iterator[str]:
        """Return the lines of a statement. Raises `InvalidSchedule`."""
        if isinstance(stmt, SeqStmt):
            for item in stmt.seq:
                yield from self.lines(item)
        elif isinstance(stmt, For) and stmt.kind in _LOOPS:
            bounds = [*([] if _is_zero(stmt.min) else [stmt.min]), stmt.extent + stmt.min]
            values = ", ".join(map(self.text, bounds if len(bounds) > 1 else [stmt.extent]))
            yield from self.block(f"for {self.name(stmt.loop_var)} in {_LOOPS[stmt.kind]}({values}):", stmt.body)
        elif isinstance(stmt, AttrStmt) and stmt.attr_key == "thread_extent":
            tag, var = stmt.node.thread_tag, self.name(stmt.node.var)
            yield from self.block(f"for {var} in bind('{tag}', {self.text(stmt.value)}):", stmt.body)
        elif isinstance(stmt, AttrStmt):
            yield from self.lines(stmt.body)
        elif isinstance(stmt, BufferRealize):
            if stmt.buffer not in self.arguments:
                yield f"{self.memory('allocate', stmt.buffer)}, '{stmt.buffer.storage_scope}')"
            yield from self.lines(stmt.body)
        elif isinstance(stmt, LetStmt):
            yield f"{self.name(stmt.var)} = {self.text(stmt.value)}"
            yield from self.lines(stmt.body)
        elif isinstance(stmt, BufferStore):
            yield f"{self.element(stmt)} = {self.text(stmt.value)}"
        elif isinstance(stmt, IfThenElse):
            yield from self.block(f"if {self.text(stmt.condition)}:", stmt.then_case)
            if stmt.else_case is not None:
                yield from self.block("else:", stmt.else_case)
        elif isinstance(stmt, AssertStmt):
            message = stmt.message.value if isinstance(stmt.message, StringImm) else ""
            yield f"assert {self.text(stmt.condition)}, {message!r}"
            yield from self.lines(stmt.body)
        elif not (isinstance(stmt, Evaluate) and isinstance(stmt.value, IntImm)):
            raise _no_text(stmt)

    def block(self, heading: str, body: Stmt) -> Iterator[str]:
        yield heading
        lines = list(self.lines(body))
        yield from ("    " + line for line in lines or ["pass"])

    # expressions

    def element(self, access: BufferLoad | BufferStore) -> str:
        return f"{self.name(access.buffer)}[{', '.join(map(self.text, access.indices or (IntImm('int32', 0),)))}]"

    def text(self, value: Expr) -> str:
        """Return the text of an expression. Raises `InvalidSchedule`."""
        operator = _OPERATORS.get(type(value))
        if operator is not None:
            a, b = (self.text(getattr(value, part)) for part in ("a", "b"))
            return f"({a} {operator} {b})"
        write = _WRITERS.get(type(value))
        if write is None:
            raise _no_text(value)
        return write(self, value)

    def call(self, value: Call) -> str:
        name = str(getattr(value.op, "name", value.op)).removeprefix("tir.")
        args = list(map(self.text, value.args))
        if name == "if_then_else":
            condition, first, second = args
            return f"({first} if {condition} else {second})"
        if name == "pow":
            name = "power"
        elif name not in _FUNCTIONS:
            raise _no_text(value)
        return f"{name}({', '.join(args)})"

    def select(self, value: Select) -> str:
        condition, first, second = map(self.text, (value.condition, value.true_value, value.false_value))
        return f"({first} if {condition} else {second})"


_WRITERS: Final[dict[type[Expr], Callable[[_Writer, Any], str]]] = {
    Var: _Writer.name,
    BufferLoad: _Writer.element,
    IntImm: lambda _, value: str(value.value) if value.dtype == "int32" else f"{value.dtype}({value.value})",
    FloatImm: lambda _, value: f"{value.dtype}({value.value!r})",
    Cast: lambda writer, value: f"{value.dtype}({writer.text(value.value)})",
    Not: lambda writer, value: f"(not {writer.text(value.a)})",
    Min: lambda writer, value: f"min({writer.text(value.a)}, {writer.text(value.b)})",
    Max: lambda writer, value: f"max({writer.text(value.a)}, {writer.text(value.b)})",
    Select: _Writer.select,
    Call: _Writer.call,
}


def _is_zero(value: Expr) -> bool:
    return isinstance(value, IntImm) and value.value == 0


def _no_text(item: object) -> InvalidSchedule:
    return InvalidSchedule(where="te.hybrid.build", reason=f"hybrid functions have no {item}")
