"""Enumerate the mutants of a Python file: each replaces one expression or statement.

The operators are the standard ones of mutation testing (Jia and Harman, 2011): relational, arithmetic and logical
operator replacement, constants, negated conditions, swapped arguments, deleted statements, replaced return values.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

#: an operator class -> the one that replaces it
_COMPARE: Final[dict[type[ast.cmpop], ast.cmpop]] = {
    ast.Lt: ast.LtE(),
    ast.LtE: ast.Lt(),
    ast.Gt: ast.GtE(),
    ast.GtE: ast.Gt(),
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.Is: ast.IsNot(),
    ast.IsNot: ast.Is(),
    ast.In: ast.NotIn(),
    ast.NotIn: ast.In(),
}
_ARITHMETIC: Final[dict[type[ast.operator], ast.operator]] = {
    ast.Add: ast.Sub(),
    ast.Sub: ast.Add(),
    ast.Mult: ast.FloorDiv(),
    ast.FloorDiv: ast.Mult(),
    ast.Mod: ast.FloorDiv(),
    ast.LShift: ast.RShift(),
    ast.RShift: ast.LShift(),
    ast.BitAnd: ast.BitOr(),
    ast.BitOr: ast.BitAnd(),
}
_FUNCTIONS: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True, order=True)
class Mutant:
    """A part of a file, from `start` to `stop` in UTF-8 bytes, and the text in place of it."""

    #: from the root of the repository
    file: str
    start: int
    stop: int
    new: str
    #: the operator that made it
    kind: str
    #: the function, the old text and the new text in one line; it stays when other lines of the file change
    what: str

    @property
    def name(self) -> str:
        return f"{self.file}: {self.what}"

    def applied(self, text: str) -> str:
        """Return the text of the file with the mutant."""
        source = text.encode()
        return (source[: self.start] + self.new.encode() + source[self.stop :]).decode()


def mutants(file: str, text: str) -> Iterator[Mutant]:
    """Enumerate the mutants inside of the functions of a file.

    Annotations, docstrings, `__repr__`, texts, assertions, `strict=True` and the arguments of `raise` stay: they do
    not compute.
    """
    starts = line_starts(text)
    for function, node in _statements_of_functions(ast.parse(text)):
        for kind, old, new in _changes(node):
            start, stop = span_of(old, starts)
            before, after = (" ".join(ast.unparse(each).split()) for each in (old, new))
            replacement = ast.unparse(new)
            written = replacement if isinstance(new, ast.stmt) else f"({replacement})"
            yield Mutant(file, start, stop, written, kind, f"{function}: {before} => {after}")


def line_starts(text: str) -> list[int]:
    """Return the offset of each line in UTF-8 bytes."""
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def span_of(node: ast.expr | ast.stmt, starts: list[int]) -> tuple[int, int]:
    """Return where a node begins and ends."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset


def _statements_of_functions(tree: ast.AST, path: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Enumerate the nodes that compute, each with the path of its function."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.ClassDef | ast.FunctionDef):
            if child.name == "__repr__":
                continue
            inner = f"{path}.{child.name}" if path else child.name
            if isinstance(child, ast.ClassDef):
                yield from _statements_of_functions(child, inner)
            else:
                for stmt in child.body:
                    yield from ((inner, node) for node in _computing_nodes(stmt))
        elif isinstance(child, ast.stmt):
            yield from _statements_of_functions(child, path)


def _computing_nodes(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom):
        return
    if isinstance(node, ast.keyword) and ast.unparse(node) == "strict=True":
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _computing_nodes(child)


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.expr | ast.stmt, ast.expr | ast.stmt]]:
    """Enumerate what can be written in place of a node: (kind, old node, new node)."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=comparators) if type(op) in _COMPARE:
            yield "compare", node, ast.Compare(left, [_COMPARE[type(op)]], comparators)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC and not _is_text(left, right):
            yield "arithmetic", node, ast.BinOp(left, _ARITHMETIC[type(op)], right)
        case ast.BoolOp(op=op, values=values):
            yield "logic", node, ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield "negation", node, operand
        case ast.Constant(value=bool() as value):
            yield "constant", node, ast.Constant(not value)
        case ast.Constant(value=int() as value):
            yield "constant", node, ast.Constant(value + 1)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords) if name in _FUNCTIONS:
            yield "function", node, ast.Call(ast.Name(_FUNCTIONS[name]), args, keywords)
        case ast.Call(func=func, args=[first, second, *rest], keywords=keywords) if (
            not isinstance(first, ast.Starred)
            and not isinstance(second, ast.Starred)
            and ast.dump(first) != ast.dump(second)
        ):
            yield "arguments", node, ast.Call(func, [second, first, *rest], keywords)
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield "return", node, ast.Return(ast.Constant(None))
        case ast.Continue():
            yield "statement", node, ast.Break()
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield "statement", node, ast.Pass()
        case _:
            pass
    if isinstance(node, ast.If | ast.IfExp) and not isinstance(node.test, ast.Compare | ast.UnaryOp):
        yield "condition", node.test, ast.UnaryOp(ast.Not(), node.test)


def _is_text(*operands: ast.expr) -> bool:
    """Return whether an operand of `+` or `%` is a text or a sequence, which other operators do not take."""
    return any(
        isinstance(each, ast.JoinedStr | ast.List | ast.Tuple)
        or (isinstance(each, ast.Constant) and isinstance(each.value, str))
        for each in operands
    )
