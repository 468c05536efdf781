"""The table of converters. One table serves all sources: their names of an operator differ in suffixes alone.

`softmax` is `torch.softmax` and `x.softmax` of fx graphs, `softmax.int` of exported programs, `aten::softmax` of
TorchScript. A name that ends in `_` is the same operator in place.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import TypeVar, cast

from tvmscript.frontend.torch.context import Context
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.struct_info import TupleStructInfo

#: (context, *arguments of the operator) -> the value of the operation
Converter = Callable[..., object]
_Function = TypeVar("_Function", bound=Converter)

#: names of arguments that mean nothing for a graph on one device
IGNORED_ARGUMENTS = frozenset(
    [
        "out",
        "layout",
        "device",
        "pin_memory",
        "memory_format",
        "requires_grad",
        "non_blocking",
        "generator",
        "inplace",
        "copy",
        "_stacklevel",
        "training",
        "check_reduction",
        "sparse",
        "scale_grad_by_freq",
        "sparse_grad",
        "path",
        "max_norm",
        "norm_type",
        "named_tensor",
        "dtype_layout",
        "stable",
        "validate_args",
    ]
)
#: deprecated names of arguments, which torch passes on as None
_DEPRECATED = frozenset({"size_average", "reduce"})
#: other names of arguments, of torch and of NumPy
_RENAMED = {"axis": "dim", "axes": "dim", "dims": "dim", "keepdims": "keepdim", "a": "self", "x": "self"}
#: other names of the first argument
_FIRST = frozenset({"input", "self", "tensor", "tensors", "condition", "cond"})
#: names of Python's operators that change their left operand
_IN_PLACE_NAMES = {
    **{f"i{name}": name for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor")},
    **{f"__i{name}__": name for name in ("add", "sub", "mul")},
    **{f"__i{name}__": f"__{name}__" for name in ("and", "or", "xor", "lshift", "rshift")},
    "setitem": "setitem",
}


@dataclass(frozen=True)
class Entry:
    """A converter and how its arguments are read."""

    function: Converter
    signature: inspect.Signature
    #: parameters after the context
    parameters: tuple[str, ...]
    #: the parameter that takes all further arguments where they are not given as a list: `x.view(2, 3)`
    sizes: str | None

    def convert(self, context: Context, args: Sequence[object], kwargs: Mapping[str, object]) -> object:
        """Return the value of an operation. Raises `InvalidModel` where the arguments do not fit."""
        named = {self._parameter(name): value for name, value in kwargs.items()}
        named = {
            name: value for name, value in named.items() if name in self.parameters or not _is_ignored(name, value)
        }
        try:
            self.signature.bind(context, *(spread := self._spread(args)), **named)
        except TypeError as error:
            context.fail(str(error))
        return self.function(context, *spread, **named)

    def _parameter(self, name: str) -> str:
        if name in self.parameters:
            return name
        if name in _FIRST and self.parameters:
            return self.parameters[0]
        renamed = _RENAMED.get(name, name)
        return renamed if renamed in self.parameters else "dim" if renamed == "dims" else name

    def _spread(self, args: Sequence[object]) -> Sequence[object]:
        """Return the arguments with sizes as one list."""
        if self.sizes is None:
            return args
        place = self.parameters.index(self.sizes)
        if len(args) <= place or isinstance(args[place], (list, tuple)):
            return args
        return [*args[:place], list(args[place:])]


def _is_ignored(name: str, value: object) -> bool:
    return name in IGNORED_ARGUMENTS or (value is None and name in _DEPRECATED)


CONVERTERS: dict[str, Entry] = {}


def register(function: Converter, *names: str, sizes: str | None = None) -> None:
    """Add a converter under all names of its operator."""
    signature = inspect.signature(function)
    entry = Entry(function, signature, tuple(signature.parameters)[1:], sizes)
    for name in names:
        earlier = CONVERTERS.get(name, entry).function
        # a module registers again when it is imported again after an interrupt
        assert earlier.__module__ == function.__module__, f"two converters of {name}"
        CONVERTERS[name] = entry


def converts(*names: str, sizes: str | None = None) -> Callable[[_Function], _Function]:
    """Register the decorated function under all names of its operator."""

    def decorate(function: _Function) -> _Function:
        register(function, *names, sizes=sizes)
        return function

    return decorate


def lifts_scalars(function: _Function) -> _Function:
    """Make a converter of operators along axes take tensors of rank 0, which for torch have one axis of one element."""

    @wraps(function)
    def lifted(ctx: Context, x: RelaxExpr, *args: object, **options: object) -> object:
        if ctx.ndim(x):
            return function(ctx, x, *args, **options)
        result = function(ctx, ctx.reshape(x, [1]), *args, **options)
        assert isinstance(result, (RelaxExpr, tuple))
        if isinstance(result, RelaxExpr) and isinstance(info := result.struct_info, TupleStructInfo):
            result = tuple([ctx.item(result, place) for place in range(len(info.fields))])
        if isinstance(result, tuple):
            return tuple([ctx.reshape(value, []) for value in result])
        return ctx.reshape(result, [])

    return cast(_Function, lifted)


def find(name: str) -> tuple[Entry, bool] | None:
    """Return the converter of a name and whether the operation changes its first argument; None where there is none."""
    for candidate in (name, name.partition(".")[0]):
        if candidate in CONVERTERS:
            return CONVERTERS[candidate], candidate in _IN_PLACE_NAMES
        functional = _functional(candidate)
        if functional in CONVERTERS:
            return CONVERTERS[functional], True
    return None


def _functional(name: str) -> str:
    """Return the name of the operator that leaves its arguments as they are."""
    if name in _IN_PLACE_NAMES:
        return _IN_PLACE_NAMES[name]
    return name[:-1] if name.endswith("_") and not name.endswith("__") else name
