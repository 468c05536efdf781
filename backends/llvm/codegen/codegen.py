"""State of the code generation of one LLVM function, and the tables of rules for node classes and operators.

A rule is a function `(codegen, node)` that writes instructions. Rules of expressions return the operand: the name of a
value or a constant. Importing a module of rules registers them.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NoReturn, TypeVar

from tvmscript.backends.llvm.assembly import FunctionText
from tvmscript.backends.llvm.codegen.conversions import Converter
from tvmscript.backends.llvm.codegen.loop_accesses import LoopAccesses
from tvmscript.backends.llvm.context import Program
from tvmscript.backends.llvm.errors import NotSupportedByLLVM, kind_of
from tvmscript.backends.llvm.types import element_bytes, value_type
from tvmscript.ir.arith.intervals.interval_analysis import WrappingIntervalAnalysis
from tvmscript.ir.core import DType, Node, TVMScriptError
from tvmscript.ir.core.dispatch import Dispatch
from tvmscript.ir.tir import Buffer, Expr, Stmt, stmt
from tvmscript.ir.tir import expr as tir

F = TypeVar("F", bound=Callable[..., Any])

#: The operand of a call that has no value.
NOTHING = ""


def _refuse(cg: Codegen, node: Expr | Stmt) -> NoReturn:
    kind = "statement" if isinstance(node, Stmt) else "expression"
    raise NotSupportedByLLVM(what=f"the {kind} {type(node).__name__}", span=node.span)


Rules = Dispatch[Callable[[Any, Any], Any]]
#: operator's name, or class of what is called where it is no operator -> rule for its calls
CallRules = MutableMapping["str | type[Node]", Callable[[Any, tir.Call], str]]
#: rules that write a node
RULES: Final[Rules] = Dispatch(default=_refuse)
rule: Final = RULES.register
CALL_RULES: Final[CallRules] = {}


def registrar(rules: CallRules) -> Callable[..., Callable[[F], F]]:
    """Return a function that registers rules of calls in a table."""

    def call_rule(*callees: str | type[Node], **choices: object) -> Callable[[F], F]:
        """Register the rule for calls of operators of `tir`; of `name=value`, with the value as third argument."""

        def register(function: F) -> F:
            for callee in callees:
                rules[f"tir.{callee}" if isinstance(callee, str) else callee] = function
            for name, choice in choices.items():
                rules[f"tir.{name}"] = _with_choice(function, choice)
            return function

        return register

    return call_rule


call_rule: Final = registrar(CALL_RULES)


def _with_choice(function: Callable[..., str], choice: object) -> Callable[[Codegen, tir.Call], str]:
    return lambda cg, node: function(cg, node, choice)


@dataclass
class Owned:
    """Heap memory: the block that frees it on a way out of the function, and whether one goes there."""

    way_out: str
    is_left: bool = False


@dataclass(frozen=True, slots=True)
class UnrolledIndex:
    """An index in unrolled loops: what all iterations share ("" for nothing), factors of their variables, the rest."""

    terms: str
    factors: tuple[tuple[tir.Var, int], ...]
    constant: int


class Codegen:
    """Code generation of one function, which returns 0, or -1 after it has recorded an error with tvm-ffi."""

    rules: ClassVar[Rules] = RULES
    call_rules: ClassVar[CallRules] = CALL_RULES
    #: whether loops are unrolled only where that pays off on a CPU
    limits_unrolling: ClassVar[bool] = True

    def __init__(self, program: Program, text: FunctionText, name: str) -> None:
        self.program = program
        self.text = text
        self.name = name
        #: operands of variables
        self.env: dict[tir.Var, str] = {}
        #: loop variables as i64, the type of loop counters and addresses
        self.wide: dict[tir.Var, str] = {}
        #: variables of unrolled loops in the iteration that is written
        self.constants: dict[tir.Var, tir.IntImm] = {}
        #: indices of the unrolled loops that are written
        self.indices: dict[Expr, UnrolledIndex] = {}
        #: reserved line for the truncation of a loop variable to its own width
        self._narrow_at: dict[tir.Var, int] = {}
        self.ranges = WrappingIntervalAnalysis()
        self.convert = Converter(program, text)
        #: heap memory that is alive here, outermost first: every way out passes through where it is freed
        self.owned: list[Owned] = []
        #: workspaces that are not freed yet
        self.workspaces: dict[tir.Var, Owned] = {}
        #: data variables that no other pointer overlaps
        self.exclusive: set[tir.Var] = set()
        #: data variable -> bytes of the memory of arguments, which any part of the function may read
        self.readable: dict[tir.Var, int] = {}
        #: the same, of memory that the function allocates
        self.allocated: dict[tir.Var, int] = {}
        #: whether products may be fused with the sums that they go into, where the target allows it
        self.contracts = True
        #: whether vector stores go past the caches; they are aligned then
        self.streams = False
        #: data variables of memory on the stack of this function, and their bytes
        self.private: dict[tir.Var, int] = {}
        #: bytes of stack buffers so far
        self.stack_bytes = 0
        #: whether no loop was written since the last one began
        self.is_innermost = False
        #: whether a loop with many iterations was written since the last one began
        self.has_long_loop = False
        self.accesses = LoopAccesses(self.constants)
        #: whether it runs threads
        self.launches = False
        #: whether it has a loop itself
        self.has_loops = False
        #: stack slot of the status while memory is freed on the way out
        self._status = ""

    # -- dispatch

    def expr(self, node: Expr) -> str:
        """Write an expression and return its operand. Raises `NotSupportedByLLVM`."""
        operand: str = self.rules[type(node)](self, node)
        return operand

    def typed(self, node: Expr) -> str:
        """Write an expression and return its type and operand, as arguments of calls are written."""
        return f"{value_type(node.dtype)} {self.expr(node)}"

    def statement(self, node: Stmt) -> None:
        """Write a statement. Raises `NotSupportedByLLVM`."""
        rule = self.rules[type(node)]
        if self.program.debug is None or node.span is None:
            rule(self, node)
            return
        enclosing = self.text.location
        self.program.debug.locate(self.text, node.span)
        rule(self, node)
        if enclosing:
            self.text.locate(enclosing)

    def refuse(self, what: str, node: Expr | Stmt, hint: str | None = None) -> NoReturn:
        """Raise `NotSupportedByLLVM`."""
        raise NotSupportedByLLVM(what=what, span=node.span, hint=hint)

    # -- variables

    def lookup(self, var: tir.Var) -> str:
        """Return the operand of a variable. Raises `NotSupportedByLLVM` for one that is not defined."""
        operand = self.env.get(var)
        if operand is None:
            operand = self._narrow(var) if var in self.wide else self.free_variable(var)
            self.env[var] = operand
        return operand

    def free_variable(self, var: tir.Var) -> str:
        """Return the operand of a variable that the function does not define. Raises `NotSupportedByLLVM`."""
        raise NotSupportedByLLVM(what=f"the variable {var.name}, which is not defined here", span=var.span)

    def bind(self, var: tir.Var, value: Expr) -> None:
        """Write the value and bind the variable to it."""
        self.env[var] = self.expr(value)
        self.wide.pop(var, None)
        if value.dtype.is_integer:
            self.ranges.bind_bounds(var, self.ranges.of(value))

    def bind_wide(self, var: tir.Var, operand: str) -> None:
        """Bind a loop variable to an i64, truncated in this place if its own width is used."""
        self.wide[var] = operand
        if var.dtype.bits == 64:
            self.env[var] = operand
            return
        self.env.pop(var, None)
        self._narrow_at[var] = self.text.reserve()

    def _narrow(self, var: tir.Var) -> str:
        wide = self.wide[var]
        narrow = f"{wide}.narrow"
        self.text.lines[self._narrow_at[var]] = f"  {narrow} = trunc nsw i64 {wide} to {value_type(var.dtype)}"
        return narrow

    # -- memory

    def alignment(self, buffer: Buffer, indices: Sequence[Expr], dtype: DType) -> int:
        """Return of how many bytes the address of a value of this dtype is known to be a multiple."""
        return element_bytes(dtype)

    # -- leaving the function

    def emit_return(self, node: tir.Call) -> None:
        """Write `T.ret`. Raises `NotSupportedByLLVM` where the function cannot be left."""
        self.refuse("T.ret inside of a parallel loop", node)

    def emit_compute_scope(self, node: stmt.AttrStmt) -> None:
        """Write the part of a packed function that follows the checks of its arguments."""
        self.statement(node.body)

    def fail(self, error: type[TVMScriptError], **facts: str) -> None:
        """Record an error and leave the function."""
        symbol = self.program.text.declare("TVMFFIErrorSetRaisedFromCStr", "void {}(ptr, ptr)")
        kind = self.program.text.string(kind_of(error))
        message = self.program.text.string(error.message.format(**facts))
        self.text.do(f"call void {symbol}(ptr {kind}, ptr {message})")
        self.leave("-1")

    def check(self, status: str) -> None:
        """Continue if the status of a call is 0; otherwise leave the function with its error."""
        good, bad = self.text.label("good"), self.text.label("bad")
        self.text.branch_likely(self.text.value(f"icmp eq i32 {status}, 0"), good, bad)
        self.text.place(bad)
        self.leave("-1")
        self.text.place(good)

    def leave(self, status: str) -> None:
        """Return, after freeing the heap memory that is alive here."""
        if not self.owned:
            self.text.do(f"ret i32 {status}")
            return
        self._status = self._status or self.text.slot("i32")
        self.text.do(f"store i32 {status}, ptr {self._status}")
        self.unwind()

    def unwind(self) -> None:
        """Jump to where the innermost memory is freed, or return the status that was stored."""
        if self.owned:
            self.owned[-1].is_left = True
            self.text.jump(self.owned[-1].way_out)
        else:
            status = self.text.value(f"load i32, ptr {self._status}")
            self.text.do(f"ret i32 {status}")
