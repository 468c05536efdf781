"""AllocateWorkspace: give external functions the memory that they work in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tvmscript.ir.core import INT64, DType, GlobalVar, IRModule, nodes, on
from tvmscript.ir.core.python_settings import without_collection
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import (
    BindingBlock,
    Call,
    DataflowBlock,
    DataTypeImm,
    PrimValue,
    StringImm,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op import vm
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import ShapeExpr, TensorStructInfo
from tvmscript.ir.tir import IntImm
from tvmscript.ir.transform.base import Pass

#: the attribute of a function with the bytes of its workspace
_SIZE: Final = "WorkspaceSize"
_BYTE: Final = DType("uint8")


@dataclass(frozen=True)
class AllocateWorkspace(Pass):
    """Add a workspace to the parameters of functions with the attribute `WorkspaceSize`; their callers allocate it.

    All of them share one workspace of the largest size, which the first block of a caller allocates.

    rewrite:
        lv = cls.f(x)  -->  lv = R.vm.alloc_storage(R.shape([128]), R.prim_value(0), R.dtype("uint8"), R.str("global"))
                            workspace_main = R.vm.alloc_tensor(lv, R.prim_value(0), R.shape([128]), R.dtype("uint8"))
                            lv1 = cls.f1(x, workspace_main)
    """

    name = "relax.AllocateWorkspace"

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        functions = {var: func for var, func in mod.functions.items() if isinstance(func, Function)}
        sizes = {var: int(func.attrs[_SIZE]) for var, func in functions.items() if _SIZE in func.attrs}
        if not sizes:
            return mod
        builder = BlockBuilder(mod)
        rewriter = _WorkspaceRewriter(builder, max(sizes.values()))
        for var in sizes:
            rewritten: Function = rewriter.rewrite(functions[var])
            added = rewriter.replaced[var] = builder.add_func(rewritten, var.name_hint)
            if "global_symbol" in rewritten.attrs:
                builder.update_func(added, rewritten.with_attr("global_symbol", added.name_hint))
        for var, func in functions.items():
            if var not in sizes:
                builder.update_func(var, rewriter.rewrite(func))
        return _without(builder.finalize(), sizes)


def _without(mod: IRModule, removed: Mapping[GlobalVar, int]) -> IRModule:
    kept = {var: func for var, func in mod.functions.items() if var not in removed}
    return mod.replace(functions=kept)


class _WorkspaceRewriter(RelaxRewriter):
    """Rewriter of functions that take a workspace, and of those that call them."""

    def __init__(self, builder: BlockBuilder, size: int) -> None:
        super().__init__(builder)
        self.shape = ShapeExpr((IntImm(INT64, size),))
        #: functions that take a workspace: global ones and local variables
        self.replaced: dict[GlobalVar, GlobalVar] = {}
        self._local: set[Var] = set()
        self._workspace: Var | None = None
        self._allocates = False

    @on(Function)
    def function(self, node: Function) -> Function:
        outer = self._workspace, self._allocates
        if _SIZE in node.attrs:
            param = Var("workspace", TensorStructInfo(self.shape, _BYTE))
            self._workspace, self._allocates = param, False
            func = super().function(node)
            func = func.replace(params=(*func.params, param))
        else:
            self._workspace = None
            self._allocates = any(part in self.replaced for part in nodes(node.body) if isinstance(part, GlobalVar))
            func = super().function(node)
        self._workspace, self._allocates = outer
        return func

    def block(self, node: BindingBlock) -> None:
        if not self._allocates:
            super().block(node)
            return
        self._allocates = False
        self.builder.begin_block(isinstance(node, DataflowBlock))
        args = [self.shape, PrimValue(0), DataTypeImm(_BYTE), StringImm("global")]
        storage = self.builder.emit(Call(vm.alloc_storage, args))
        tensor = Call(vm.alloc_tensor, [storage, PrimValue(0), self.shape, DataTypeImm(_BYTE)])
        self._workspace = self.builder.emit(tensor, "workspace_main")
        for binding in node.bindings:
            self.rewrite(binding)

    @on(VarBinding)
    def var_binding(self, node: VarBinding) -> None:
        super().var_binding(node)
        if isinstance(node.value, Function) and _SIZE in node.value.attrs:
            self._local.add(node.var)

    @on(Call)
    def call(self, node: Call) -> Any:
        op: Any = node.op
        if op not in self.replaced and op not in self._local:
            return self.descend(node)
        assert self._workspace is not None
        callee: Any = self.replaced.get(op) or self.renamed.get(op, op)
        args = [*(self.value(arg) for arg in node.args), self._workspace]
        return Call(callee, args, node.attrs, node.sinfo_args, node.struct_info, node.span)
