"""What a pass is: a small frozen value whose fields are its options."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar, Final, cast

from tvmscript.ir.core.errors import DuplicateName, WrongType
from tvmscript.ir.core.flags import deep_recursion
from tvmscript.ir.core.module import BaseFunc, GlobalVar, IRModule
from tvmscript.ir.core.observers import Observers
from tvmscript.ir.tir.function import PrimFunc


class Form(Enum):
    """What a program looks like: what a pass works on. Each form comes out of those above it by lowering."""

    #: blocks with axes, inits, matched buffers: what people write
    BLOCKS = "blocks"
    #: blocks without axes and inits
    OPAQUE_BLOCKS = "blocks without axes"
    #: loops over buffers, without blocks
    LOOPS = "loops"
    #: loops over flat memory: each access has one index
    FLAT = "loops over flat memory"
    #: functions of a host and kernels of a device, apart
    KERNELS = "host functions and device kernels"


def option(key: str, default: Any) -> Any:
    """A field of a pass that the option `key` of the pass context sets, such as `tir.vtcm_capacity`."""
    return field(default=default, metadata={"option": key})


@dataclass(frozen=True)
class Pass(ABC):
    """Turns a valid module into a valid module with the same meaning; the input is never changed.

    Calling it with a function instead of a module gives a function. The fields are its options.
    """

    #: TVM's name, such as `tir.LowerInitBlock`
    name: ClassVar[str]
    #: name -> class, of those that are loaded
    registry: ClassVar[dict[str, type[Pass]]] = {}
    #: the lowest optimization level of a pass context at which `Sequential` runs it
    opt_level: ClassVar[int] = 0
    #: passes that `Sequential` runs before, by name
    required: ClassVar[tuple[str, ...]] = ()

    # What is promised, and tested with random programs:
    #: the form of program that it works on; it takes the later ones too, unless it says so
    takes: ClassVar[Form] = Form.BLOCKS
    #: a second run changes nothing
    is_idempotent: ClassVar[bool] = True
    #: the program computes the same bits; False where the order of float operations changes, or their dtype
    is_exact: ClassVar[bool] = True

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
