"""Modules as functions of their own: `define_subroutine = True` in a class."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from typing import Any, ClassVar, Final
from weakref import WeakKeyDictionary

from tvmscript.frontend.nn.errors import NotExporting
from tvmscript.frontend.nn.tensor import Tensor
from tvmscript.ir.core import GlobalVar
from tvmscript.ir.core.equality.hashing import structural_hash
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Tuple, Var
from tvmscript.ir.relax.struct_info import TupleStructInfo
from tvmscript.ir.relax.variables import copy_with_new_vars

#: (module class, hash of the arguments' struct info, whether the body is dataflow) -> function, whether its result is
#: a tensor of nn
_Subroutines = dict[tuple[type, int, bool], tuple[GlobalVar, bool]]
_DEFINED: Final[WeakKeyDictionary[BlockBuilder, _Subroutines]] = WeakKeyDictionary()


class SubroutineMixin:
    """Makes `forward` a call of a private function where the class sets `define_subroutine`.

    The function is defined once for each class and struct info of the arguments.
    """

    define_subroutine: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        """Wrap `forward` of a subclass."""
        super().__init_subclass__()
        forward: Any = getattr(cls, "forward", None)
        if forward is not None and not getattr(forward, "is_subroutine_call", False):
            wrapped: Any = _dispatch(forward)
            cls.forward = wrapped  # type: ignore[attr-defined]  # subclasses define it

    def parameters(self) -> Any:
        """Yield the parameters."""
        raise NotImplementedError


def _dispatch(forward: Callable[..., Any]) -> Callable[..., Any]:
    """Return `forward`, or a call of its function where the class defines one."""

    @functools.wraps(forward)
    def call(self: SubroutineMixin, *args: Any, **kwargs: Any) -> Any:
        if not self.define_subroutine:
            return forward(self, *args, **kwargs)
        builder = BlockBuilder.current()
        if builder is None:
            raise NotExporting(what=f"{type(self).__name__}.forward", needed="a function under construction")
        bound = inspect.signature(forward).bind(self, *args, **kwargs).arguments
        arguments = {name: _normalize(builder, value) for name, value in list(bound.items())[1:]}
        return _call_subroutine(builder, self, forward, arguments)

    call.is_subroutine_call = True  # type: ignore[attr-defined]  # read by __init_subclass__
    return call


def _normalize(builder: BlockBuilder, value: Any) -> Any:
    """Return a tensor, or an expression that has struct info."""
    if isinstance(value, tuple):
        fields: tuple[Any, ...] = value
        value = Tuple(tuple([_expression(_normalize(builder, field)) for field in fields]))
    return value


def _expression(value: Any) -> Any:
    return value.expr if isinstance(value, Tensor) else value


def _info(value: Any) -> StructInfo:
    info: StructInfo = _expression(value).struct_info
    return info


def _call_subroutine(
    builder: BlockBuilder, module: SubroutineMixin, forward: Callable[..., Any], arguments: dict[str, Any]
) -> Any:
    """Return the call of the function of a module, which is defined first where it is new."""
    function, is_tensor = _subroutine_of(builder, module, forward, arguments)
    values = [_expression(value) for value in arguments.values()]
    result: Any = function(*values, *[param.expr for param in module.parameters()])
    if not is_tensor:
        return result
    return Tensor(_expr=builder.emit(result, f"{function.name_hint}_output"))


def _subroutine_of(
    builder: BlockBuilder, module: SubroutineMixin, forward: Callable[..., Any], arguments: dict[str, Any]
) -> tuple[GlobalVar, bool]:
    """Return the function of a module for these arguments, and whether its result is a tensor of nn."""
    defined = _DEFINED.setdefault(builder, {})
    weights: list[Var] = [param.expr for param in module.parameters()]
    infos = [_info(value) for value in arguments.values()]
    in_dataflow = builder.current_block_is_dataflow()
    info = TupleStructInfo((*infos, *[_info(weight) for weight in weights]))
    key = (type(module), structural_hash(info, map_free_vars=True), in_dataflow)
    if key not in defined:
        variables = [Var(name, info) for name, info in zip(arguments, infos, strict=True)]
        inner = [
            Tensor(_expr=variable) if isinstance(value, Tensor) else variable
            for variable, value in zip(variables, arguments.values(), strict=True)
        ]
        name = _snake_case(type(module).__name__)
        with builder.function(name, [*variables, *weights], private=True):
            result, is_tensor = _emit_body(builder, lambda: forward(module, *inner), in_dataflow)
            function = builder.emit_func_output(result)
        body: Any = builder.get()[function]
        # parameters of the module and sizes are variables of the caller too
        builder.update_func(function, copy_with_new_vars(body))
        defined[key] = function, is_tensor
    return defined[key]


def _emit_body(builder: BlockBuilder, fill: Callable[[], Any], in_dataflow: bool) -> tuple[RelaxExpr, bool]:
    """Bind the body of a function; return its result, and whether that is a tensor of nn."""
    if not in_dataflow:
        value = fill()
        return _expression(value), isinstance(value, Tensor)
    with builder.dataflow():
        value = fill()
        return builder.emit_output(_expression(value)), isinstance(value, Tensor)


def _snake_case(name: str) -> str:
    """Return `layer_norm` for `LayerNorm`, `my_gpt_block` for `MyGPTBlock`."""
    words = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub("([a-z0-9])([A-Z])", r"\1_\2", words).lower()
