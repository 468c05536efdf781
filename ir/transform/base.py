"""What a pass is: a small frozen value whose fields are its options."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Final, cast

from tvmscript.ir.core.errors import DuplicateName, UnknownName, WrongType
from tvmscript.ir.core.flags import deep_recursion
from tvmscript.ir.core.module import BaseFunc, GlobalVar, IRModule
from tvmscript.ir.core.names import closest
from tvmscript.ir.core.observers import Observers
from tvmscript.ir.tir.function import PrimFunc


@dataclass(frozen=True)
class Pass(ABC):
    """Turns a valid module into a valid module with the same meaning; the input is never changed.

    Calling it with a function instead of a module gives a function.
    """

    #: TVM's name, such as `tir.LowerInitBlock`
    name: ClassVar[str]
    #: name -> class
    registry: ClassVar[dict[str, type[Pass]]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "name" in cls.__dict__:
            if cls.name in Pass.registry:
                raise DuplicateName(kind="pass", name=cls.name)
            Pass.registry[cls.name] = cls

    @abstractmethod
    def run(self, mod: IRModule) -> IRModule:
        """The transformed module."""

    def __call__(self, program: Any) -> Any:
        """The transformed module or function. Raises `WrongType` for anything else, and what `OBSERVERS` raise."""
        with deep_recursion():
            if isinstance(program, IRModule):
                return self._observed(program)
            if isinstance(program, BaseFunc):
                made = self._observed(IRModule({cast(Any, GlobalVar("main")): program}))
                return made["main"]
        raise WrongType(where=f"the pass {self.name}", expected="a module or a function", got=repr(program))

    def _observed(self, mod: IRModule) -> IRModule:
        made = self.run(mod)
        if OBSERVERS:
            OBSERVERS.tell(self, mod, made)
        return made


#: Called after every pass, those inside of `Sequential` too, with the pass, its input and its result.
OBSERVERS: Final[Observers[Pass, IRModule, IRModule]] = Observers()


@dataclass(frozen=True)
class PrimFuncPass(Pass):
    """A pass that looks at one PrimFunc at a time."""

    @abstractmethod
    def transform(self, func: PrimFunc) -> PrimFunc:
        """The transformed function; the same object where nothing changed."""

    def run(self, mod: IRModule) -> IRModule:
        functions = {
            var: self.transform(func) if isinstance(func, PrimFunc) else func for var, func in mod.functions.items()
        }
        if all(functions[var] is func for var, func in mod.functions.items()):
            return mod
        return mod.replace(functions=functions)


@dataclass(frozen=True)
class Sequential(Pass):
    """Passes one after the other."""

    name: ClassVar[str] = "Sequential"
    passes: tuple[Pass, ...] = ()

    def run(self, mod: IRModule) -> IRModule:
        for each in self.passes:
            mod = each(mod)
        return mod


def get_pass(name: str, *args: Any, **options: Any) -> Pass:
    """The pass of this name, such as `tir.Simplify`, with these options. Raises `UnknownName`."""
    try:
        cls = Pass.registry[name]
    except KeyError:
        raise UnknownName(kind="pass", name=name, hint=closest(name, Pass.registry)) from None
    return cls(*args, **options)
