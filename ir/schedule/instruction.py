"""Instructions: the steps of a trace as data, with TVM's names, inputs and attributes."""

from __future__ import annotations

from dataclasses import dataclass
from types import NoneType
from typing import Any, ClassVar

from tvmscript.ir.core import UnknownName, closest
from tvmscript.ir.tir import Expr, Var


@dataclass(frozen=True, slots=True)
class Promises:
    """Properties of a primitive, which property-based tests check on random programs."""

    #: results are preserved; False where TVM does not guarantee it either
    keeps_values: bool = True
    #: results are bitwise the same; False if float operations are reordered
    is_exact: bool = True
    #: a second application with the same arguments changes nothing
    is_idempotent: bool = False
    #: the inverse primitive, where nothing was padded or cut off
    undone_by: str | None = None
    #: primitives that commute with it on other loops and blocks
    commutes_with: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InstructionKind:
    """The kind of an instruction: a primitive and the names of its parameters.

    `inputs` are the parameters for random variables, `attrs` those for plain values, both in TVM's order; `*name` takes
    any number of arguments. A pure instruction changes no program, so an unused one can be dropped.
    """

    name: str
    method: str
    inputs: tuple[str, ...]
    attrs: tuple[str, ...]
    is_pure: bool
    #: whether it samples; the decision is recorded with the instruction
    has_decision: bool
    #: the parameters of the method, in order, without `self`
    parameters: tuple[str, ...]
    #: the `*name` parameter of the method, if any
    star: str | None
    #: the boolean attributes
    booleans: frozenset[str]
    #: whether the method returns a list of random variables
    gives_list: bool
    promises: Promises = Promises()

    #: TVM's name -> kind
    registry: ClassVar[dict[str, InstructionKind]] = {}

    @staticmethod
    def get(name: str) -> InstructionKind:
        """Return the kind of this name: `Split`. Raises `UnknownName`."""
        kind = InstructionKind.registry.get(name)
        if kind is None:
            raise UnknownName(kind="instruction kind", name=name, hint=closest(name, InstructionKind.registry))
        return kind

    @classmethod
    def of_method(cls, method: str) -> InstructionKind:
        """Return the kind of a method such as `split`. Raises `StopIteration` if the method is no primitive."""
        return next(kind for kind in cls.registry.values() if kind.method == method)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Instruction:
    """A step: its kind, inputs, attributes and outputs."""

    kind: InstructionKind
    #: random variables, numbers, expressions, None; lists of these
    inputs: tuple[Any, ...]
    attrs: tuple[Any, ...]
    outputs: tuple[Any, ...]

    def __repr__(self) -> str:
        """Return the step as TVM writes it, with `_` for random variables: `_, _ = sch.split(loop=_, ...)`."""
        names, values = [*self.kind.inputs, *self.kind.attrs], [*self.inputs, *self.attrs]
        star = next((place for place, name in enumerate(names) if name.startswith("*")), None)
        if star is not None:  # it takes as many values as there are no other names for
            count = len(values) - len(names) + 1
            if self.kind.star is None:
                names[star], values[star : star + count] = names[star][1:], [values[star : star + count]]
            else:
                names[star : star + 1] = [""] * count
        texts = [_text_of(value) for value in values]
        given = [f"{name}={text}" if name else text for name, text in zip(names, texts, strict=False)]
        outputs = ", ".join("_" for _ in self.outputs)
        return f"{outputs}{' = ' if outputs else ''}sch.{self.kind.method}({', '.join(given)})"


def _text_of(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_text_of, value))}]"
    is_plain = isinstance(value, (str, int, float, Expr, NoneType)) and not isinstance(value, Var)
    return str(value) if is_plain else "_"
