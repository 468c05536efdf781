"""Compilation of a function to Python closures, so that execution does not visit the IR.

Every variable and buffer has a slot of a frame (a list). An expression becomes a function from the frame to its value,
a statement one that returns nothing. `scalars` defines the values; a vector is a tuple of lanes. Slot 0 holds a
one-element float32 memory view, the fastest way to round a Python float to single precision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, ClassVar, Final, NoReturn, Protocol

from tvmscript.backends.interp.monitor import Monitor
from tvmscript.backends.runtime.errors import Unsupported
from tvmscript.ir.core import GlobalVar, Node
from tvmscript.ir.core.dispatch import Dispatch
from tvmscript.ir.tir import Broadcast, Buffer, CommReducer, Expr, FloatImm, IntImm, Ramp, Stmt, Var
from tvmscript.ir.transform.tensor_cores.common.fragments import Fragment, fragments_of

Frame = list[Any]
Code = Callable[[Frame], Any]


def _refuse(compiler: Compiler, node: Expr | Stmt) -> NoReturn:
    raise Unsupported(what=type(node).__name__, where="the interpreter", span=node.span)


#: rules that compile a node to code
RULES: Final = Dispatch[Callable[[Any, Any], Code]](default=_refuse)
rule: Final = RULES.register


class Linker(Protocol):
    """Access to the other functions of the module, and to what observes their run."""

    @property
    def monitor(self) -> Monitor | None:
        """What observes the run."""
        ...

    @property
    def calls_registered(self) -> bool:
        """Whether packed calls reach functions of `tvm.register_func`."""
        ...

    @property
    def while_iterations(self) -> Iterator[int] | None:
        """The iterations that `while` loops have left; None: any number."""
        ...

    def link(self, name: GlobalVar) -> Callable[[tuple[Any, ...]], Any]:
        """Return a function from argument values to what the function returns."""
        ...

    def kernel(self, symbol: str) -> tuple[int, Callable[[tuple[Any, ...]], Any]] | None:
        """Return the number of arguments of the kernel of this symbol and its entry, None where the module has none."""
        ...


class Compiler:
    """State of the compilation of one function."""

    def __init__(self, linker: Linker, body: Stmt | None = None) -> None:
        self.linker = linker
        self.monitor = linker.monitor
        #: of the whole function
        self.body = body
        #: slot 0 is for rounding, slot 1 for the thread of a block where threads meet (see `threads`)
        self.size = 2
        self._slots: dict[Node, int] = {}
        #: variables that stand for something else: another variable's slot, or a constant
        self._constants: dict[Node, Any] = {}
        #: plain buffers that are used without a declaration, by data variable: bound together with it
        self.bound_with: dict[Var, list[Buffer]] = {}
        #: other buffers without a declaration: bound at each access
        self.bound_late: set[Buffer] = set()
        #: buffers over bytes that several share: they end where the memory ends, whatever their shape
        self.in_arena: set[Buffer] = set()
        #: buffers that stand for a region of another one: never plain, whatever their shape
        self.matched: set[Buffer] = set()
        #: inside of threads that meet
        self.is_team = False
        #: inside of blocks that run together
        self.has_blocks = False
        #: thread variable -> its tag
        self.tags: dict[Var, str] = {}
        #: scope and code of the allocations around that each thread, warp or block has for itself
        self.private: list[tuple[str, Code]] = []
        #: reducers of the reductions around
        self.combiners: list[CommReducer] = []

    #: the frame's slot for the thread of a block
    member: ClassVar[int] = 1

    @cached_property
    def fragments(self) -> dict[Var, Fragment]:
        """The matrices of wmma instructions, by their data. Raises `WrongFragment`."""
        return {} if self.body is None else fragments_of(self.body)

    def slot(self, name: Node) -> int:
        """Return the frame's slot for a variable or buffer."""
        slot = self._slots.get(name)
        if slot is None:
            slot = self._slots[name] = self.fresh()
        return slot

    def define(self, name: Node) -> int:
        """Allocate a new slot for a variable at its binding; it may be bound again elsewhere."""
        self._constants.pop(name, None)
        self._slots[name] = self.fresh()
        return self._slots[name]

    def forget(self, var: Var) -> None:
        """End the scope of a variable: it is free again."""
        self._slots.pop(var, None)

    def visible_values(self) -> list[tuple[Node, int | None, object]]:
        """Return the bound variables and buffers in the order of binding: the slot, or None and the constant value."""
        slots: list[tuple[Node, int | None, object]] = [(name, slot, None) for name, slot in self._slots.items()]
        return slots + [(name, None, value) for name, value in self._constants.items()]

    def is_free(self, var: Var) -> bool:
        """Return whether a variable has no definition yet."""
        return var not in self._slots and var not in self._constants

    def fresh(self) -> int:
        """Allocate an unnamed slot."""
        self.size += 1
        return self.size - 1

    def alias(self, var: Var, value: Expr) -> bool:
        """Bind a variable to another variable's slot or to a constant, if the value is one; return whether it is."""
        if isinstance(value, (IntImm, FloatImm)):
            self._constants[var] = self.code(value)([])
            return True
        if isinstance(value, Var):
            if value in self._constants:
                self._constants[var] = self._constants[value]
            else:
                self._slots[var] = self.slot(value)
            return True
        return False

    def code(self, node: Expr | Stmt) -> Code:
        """Return the closure for an expression or a statement. Raises `Unsupported`."""
        if isinstance(node, (Ramp, Broadcast)) and node.dtype.is_scalable:
            raise Unsupported(what=f"a vector of dtype {node.dtype}", where="the interpreter", span=node.span)
        return RULES[type(node)](self, node)

    def constant(self, value: Expr) -> Any:
        """Return the value of a constant, None for anything else."""
        if isinstance(value, Var):
            return self._constants.get(value)
        if isinstance(value, IntImm):
            return bool(value.value) if value.dtype.is_bool else value.value
        return None

    def slot_of(self, value: Expr) -> int | None:
        """Return the slot of a plain variable, None for anything else."""
        if isinstance(value, Var) and value not in self._constants:
            return self.slot(value)
        return None
