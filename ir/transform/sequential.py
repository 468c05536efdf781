"""A sequence of passes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tvmscript.ir.core import IRModule, WrongType
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.context import PassContext, PassInfo
from tvmscript.ir.transform.registry import get_pass


@dataclass(frozen=True, init=False)
class Sequential(Pass):
    """Run passes one after the other, except those that the current `PassContext` skips.

    The required passes of a pass run before it, whatever the optimization level is. Raises `WrongType` if an element is
    not a pass, `UnknownName` for an unknown required pass.
    """

    name = "sequential"
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
        if not isinstance(passes, (list, tuple)) or not all(isinstance(step, Pass) for step in passes):
            raise WrongType(where="Sequential", expected="a list of passes", got=repr(passes))
        object.__setattr__(self, "passes", tuple(passes))
        object.__setattr__(self, "own", PassInfo(opt_level, name, tuple(required or ()), traceable, text=name))

    @cached_property
    def info(self) -> PassInfo:
        return self.own

    def run(self, mod: IRModule) -> IRModule:
        context = PassContext.current()
        for step in self.passes:
            info = step.info
            if context.runs(info):
                for name in info.required:
                    mod = get_pass(name)(mod)
                mod = step(mod)
        return mod
