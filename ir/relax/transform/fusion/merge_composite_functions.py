"""MergeCompositeFunctions: larger functions for code generators."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import GlobalVar, IRModule, nodes, on
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import BindingBlock, Call, DataflowBlock, DataflowVar, Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.transform.fusion.common.annotate_codegen import codegen_name
from tvmscript.ir.relax.transform.fusion.common.groups import Group
from tvmscript.ir.relax.transform.fusion.common.outline import Outliner, is_fusible
from tvmscript.ir.relax.transform.normal_form.dead_code_elimination import DeadCodeElimination
from tvmscript.ir.relax.variables import all_vars
from tvmscript.ir.tir import rename_definitions
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True)
class MergeCompositeFunctions(Pass):
    """Outline neighbouring calls of composite functions of one code generator, which `relax.FuseOpsByPattern` makes, as
    a public function with the attribute `Codegen`. The composite functions become local functions of it. Runs
    `relax.DeadCodeElimination` afterwards.

    rewrite:
        lv = cls.fused_relax_matmul(x, w)     -->  gv = cls.fused_relax_matmul_relax_nn_relu_blas(x, w)
        gv = cls.fused_relax_nn_relu(lv)
    """

    name = "relax.MergeCompositeFunctions"

    def run(self, mod: IRModule) -> IRModule:
        groups: dict[Any, Group] = {}
        for func in mod.functions.values():
            if is_fusible(func):
                for block in nodes(func):
                    if isinstance(block, DataflowBlock):
                        groups.update(_CompositeGroups(mod, block).groups)
        if any(group.attrs for group in groups.values()):
            mod = _inline_composites(Outliner(mod, groups).run())
        return DeadCodeElimination().run(mod)


class _CompositeGroups:
    """The groups of one block: calls of one code generator, merged as long as no group depends on itself."""

    def __init__(self, mod: IRModule, block: DataflowBlock) -> None:
        self.groups: dict[Any, Group] = {}
        #: group -> groups that it depends on, directly or not
        self.dependencies: dict[Group, set[Group]] = {}
        for item in block.bindings:
            binding: Any = item
            used = [self.groups[var].root() for var in all_vars(binding.value) if var in self.groups]
            self.groups[binding.var] = self._add(_codegen_of(binding.value, mod), used)

    def _add(self, generator: str | None, used: list[Group]) -> Group:
        group = Group()
        self.dependencies[group] = set()
        if generator is not None:
            group.attrs = {"Codegen": generator}
            indirect = {other for producer in used for other in self.dependencies[producer]}
            for producer in dict.fromkeys(used):
                if producer.attrs == group.attrs and producer not in indirect and producer is not group:
                    group = self._merge(group, producer)
        for producer in {other.root() for other in used} - {group}:
            self.dependencies[group] |= {producer, *self.dependencies[producer]}
        return group

    def _merge(self, group: Group, other: Group) -> Group:
        """Merge two groups, and return the representative."""
        group.merge_into(other)
        self.dependencies[other] |= self.dependencies.pop(group)
        for groups in self.dependencies.values():
            if group in groups:
                groups.remove(group)
                groups.add(other)
        return other


def _codegen_of(value: object, mod: IRModule) -> str | None:
    """Return the code generator of the composite function that a value calls, None for other values."""
    callee: Any = value.op if isinstance(value, Call) else None
    func = mod.get(callee) if isinstance(callee, GlobalVar) else None
    name = func.attrs.get("Composite") if isinstance(func, Function) else None
    return None if name is None else codegen_name(str(name))


def _inline_composites(mod: IRModule) -> IRModule:
    """Make composite functions local functions of those that call them, and rename these for their code generators."""
    localizer = _Localizer(mod)
    functions: dict[Any, Any] = {
        var: _CallRenamer(mod, localizer).rewrite(func) if is_fusible(func) else func
        for var, func in mod.functions_items()
    }
    new_functions = dict(localizer.functions.values())
    rest = {
        var: func
        for var, func in functions.items()
        if var.name_hint not in localizer.functions and var.name_hint not in localizer.inlined
    }
    return mod.replace(functions={**rest, **new_functions})


class _CallRenamer(RelaxRewriter):
    """Replaces the calls of functions for code generators by those of their final forms."""

    def __init__(self, mod: IRModule, localizer: _Localizer) -> None:
        super().__init__()
        self.mod = mod
        self.localizer = localizer

    @on(Call)
    def call(self, node: Call) -> RelaxExpr:
        call = self.descend(node)
        func = self.mod.get(call.op) if isinstance(call.op, GlobalVar) else None
        if not isinstance(func, Function) or "Codegen" not in func.attrs or "global_symbol" in func.attrs:
            return call
        return Call(self.localizer.final_form(call.op, func), call.args, span=node.span)


class _Localizer(RelaxRewriter):
    """Rewriter of functions for code generators: composite functions become local, dataflow blocks plain ones."""

    def __init__(self, mod: IRModule) -> None:
        super().__init__(BlockBuilder(IRModule()))
        self.mod = mod
        #: name of a function -> its final form
        self.functions: dict[str, tuple[GlobalVar, Function]] = {}
        #: names of the composite functions that became local
        self.inlined: set[str] = set()

    def final_form(self, name: GlobalVar, func: Function) -> GlobalVar:
        if name.name_hint not in self.functions:
            symbol = f"{name.name_hint}_{func.attrs['Codegen']}"
            local: Function = self.rewrite(func)
            public = local.without_attr("Primitive").with_attr("global_symbol", symbol)
            self.functions[name.name_hint] = GlobalVar(symbol, struct_info=public.struct_info), public
        return self.functions[name.name_hint][0]

    def block(self, node: BindingBlock) -> None:
        self.builder.begin_block(False)
        for item in node.bindings:
            binding: Any = item
            var = binding.var
            if isinstance(var, DataflowVar):
                self.renamed[var] = Var(var.name_hint, var.struct_info)
            self.rewrite(binding.replace(var=self.renamed.get(var, var)))

    @on(Call)
    def call(self, node: Call) -> RelaxExpr:
        call = self.descend(node)
        if _codegen_of(call, self.mod) is None:
            return call
        self.inlined.add(call.op.name_hint)
        composite: Function = rename_definitions(self.mod[call.op].without_attr("Primitive"))
        return Call(composite, call.args, span=node.span)
