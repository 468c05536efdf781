"""Entries of intrinsics, and the registries of operators and of `T` functions by name."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, ParamSpec, TypeVar

from tvmscript.ir.core import CallEffect, DType, Op, Span, closest
from tvmscript.ir.core.errors import DuplicateName, UnknownName, WrongArgumentCount, WrongType, is_same_definition
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Call
from tvmscript.ir.tir.operators import as_expr

F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")

#: Result dtype of a call from its arguments; a plain dtype where it is always the same; None: the caller says it.
ResultRule = Callable[[tuple[Expr, ...]], DType] | DType | None
#: Value of one lane from Python numbers, before rounding to the result's dtype.
Reference = Callable[..., Any]

#: Name of a function by the element dtype of its result; "" for every other dtype.
Names = Mapping[str, str]

#: `T.` name -> function that builds the expression. What the parser and the `T` namespace offer.
SURFACE: dict[str, Callable[..., Any]] = {}


class Intrinsic(Op):
    """An operator of the tensor level.

    Calling it builds the call: `exp(x)`; arguments may be Python numbers, `dtype` is needed where `result` is None.
    """

    __slots__ = (
        "c_name",
        "cuda",
        "dtype_position",
        "functions",
        "least_inputs",
        "llvm",
        "most_inputs",
        "num_inputs",
        "params",
        "reference",
        "result",
        "script_name",
        "typed_reference",
        "ulp",
        "vectorizable",
    )

    def __init__(
        self,
        name: str,
        params: str = "*args",
        result: ResultRule = None,
        *,
        num_inputs: int | None = None,
        least_inputs: int | None = None,
        is_exact: bool = False,
        effect: CallEffect = CallEffect.PURE,
        vectorizable: bool = False,
        script_name: str | None = None,
        dtype_position: Literal["none", "first", "last"] = "none",
        reference: Reference | None = None,
        typed_reference: Callable[[DType], Reference] | None = None,
        llvm: str | None = None,
        c_name: str | None = None,
        cuda: str | None = None,
        functions: Mapping[str, Names] = MappingProxyType({}),
        ulp: tuple[int, int] | None = None,
        doc: str = "",
    ) -> None:
        super().__init__(f"tir.{name}", effect=effect, doc=doc)
        #: names of the arguments; a last one with a star takes any number
        self.params = tuple(params.split())
        #: -1: any number
        self.num_inputs = num_inputs if num_inputs is not None else -1 if "*" in params else len(self.params)
        named = len([name for name in self.params if "*" not in name]) if num_inputs is None else max(num_inputs, 0)
        #: those of device instructions are checked where they are read; a rule for the result reads an argument
        self.least_inputs = max(named, int(callable(result))) if least_inputs is None else least_inputs
        #: `is_exact`: the rules of arithmetic rely on the number of arguments
        self.most_inputs = self.num_inputs if is_exact else sys.maxsize
        self.result: ResultRule = result
        self.vectorizable = vectorizable
        #: the name in `T`; empty where the printer has none and writes `T.Call(dtype, "tir.name", [...])`
        self.script_name = name if script_name is None else script_name
        #: where the printer writes the call's dtype
        self.dtype_position = dtype_position
        self.reference = reference
        #: makes the reference for a dtype of the first argument, where the meaning depends on it
        self.typed_reference = typed_reference
        #: what computes it in the LLVM backend: an overloaded intrinsic that is exact (`llvm.sqrt`) or an expansion in
        #: `backends/llvm/math` (`math.exp`); None where the backend has a rule of its own or refuses the operator
        self.llvm = llvm
        #: the function of C's math.h for float64
        self.c_name = c_name
        #: what it is in CUDA, with the values of arguments in braces, by name or by number: "atomicAdd({0}, {1})"
        self.cuda = cuda
        #: kind of target -> function that `LowerIntrin` calls there; `c` stands for all targets
        self.functions = functions
        #: largest difference of a backend from the reference in units of the last place, for float32 and float64
        self.ulp = ulp

    def __call__(self, *args: object, dtype: DType | str | None = None, span: Span | None = None) -> Call:
        """The call of this operator. Raises `WrongArgumentCount`, `WrongType`."""
        if self.num_inputs >= 0 and len(args) != self.num_inputs:
            raise WrongArgumentCount(where=f"T.{self.script_name}", expected=self._expected, got=len(args), span=span)
        values = tuple([arg if isinstance(arg, Expr) else as_expr(arg, None, span) for arg in args])
        if dtype is None:
            dtype = self.result(values) if callable(self.result) else self.result
            if dtype is None:
                raise WrongType(where=f"T.{self.script_name}", expected="a result dtype", got="none", span=span)
        return Call(dtype, self, values, span)

    def lane(self, dtype: DType) -> Reference | None:
        """The reference for one lane, given the dtype of the first argument; None where there is none."""
        return self.typed_reference(dtype.element) if self.typed_reference is not None else self.reference

    @property
    def lane_reference(self) -> bool:
        """Whether its arguments are numbers, lane by lane."""
        return self.reference is not None or self.typed_reference is not None

    @property
    def _expected(self) -> str:
        return arguments(self.num_inputs, self.params)


def arguments(count: int, names: tuple[str, ...] = ()) -> str:
    """Return a number of arguments in words."""
    words = f"{count} argument{'' if count == 1 else 's'}"
    return f"{words} ({', '.join(names)})" if names else words


class Offer(NamedTuple):
    """Parameters of a function made by `offer`, whose Python signature is generic."""

    intrinsic: Intrinsic
    typed: bool
    defaults: Mapping[str, Any]


#: function in `SURFACE` -> what it takes
OFFERS: dict[Callable[..., Any], Offer] = {}


def surface(*names: str) -> Callable[[F], F]:
    """Offer a function as `T.<name>`. Raises `DuplicateName`."""

    def register(function: F) -> F:
        for name in names:
            if not is_same_definition(SURFACE.get(name, function), function):
                raise DuplicateName(kind="T function", name=name)
            SURFACE[name] = function
        return function

    return register


def offer(
    intrinsic: Intrinsic, *names: str, typed: bool = False, defaults: Mapping[str, object] = MappingProxyType({})
) -> Intrinsic:
    """Offer an intrinsic as `T.<script name>` (or under other names), arguments by position or by name.

    A keyword `dtype` is dropped, as TVM does; where `typed`, the dtype is the first argument or that keyword.
    Left out arguments take their default; None leaves them out of the call too.
    """
    name = names[0] if names else intrinsic.script_name
    params = intrinsic.params
    count = -1 if params and params[-1].startswith("*") else len(params)
    least = len(params) - 1 if count < 0 else 0

    def build(*args: Any, dtype: Any = None, span: Span | None = None, **named: object) -> Expr:
        if typed:
            if dtype is None and args:
                dtype, args = args[0], args[1:]
            if not isinstance(dtype, str):
                raise WrongType(where=f"T.{name}", expected="a dtype first", got=repr(dtype), span=span)
        if len(args) < least and not named:
            raise WrongArgumentCount(where=f"T.{name}", expected=f"{params[0]} at least", got=len(args), span=span)
        if named or (count >= 0 and len(args) != count):
            args = _bind(name, params, tuple(args), {**defaults, **named}, span)
        return intrinsic(*args, dtype=dtype if typed else None, span=span)

    build.__name__ = build.__qualname__ = name
    build.__doc__ = intrinsic.doc
    OFFERS[build] = Offer(intrinsic, typed, defaults)
    surface(*(names or (name,)))(build)
    return intrinsic


def _offered(make: Callable[P, Intrinsic]) -> Callable[P, Intrinsic]:
    def build(*args: P.args, **kwargs: P.kwargs) -> Intrinsic:
        return offer(make(*args, **kwargs))

    return build


#: Make an intrinsic and offer it as `T.<script name>`.
script_intrinsic = _offered(Intrinsic)


def _bind(
    name: str, params: tuple[str, ...], args: tuple[object, ...], named: dict[str, Any], span: Span | None
) -> tuple[Any, ...]:
    """Arguments in order of the parameters. Raises `UnknownName`, `WrongArgumentCount`."""
    rest = [param for param in params[len(args) :] if not param.startswith("*")]
    for given in named:
        if given not in params:
            hint = closest(given, params) or f"its parameters are {', '.join(params)}"
            raise UnknownName(kind=f"parameter of T.{name}", name=given, span=span, hint=hint)
    if len(args) > len(params) or any(param not in named for param in rest):
        raise WrongArgumentCount(
            where=f"T.{name}", expected=arguments(len(params), params), got=len(args) + len(named), span=span
        )
    return args + tuple(named[param] for param in rest if named[param] is not None)


def same_as_first(args: tuple[Expr, ...]) -> DType:
    """The dtype of the first argument."""
    return args[0].dtype
