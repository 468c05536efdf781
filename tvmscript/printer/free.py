"""Where names that nothing defines are declared: the innermost scope that holds all their uses."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.core.module import BaseFunc
from tvmscript.ir.core.node import Node
from tvmscript.ir.tir.base import Stmt

Path = tuple[Node, ...]


def common_paths(root: Node) -> dict[Node, Path]:
    """For each variable and buffer of a program: the scopes, outermost first, that hold all its occurrences."""
    paths: dict[Node, Path] = {}
    _collect(root, (), paths)
    return paths


def _collect(value: Any, path: Path, paths: dict[Node, Path]) -> None:
    if isinstance(value, Node):
        if value.is_name:
            known = paths.get(value)
            paths[value] = path if known is None else _shared(known, path)
        elif isinstance(value, Stmt | BaseFunc):
            path = (*path, value)
        for name in value.schema.walked:
            _collect(getattr(value, name), path, paths)
    elif isinstance(value, tuple | list):
        for item in value:
            _collect(item, path, paths)
    elif isinstance(value, dict):
        for key, item in value.items():
            _collect(key, path, paths)
            _collect(item, path, paths)


def _shared(a: Path, b: Path) -> Path:
    if a is b:
        return a
    count = 0
    for left, right in zip(a, b, strict=False):
        if left is not right:
            break
        count += 1
    return a if count == len(a) else a[:count]
