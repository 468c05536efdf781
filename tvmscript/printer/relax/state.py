"""What the printer knows while it writes functions of the graph level."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core.dtype import FLOAT64, INT64, DType
from tvmscript.ir.core.module import IRModule, VDevice
from tvmscript.ir.core.node import Node
from tvmscript.ir.relax.expr import Constant
from tvmscript.ir.tir.expr import Var
from tvmscript.printer.constants import data_text, reference
from tvmscript.printer.printer import Printer
from tvmscript.printer.text_buffer import Frame
from tvmscript.printer.tir.exprs import creation


class Graph:
    """The function that is being written, and what its head and its top have."""

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


def graph_of(p: Printer) -> Graph:
    """The state of the graph level in a printer."""
    if p.graph is None:
        p.graph = Graph(p)
        p.uses_relax = True
    graph: Graph = p.graph
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
