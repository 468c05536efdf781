"""Matrices in registers: what the calls that fill, load and store wmma fragments tell about each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tvmscript.ir.core.errors import IRError
from tvmscript.ir.core.span import Span
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.expr import Call, IntImm, StringImm
from tvmscript.ir.tir.var import Var

#: Calls of which the arguments are: fragment, m, n, k, index, ...; those that name a layout name it at the end.
_WITH_LAYOUT: Final = ("tir.tvm_load_matrix_sync", "tir.tvm_store_matrix_sync")
_FILL: Final = "tir.tvm_fill_fragment"
#: Calls of which the arguments are: d, its index, a, its index, b, its index, c, its index.
MULTIPLICATIONS: Final = ("tir.tvm_mma_sync", "tir.tvm_bmma_sync")

#: All of these.
CALLS: Final = (*_WITH_LAYOUT, _FILL, *MULTIPLICATIONS)

_OPERANDS: Final = ("wmma.matrix_a", "wmma.matrix_b")


class WrongFragment(IRError):
    """Two calls that use a wmma fragment tell different things about it: its m, n and k, or how an operand lies in
    memory; or a product combines fragments of different shapes. All of them have to agree.
    """

    code = "TS4057"
    message = "fragment {name}: {problem}"


@dataclass(frozen=True)
class Fragment:
    """A matrix of a product of m x k and k x n, spread over the registers of a warp."""

    m: int
    n: int
    k: int
    #: how an operand lies in memory: row_major or col_major; row_major for what is filled first, else nothing
    layout: str
    scope: str

    @property
    def size(self) -> int:
        """Elements of the matrix."""
        rows, columns = {"wmma.matrix_a": (self.m, self.k), "wmma.matrix_b": (self.k, self.n)}.get(
            self.scope, (self.m, self.n)
        )
        return rows * columns

    @property
    def shape(self) -> tuple[int, int, int]:
        """m, n, k."""
        return self.m, self.n, self.k


def fragments_of(body: Stmt) -> dict[Var, Fragment]:
    """Every fragment that is filled, loaded or stored, by its data. Raises `WrongFragment` where calls disagree."""
    found: dict[Var, Fragment] = {}
    for node in nodes(body):
        name = getattr(node.op, "name", "") if isinstance(node, Call) else ""
        if not isinstance(node, Call) or (name != _FILL and name not in _WITH_LAYOUT):
            continue
        data, told = _told(node, has_layout=name != _FILL)
        known = found.setdefault(data, told)
        has_layout = name != _FILL and data.storage_scope in _OPERANDS
        if known.shape != told.shape or (has_layout and known.layout != told.layout):
            problem = f"it is {_shown(known)} in one call and {_shown(told)} in another"
            raise WrongFragment(name=data.name, problem=problem, span=node.span)
    return found


def check_products(body: Stmt, fragments: dict[Var, Fragment]) -> None:
    """Raise `WrongFragment` unless each product is one of fragments of one shape."""
    for node in nodes(body):
        if not isinstance(node, Call) or getattr(node.op, "name", "") not in MULTIPLICATIONS:
            continue
        used = [_data(node.args[position], node.span) for position in (0, 2, 4, 6)]
        for data in used:
            if data not in fragments:
                raise WrongFragment(name=data.name, problem="it is never filled, loaded or stored", span=node.span)
            if fragments[data].shape != fragments[used[0]].shape:
                problem = f"it is {_shown(fragments[data])}, and it is combined with {_shown(fragments[used[0]])}"
                raise WrongFragment(name=data.name, problem=problem, span=node.span)


def _told(call: Call, *, has_layout: bool) -> tuple[Var, Fragment]:
    data, span = _data(call.args[0], call.span), call.span
    sizes = [arg.value for arg in call.args[1:4] if isinstance(arg, IntImm)]
    if len(sizes) != 3:
        raise WrongFragment(name=data.name, problem="m, n and k are constants", span=span)
    scope = data.storage_scope
    if not has_layout:
        layout = "row_major"
    elif scope not in _OPERANDS:
        layout = ""
    else:
        written = call.args[7]
        if not isinstance(written, StringImm):
            raise WrongFragment(name=data.name, problem="the layout is a string", span=span)
        layout = written.value
    return data, Fragment(sizes[0], sizes[1], sizes[2], layout, scope)


def _data(arg: Expr, span: Span | None) -> Var:
    if not isinstance(arg, Var):
        raise WrongFragment(name=str(arg), problem="a fragment is named by the data of its buffer", span=span)
    return arg


def _shown(fragment: Fragment) -> str:
    return f"{fragment.m} x {fragment.n} x {fragment.k}" + (f", {fragment.layout}" if fragment.layout else "")
