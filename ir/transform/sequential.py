"""Passes run one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.context import PassContext, PassInfo
from tvmscript.ir.transform.registry import get_pass


@dataclass(frozen=True, init=False)
class Sequential(Pass):
    """Passes one after the other, those that the current `PassContext` runs.

    Before a pass those run that it requires; they are asked for by name, and run whatever the context's level is.
    Raises `WrongType` where something among the passes is none, `UnknownName` for a required pass of no such name.
    """

    name: ClassVar[str] = "sequential"
    passes: tuple[Pass, ...]
    own: PassInfo

    def __init__(
        self,
        passes: Sequence[Pass] = (),
        opt_level: int = 0,
        name: str = "sequential",
        required: Sequence[str] = (),
        traceable: bool = False,
    ) -> None:
        if not isinstance(passes, list | tuple) or not all(isinstance(each, Pass) for each in passes):
            raise WrongType(where="Sequential", expected="a list of passes", got=repr(passes))
        object.__setattr__(self, "passes", tuple(passes))
        object.__setattr__(self, "own", PassInfo(opt_level, name, tuple(required or ()), traceable, text=name))

    @property
    def info(self) -> PassInfo:
        return self.own

    def run(self, mod: IRModule) -> IRModule:
        context = PassContext.current()
        for each in self.passes:
            info = each.info
            if context.runs(info):
                for name in info.required:
                    mod = get_pass(name)(mod)
                mod = each(mod)
        return mod
