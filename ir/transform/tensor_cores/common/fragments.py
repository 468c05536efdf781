"""Shapes and layouts of wmma fragments, from the calls that fill, load and store them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tvmscript.ir.core import IRError, Span, nodes
from tvmscript.ir.tir import Call, Expr, IntImm, Stmt, StringImm, Var

#: calls with the arguments fragment, m, n, k, index, ..., layout
_WITH_LAYOUT: Final = ("tir.tvm_load_matrix_sync", "tir.tvm_store_matrix_sync")
_FILL: Final = "tir.tvm_fill_fragment"
#: calls with the arguments d, its index, a, its index, b, its index, c, its index
MULTIPLICATIONS: Final = ("tir.tvm_mma_sync", "tir.tvm_bmma_sync")

#: all calls on fragments
CALLS: Final = (*_WITH_LAYOUT, _FILL, *MULTIPLICATIONS)

_OPERANDS: Final = ("wmma.matrix_a", "wmma.matrix_b")


class WrongFragment(IRError, code="TS4057"):
    """Two calls disagree on a wmma fragment: its m, n and k, or the memory layout of an operand; or a product combines
    fragments of different shapes.
    """

    message = "fragment {name}: {problem}"


@dataclass(frozen=True)
class Fragment:
    """A matrix of an m x k by k x n product, distributed over the registers of a warp."""

    m: int
    n: int
    k: int
    #: memory layout of an operand: row_major or col_major; row_major if filled first; empty for accumulators
    layout: str
    scope: str

    @property
    def size(self) -> int:
        """Number of elements of the matrix."""
        rows, columns = {"wmma.matrix_a": (self.m, self.k), "wmma.matrix_b": (self.k, self.n)}.get(
            self.scope, (self.m, self.n)
        )
        return rows * columns

    @property
    def shape(self) -> tuple[int, int, int]:
        """m, n, k."""
        return self.m, self.n, self.k


def fragments_of(body: Stmt) -> dict[Var, Fragment]:
    """Return the fragments that are filled, loaded or stored, by data. Raises `WrongFragment` if calls disagree."""
    fragments: dict[Var, Fragment] = {}
    for node in nodes(body):
        name = getattr(node.op, "name", "") if isinstance(node, Call) else ""
        if not isinstance(node, Call) or (name != _FILL and name not in _WITH_LAYOUT):
            continue
        data, fragment = _fragment_of_call(node, has_layout=name != _FILL)
        first = fragments.setdefault(data, fragment)
        has_layout = name != _FILL and data.storage_scope in _OPERANDS
        if first.shape != fragment.shape or (has_layout and first.layout != fragment.layout):
            problem = f"it is {_format(first)} in one call and {_format(fragment)} in another"
            raise WrongFragment(name=data.name, problem=problem, span=node.span)
    return fragments


def check_products(body: Stmt, fragments: dict[Var, Fragment]) -> None:
    """Raise `WrongFragment` unless the fragments of each product have the same shape."""
    for node in nodes(body):
        if not isinstance(node, Call) or getattr(node.op, "name", "") not in MULTIPLICATIONS:
            continue
        used = [_data(node.args[position], node.span) for position in (0, 2, 4, 6)]
        for data in used:
            if data not in fragments:
                raise WrongFragment(name=data.name, problem="it is never filled, loaded or stored", span=node.span)
            if fragments[data].shape != fragments[used[0]].shape:
                problem = f"it is {_format(fragments[data])}, but it is combined with {_format(fragments[used[0]])}"
                raise WrongFragment(name=data.name, problem=problem, span=node.span)


def _fragment_of_call(call: Call, *, has_layout: bool) -> tuple[Var, Fragment]:
    data, span = _data(call.args[0], call.span), call.span
    sizes = [arg.value for arg in call.args[1:4] if isinstance(arg, IntImm)]
    if len(sizes) != 3:
        raise WrongFragment(name=data.name, problem="m, n and k must be constants", span=span)
    scope = data.storage_scope
    if not has_layout:
        layout = "row_major"
    elif scope not in _OPERANDS:
        layout = ""
    else:
        layout_arg = call.args[7]
        if not isinstance(layout_arg, StringImm):
            raise WrongFragment(name=data.name, problem="the layout must be a string", span=span)
        layout = layout_arg.value
    return data, Fragment(sizes[0], sizes[1], sizes[2], layout, scope)


def _data(arg: Expr, span: Span | None) -> Var:
    if not isinstance(arg, Var):
        raise WrongFragment(name=str(arg), problem="expected the data of a buffer", span=span)
    return arg


def _format(fragment: Fragment) -> str:
    return f"{fragment.m} x {fragment.n} x {fragment.k}" + (f", {fragment.layout}" if fragment.layout else "")
