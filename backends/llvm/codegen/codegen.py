"""Rules as methods: a decorator says which nodes or operators a method compiles, the class collects them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar

from tvmscript.ir.core.node import Node

Rule = Callable[[Any, Any], Any]
F = TypeVar("F", bound=Callable[..., Any])


def on(*types: type[Node]) -> Callable[[F], F]:
    """The method compiles nodes of these types."""

    def mark(method: F) -> F:
        method.__dict__["nodes"] = types
        return method

    return mark


def operators(*names: str, **choices: Any) -> Callable[[F], F]:
    """The method compiles calls of these operators of `tir`; of `name=value`, with the value as another argument."""

    def mark(method: F) -> F:
        method.__dict__["operators"] = {**dict.fromkeys(names), **choices}
        return method

    return mark


class Ruled:
    """Collects the marked methods of a class and its bases."""

    #: node type -> rule
    nodes: ClassVar[dict[type, Rule]] = {}
    #: operator's name -> rule
    calls: ClassVar[dict[str, Rule]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        nodes: dict[type, Rule] = {}
        calls: dict[str, Rule] = {}
        for base in reversed(cls.__mro__[1:]):
            nodes.update(base.__dict__.get("nodes", {}))
            calls.update(base.__dict__.get("calls", {}))
        for method in cls.__dict__.values():
            for kind in getattr(method, "nodes", ()) if callable(method) else ():
                nodes[kind] = method
            named: Mapping[str, Any] = getattr(method, "operators", {}) if callable(method) else {}
            for name, choice in named.items():
                calls[f"tir.{name}"] = method if choice is None else _with_choice(method, choice)
        cls.nodes, cls.calls = nodes, calls


def _with_choice(method: Callable[..., Any], choice: Any) -> Rule:
    return lambda emitter, node: method(emitter, node, choice)
