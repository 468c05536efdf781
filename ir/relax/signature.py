"""Signatures of operators as text: `"x: Expr, axis: ints | None = None, keepdims: bool = False"`.

A kind with a capital is an argument, a value of the program; one without is an attribute, a plain value. What the kinds
take is said by the table in `ir.relax.op.surface`. The name of another attribute as the default means its value, where
this one is None: `"layout: str, out_layout: str | None = layout"`.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any, Final


class Required:
    """The default of a parameter that has none."""

    def __repr__(self) -> str:
        return "REQUIRED"


REQUIRED: Final = Required()


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of `R.name`."""

    name: str
    #: a key of `surface.KINDS`
    kind: str
    #: how many values: `ints(2)` says 2, a plain `ints` says 0
    count: int
    #: None is taken, and stays None
    optional: bool
    default: Any
    #: takes every further positional argument
    variadic: bool = False
    #: the attribute whose value it takes where it is None
    follows: str | None = None

    @property
    def is_argument(self) -> bool:
        """Whether it is an argument of the call, a value of the program, rather than an attribute."""
        return self.kind[0].isupper()

    @property
    def annotation(self) -> str:
        """The kind as the signature says it."""
        return f"{self.kind}{f'({self.count})' if self.count else ''}{' | None' if self.optional else ''}"


def parse_signature(text: str) -> tuple[Parameter, ...]:
    """The parameters that a signature declares. Raises `SyntaxError`, `ValueError` for one that is none."""
    function = ast.parse(f"def signature({text}): ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    given = function.args
    names = [*given.args, *given.kwonlyargs]
    defaults = [
        *[None] * (len(given.args) - len(given.defaults)),
        *given.defaults,
        *given.kw_defaults,
    ]
    found = [_parameter(name, default) for name, default in zip(names, defaults, strict=True)]
    if given.vararg is not None:
        found.insert(len(given.args), _parameter(given.vararg, None, variadic=True))
    return tuple(found)


def _parameter(name: ast.arg, default: ast.expr | None, *, variadic: bool = False) -> Parameter:
    kind, optional = name.annotation, False
    if isinstance(kind, ast.BinOp):
        kind, optional = kind.left, True
    count = 0
    if isinstance(kind, ast.Call):
        count = int(ast.literal_eval(kind.args[0]))
        kind = kind.func
    if not isinstance(kind, ast.Name):
        raise ValueError(f"the parameter {name.arg!r} of an operator has no kind")
    if isinstance(default, ast.Name):
        return Parameter(name.arg, kind.id, count, optional, None, follows=default.id)
    value = REQUIRED if default is None else ast.literal_eval(default)
    return Parameter(name.arg, kind.id, count, optional, value, variadic)
