"""Apply a pass to the functions whose names match a pattern."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from tvmscript.ir.core import IRError, IRModule
from tvmscript.ir.transform.base import Pass
from tvmscript.ir.transform.context import PassInfo


class NoFunctionMatches(IRError, code="TS4083"):
    """No function name matches the pattern of `ApplyPassToFunction`. The pattern is a regular expression that must
    match a name from its start.
    """

    message = "no function of the module matches {pattern}; its functions are {names}"


@dataclass(frozen=True)
class ApplyPassToFunction(Pass):
    """Run a pass on a module of the functions whose names match a regular expression from the start.

    Functions that the pass adds or removes are added to or removed from the module. Raises `NoFunctionMatches` if
    `error_if_no_function_matches_regex` is set.
    """

    name = "ApplyPassToFunction"
    transform: Pass
    func_name_regex: str
    error_if_no_function_matches_regex: bool = False

    @cached_property
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
        submodule = mod.replace(functions=chosen)
        result: IRModule = self.transform(submodule)
        if result is submodule:
            return mod
        rest = {var: func for var, func in mod.items() if var not in chosen}
        return result.replace(functions={**rest, **result.functions})
