"""Texts with one fault that the parser has to refuse."""

from __future__ import annotations

import ast
import zlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tvmscript.fuzz.parser.trees import column, parsed, replaced
from tvmscript.ir.core.span import lines_of
from tvmscript.parser.source.dialect import is_printed

#: statements that may occur once in a block or function
_ONCE = ("where", "reads", "writes", "block_attr", "func_attr")


class Fault(NamedTuple):
    """A text with a fault, and where the error must begin; column 0 matches any."""

    name: str
    text: str
    line: int
    column: int = 0


def faulty(text: str) -> Fault | None:
    """Inject a fault chosen by a hash of the text; None if no fault applies."""
    tree = parsed(text)
    faults = [] if tree is None else sorted(_faults(text, tree))
    return faults[zlib.crc32(text.encode("utf-8", "surrogatepass")) % len(faults)] if faults else None


def _faults(text: str, tree: ast.Module) -> Iterator[Fault]:
    lines = lines_of(text)
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef) or not _is_kernel(function):
            continue
        for node in _read(function.body):
            if getattr(node, "lineno", None) != getattr(node, "end_lineno", None):
                continue
            if isinstance(node, ast.Expr) and _called(node.value) in _ONCE:
                yield Fault(f"T.{_called(node.value)} is there twice", _doubled(lines, node), node.lineno + 1)
            elif isinstance(node, ast.Assign) and _called(node.value).startswith("axis.") and not is_printed(text):
                yield Fault("an axis is there twice", _doubled(lines, node), node.lineno + 1)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
                index = node.targets[0].slice
                if ast.unparse(index) == "()":
                    continue
                wrong = replaced(text, index, f"{ast.get_source_segment(text, index)}, 0")
                yield Fault("there is an index too many", wrong, node.lineno, column(text, node.targets[0]))
            elif isinstance(node, ast.BinOp) and isinstance(node.left, ast.Name) and node.left.id not in "TIR":
                wrong = replaced(text, node.left, "unknown_name")
                yield Fault("a name is not known", wrong, node.lineno, column(text, node.left))


def _read(body: Iterable[ast.stmt]) -> Iterator[ast.AST]:
    """Yield nodes that the parser must read: not in branches and loops that Python evaluates."""
    stack: list[ast.AST] = [*body]
    while stack:
        node = stack.pop()
        yield node
        decides = getattr(node, "test", None) or getattr(node, "iter", None)
        if decides is None or any(isinstance(part, ast.Name) for part in ast.walk(decides)):
            stack += ast.iter_child_nodes(node)


def _is_kernel(function: ast.FunctionDef) -> bool:
    return any("prim_func" in ast.unparse(decorator) for decorator in function.decorator_list)


def _called(node: ast.expr) -> str:
    """The name behind `T.` in a call."""
    name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
    return name.removeprefix("T.") if name.startswith("T.") else ""


def _doubled(lines: list[str], node: ast.stmt) -> str:
    return "".join([*lines[: node.lineno], lines[node.lineno - 1], *lines[node.lineno :]])
