"""Macros: statements that are written out where they are called."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from tvmscript.parser.captured import Captured
from tvmscript.parser.errors import InvalidArguments, UnsupportedSyntax
from tvmscript.parser.namespace import OutsideOfKernel
from tvmscript.parser.source import SourceTree


class Macro:
    """The body of `@T.macro`. A hygienic one sees the names around its definition, another one those of its use."""

    __slots__ = ("captured", "hygienic", "name", "names", "node", "tree")

    def __init__(
        self,
        node: ast.FunctionDef,
        tree: SourceTree,
        names: Mapping[str, Any],
        captured: Captured | None,
        hygienic: bool = True,
    ) -> None:
        arguments = node.args
        for extra in (arguments.vararg, arguments.kwarg):
            if extra is not None:
                raise UnsupportedSyntax(what=f"*{extra.arg}", span=tree.span(extra))
        for default in (*arguments.defaults, *arguments.kw_defaults):
            if default is not None:
                raise UnsupportedSyntax(what="a default value", span=tree.span(default))
        self.node = node
        self.tree = tree
        self.names = names
        self.captured = captured
        self.hygienic = hygienic
        self.name = node.name

    def bind(self, args: list[Any], kwargs: Mapping[str, Any], span: Any) -> dict[str, Any]:
        """Parameters and their values. Raises `InvalidArguments`."""
        arguments = self.node.args
        positional = [arg.arg for arg in (*arguments.posonlyargs, *arguments.args)]
        known = {*positional, *(arg.arg for arg in arguments.kwonlyargs)}
        made = dict(zip(positional, args, strict=False))
        problem = None
        if len(args) > len(positional):
            problem = f"{len(positional)} positional arguments are taken, {len(args)} given"
        for name, value in kwargs.items():
            if name not in known or name in made:
                problem = f"the argument {name} is {'unknown' if name not in known else 'given twice'}"
            made[name] = value
        missing = sorted(known - made.keys())
        if missing and problem is None:
            problem = f"the argument {missing[0]} is missing"
        if problem is not None:
            raise InvalidArguments(function=self.name, reason=problem, span=span)
        return made

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Outside of a kernel a macro means nothing. Raises `OutsideOfKernel`."""
        raise OutsideOfKernel(name=self.name)
