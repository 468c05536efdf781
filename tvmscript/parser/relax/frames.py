"""What constructs of `R` leave behind while a function is read: `frames` for the graph level."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.span import Span
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.expr import DataflowVar, Var
from tvmscript.parser.diagnostics.describe import describe


class Dataflow:
    """`R.dataflow()`."""

    __slots__ = ("span",)

    def __init__(self, span: Span) -> None:
        self.span = span

    def __repr__(self) -> str:
        return "R.dataflow()"


class MatchedCast:
    """`R.match_cast(value, struct_info)`, which an assignment binds."""

    __slots__ = ("info", "value")

    def __init__(self, value: RelaxExpr, info: StructInfo) -> None:
        self.value = value
        self.info = info

    def __repr__(self) -> str:
        return "R.match_cast(...)"


class Outputs:
    """The variables that a dataflow block gives: the last assignments to the names in its `R.output`."""

    __slots__ = ("is_told", "made", "may_return", "targets", "told")

    def __init__(self, body: Sequence[ast.stmt]) -> None:
        #: whether the block ends with the result of the function: variables, which are outputs then
        self.may_return = _returned(body) is not None
        #: the nodes of the names that become outputs
        self.targets = _output_targets(body)
        self.made: list[Var] = []
        self.told: tuple[Any, ...] = ()
        self.is_told = False

    def tell(self, variables: tuple[Any, ...], span: Span) -> None:
        """`R.output(...)`. Raises `WrongType` for what is no variable of the block."""
        for var in variables:
            if not any(var is made for made in self.made):
                # which assignment of a for or an if that is written out is the last is not seen in its text
                name = var.name_hint if isinstance(var, DataflowVar) else None
                hint = None if name is None else f"write {name} = {name} behind the for or if that gives it"
                got = describe(var) if name is None else f"{name}, which the block itself does not assign"
                raise WrongType(where="R.output", expected="variables of the block", got=got, span=span, hint=hint)
        self.told, self.is_told = variables, True

    def names(self) -> list[tuple[str, Var]]:
        """The outputs by name."""
        return [(var.name_hint, var) for var in self.made]


def _returned(body: Sequence[ast.stmt]) -> list[str] | None:
    """The names that a block returns at its end; None where it does not, or returns something else."""
    last = body[-1]
    if not isinstance(last, ast.Return) or last.value is None:
        return None
    parts = [node for node in ast.walk(last.value) if isinstance(node, ast.expr)]
    names = [node.id for node in parts if isinstance(node, ast.Name)]
    tuples = [node for node in parts if isinstance(node, ast.Tuple | ast.List)]
    return names if len(names) + len(tuples) == len(parts) else None


def _output_targets(body: Sequence[ast.stmt]) -> frozenset[Any]:
    """The nodes of the names that `R.output`, or the `return` at the end, makes outputs: the last assignment to each,
    or function of that name.
    """
    wanted = set(_returned(body) or ())
    found: set[Any] = set()
    for node in reversed(body):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            if isinstance(node.value.func, ast.Attribute) and node.value.func.attr == "output":
                wanted.update(item.id for item in node.value.args if isinstance(item, ast.Name))
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and target.id in wanted:
                wanted.discard(target.id)
                found.add(target)
        elif isinstance(node, ast.FunctionDef) and node.name in wanted:
            wanted.discard(node.name)
            found.add(node)
    return frozenset(found)
