"""The module has its constants in one list, each once, and functions tell where theirs are in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import AllocateConst
from tvmscript.ir.transform.base import Pass

#: The attribute of the module.
CONSTANTS = "constants"
#: dtype, shape, bytes
_Key = tuple[str, tuple[int, ...], bytes]


class _Places(TirRewriter):
    """Each constant is told where it is in the list, which has it then."""

    def __init__(self, constants: list[Any]) -> None:
        super().__init__()
        self.constants = constants
        self.known: dict[_Key, int] = {}
        for place, data in enumerate(constants):
            self.known.setdefault(_key(data), place)

    @on(AllocateConst)
    def allocate_const(self, node: AllocateConst) -> Stmt:
        place = self.known.setdefault(_key(node.data), len(self.constants))
        if place == len(self.constants):
            self.constants.append(node.data)
        made: AllocateConst = self.descend(node)
        return made if made.irmod_storage_idx == place else made.replace(irmod_storage_idx=place)


def _key(data: Any) -> _Key:
    return data.dtype, tuple(data.shape), data.tobytes()


@dataclass(frozen=True)
class ExtractPrimFuncConstants(Pass):
    """The module's attribute `constants` lists the data of all `T.allocate_const`, equal data once, behind what it
    lists already; each allocation has its place in the list as `irmod_storage_idx`, and its data as before.

    rewrite:
        c = T.allocate_const([1, 2], "int32", [2])  -->  I.module_attrs({"constants": [T.data("int32", [2], [1, 2])]})
                                                         c = T.allocate_const([1, 2], "int32", [2])
    """

    name: ClassVar[str] = "tir.ExtractPrimFuncConstants"

    def run(self, mod: IRModule) -> IRModule:
        before = list(mod.attrs.get(CONSTANTS, ()))
        places = _Places(list(before))
        functions = {
            var: func.with_body(places.rewrite(func.body)) if isinstance(func, PrimFunc) else func
            for var, func in mod.functions.items()
        }
        if all(functions[var] is func for var, func in mod.functions.items()):
            return mod
        made = mod.replace(functions=functions)
        return made if len(places.constants) == len(before) else made.with_attr(CONSTANTS, places.constants)
