"""The classes `Pass` and `PrimFuncPass`."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import cache, cached_property
from typing import Any, ClassVar, Final, cast

from tvmscript.ir.analysis.from_te import is_from_te
from tvmscript.ir.core import BaseFunc, GlobalVar, IRModule
from tvmscript.ir.core.errors import DuplicateName, WrongType, is_same_definition
from tvmscript.ir.core.python_settings import deep_recursion, without_collection
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform.context import GLOBAL_INSTRUMENTS, PassContext, PassInfo, PassInstrument
from tvmscript.ir.transform.function_features import Features, features, statement_features
from tvmscript.ir.transform.options import Kind, default_of

#: the beginning of the note of an exception that a pass raises
_NOTE: Final = "raised in the pass "
#: annotation of a field -> the type of the option
_TYPES: Final = {"bool": Kind.FLAG, "int": Kind.NUMBER, "str": Kind.TEXT}


class Form(Enum):
    """Forms of a program, in order of lowering; a pass works on one of them."""

    #: blocks with axes, inits and matched buffers, as written by users
    BLOCKS = "blocks"
    #: blocks without axes and inits
    OPAQUE_BLOCKS = "blocks without axes"
    #: loops over buffers, without blocks
    LOOPS = "loops"
    #: loops over flat buffers: one index per access
    FLAT = "loops over flat memory"
    #: separate host functions and device kernels
    KERNELS = "host functions and device kernels"


def option(key: str, default: object) -> Any:
    """Return a field of a pass that the option `key` of the pass context sets, such as `tir.vtcm_capacity`."""
    return field(default=default, metadata={"option": key})


@dataclass(frozen=True)
class Pass(ABC):
    """A transformation of a valid module to a valid module with the same meaning. The input is not modified.

    Calling a pass with a function returns a function. The fields of a pass are its options; a field at its default
    takes the value of the current `PassContext`.
    """

    #: TVM's name, such as `tir.LowerInitBlock`
    name: ClassVar[str]
    #: name -> class of the loaded passes
    registry: ClassVar[dict[str, type[Pass]]] = {}
    #: the minimal optimization level at which `Sequential` runs the pass
    opt_level: ClassVar[int] = 0
    #: names of passes that `Sequential` runs before
    required: ClassVar[tuple[str, ...]] = ()

    # Properties, tested with random programs:
    #: the earliest form of program that the pass accepts
    takes: ClassVar[Form] = Form.BLOCKS
    #: whether a second run changes nothing; a pass that does not say so is not expected to be
    is_idempotent: ClassVar[bool] = False
    #: whether results are bit-identical; False if the order or dtype of float operations changes
    is_exact: ClassVar[bool] = True
    #: names of passes that commute with this one
    commutes_with: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "name" in cls.__dict__:
            if not is_same_definition(Pass.registry.get(cls.name, cls), cls):
                raise DuplicateName(kind="pass", name=cls.name)
            Pass.registry[cls.name] = cls

    def __post_init__(self) -> None:
        for name, expected in _typed_options(type(self)):
            value = getattr(self, name)
            if not expected.accepts(value):
                where = f"{getattr(self, 'name', type(self).__name__)}.{name}"
                raise WrongType(where=where, expected=expected.value, got=repr(value))

    @cached_property
    def info(self) -> PassInfo:
        """Name, optimization level and other properties."""
        return PassInfo(
            self.opt_level, self.name, self.required, text=self.text, summary=self.summary(), is_exact=self.is_exact
        )

    @property
    def text(self) -> str:
        """The text form of the pass: `tir.UnrollLoop{auto_max_step=16}`."""
        values = [
            (option_field.name, getattr(self, option_field.name), default_of(option_field))
            for option_field in fields(self)
        ]
        options = [f"{name}={value!r}" for name, value, default in values if value != default]
        return f"{self.name}{{{', '.join(options)}}}" if options else self.name

    @classmethod
    def summary(cls) -> str:
        """Return the first line of the docstring of its module."""
        module = sys.modules.get(cls.__module__)
        return ("" if module is None else module.__doc__ or "").strip().partition("\n")[0]

    @abstractmethod
    def run(self, mod: IRModule) -> IRModule:
        """Return the transformed module."""

    def may_change(self, mod: IRModule) -> bool:
        """Return False if the pass certainly returns the module itself."""
        return True

    def configured(self, config: Mapping[str, Any]) -> Pass:
        """Return the pass with options of a pass context for fields that are at their defaults."""
        group: Mapping[str, Any] = config.get(self.name, {})
        changes: dict[str, object] = {}
        for option_field in fields(self):
            name, default = option_field.name, option_field.default
            key = str(option_field.metadata.get("option"))
            value = config.get(key) if key in config else group.get(name)
            if value is not None and getattr(self, name) == default != value:
                changes[name] = bool(value) if isinstance(default, bool) else value
        return replace(self, **changes) if changes else self

    @deep_recursion
    def __call__(self, program: object) -> Any:
        """Return the transformed module or function. Raises `WrongType` for anything else."""
        if isinstance(program, IRModule):
            return self._run_instrumented(program)
        if isinstance(program, BaseFunc):
            new_mod = self._run_instrumented(IRModule({cast(Any, GlobalVar("main")): program}))
            return new_mod["main"]
        raise WrongType(where=f"the pass {self.info.name}", expected="a module or a function", got=repr(program))

    def _run_instrumented(self, mod: IRModule) -> IRModule:
        """Run the pass in the current context."""
        context = PassContext.current()
        configured = self.configured(context.config) if context.config else self
        if not GLOBAL_INSTRUMENTS and not context.instruments:
            return configured._run_with_note(mod)
        info = configured.info
        if info.name not in context.required_pass:
            # call all of them, as in TVM
            answers = [instrument.should_run(mod, info) for instrument in (*GLOBAL_INSTRUMENTS, *context.instruments)]
            if not all(answers):
                return mod
        instruments = (*GLOBAL_INSTRUMENTS, *context.instruments)
        started: list[PassInstrument] = []
        try:
            for instrument in instruments:
                instrument.run_before_pass(mod, info)
                started.append(instrument)
            new_mod = configured._run_with_note(mod)
            for instrument in instruments:
                instrument.run_after_pass(new_mod, info)
                started.remove(instrument)
        except BaseException as error:
            for instrument in started:
                instrument.run_failed_pass(mod, info, error)
            raise
        return new_mod

    def _run_with_note(self, mod: IRModule) -> IRModule:
        """Run the pass. A note names the innermost pass that raises an exception."""
        try:
            return self.run(mod)
        except Exception as error:
            if not any(note.startswith(_NOTE) for note in getattr(error, "__notes__", ())):
                error.add_note(f"{_NOTE}{self.info.text}")
            raise


@cache
def _typed_options(cls: type[Pass]) -> list[tuple[str, Kind]]:
    """Return the options of a pass that have a type of `_TYPES`."""
    kinds = [(option_field.name, _TYPES.get(str(option_field.type))) for option_field in fields(cls)]
    return [(name, kind) for name, kind in kinds if kind is not None]


@dataclass(frozen=True)
class PrimFuncPass(Pass):
    """A pass that transforms each PrimFunc separately."""

    # A function without any of these features is skipped (see function_features.py); both None: no function is skipped.
    #: features of statements
    looks_for: ClassVar[Features | None] = None
    #: features of values: operators, classes of expressions, element dtypes
    looks_for_in_values: ClassVar[Features | None] = None
    #: whether functions from TE schedules are skipped; other passes have lowered them
    skips_te: ClassVar[bool] = False

    @abstractmethod
    def transform(self, func: PrimFunc) -> PrimFunc:
        """Return the transformed function; the same object if nothing changes."""

    def may_change(self, mod: IRModule) -> bool:
        for func in mod.functions.values():  # noqa: SIM110  # asked often: no generator
            if isinstance(func, PrimFunc) and self._applies_to(func):
                return True
        return False

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        functions = {
            var: self.transform(func) if isinstance(func, PrimFunc) and self._applies_to(func) else func
            for var, func in mod.functions.items()
        }
        if all(functions[var] is func for var, func in mod.functions.items()):
            return mod
        return mod.replace(functions=functions)

    def _applies_to(self, func: PrimFunc) -> bool:
        if self.skips_te and is_from_te(func):
            return False
        outside, inside = self.looks_for, self.looks_for_in_values
        if outside is not None and not outside.isdisjoint(statement_features(func)):
            return True
        return not inside.isdisjoint(features(func)) if inside is not None else outside is None
