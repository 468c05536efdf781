"""What an intrinsic's entry says, and the two registries: operators by name, `T.` functions by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.errors import DuplicateName, WrongArgumentCount, WrongType
from tvmscript.ir.core.op import CallEffect, Op
from tvmscript.ir.core.span import Span
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Call
from tvmscript.ir.tir.operators import as_expr

F = TypeVar("F", bound=Callable[..., Any])

#: Result dtype of a call from its arguments; a plain dtype where it is always the same; None: the caller says it.
ResultRule = Callable[[tuple[Expr, ...]], DType] | DType | None

#: `T.` name -> function that builds the expression. What the parser and the `T` namespace offer.
SURFACE: dict[str, Callable[..., Any]] = {}


class Intrinsic(Op):
    """An operator of the tensor level.

    Calling it builds the call: `exp(x)`; arguments may be Python numbers, `dtype` is needed where `result` is None.
    """

    __slots__ = ("dtype_position", "llvm", "num_inputs", "reference", "result", "script_name", "vectorizable")

    def __init__(
        self,
        name: str,
        *,
        num_inputs: int,
        result: ResultRule,
        effect: CallEffect = CallEffect.PURE,
        vectorizable: bool = False,
        script_name: str | None = None,
        dtype_position: Literal["none", "first", "last"] = "none",
        reference: Callable[..., Any] | None = None,
        llvm: str | None = None,
        doc: str = "",
    ) -> None:
        super().__init__(f"tir.{name}", effect=effect, doc=doc)
        #: -1: any number
        self.num_inputs = num_inputs
        self.result: ResultRule = result
        self.vectorizable = vectorizable
        #: the name in `T`
        self.script_name = name if script_name is None else script_name
        #: where the printer writes the call's dtype
        self.dtype_position = dtype_position
        #: value of one lane from Python numbers, before rounding to the result's dtype
        self.reference: Callable[..., Any] | None = reference
        #: overloaded LLVM intrinsic that computes it exactly, where there is one
        self.llvm = llvm

    def __call__(self, *args: Any, dtype: DType | str | None = None, span: Span | None = None) -> Call:
        """The call of this operator. Raises `WrongArgumentCount`, `WrongType`."""
        if self.num_inputs >= 0 and len(args) != self.num_inputs:
            raise WrongArgumentCount(where=f"T.{self.script_name}", expected=self.num_inputs, got=len(args), span=span)
        values = tuple([arg if isinstance(arg, Expr) else as_expr(arg, None, span) for arg in args])
        if dtype is None:
            if self.result is None:
                raise WrongType(where=f"T.{self.script_name}", expected="a result dtype", got="none", span=span)
            dtype = self.result(values) if callable(self.result) and not isinstance(self.result, str) else self.result
        return Call(dtype, self, values, span)


def surface(name: str) -> Callable[[F], F]:
    """Offer a function as `T.<name>`. Raises `DuplicateName`."""

    def register(function: F) -> F:
        if name in SURFACE:
            raise DuplicateName(kind="T function", name=name)
        SURFACE[name] = function
        return function

    return register


def same_as_first(args: tuple[Expr, ...]) -> DType:
    """The dtype of the first argument."""
    return args[0].dtype
