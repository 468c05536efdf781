"""What a pass is: a small frozen value whose fields are its options."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import Any, ClassVar, cast

from tvmscript.ir.analysis.from_te import is_from_te
from tvmscript.ir.core.errors import DuplicateName, WrongType
from tvmscript.ir.core.module import BaseFunc, GlobalVar, IRModule
from tvmscript.ir.core.recursion import deep_recursion, without_collection
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.context import GLOBAL_INSTRUMENTS, PassContext, PassInfo, PassInstrument
from tvmscript.ir.transform.function_features import Features, features, statement_features
from tvmscript.ir.transform.options import default_of


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

    Calling it with a function instead of a module gives a function. The fields are its options: those left at their
    defaults take what the current `PassContext` says.
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
    #: names of passes that may as well run before as after it: the program is the same
    commutes_with: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "name" in cls.__dict__:
            if cls.name in Pass.registry:
                raise DuplicateName(kind="pass", name=cls.name)
            Pass.registry[cls.name] = cls

    @property
    def info(self) -> PassInfo:
        """Name, level and the like."""
        return PassInfo(
            self.opt_level,
            self.name,
            self.required,
            text=self.text,
            summary=self.summary(),
            is_exact=self.is_exact,
        )

    @property
    def text(self) -> str:
        """The pass as the command line takes it: `tir.UnrollLoop{auto_max_step=16}`."""
        values = [(each.name, getattr(self, each.name), default_of(each)) for each in fields(self)]
        words = [f"{name}={value!r}" for name, value, default in values if value != default]
        return f"{self.name}{{{', '.join(words)}}}" if words else self.name

    @classmethod
    def summary(cls) -> str:
        """What is true afterwards, in a line: the first of the file it stands in."""
        return (sys.modules[cls.__module__].__doc__ or "").strip().partition("\n")[0]

    @abstractmethod
    def run(self, mod: IRModule) -> IRModule:
        """The transformed module."""

    def configured(self, config: Mapping[str, Any]) -> Pass:
        """The pass with the options of a pass context where its own fields are at their defaults."""
        group: Mapping[str, Any] = config.get(self.name, {})
        found: dict[str, Any] = {}
        for each in fields(self):
            key = str(each.metadata.get("option"))
            value = config.get(key) if key in config else group.get(each.name)
            if value is not None and getattr(self, each.name) == each.default != value:
                found[each.name] = bool(value) if isinstance(each.default, bool) else value
        return replace(self, **found) if found else self

    def __call__(self, program: Any) -> Any:
        """The transformed module or function. Raises `WrongType` for anything else, and what instruments raise."""
        with deep_recursion():
            if isinstance(program, IRModule):
                return self._instrumented(program)
            if isinstance(program, BaseFunc):
                made = self._instrumented(IRModule({cast(Any, GlobalVar("main")): program}))
                return made["main"]
        raise WrongType(where=f"the pass {self.info.name}", expected="a module or a function", got=repr(program))

    def _instrumented(self, mod: IRModule) -> IRModule:
        """What the pass makes of a module in the current context."""
        context = PassContext.current()
        each = self.configured(context.config) if context.config else self
        if not GLOBAL_INSTRUMENTS and not context.instruments:
            return each.run(mod)
        info = each.info
        if info.name not in context.required_pass:
            # all of them are asked, as in TVM
            answers = [item.should_run(mod, info) for item in (*GLOBAL_INSTRUMENTS, *context.instruments)]
            if not all(answers):
                return mod
        instruments = (*GLOBAL_INSTRUMENTS, *context.instruments)
        begun: list[PassInstrument] = []
        try:
            for item in instruments:
                item.run_before_pass(mod, info)
                begun.append(item)
            made = each.run(mod)
            for item in instruments:
                item.run_after_pass(made, info)
                begun.remove(item)
        except BaseException as error:
            for item in begun:
                item.run_failed_pass(mod, info, error)
            raise
        return made


@dataclass(frozen=True)
class PrimFuncPass(Pass):
    """A pass that looks at one PrimFunc at a time."""

    # Where none of these occurs in a function, it stays as it is (see features.py); both None: each is looked at.
    #: in its statements
    looks_for: ClassVar[Features | None] = None
    #: in its values: operators, classes of expressions, element types
    looks_for_in_values: ClassVar[Features | None] = None
    #: what comes from TE schedules has been through other passes, and stays as it is
    skips_te: ClassVar[bool] = False

    @abstractmethod
    def transform(self, func: PrimFunc) -> PrimFunc:
        """The transformed function; the same object where nothing changed."""

    def run(self, mod: IRModule) -> IRModule:
        with without_collection():
            functions = {
                var: self.transform(func) if isinstance(func, PrimFunc) and self._concerns(func) else func
                for var, func in mod.functions.items()
            }
        if all(functions[var] is func for var, func in mod.functions.items()):
            return mod
        return mod.replace(functions=functions)

    def _concerns(self, func: PrimFunc) -> bool:
        if self.skips_te and is_from_te(func):
            return False
        outside, inside = self.looks_for, self.looks_for_in_values
        if outside is not None and not outside.isdisjoint(statement_features(func)):
            return True
        return not inside.isdisjoint(features(func)) if inside is not None else outside is None
