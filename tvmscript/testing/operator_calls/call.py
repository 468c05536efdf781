"""Description of an operator call, and the table of functions that draw calls."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from tvmscript.ir.core import Op
from tvmscript.ir.core.errors import is_same_definition
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op.script_functions import script_function_of, signature_of
from tvmscript.ir.relax.operator import Operator
from tvmscript.testing.operator_calls.arguments import Draws

#: arguments: tensors, shapes, lists of these, Python's numbers and words
Argument = Any


@dataclass(frozen=True)
class OperatorCall:
    """A call of an operator: positional arguments, attributes by name."""

    operator: str
    args: tuple[Argument, ...]
    attrs: dict[str, Any] = field(default_factory=dict[str, Any])
    #: what comes out, where NumPy does not say it
    result: Any = None


#: (the name of the operator, what decides) -> a right call of it
Recipe = Callable[[str, Draws], OperatorCall]
R = TypeVar("R", bound=Recipe)
#: operator -> draws a right call of it
RECIPES: Final[dict[str, Recipe]] = {}


def recipe(*names: str) -> Callable[[R], R]:
    """Register a recipe that draws calls of some operators."""

    def declare(draw: R) -> R:
        for name in names:
            assert is_same_definition(RECIPES.get(name, draw), draw), name
            RECIPES[name] = draw
        return draw

    return declare


def operator_call(name: str, r: random.Random) -> OperatorCall:
    """Draw a valid call of an operator."""
    return RECIPES[name](name, Draws(r.getrandbits(64)))


def operator(name: str) -> Operator:
    """The operator `R.name`."""
    op = Op.get(f"relax.{name}")
    assert isinstance(op, Operator)
    return op


def argument_names(name: str, count: int) -> list[str]:
    """The parameters of the first `count` arguments of `R.name`, which may differ in order."""
    own = [each.name for each in operator(name).parameters]
    shown = list(signature_of(operator(name)).parameters)
    return [shown[at] if at < len(shown) and shown[at] in own else own[min(at, len(own) - 1)] for at in range(count)]


def call_of(name: str, *args: Any, **named: Any) -> Call:
    """Construct the call `R.name(...)`. Raises `InvalidCall`."""
    return script_function_of(operator(name))(*args, **named)
