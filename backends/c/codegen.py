"""State of the code generation of one C function, and the table of rules for node classes.

A rule is a function `(codegen, node)`. Rules of statements write lines. Rules of expressions return a `Value`, and
write lines for what C has no expression for, such as `T.Let`; `capture` finds out whether there are any.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, MutableMapping
from contextlib import contextmanager
from typing import Any, ClassVar, Final, NoReturn, TypeVar

from tvmscript.backends.c.errors import NotSupportedByC
from tvmscript.backends.c.program import Names, Program, Signature
from tvmscript.backends.c.types import C_DTYPES, Value, c_type, declare
from tvmscript.ir.arith.intervals.interval_analysis import RULES as INTERVALS
from tvmscript.ir.arith.intervals.interval_analysis import WrappingIntervalAnalysis
from tvmscript.ir.core import DType, IRError, Span
from tvmscript.ir.core.dispatch import Dispatch
from tvmscript.ir.tir import Buffer, Expr, Stmt
from tvmscript.ir.tir import expr as tir

F = TypeVar("F", bound=Callable[..., Any])
Rules = Dispatch[Callable[[Any, Any], Any]]
#: operator -> rule for its calls
CallRules = MutableMapping[str, Callable[[Any, tir.Call], Value]]


def _refuse(cg: Codegen, node: Expr | Stmt) -> NoReturn:
    kind = "statement" if isinstance(node, Stmt) else "expression"
    raise cg.refusal(f"the {kind} {type(node).__name__}", node.span)


#: rules that write a node
RULES: Final[Rules] = Dispatch(default=_refuse)
rule: Final = RULES.register
CALL_RULES: Final[CallRules] = {}


def registrar(rules: CallRules) -> Callable[..., Callable[[F], F]]:
    """Return a decorator `call_rule("name", ...)` that adds rules for calls of operators of `tir` to a table."""

    def call_rule(*names: str) -> Callable[[F], F]:
        def register(function: F) -> F:
            rules.update({f"tir.{name}": function for name in names})
            return function

        return register

    return call_rule


call_rule: Final = registrar(CALL_RULES)


class Codegen:
    """Code generation of the body of one function, in C or a language that extends it."""

    rules: ClassVar[Rules] = RULES
    call_rules: ClassVar[CallRules] = CALL_RULES
    #: dtypes of values
    dtypes: ClassVar[frozenset[str]] = C_DTYPES
    #: whether a division by zero ends the program
    division_traps: ClassVar[bool] = True
    #: whether indices are computed in 64 bits where their own dtype may overflow
    widens_indices: ClassVar[bool] = True

    def __init__(self, program: Program, signature: Signature) -> None:
        self.program = program
        self.signature = signature
        self.lines: list[str] = []
        self.names = Names(program.names)
        #: identifiers of variables
        self.env: dict[tir.Var, str] = {}
        #: dtype of the elements that a pointer is declared to point to
        self.pointees: dict[tir.Var, DType] = {}
        self.ranges = WrappingIntervalAnalysis()
        #: heap memory that is alive here, outermost first
        self.owned: list[str] = []
        #: bytes of the arrays so far
        self.stack_bytes = 0
        self._depth = 1

    def expr(self, node: Expr) -> Value:
        """Write an expression and return its value. Raises `NotSupportedByC`."""
        value: Value = self.rules[type(node)](self, node)
        return value

    def statement(self, node: Stmt) -> None:
        """Write a statement. Raises `NotSupportedByC`."""
        self.rules[type(node)](self, node)

    def refusal(self, what: str, span: Span | None) -> IRError:
        """Return the error of what the language has no counterpart for."""
        return NotSupportedByC(what=what, span=span)

    def type_name(self, dtype: DType, span: Span | None = None) -> str:
        """Return the type of a value. Raises `NotSupportedByC` for one that the language does not have."""
        if dtype not in self.dtypes:
            kind = "vector" if dtype.is_vector else "dtype"
            raise self.refusal(f"a value of the {kind} {dtype}", span)
        return c_type(dtype)

    def declare(self, dtype: DType, name: str, span: Span | None = None) -> str:
        """Return a declaration of a variable. Raises `NotSupportedByC`."""
        self.type_name(dtype, span)
        return declare(dtype, name)

    # -- lines

    def line(self, text: str) -> None:
        """Write a line."""
        self.lines.append(f"{'    ' * self._depth}{text}")

    @property
    def depth(self) -> int:
        """How many blocks are open."""
        return self._depth

    @contextmanager
    def block(self, head: str | None = "", tail: str = "}") -> Generator[None]:
        """Write a block in braces, which has its own names; the block before has opened it where `head` is None."""
        if head is not None:
            self.line(f"{head} {{".lstrip())
        outer, self.names = self.names, Names(self.names)
        self._depth += 1
        yield
        self._depth -= 1
        self.names = outer
        self.line(tail)

    def capture(self, node: Expr) -> tuple[Value, list[str]]:
        """Return the value of an expression and the lines that have to come before it, which are not written."""
        outer, self.lines = self.lines, []
        self._depth += 1
        value = self.expr(node)
        self._depth -= 1
        lines, self.lines = self.lines, outer
        return value, lines

    def leave(self, value: str) -> None:
        """Return from the function, after freeing the heap memory that is alive here."""
        for pointer in reversed(self.owned):
            self.line(f"free({pointer});")
        self.line(f"return {value};" if value else "return;")

    # -- variables

    def define(self, var: tir.Var, name: str = "") -> str:
        """Return a new identifier for a variable."""
        self.env[var] = identifier = self.names.fresh(name or var.name)
        return identifier

    def lookup(self, var: tir.Var) -> str:
        """Return the identifier of a variable. Raises `NotSupportedByC` for one that is not defined."""
        name = self.env.get(var)
        if name is None:
            raise self.refusal(f"the variable {var.name}, which is not defined here", var.span)
        return name

    def bind_range(self, var: tir.Var, value: Expr) -> None:
        """Tell the interval analysis the value of a variable."""
        if value.dtype.is_integer:
            self.ranges.bind_bounds(var, self.ranges.of(value))

    def fits(self, node: tir.BinaryOp) -> bool:
        """Return whether the result of an operation of integers is known to be in the range of its dtype."""
        bounds = INTERVALS[type(node)](self.ranges.of, node)
        return bounds is not None and bounds.within(node.dtype.min_value, node.dtype.max_value)

    def require_plain(self, buffer: Buffer) -> None:
        """Raise `NotSupportedByC` for memory that C cannot address."""
        if buffer.layout is not None or buffer.allocated_addr:
            what = "layout" if buffer.layout is not None else "fixed address"
            raise self.refusal(f"the {what} of the buffer {buffer.name}", buffer.span)
