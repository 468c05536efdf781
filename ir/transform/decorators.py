"""Decorators for user-defined passes: `@module_pass` and `@prim_func_pass` on a function or a class.

    @prim_func_pass(opt_level=0)
    def mark(func, mod, ctx):
        return func.with_attr("marked", 1)

    @module_pass(opt_level=0)
    class KeepOne:
        def __init__(self, name): self.name = name
        def transform_module(self, mod, ctx): return IRModule({self.name: mod[self.name]})

A decorated function becomes a pass. A decorated class becomes a class of passes that keeps its methods and attributes.
`ctx` is the current `PassContext`. User-defined passes have no names for `get_pass`, unless `import_passes` of
`user_passes` registers those of a module.
"""

from __future__ import annotations

import inspect
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final, Generic, TypeVar, overload

from tvmscript.ir.core import BaseFunc, IRModule, WrongType
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.base import Pass, PrimFuncPass
from tvmscript.ir.transform.context import PassContext, PassInfo


@dataclass(frozen=True, eq=False)
class UserPass(Pass):
    """A user-defined pass; equal only to itself."""

    own: ClassVar[PassInfo]

    def __init_subclass__(cls) -> None:
        """Skip registration: a notebook may define the pass again."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    @cached_property
    def info(self) -> PassInfo:
        return self.own


class ModulePass(UserPass):
    """A pass from `module_pass`."""

    @abstractmethod
    def transform_module(self, mod: IRModule, ctx: PassContext) -> IRModule:
        """Return the transformed module."""

    def run(self, mod: IRModule) -> IRModule:
        new_mod = self.transform_module(mod, PassContext.current())
        if not isinstance(new_mod, IRModule):
            raise WrongType(where=f"the result of the pass {self.info.name}", expected="a module", got=repr(new_mod))
        return new_mod


class FunctionPass(UserPass):
    """A pass that transforms the functions of one class separately."""

    #: the class of the functions
    kind: ClassVar[type[BaseFunc]] = PrimFunc

    @abstractmethod
    def transform_function(self, func: Any, mod: IRModule, ctx: PassContext) -> Any:
        """Return the transformed function; None removes it from the module."""

    def run(self, mod: IRModule) -> IRModule:
        context = PassContext.current()
        functions = dict(mod.functions)
        changed = False
        for var in mod.functions:
            func = functions[var]
            if not isinstance(func, self.kind):
                continue
            new_func = self.transform_function(func, mod, context)
            if new_func is not None and not isinstance(new_func, self.kind):
                kind = f"a {self.kind.__name__}, or None"
                raise WrongType(where=f"the result of the pass {self.info.name}", expected=kind, got=repr(new_func))
            changed |= new_func is not func
            if new_func is None:
                del functions[var]
            else:
                functions[var] = new_func
        return mod.replace(functions=functions) if changed else mod


class PrimFuncFunctionPass(FunctionPass, PrimFuncPass):
    """A pass from `prim_func_pass`."""

    def transform(self, func: PrimFunc) -> PrimFunc:
        new_func: PrimFunc = self(func)
        return new_func


PassT = TypeVar("PassT", bound=UserPass)


class PassDecorator(Generic[PassT]):
    """A decorator such as `module_pass`: passes derive from `base`, and user code becomes its `method`."""

    def __init__(self, base: Any, method: str, what: str) -> None:
        self.base, self.method, self.what = base, method, what

    @overload
    def __call__(
        self,
        pass_func: None = None,
        opt_level: int | None = None,
        name: str | None = None,
        required: Sequence[str] | None = None,
        traceable: bool = False,
    ) -> Callable[[Callable[..., Any]], PassT]: ...

    @overload
    def __call__(
        self,
        pass_func: Callable[..., Any],
        opt_level: int | None = None,
        name: str | None = None,
        required: Sequence[str] | None = None,
        traceable: bool = False,
    ) -> PassT: ...

    def __call__(
        self,
        pass_func: Any = None,
        opt_level: int | None = None,
        name: str | None = None,
        required: Sequence[str] | None = None,
        traceable: bool = False,
    ) -> Any:
        """Return the pass of a function or the pass class of a class; without an argument, the decorator.

        Raises `WrongType` for other values, and if `opt_level` is missing.
        """
        if opt_level is None:
            raise WrongType(where=self.what, expected="an opt_level", got="none")
        level = opt_level

        def make(definition: Any) -> Any:
            if not callable(definition):
                raise WrongType(where=self.what, expected="a function or a class", got=repr(definition))
            own_name = name or str(getattr(definition, "__name__", "pass"))
            summary = (inspect.getdoc(definition) or "").partition("\n")[0]
            needed: Any = () if required is None else required
            info = PassInfo(level, own_name, needed, traceable, text=own_name, summary=summary)
            if inspect.isclass(definition):
                return _make_pass_class(definition, self.base, self.method, info)
            return _make_pass(definition, self.base, self.method, info)

        return make if pass_func is None else make(pass_func)


def _make_pass_class(definition: type[Any], base: type[UserPass], method: str, info: PassInfo) -> type[UserPass]:
    if not callable(getattr(definition, method, None)):
        raise WrongType(
            where=f"the pass {info.name}", expected=f"a method {method}", got=f"none in {definition.__name__}"
        )
    members = {"name": info.name, "own": info, "__doc__": definition.__doc__, "__module__": definition.__module__}
    return type(definition.__name__, (definition, base), members)


def _make_pass(definition: Callable[..., Any], base: type[UserPass], method: str, info: PassInfo) -> UserPass:
    def call(_: Any, *args: Any) -> Any:
        return definition(*args)

    members = {
        "name": info.name,
        "own": info,
        method: call,
        "__doc__": definition.__doc__,
        "__module__": getattr(definition, "__module__", ""),
    }
    user_pass: UserPass = type(info.name, (base,), members)()
    return user_pass


#: `@module_pass(opt_level=0)` above `f(mod, ctx) -> IRModule`, or a class with such a method `transform_module`
module_pass: Final = PassDecorator[ModulePass](ModulePass, "transform_module", "module_pass")
#: `@prim_func_pass(opt_level=0)` above `f(func, mod, ctx) -> PrimFunc | None`, or a class with `transform_function`
prim_func_pass: Final = PassDecorator[PrimFuncFunctionPass](
    PrimFuncFunctionPass, "transform_function", "prim_func_pass"
)
