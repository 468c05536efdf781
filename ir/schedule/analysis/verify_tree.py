"""Debug mode of schedules: verify that the trees match the program."""

from __future__ import annotations

from tvmscript.ir.core import IRError
from tvmscript.ir.schedule.state import State
from tvmscript.ir.schedule.tree import Tree


class InconsistentTree(IRError, code="TS4202"):
    """A primitive left the tree of loops and blocks inconsistent with the program. This is a bug of the package."""

    message = "after {primitive} the tree of {function} is inconsistent: {problem}"
    advice = "report this bug with the program and the trace"


def verify_trees(state: State, primitive: str) -> None:
    """Raise `InconsistentTree` unless every tree equals a tree built from its function."""
    for name, tree in state.trees.items():
        problem = _difference(tree, Tree(name, tree.func))
        if problem is not None:
            raise InconsistentTree(primitive=primitive, function=name, problem=problem)


def _difference(tree: Tree, expected: Tree) -> str | None:
    for stmt, ref in expected.refs.items():
        ours = tree.refs.get(stmt)
        if ours is None or ours.stmt is not stmt:
            return f"{ref!r} is missing"
        if (ours.parent.stmt if ours.parent else None) is not (ref.parent.stmt if ref.parent else None):
            return f"{ours!r} is not in {ref.parent!r}"
    for stmt, ours in tree.refs.items():
        if stmt not in expected.refs:
            return f"{ours!r} is not in the program"
    names = {name: {ref.stmt for ref in refs} for name, refs in tree.named.items() if refs}
    if names != {name: {ref.stmt for ref in refs} for name, refs in expected.named.items()}:
        return "names of blocks are wrong"
    return None
