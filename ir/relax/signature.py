"""Signatures of operators as text: `"x: Expr, axis: ints | None = None, keepdims: bool = False"`.

A kind with a capital is an argument of the call, a Relax expression; other kinds are attributes, plain values.
`ir.relax.op.script_functions.KINDS` converts each kind. A default that names another attribute takes its value in the
place of None: `"layout: str, out_layout: str | None = layout"`.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any, Final


class Required:
    """Marker for a parameter without a default."""

    def __repr__(self) -> str:
        return "REQUIRED"


REQUIRED: Final = Required()


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of `R.name`."""

    name: str
    #: a key of `op.script_functions.KINDS`
    kind: str
    #: number of values: 2 for `ints(2)`, 0 for a plain `ints`
    count: int
    #: whether None is accepted
    optional: bool
    default: Any
    #: whether it takes all remaining positional arguments
    variadic: bool = False
    #: the attribute whose value replaces None
    follows: str | None = None

    @property
    def is_argument(self) -> bool:
        """Whether it is an argument of the call rather than an attribute."""
        return self.kind[0].isupper()

    @property
    def annotation(self) -> str:
        """The kind as written in the signature."""
        return f"{self.kind}{f'({self.count})' if self.count else ''}{' | None' if self.optional else ''}"


def parse_signature(text: str) -> tuple[Parameter, ...]:
    """Return the parameters that a signature declares. Raises `SyntaxError` or `ValueError` where it is malformed."""
    function = ast.parse(f"def signature({text}): ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    args = function.args
    names = [*args.args, *args.kwonlyargs]
    defaults = [*[None] * (len(args.args) - len(args.defaults)), *args.defaults, *args.kw_defaults]
    parameters = [_parse_parameter(name, default) for name, default in zip(names, defaults, strict=True)]
    if args.vararg is not None:
        parameters.insert(len(args.args), _parse_parameter(args.vararg, None, variadic=True))
    return tuple(parameters)


def _parse_parameter(name: ast.arg, default: ast.expr | None, *, variadic: bool = False) -> Parameter:
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
