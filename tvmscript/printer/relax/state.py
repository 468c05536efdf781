"""The state of printing a Relax function."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeAlias

from tvmscript.ir.core import FLOAT64, INT64, DType, Node, nodes
from tvmscript.ir.core.module import IRModule, VDevice
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call, Constant
from tvmscript.ir.relax.function import Function
from tvmscript.ir.tir import Expr, Var
from tvmscript.printer.constants import data_text, reference
from tvmscript.printer.literals import float_digits, string
from tvmscript.printer.printer import Printer, ValueRule
from tvmscript.printer.text_buffer import Frame
from tvmscript.printer.tir.exprs import creation

#: rule for calls of an operator, whose name is given without `relax.`
CallRule: TypeAlias = Callable[[Printer, Call, str], str]


class RelaxState:
    """The Relax function that is being written; dialects override how some of its parts are written."""

    __slots__ = (
        "alias",
        "branch_result",
        "constants",
        "devices",
        "frame",
        "headers",
        "introduced",
        "outer_int_dtype",
        "prefix",
        "top",
        "used",
    )

    #: operator -> rule of the dialect for its calls
    call_rules: ClassVar[Mapping[str, CallRule]] = {}
    #: type -> rule of the dialect for values of attributes of calls
    attribute_rules: ClassVar[Mapping[type, ValueRule]] = {}

    def __init__(self, p: Printer) -> None:
        self.prefix = f"{p.options.relax_prefix}."
        #: scope of the outermost function; None outside of functions
        self.frame: Frame | None = None
        #: number of the line behind its declarations
        self.top = 0
        #: numbers of `def` lines that are filled in later, those of inner functions included
        self.headers: list[int] = []
        #: name of the module in the function, once it is used
        self.alias: str | None = None
        #: sizes that the signature being written introduces
        self.introduced: frozenset[Node] = frozenset()
        self.devices: tuple[VDevice, ...] = ()
        #: dtype of bare integers outside of Relax functions
        self.outer_int_dtype = p.int_dtype
        #: variables that the function uses, once they are collected
        self.used: frozenset[Node] | None = None
        #: the variable that both branches assign, and its annotation
        self.branch_result: tuple[Any, str] = None, ""
        #: constant -> its number in the section `metadata`
        self.constants: dict[Any, int] = {}

    # what dialects override

    def annotation(self, p: Printer, info: StructInfo, *, is_parameter: bool = False, value: Node | None = None) -> str:
        """Return the annotation of a variable, which may be a parameter, or be bound to a value."""
        return p.expr(info)

    def size(self, p: Printer, value: Expr) -> str:
        """Return a size, in quotation marks where it uses a variable that the signature introduces."""
        before, p.int_dtype = p.int_dtype, INT64  # the hot path of `integers(p)`
        try:
            text = p.expr(value)
        finally:
            p.int_dtype = before
        if self.introduced and any(isinstance(part, Var) and part in self.introduced for part in nodes(value)):
            # a text without strings is quoted as it is: it may hold the marks of ranges
            return string(text) if '"' in text else f'"{text}"'
        return text

    def name_parameters(self, p: Printer, func: Function) -> None:
        """Name parameters before the signature is written."""

    def number(self, item: float) -> str:
        """Return a float of `R.const`."""
        return float_digits(item) if math.isfinite(item) else string(str(item))

    # what all dialects share

    def size_variable(self, p: Printer, var: Var) -> str:
        """Declare a size at the top of the function and return its name."""
        name = p.define(var, var.name or "v", self.frame)
        self.declare(p, f"{name} = {creation(p, var)}")
        return name

    def constant_entry(self, p: Printer, node: Constant) -> str:
        """Return a constant of the section `metadata`, or a reference to it where large ones are in another file."""
        if not p.by_fingerprint:
            return constant_text(p, node, data_text(p, node.data))
        # R.const does not keep these dtypes of NumPy arrays unless they are stated
        return constant_text(p, node, reference(p, node.data), states_dtype=node.dtype in (INT64, FLOAT64))

    def function(self, p: Printer, name: str) -> str:
        """Return `cls.f` for `Module.f`, and define `cls` at the top of the function."""
        alias = p.options.module_alias
        module, _, member = name.rpartition(".")
        if not alias or not module:
            return name
        if self.alias is None:
            self.alias = alias
            self.declare(p, f"{alias} = {module}")
        return f"{alias}.{member}"

    def declare(self, p: Printer, text: str) -> None:
        """Insert a line at the top of the outermost function."""
        assert self.frame is not None
        p.lines.insert(self.top, f"{self.frame.indent}{text}")
        self.headers = [line + (line >= self.top) for line in self.headers]
        for frame in p.frames:
            frame.mark += frame.mark >= self.top
        self.top += 1


def constant_text(p: Printer, node: Constant, data: str, states_dtype: bool = False) -> str:
    """Return a constant by the text of its data; narrow floats state their dtype."""
    dtype = f', "{node.dtype}"' if states_dtype or str(node.data.dtype) != node.dtype else ""
    return f"{p.options.relax_prefix}.const({data}{dtype})"


#: dialect -> its state
STATES: dict[str, type[RelaxState]] = {"0.17": RelaxState}


def relax_state(p: Printer) -> RelaxState:
    """Return the state of Relax in a printer."""
    if p.relax is None:
        p.relax = STATES[p.options.dialect](p)
        p.uses_relax = True
    state: RelaxState = p.relax
    return state


class integers:
    """Set the dtype of bare integers: int64 in sizes. `RelaxState.size` does the same inline."""

    __slots__ = ("before", "dtype", "p")

    def __init__(self, p: Printer, dtype: DType = INT64) -> None:
        self.p, self.dtype, self.before = p, dtype, p.int_dtype

    def __enter__(self) -> None:
        self.p.int_dtype = self.dtype

    def __exit__(self, *error: object) -> None:
        self.p.int_dtype = self.before


def devices_of(root: object) -> tuple[VDevice, ...]:
    """Return the virtual devices of a module."""
    infos = root.global_infos.get("vdevice", ()) if isinstance(root, IRModule) else ()
    return tuple([item for item in infos if isinstance(item, VDevice)])
