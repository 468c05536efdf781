"""Macros: statements that are written out where they are called."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from inspect import Signature
from typing import Any

from tvmscript.ir.core.span import Span
from tvmscript.parser.names.namespace import ACTIVE, OutsideOfKernel
from tvmscript.parser.names.parameters import bind_arguments
from tvmscript.parser.python.closure import Closure
from tvmscript.parser.source.tree import SourceTree


class Macro:
    """The body of `@T.macro`. A hygienic one sees the names around its definition, another one those of its use.

    In a class it is a method: called on an instance, that is its first argument.
    """

    __slots__ = ("captured", "first", "hygienic", "name", "names", "node", "signature", "tree")

    def __init__(
        self,
        node: ast.FunctionDef,
        tree: SourceTree,
        names: Mapping[str, Any],
        captured: Closure | None,
        signature: Signature,
        hygienic: bool = True,
        first: tuple[Any, ...] = (),
    ) -> None:
        self.node = node
        self.tree = tree
        self.names = names
        self.captured = captured
        self.signature = signature
        self.hygienic = hygienic
        #: arguments that every call begins with
        self.first = first
        self.name = node.name

    @property
    def place(self) -> tuple[SourceTree, Closure | None, Mapping[str, Any]]:
        """What its body sees where it is hygienic."""
        return self.tree, self.captured, self.names

    def bind(self, args: list[Any], kwargs: Mapping[str, Any], span: Span) -> dict[str, Any]:
        """Parameters and their values. Raises `InvalidArguments`."""
        return bind_arguments(self.signature, self.name, [*self.first, *args], kwargs, span)

    def __get__(self, instance: Any, owner: Any = None) -> Macro:
        """The macro as a method of an instance."""
        if instance is None:
            return self
        return Macro(
            self.node, self.tree, self.names, self.captured, self.signature, self.hygienic, (*self.first, instance)
        )  # fmt: skip

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """In Python code that a kernel calls, as in the kernel; elsewhere a macro means nothing.

        Raises `OutsideOfKernel`.
        """
        active = ACTIVE.get()
        if active is None:
            raise OutsideOfKernel(name=self.name)
        parser, node = active
        return parser.expand(node, self, list(args), kwargs)

    def __repr__(self) -> str:
        return f"<macro {self.name}{self.signature}>"
