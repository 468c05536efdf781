"""Passes on their cases with a `let` in the place of an operand: names are defined once, and before their uses."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.ir.transform.casefile import CASES, Case, cases, load
from tvmscript import from_source
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.errors import IRError
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.node import Node
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import BinaryOp, BufferLoad, Call, Cast, Let, Not, Select, StringImm, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import AttrStmt, BufferStore, IfThenElse, LetStmt
from tvmscript.ir.tir.verify import verify

#: the same on every Python
pytestmark = pytest.mark.long

#: steps from a function to a part of it: a field, and the position in a tuple
Path = tuple[tuple[str, int | None], ...]
#: nodes of which any operand may be any expression
_PARENTS = (BinaryOp, BufferLoad, Call, Cast, Not, Select, BufferStore, IfThenElse, LetStmt)
_CASES = {str(path.relative_to(CASES)): load(path) for path in cases()}


def operands(node: Node, path: Path = ()) -> Iterator[Path]:
    """Yield the places of operands in a function."""
    for name in node.schema.children:
        if name in ("reads", "writes", "annotations", "buffer") or (isinstance(node, AttrStmt) and name != "body"):
            continue
        value = getattr(node, name)
        for index, part in enumerate(value) if isinstance(value, tuple) else [(None, value)]:
            if not isinstance(part, Node):
                continue
            place = *path, (name, index)
            is_value = isinstance(part, Expr) and not part.dtype.is_handle and not isinstance(part, StringImm)
            if is_value and isinstance(node, _PARENTS):
                yield place
            yield from operands(part, place)


def with_let(node: Node, path: Path) -> Node:
    """Replace an operand `e` by `let v = e in v`."""
    if not path:
        assert isinstance(node, Expr)
        var = Var("v", node.dtype)
        return Let(var, node, var)
    (name, index), *rest = path
    value = getattr(node, name)
    if index is None:
        return node.replace(**{name: with_let(value, tuple(rest))})
    parts = list(value)
    parts[index] = with_let(value[index], tuple(rest))
    return node.replace(**{name: tuple(parts)})


@pytest.mark.long
@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in _CASES.items() if case.error is None])
def test_names_are_defined_once(case: Case) -> None:
    program = case.program()
    functions = program.functions if isinstance(program, IRModule) else {None: program}
    for var, func in functions.items():
        if not isinstance(func, PrimFunc):
            continue
        for path in operands(func):
            try:
                changed = with_let(func, path)
                given = program.replace(functions={**program.functions, var: changed}) if var is not None else changed
                verify(given)
                output = case.make_pass()(given)
            except IRError:
                continue  # the program is wrong before, or the pass refuses it
            verify(output)
            if isinstance(output, PrimFunc):
                assert_structural_equal(output, from_source(output.script()), map_free_vars=True)
