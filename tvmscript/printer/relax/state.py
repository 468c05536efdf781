"""The state of printing a Relax function."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeAlias

from tvmscript.ir.core.dtype import FLOAT64, INT64, DType
from tvmscript.ir.core.module import IRModule, VDevice
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call, Constant
from tvmscript.ir.relax.function import Function
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Var
from tvmscript.printer.constants import data_text, reference
from tvmscript.printer.literals import float_digits, string
from tvmscript.printer.printer import Printer, ValueRule
from tvmscript.printer.text_buffer import Frame
from tvmscript.printer.tir.exprs import creation

#: writes a call of an operator, whose name is given without `relax.`
CallRule: TypeAlias = Callable[[Printer, Call, str], str]


class RelaxState:
    """The Relax function that is being written; dialects override how some of its parts are written."""

    __slots__ = (
        "alias",
        "constants",
        "devices",
        "frame",
        "given",
        "headers",
        "introduced",
        "plain",
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
        #: the scope of the outermost function; None outside of functions
        self.frame: Frame | None = None
        #: the line behind its declarations
        self.top = 0
        #: lines of heads that are filled in later, those of functions inside too
        self.headers: list[int] = []
        #: what the module is called in the function, where it was needed already
        self.alias: str | None = None
        #: variables of sizes that the head that is being written introduces
        self.introduced: frozenset[Node] = frozenset()
        self.devices: tuple[VDevice, ...] = ()
        #: dtype of bare integers outside of functions of the graph level
        self.plain = p.int_dtype
        #: the variables that the function reads, where that was asked for
        self.used: frozenset[Node] | None = None
        #: the variable that both parts of the branch give their values to, and its annotation
        self.given: tuple[Any, str] = None, ""
        #: constants that stand in the section `metadata` -> their number
        self.constants: dict[Any, int] = {}

    # what dialects override

    def annotation(self, p: Printer, info: StructInfo, *, is_parameter: bool = False, value: Node | None = None) -> str:
        """An annotation of a variable, which may be a parameter, or be bound to a value."""
        return p.expr(info)

    def size(self, p: Printer, value: Expr) -> str:
        """A size; in quotation marks where it uses a variable that the signature introduces."""
        with integers(p):
            text = p.expr(value)
        if self.introduced and any(isinstance(part, Var) and part in self.introduced for part in nodes(value)):
            # a text without strings of its own is quoted as it is: it may hold the marks of ranges
            return string(text) if '"' in text else f'"{text}"'
        return text

    def name_parameters(self, p: Printer, func: Function) -> None:
        """Name parameters before the signature is written."""

    def number(self, item: float) -> str:
        """A float in `R.const`."""
        return float_digits(item) if math.isfinite(item) else string(str(item))

    # what all dialects share

    def size_variable(self, p: Printer, var: Var) -> str:
        """The name of a variable of sizes, which is declared at the top of the function."""
        name = p.define(var, var.name or "v", self.frame)
        self.declare(p, f"{name} = {creation(p, var)}")
        return name

    def written(self, p: Printer, node: Constant) -> str:
        """A constant in the section `metadata`; where large ones stand elsewhere, it says which of those it is."""
        if not p.by_fingerprint:
            return constant_text(p, node, data_text(p, node.data))
        # the data may be an array of NumPy, whose dtype R.const takes for one that nobody asked for
        return constant_text(p, node, reference(p, node.data), says_dtype=node.dtype in (INT64, FLOAT64))

    def function(self, p: Printer, known: str) -> str:
        """`cls.f` for `Module.f`: the module is called `cls` from the top of the function on."""
        alias = p.options.module_alias
        module, _, member = known.rpartition(".")
        if not alias or not module:
            return known
        if self.alias is None:
            self.alias = alias
            self.declare(p, f"{alias} = {module}")
        return f"{alias}.{member}"

    def declare(self, p: Printer, text: str) -> None:
        """Add a line at the top of the outermost function."""
        assert self.frame is not None
        p.lines.insert(self.top, f"{self.frame.indent}{text}")
        self.headers = [line + (line >= self.top) for line in self.headers]
        for frame in p.frames:
            frame.mark += frame.mark >= self.top
        self.top += 1


def constant_text(p: Printer, node: Constant, data: str, says_dtype: bool = False) -> str:
    """A constant of the text of its data; narrow floats say what their bits mean."""
    dtype = f', "{node.dtype}"' if says_dtype or str(node.data.dtype) != node.dtype else ""
    return f"{p.options.relax_prefix}.const({data}{dtype})"


#: dialect -> its state
STATES: dict[str, type[RelaxState]] = {"0.17": RelaxState}


def graph_of(p: Printer) -> RelaxState:
    """The state of Relax in a printer."""
    if p.graph is None:
        p.graph = STATES[p.options.dialect](p)
        p.uses_relax = True
    graph: RelaxState = p.graph
    return graph


class integers:
    """Bare integers are of this dtype: int64 among sizes. A class, since every size asks for it."""

    __slots__ = ("before", "dtype", "p")

    def __init__(self, p: Printer, dtype: DType = INT64) -> None:
        self.p, self.dtype, self.before = p, dtype, p.int_dtype

    def __enter__(self) -> None:
        self.p.int_dtype = self.dtype

    def __exit__(self, *error: object) -> None:
        self.p.int_dtype = self.before


def devices_of(root: Any) -> tuple[VDevice, ...]:
    """The virtual devices of a module."""
    infos = root.global_infos.get("vdevice", ()) if isinstance(root, IRModule) else ()
    return tuple([item for item in infos if isinstance(item, VDevice)])
