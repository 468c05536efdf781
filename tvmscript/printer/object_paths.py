"""Paths to nodes of a program: `.body.seq[1].value`, as comparisons write them, or lists of steps."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import TypeAlias

from tvmscript.ir.core import Node
from tvmscript.printer.errors import InvalidOption

#: a field name, a position, or the key of a dictionary
Step: TypeAlias = "str | int"
Path: TypeAlias = "str | Sequence[Step]"

_STEP = re.compile(r"""\.(?P<field>\w+)|\[(?P<index>\d+)\]|\[(?P<key>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\]""")


class Field(str):
    """A step to a field of a node."""

    __slots__ = ()


def steps_of(path: Path, option: str) -> list[Step]:
    """Return the steps of a path. Raises `InvalidOption` for what is no path."""
    if not isinstance(path, str):
        if not (isinstance(path, Sequence) and all(isinstance(step, (str, int)) for step in path)):
            raise InvalidOption(name=option, expected="paths", got=repr(path))
        return list(path)
    text = path.removeprefix("<root>")
    steps: list[Step] = []
    position = 0
    while position < len(text):
        step = _STEP.match(text, position)
        if step is None:
            raise InvalidOption(name=option, expected="paths such as .body.seq[1].value", got=repr(path))
        if step["field"] is not None:
            steps.append(Field(step["field"]))
        else:
            steps.append(int(step["index"]) if step["index"] is not None else str(ast.literal_eval(step["key"])))
        position = step.end()
    return steps


def nodes_on(root: Node, steps: list[Step]) -> list[tuple[Node, int]]:
    """Return the nodes on a path, as far as it leads, and how often each occurs in its parent before that place."""
    chain: list[tuple[Node, int]] = [(root, 0)]
    value: object = root
    parent, steps_below = root, []
    for step in steps:
        steps_below.append(step)
        value = _follow(value, step)
        if value is None:
            break
        if isinstance(value, Node):
            chain.append((value, _occurrence(parent, value, steps_below)))
            parent, steps_below = value, []
    return chain


def _follow(value: object, step: Step) -> object:
    if isinstance(value, Node):
        return getattr(value, step) if isinstance(step, str) and step in _fields(value) else None
    if isinstance(value, (tuple, list)):
        return value[step] if isinstance(step, int) and step < len(value) else None
    if isinstance(value, dict):
        return next((item for key, item in value.items() if _key(key) == step), None)
    return None


def _key(key: object) -> object:
    return getattr(key, "name_hint", None) or getattr(key, "name", key)


def _fields(node: Node) -> tuple[str, ...]:
    return tuple(name for name, _ in node.schema.compared)


#: fields in the order of the text, where the class has another order
_TEXT_ORDER = {"BufferStore": ("buffer", "indices", "value"), "Let": ("body", "var", "value")}


def _occurrence(parent: Node, child: Node, steps: list[Step]) -> int:
    """Return how often a node occurs in its parent before the place that the steps lead to."""
    count = 0
    for name in _TEXT_ORDER.get(type(parent).__name__, parent.schema.walked):
        for place, item in _places(getattr(parent, name), [name]):
            if item is child:
                if place == steps:
                    return count
                count += 1
    return 0


def _places(value: object, place: list[object]) -> list[tuple[list[object], Node]]:
    if isinstance(value, Node):
        return [(place, value)]
    if isinstance(value, (tuple, list)):
        return [entry for index, item in enumerate(value) for entry in _places(item, [*place, index])]
    if isinstance(value, dict):
        return [entry for key, item in value.items() for entry in _places(item, [*place, _key(key)])]
    return []
