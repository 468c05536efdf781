"""Write a program as Python that constructs it node by node, independent of printer and parser."""

from __future__ import annotations

import base64
import math
import pickle
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from tvmscript.ir.core import DType, Node, Op


def construction(program: Any, name: str = "program") -> str:
    """Lines of Python after which the variable `name` is an equal program, with the same identities.

    Shared nodes are constructed once. Spans are omitted.
    """
    writer = _Writer(program)
    value = writer.value(program)
    return "\n".join([*sorted(writer.imports), "", *writer.lines, f"{name} = {value}"])


class _Writer:
    def __init__(self, program: Any) -> None:
        self.imports: set[str] = set()
        self.types: dict[type, str] = {}
        self.lines: list[str] = []
        #: node -> its variable
        self.names: dict[Node, str] = {}
        #: node -> number of its occurrences
        self.uses: dict[Node, int] = {}
        self._count(program)

    def _count(self, value: Any) -> None:
        if isinstance(value, Node):
            self.uses[value] = self.uses.get(value, 0) + 1
            if self.uses[value] == 1:
                for field in (*value.schema.arguments, *value.schema.keywords):
                    self._count(getattr(value, field))
        elif is_dataclass(value) and not isinstance(value, type):
            for each in fields(value):
                self._count(getattr(value, each.name))
        elif isinstance(value, (tuple, list, set, frozenset)):
            for item in value:
                self._count(item)
        elif isinstance(value, dict):
            for key, item in value.items():
                self._count(key)
                self._count(item)

    def value(self, value: Any) -> str:
        """Write an expression for a value, after the lines it depends on."""
        if isinstance(value, Op):
            return f"{self._type(value)}.get({value.name!r})"
        if isinstance(value, Node):
            return self._node(value)
        if isinstance(value, DType):
            return f"{self._type(value)}({str(value)!r})"
        if isinstance(value, Enum):
            return f"{self._type(value)}.{value.name}"
        if isinstance(value, float) and not math.isfinite(value):
            return f'float("{value}")'
        if value is None or type(value) in (str, int, float, bool, bytes):
            return repr(value)
        if isinstance(value, tuple):
            items = ", ".join(map(self.value, value))
            if hasattr(value, "_fields"):
                return f"{self._type(value)}({items})"
            return f"({items},)" if len(value) == 1 else f"({items})"
        if isinstance(value, list):
            return f"[{', '.join(map(self.value, value))}]"
        if isinstance(value, dict):
            return "{" + ", ".join(f"{self.value(key)}: {self.value(item)}" for key, item in value.items()) + "}"
        if isinstance(value, (set, frozenset)):
            items = "".join(f"{self.value(item)}, " for item in value)
            return f"{type(value).__name__}(({items}))"
        if is_dataclass(value) and not isinstance(value, type):
            given = (each.name for each in fields(value) if each.init)
            items = ", ".join(f"{name}={self.value(getattr(value, name))}" for name in given)
            return f"{self._type(value)}({items})"
        # data of constants and the like
        self.imports |= {"import base64", "import pickle"}
        return f"pickle.loads(base64.b64decode({base64.b64encode(pickle.dumps(value)).decode()!r}))"

    def _type(self, value: Any) -> str:
        """The local name of a class, unique among classes of the same name."""
        cls = type(value)
        if cls not in self.types:
            taken = sum(other.__name__ == cls.__name__ for other in self.types)
            self.types[cls] = f"{cls.__name__}{taken + 1}" if taken else cls.__name__
            words = f"{cls.__name__} as {self.types[cls]}" if taken else cls.__name__
            self.imports.add(f"from {cls.__module__} import {words}")
        return self.types[cls]

    def _node(self, node: Node) -> str:
        if node in self.names:
            return self.names[node]
        args = [self.value(getattr(node, field)) for field in node.schema.arguments]
        args += [f"{field}={self.value(getattr(node, field))}" for field in node.schema.keywords]
        text = f"{self._type(node)}({', '.join(args)})"
        if self.uses[node] == 1 and len(text) < 60:
            return text
        name = f"{type(node).__name__.lower()}_{len(self.names)}"
        self.names[node] = name
        self.lines.append(f"{name} = {text}")
        return name
