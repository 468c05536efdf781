"""What an operator of the graph level is: one object, declared once, that everything else is derived from."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tvmscript.ir.core.errors import IRError
from tvmscript.ir.core.op import CallEffect, Op
from tvmscript.ir.relax.base import StructInfo

if TYPE_CHECKING:
    from tvmscript.ir.relax.expr import Call

#: call -> what is known of its result; raises `InvalidCall` (or another IRError) with the span of the argument to blame
Rule = Callable[["Call"], StructInfo]
#: (numpy, *arrays, **attributes) -> array; NumPy is handed in, this package does not import it
Reference = Callable[..., Any]


class InvalidCall(IRError):
    """An operator of the graph level is called with values that it does not take: another rank, dtype, shape, count.
    The message says which argument and what it takes.
    """

    code = "TS1200"
    message = "{operator}: {argument} takes {expected}, but got {got}"


class Operator(Op):
    """An operator: `R.nn.conv2d` is the one of TVM's name `relax.nn.conv2d`.

    `signature` is that of the function in `R`, as text: `"data: Expr, weight: Expr, strides: Ints(2) = (1, 1)"`.
    Arguments are values of the program; attributes, which are plain values, are printed as keywords in this order.
    """

    __slots__ = ("arguments", "attributes", "layout", "mixed_precision", "pure", "reference", "rule", "surface")

    def __init__(
        self,
        name: str,
        rule: Rule,
        arguments: tuple[str, ...],
        attributes: dict[str, Any] | None = None,
        *,
        surface: Callable[..., Any] | None = None,
        pure: bool = True,
        mixed_precision: str | None = None,
        layout: str | None = None,
        reference: Reference | None = None,
        doc: str = "",
    ) -> None:
        super().__init__(f"relax.{name}", effect=CallEffect.PURE if pure else CallEffect.UPDATE_STATE, doc=doc)
        self.rule = rule
        #: names of the arguments; one that ends in `?` may be left out, `*args` takes any number
        self.arguments = arguments
        #: attribute -> default, in the order in which they are printed
        self.attributes = dict(attributes or {})
        #: what `R.name(...)` does where it is more than `Call(op, arguments, attributes)`
        self.surface = surface
        self.pure = pure
        #: `always`, `follow`, `never`: what conversion to float16 does with it (TVM's TMixedPrecisionPolicy)
        self.mixed_precision = mixed_precision
        #: name of the rule by which a change of layout passes through it (TVM's FRelaxInferLayout)
        self.layout = layout
        #: the same on NumPy arrays, where NumPy has it
        self.reference = reference

    def infer(self, call: Call) -> StructInfo:
        """What is known of the call's result. Raises `InvalidCall`."""
        return self.rule(call)
