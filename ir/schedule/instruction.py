"""Instructions: the steps of a schedule as data. Kinds have TVM's names, inputs and attributes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Promises:
    """What holds for every step of a primitive; tests made from this check it with random programs."""

    #: the program computes the same; False where TVM's step, which this is, does not see to it
    keeps_values: bool = True
    #: it computes the same bits; False where the order of float operations changes
    is_exact: bool = True
    #: with the same arguments once more, it changes nothing
    is_idempotent: bool = False
    #: the primitive that makes the program before of the program after, where nothing was padded or cut off
    undone_by: str | None = None
    #: primitives that may as well be done before as after it, to other loops and blocks
    commutes_with: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InstructionKind:
    """One kind of step: a primitive, by the names of its parameters.

    `inputs` are parameters that take random variables, `attrs` those that take plain values, both in TVM's order;
    a name behind a `*` takes any number of them. A `pure` one changes no program: an unused one can be left out.
    """

    name: str
    method: str
    inputs: tuple[str, ...]
    attrs: tuple[str, ...]
    is_pure: bool
    #: whether it draws a number, which is written down beside the instruction
    has_decision: bool
    #: the parameters of the method, in order, without `self`
    parameters: tuple[str, ...]
    #: the parameter that is written `*name` in the method, if there is one
    star: str | None
    #: the attributes that are true or false
    booleans: frozenset[str]
    #: whether the method gives a list of random variables, not one
    gives_list: bool
    promises: Promises = Promises()

    #: TVM's name -> kind
    registry: ClassVar[dict[str, InstructionKind]] = {}

    @classmethod
    def of_method(cls, method: str) -> InstructionKind:
        """The kind of a method of schedules, such as `split`. Raises `StopIteration` where it is no primitive."""
        return next(kind for kind in cls.registry.values() if kind.method == method)


@dataclass(frozen=True, slots=True, eq=False)
class Instruction:
    """One step: what was done, with what, and what came out of it."""

    kind: InstructionKind
    #: random variables, numbers, expressions, None; lists of these
    inputs: tuple[Any, ...]
    attrs: tuple[Any, ...]
    outputs: tuple[Any, ...]
