"""Texts with one fault: `faulty(text)` is a program with something in it that a reader has to refuse."""

from __future__ import annotations

import ast
import zlib
from collections.abc import Iterable, Iterator

from tvmscript.parser.dialect import is_printed

#: what a block or function says once
_ONCE = ("where", "reads", "writes", "block_attr", "func_attr")


def faulty(text: str) -> tuple[str, str] | None:
    """What is wrong, and the text with it; None where there is no place for a fault. The text says which it is."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    found = sorted(_faults(text, tree))
    return found[zlib.crc32(text.encode("utf-8", "surrogatepass")) % len(found)] if found else None


def _faults(text: str, tree: ast.Module) -> Iterator[tuple[str, str]]:
    lines = text.splitlines(keepends=True)
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef) or not _is_kernel(function):
            continue
        for node in _read(function.body):
            if getattr(node, "lineno", None) != getattr(node, "end_lineno", None):
                continue
            if isinstance(node, ast.Expr) and _called(node.value) in _ONCE:
                yield f"T.{_called(node.value)} is there twice", _doubled(lines, node)
            elif isinstance(node, ast.Assign) and _called(node.value).startswith("axis.") and not is_printed(text):
                yield "an axis is there twice", _doubled(lines, node)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
                index = node.targets[0].slice
                yield "there is an index too many", _replaced(lines, index, f"{ast.unparse(index)}, 0")
            elif isinstance(node, ast.BinOp) and isinstance(node.left, ast.Name) and node.left.id not in "TIR":
                yield "a name is not known", _replaced(lines, node.left, "unknown_name")


def _read(body: Iterable[ast.stmt]) -> Iterator[ast.AST]:
    """All that is in statements, but what Python alone decides on: branches and loops may be left unread."""
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
    """What of `T` is called."""
    name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
    return name.removeprefix("T.") if name.startswith("T.") else ""


def _doubled(lines: list[str], node: ast.stmt) -> str:
    return "".join([*lines[: node.lineno], lines[node.lineno - 1], *lines[node.lineno :]])


def _replaced(lines: list[str], node: ast.expr, new: str) -> str:
    line = lines[node.lineno - 1].encode()
    made = line[: node.col_offset] + new.encode() + line[node.end_col_offset :]
    return "".join([*lines[: node.lineno - 1], made.decode(), *lines[node.lineno :]])


__all__ = ["faulty"]
