"""The functions whose names match a pattern are what a pass makes of them; the others stay."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.core.errors import IRError
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.context import PassInfo


class NoFunctionMatches(IRError):
    """A pass is to be applied to functions of certain names, and the module has none of such a name. The pattern is a
    regular expression, which has to match a name from its start.
    """

    code = "TS4083"
    message = "no function of the module matches {pattern}; it has {names}"


@dataclass(frozen=True)
class ApplyPassToFunction(Pass):
    """The pass runs on a module of those functions alone whose names match the regular expression from their start.

    Functions that the pass adds are added, those that it takes away are gone. Raises `NoFunctionMatches` if asked to.
    """

    name: ClassVar[str] = "ApplyPassToFunction"
    transform: Pass
    func_name_regex: str
    error_if_no_function_matches_regex: bool = False

    @property
    def info(self) -> PassInfo:
        inner = self.transform.info
        name = f"ApplyPassTo{self.func_name_regex}"
        return PassInfo(0, name, text=f"{inner.text} on {self.func_name_regex}", summary=inner.summary)

    def run(self, mod: IRModule) -> IRModule:
        chosen = {var: func for var, func in mod.items() if re.match(self.func_name_regex, var.name_hint)}
        if not chosen:
            if self.error_if_no_function_matches_regex:
                names = ", ".join(var.name_hint for var in mod)
                raise NoFunctionMatches(pattern=repr(self.func_name_regex), names=names)
            return mod
        part = mod.replace(functions=chosen)
        made: IRModule = self.transform(part)
        if made is part:
            return mod
        rest = {var: func for var, func in mod.items() if var not in chosen}
        return made.replace(functions={**rest, **made.functions})
