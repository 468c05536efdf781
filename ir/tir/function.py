"""Functions of TIR."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, ClassVar, Final, cast

from tvmscript.ir.core import HANDLE, BaseFunc
from tvmscript.ir.core.attrs import attribute, function_attributes
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.hooks import hook
from tvmscript.ir.core.node import Building, binds, filled, node
from tvmscript.ir.core.targets.target import Target
from tvmscript.ir.core.types import FuncType, PrimType, TupleType, Type
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.var import Var

#: attribute: the name of a function in errors of its arguments, where it is not its symbol
DISPLAY_NAME: Final = "tir.display_name"


class _Compilable:
    """Base that keeps what a function was compiled to, and allows weak references: caches do not keep it alive."""

    __slots__ = ("__dict__", "__weakref__")

    @cached_property
    def compiled(self) -> dict[Target | None, Callable[..., Any]]:
        """The compiled function for each target for which it was called."""
        return {}

    def __getstate__(self) -> tuple[None, Any]:
        """Leave compiled functions out of copies and pickles."""
        state: Any = object.__getstate__(self)
        return None, state[1]


@node
class PrimFunc(BaseFunc, _Compilable):
    """A function over scalars and buffers; `buffer_map` tells which handle parameters are buffers.

    A buffer among the parameters is one with a handle of its name.
    """

    params: tuple[Var, ...] = binds()
    body: Stmt
    #: None is "returns nothing"
    ret_type: Type | None = None
    buffer_map: dict[Var, Buffer] = binds(default=None)
    attrs: dict[str, Any] = filled(default=None)
    takes_values: ClassVar[bool] = True

    def __post_init__(self: Building) -> None:
        if self.buffer_map is None:
            self.buffer_map = {}
        params: tuple[Any, ...] = self.params
        handles = {param: Var(param.name, HANDLE) for param in params if isinstance(param, Buffer)}
        if handles:
            self.buffer_map = {**self.buffer_map, **{handle: buffer for buffer, handle in handles.items()}}
            self.params = params = tuple([handles.get(param, param) for param in params])
        self.attrs = function_attributes(self.attrs)
        if isinstance(self.ret_type, TupleType) and not self.ret_type.fields:
            self.ret_type = None
        # a map has no order of its own: that of the parameters makes equal functions look the same
        given: Mapping[Var, Buffer] = self.buffer_map
        ordered = {param: given[param] for param in params if param in given}
        for var in given:
            if var not in ordered:
                raise WrongType(where="buffer_map", expected="parameters of the function", got=var.name, span=self.span)
        if list(map(id, ordered)) != list(map(id, given)):
            self.buffer_map = ordered

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Compile the function for the current target, or for this CPU, when it is first called, and call it.

        Arguments are those of a built function; see `tvmscript.build`.
        """
        target = Target.current()
        compiled = self.compiled.get(target)
        if compiled is None:
            compiled = self.compiled[target] = compile_function(self, target)
        return compiled(*args, **kwargs)

    @property
    def struct_info(self) -> Any:
        """The FuncStructInfo that calls of the function from Relax have."""
        return struct_info_of(self)

    @property
    def checked_type(self) -> FuncType:
        """The types of the parameters and of the result."""
        params = [param.pointer_type or PrimType(param.dtype) for param in self.params]
        return FuncType(tuple(params), self.ret_type or TupleType())

    def with_attr(self, key: str | Mapping[str, object], value: object = None) -> PrimFunc:
        """The function with one attribute set, or several given as a mapping."""
        given = {key: value} if isinstance(key, str) else dict(key)
        return self.replace(attrs={**self.attrs, **{name: attribute(item) for name, item in given.items()}})

    def with_attrs(self, values: Mapping[str, object]) -> PrimFunc:
        """The function with several attributes set."""
        return self.with_attr(values)

    def without_attr(self, key: str) -> PrimFunc:
        """The function without an attribute."""
        return self.replace(attrs={name: item for name, item in self.attrs.items() if name != key})

    def specialize(self, param_map: Mapping[Var | Buffer | str, Buffer | Expr | int]) -> PrimFunc:
        """The function for some parameters that are known: `f.specialize({n: 128})`, also by name, `{"n": 128}`.

        Keys are parameters, their buffers, or sizes in the shapes of these. Raises `CannotSpecialize`.
        """
        return specialize(self, param_map)

    def with_body(self, body: Stmt) -> PrimFunc:
        """The function with another body."""
        if body is self.body:
            return self
        # schedules do this after each step: parameters and attributes were checked when this function was made
        func: Building = object.__new__(PrimFunc)
        for name in ("params", "ret_type", "buffer_map", "attrs", "span"):
            setattr(func, name, getattr(self, name))
        func.body = body
        return cast(PrimFunc, func)


@hook
def struct_info_of(func: PrimFunc) -> Any:
    """Return the struct info of a function."""
    raise NotImplementedError


@hook
def compile_function(func: PrimFunc, target: Target | None) -> Callable[..., Any]:
    """Compile a function that is called."""
    raise NotImplementedError


@hook
def specialize(func: PrimFunc, param_map: Mapping[Var | Buffer | str, Buffer | Expr | int]) -> PrimFunc:
    """Implement `PrimFunc.specialize`, which simplifies."""
    raise NotImplementedError
