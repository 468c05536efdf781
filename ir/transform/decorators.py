"""Passes that people write: `@module_pass`, `@prim_func_pass` above a function or a class.

    @prim_func_pass(opt_level=0)
    def mark(func, mod, ctx):
        return func.with_attr("marked", 1)

    @module_pass(opt_level=0)
    class KeepOne:
        def __init__(self, name): self.name = name
        def transform_module(self, mod, ctx): return IRModule({self.name: mod[self.name]})

A function becomes a pass, a class one that makes passes; its methods and attributes stay. The context is the current
`PassContext`. Such passes stand in no registry.
"""

from __future__ import annotations

import inspect
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic, TypeVar, overload

from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.module import BaseFunc, IRModule
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.base import Pass, PrimFuncPass
from tvmscript.ir.transform.context import PassContext, PassInfo


@dataclass(frozen=True, eq=False)
class UserPass(Pass):
    """A pass that Python code of a user does; equal to itself alone."""

    own: ClassVar[PassInfo]

    def __init_subclass__(cls) -> None:
        """It is not registered: the next cell of a notebook may define it anew."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    @property
    def info(self) -> PassInfo:
        return self.own


class ModulePass(UserPass):
    """A pass that `module_pass` made."""

    @abstractmethod
    def transform_module(self, mod: IRModule, ctx: PassContext) -> IRModule:
        """The transformed module."""

    def run(self, mod: IRModule) -> IRModule:
        made = self.transform_module(mod, PassContext.current())
        if not isinstance(made, IRModule):
            raise WrongType(where=f"the result of the pass {self.info.name}", expected="a module", got=repr(made))
        return made


class FunctionPass(UserPass):
    """A pass that looks at the functions of one kind, one after the other."""

    #: the functions that it looks at
    kind: ClassVar[type[BaseFunc]] = PrimFunc

    @abstractmethod
    def transform_function(self, func: Any, mod: IRModule, ctx: PassContext) -> Any:
        """The transformed function; None takes it out of the module."""

    def run(self, mod: IRModule) -> IRModule:
        context = PassContext.current()
        functions = dict(mod.functions)
        changed = False
        for var in mod.functions:
            func = functions[var]
            if not isinstance(func, self.kind):
                continue
            made = self.transform_function(func, mod, context)
            if made is not None and not isinstance(made, self.kind):
                kind = f"a {self.kind.__name__}, or None"
                raise WrongType(where=f"the result of the pass {self.info.name}", expected=kind, got=repr(made))
            changed |= made is not func
            if made is None:
                del functions[var]
            else:
                functions[var] = made
        return mod.replace(functions=functions) if changed else mod


class PrimFuncFunctionPass(FunctionPass, PrimFuncPass):
    """A pass that `prim_func_pass` made."""

    def transform(self, func: PrimFunc) -> PrimFunc:
        made: PrimFunc = self(func)
        return made


PassT = TypeVar("PassT", bound=UserPass)


class PassDecorator(Generic[PassT]):
    """A decorator like `module_pass`: passes derive from `base`, and what a user wrote is its `method`."""

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
        """The pass of a function, the class of passes of a class; without one, the decorator that makes it.

        Raises `WrongType` for other things, and where there is no `opt_level`.
        """
        if opt_level is None:
            raise WrongType(where=self.what, expected="an opt_level", got="none")
        level = opt_level

        def make(given: Any) -> Any:
            if not callable(given):
                raise WrongType(where=self.what, expected="a function or a class", got=repr(given))
            own_name = name or str(getattr(given, "__name__", "pass"))
            summary = (inspect.getdoc(given) or "").partition("\n")[0]
            needed: Any = () if required is None else required
            info = PassInfo(level, own_name, needed, traceable, text=own_name, summary=summary)
            if inspect.isclass(given):
                return _of_class(given, self.base, self.method, info)
            return _of_function(given, self.base, self.method, info)

        return make if pass_func is None else make(pass_func)


def _of_class(given: type[Any], base: type[UserPass], method: str, info: PassInfo) -> type[UserPass]:
    if not callable(getattr(given, method, None)):
        raise WrongType(where=f"the pass {info.name}", expected=f"a method {method}", got=f"none in {given.__name__}")
    members = {"name": info.name, "own": info, "__doc__": given.__doc__, "__module__": given.__module__}
    return type(given.__name__, (given, base), members)


def _of_function(given: Callable[..., Any], base: type[UserPass], method: str, info: PassInfo) -> UserPass:
    def call(_: Any, *args: Any) -> Any:
        return given(*args)

    members = {
        "name": info.name,
        "own": info,
        method: call,
        "__doc__": given.__doc__,
        "__module__": getattr(given, "__module__", ""),
    }
    made: UserPass = type(info.name, (base,), members)()
    return made


#: `@module_pass(opt_level=0)` above `f(mod, ctx) -> IRModule`, or a class with such a method `transform_module`
module_pass: Final = PassDecorator[ModulePass](ModulePass, "transform_module", "module_pass")
#: `@prim_func_pass(opt_level=0)` above `f(func, mod, ctx) -> PrimFunc | None`, or a class with `transform_function`
prim_func_pass: Final = PassDecorator[PrimFuncFunctionPass](
    PrimFuncFunctionPass, "transform_function", "prim_func_pass"
)
