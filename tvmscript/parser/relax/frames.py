"""Values of Relax constructs that only the parser uses."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tvmscript.ir.core import Span, WrongType
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
    """`R.match_cast(value, struct_info)`, the value of an assignment."""

    __slots__ = ("info", "value")

    def __init__(self, value: RelaxExpr, info: StructInfo) -> None:
        self.value = value
        self.info = info

    def __repr__(self) -> str:
        return "R.match_cast(...)"


class Outputs:
    """The outputs of a dataflow block: the last assignments to the names in its `R.output`."""

    __slots__ = ("is_declared", "may_return", "outputs", "targets", "variables")

    def __init__(self, body: Sequence[ast.stmt]) -> None:
        #: whether the block ends with a return of variables, which are its outputs
        self.may_return = _returned(body) is not None
        #: target nodes of the outputs
        self.targets = _output_targets(body)
        self.variables: list[Var] = []
        self.outputs: tuple[object, ...] = ()
        self.is_declared = False

    def declare(self, variables: tuple[object, ...], span: Span) -> None:
        """Read `R.output(...)`. Raises `WrongType` for other values than variables of the block."""
        for var in variables:
            if not any(var is other for other in self.variables):
                # the last assignment in an unrolled for or if is not visible in the text
                name = var.name_hint if isinstance(var, DataflowVar) else None
                hint = None if name is None else f"write {name} = {name} after the for or if that assigns it"
                got = describe(var) if name is None else f"{name}, which the block itself does not assign"
                raise WrongType(where="R.output", expected="variables of the block", got=got, span=span, hint=hint)
        self.outputs, self.is_declared = variables, True

    def names(self) -> list[tuple[str, Var]]:
        """Return the outputs by name."""
        return [(var.name_hint, var) for var in self.variables]


def _returned(body: Sequence[ast.stmt]) -> list[str] | None:
    """Return the names in the final return of a block; None without one, or for other results."""
    last = body[-1]
    if not isinstance(last, ast.Return) or last.value is None:
        return None
    parts = [node for node in ast.walk(last.value) if isinstance(node, ast.expr)]
    names = [node.id for node in parts if isinstance(node, ast.Name)]
    tuples = [node for node in parts if isinstance(node, (ast.Tuple, ast.List))]
    return names if len(names) + len(tuples) == len(parts) else None


def _output_targets(body: Sequence[ast.stmt]) -> frozenset[object]:
    """Return the target nodes of the outputs: for each, the last assignment or nested function of that name."""
    wanted = set(_returned(body) or ())
    targets: set[object] = set()
    for node in reversed(body):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            if isinstance(node.value.func, ast.Attribute) and node.value.func.attr == "output":
                wanted.update(item.id for item in node.value.args if isinstance(item, ast.Name))
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and target.id in wanted:
                wanted.discard(target.id)
                targets.add(target)
        elif isinstance(node, ast.FunctionDef) and node.name in wanted:
            wanted.discard(node.name)
            targets.add(node)
    return frozenset(targets)
