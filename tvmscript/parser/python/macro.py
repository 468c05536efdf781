"""Macros: their body is expanded at each call."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from inspect import Signature

from tvmscript.ir.core import Span
from tvmscript.parser.names.namespace import ACTIVE, OutsideOfKernel
from tvmscript.parser.names.parameters import bind_arguments
from tvmscript.parser.source.closure import Closure
from tvmscript.parser.source.tree import SourceTree


class Macro:
    """A function under `@T.macro`. If hygienic, its body sees the names of its definition, otherwise those of its call.

    In a class it is a method.
    """

    __slots__ = ("closure", "first", "hygienic", "name", "names", "node", "signature", "tree")

    def __init__(
        self,
        node: ast.FunctionDef,
        tree: SourceTree,
        names: Mapping[str, object],
        closure: Closure | None,
        signature: Signature,
        hygienic: bool = True,
        first: tuple[object, ...] = (),
    ) -> None:
        self.node = node
        self.tree = tree
        self.names = names
        self.closure = closure
        self.signature = signature
        self.hygienic = hygienic
        #: leading arguments of every call: the instance of a method
        self.first = first
        self.name = node.name

    @property
    def place(self) -> tuple[SourceTree, Closure | None, Mapping[str, object]]:
        """Scope of the body of a hygienic macro."""
        return self.tree, self.closure, self.names

    def bind(self, args: list[object], kwargs: Mapping[str, object], span: Span) -> dict[str, object]:
        """Bind arguments to parameters. Raises `InvalidArguments`."""
        return bind_arguments(self.signature, self.name, [*self.first, *args], kwargs, span)

    def __get__(self, instance: object, owner: object = None) -> Macro:
        """Return the macro as a method of an instance."""
        if instance is None:
            return self
        return Macro(
            self.node, self.tree, self.names, self.closure, self.signature, self.hygienic, (*self.first, instance)
        )  # fmt: skip

    def __call__(self, *args: object, **kwargs: object) -> None:
        """Expand the macro in Python code that a kernel calls. Raises `OutsideOfKernel` elsewhere."""
        active = ACTIVE.get()
        if active is None:
            raise OutsideOfKernel(name=self.name)
        parser, node = active
        parser.expand(node, self, list(args), kwargs)

    def __repr__(self) -> str:
        return f"<macro {self.name}{self.signature}>"
