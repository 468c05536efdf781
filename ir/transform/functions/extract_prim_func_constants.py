"""Collect the constants of all functions in an attribute of the module."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule, on
from tvmscript.ir.tir import AllocateConst, PrimFunc, Stmt, TirRewriter
from tvmscript.ir.transform.base import Pass

#: the attribute of the module
CONSTANTS = "constants"
#: dtype, shape, bytes
_Key = tuple[str, tuple[int, ...], bytes]


class _ConstantIndexer(TirRewriter):
    """Append each constant to the list unless it is there, and set the index of its allocation."""

    def __init__(self, constants: list[Any]) -> None:
        super().__init__()
        self.constants = constants
        self.index_of: dict[_Key, int] = {}
        for index, data in enumerate(constants):
            self.index_of.setdefault(_key(data), index)

    @on(AllocateConst)
    def allocate_const(self, node: AllocateConst) -> Stmt:
        index = self.index_of.setdefault(_key(node.data), len(self.constants))
        if index == len(self.constants):
            self.constants.append(node.data)
        allocate: AllocateConst = self.descend(node)
        return allocate if allocate.irmod_storage_idx == index else allocate.replace(irmod_storage_idx=index)


def _key(data: Any) -> _Key:
    return data.dtype, tuple(data.shape), data.tobytes()


@dataclass(frozen=True)
class ExtractPrimFuncConstants(Pass):
    """Append the data of all `T.allocate_const` to the module attribute `constants`, and set `irmod_storage_idx` to the
    index. Equal data is listed once. Allocations keep their data.

    rewrite:
        c = T.allocate_const([1, 2], "int32", [2])  -->  I.module_attrs({"constants": [T.data("int32", [2], [1, 2])]})
                                                         c = T.allocate_const([1, 2], "int32", [2])
    """

    name = "tir.ExtractPrimFuncConstants"
    is_idempotent = True

    def run(self, mod: IRModule) -> IRModule:
        before = list(mod.attrs.get(CONSTANTS, ()))
        indexer = _ConstantIndexer(list(before))
        functions = {
            var: func.with_body(indexer.rewrite(func.body)) if isinstance(func, PrimFunc) else func
            for var, func in mod.functions.items()
        }
        if all(functions[var] is func for var, func in mod.functions.items()):
            return mod
        new_mod = mod.replace(functions=functions)
        return new_mod if len(indexer.constants) == len(before) else new_mod.with_attr(CONSTANTS, indexer.constants)
