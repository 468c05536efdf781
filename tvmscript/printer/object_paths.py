"""Paths to parts of a program: `.body.seq[1].value`, as comparisons write them, or lists of steps."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from tvmscript.ir.core.node import Node
from tvmscript.printer.errors import InvalidOption

#: field names, positions and keys of a dictionary
Step: TypeAlias = "str | int"
Path: TypeAlias = "str | Sequence[Step]"

_STEP = re.compile(r"""\.(?P<field>\w+)|\[(?P<index>\d+)\]|\[(?P<key>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\]""")


class Field(str):
    """A step to a field of a node."""

    __slots__ = ()


def steps_of(path: Path, option: str) -> list[Step]:
    """The steps of a path. Raises `InvalidOption` for what is no path."""
    if not isinstance(path, str):
        given: list[Any] = list(path) if isinstance(path, Sequence) else [None]
        if not all(isinstance(step, str | int) for step in given):
            raise InvalidOption(name=option, expected="paths", got=repr(path))
        return given
    text = path.removeprefix("<root>")
    found: list[Step] = []
    position = 0
    while position < len(text):
        step = _STEP.match(text, position)
        if step is None:
            raise InvalidOption(name=option, expected="paths such as .body.seq[1].value", got=repr(path))
        if step["field"] is not None:
            found.append(Field(step["field"]))
        else:
            found.append(int(step["index"]) if step["index"] is not None else str(ast.literal_eval(step["key"])))
        position = step.end()
    return found


def nodes_on(root: Node, steps: list[Step]) -> list[tuple[Node, int]]:
    """The nodes on a path, as far as it leads, and for each which one it is among the same nodes in its parent."""
    chain: list[tuple[Node, int]] = [(root, 0)]
    value: Any = root
    parent, taken = root, []
    for step in steps:
        taken.append(step)
        value = _follow(value, step)
        if value is None:
            break
        if isinstance(value, Node):
            chain.append((value, _occurrence(parent, value, taken)))
            parent, taken = value, []
    return chain


def _follow(value: Any, step: Step) -> Any:
    if isinstance(value, Node):
        return getattr(value, step) if isinstance(step, str) and step in _fields(value) else None
    if isinstance(value, tuple | list):
        return value[step] if isinstance(step, int) and step < len(value) else None
    if isinstance(value, dict):
        return next((item for key, item in value.items() if _key(key) == step), None)
    return None


def _key(key: Any) -> Any:
    return getattr(key, "name_hint", None) or getattr(key, "name", key)


def _fields(node: Node) -> tuple[str, ...]:
    return tuple(name for name, _ in node.schema.compared)


#: fields in the order of the text, where that is not the order of the class
_TEXT_ORDER = {"BufferStore": ("buffer", "indices", "value"), "Let": ("body", "var", "value")}


def _occurrence(parent: Node, child: Node, taken: list[Step]) -> int:
    """How many times the node stands in its parent before the place that the steps lead to."""
    count = 0
    for name in _TEXT_ORDER.get(type(parent).__name__, parent.schema.walked):
        for place, item in _places(getattr(parent, name), [name]):
            if item is child:
                if place == taken:
                    return count
                count += 1
    return 0


def _places(value: Any, place: list[Step]) -> list[tuple[list[Step], Any]]:
    if isinstance(value, Node):
        return [(place, value)]
    if isinstance(value, tuple | list):
        return [found for index, item in enumerate(value) for found in _places(item, [*place, index])]
    if isinstance(value, dict):
        return [found for key, item in value.items() for found in _places(item, [*place, _key(key)])]
    return []
