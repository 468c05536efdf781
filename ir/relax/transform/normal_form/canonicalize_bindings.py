"""CanonicalizeBindings: remove bindings that only rename a value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule, nodes, on, structural_equal
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import (
    BindingBlock,
    Constant,
    DataflowBlock,
    DataflowVar,
    If,
    MatchCast,
    SeqExpr,
    Tuple,
    TupleGetItem,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.transform.base import RelaxFunctionPass


@dataclass(frozen=True)
class CanonicalizeBindings(RelaxFunctionPass):
    """Replace variables that are bound to another variable, to a constant, to a known field of a tuple, or to a cast
    that changes nothing.

    An output of a dataflow block that renames a variable of the block takes its binding. An output that is used in the
    block alone becomes a DataflowVar. Blocks that a removed binding kept apart become one, whose outputs stay until the
    pass runs again, as in TVM.

    rewrite:
        lv = R.add(x, y)    -->  gv = R.add(x, y)
        lv1 = lv
        gv = lv1
    """

    name = "relax.CanonicalizeBindings"

    def transform(self, func: Function, mod: IRModule) -> Function:
        rewritten: Function = _BindingCanonicalizer(_Plan(func)).rewrite(func)
        return rewritten


class _Plan:
    """Which bindings are removed, and what replaces variables."""

    def __init__(self, func: Function) -> None:
        #: variable -> the variable that replaces its uses
        self.uses: dict[Any, Any] = {}
        #: variable -> the variable that its binding is given to
        self.definitions: dict[Var, Var] = {}
        self.removed: set[Var] = set()
        #: item of a tuple -> the variable that it is
        self.items: dict[TupleGetItem, Var] = {}
        #: variable -> its value
        self.values: dict[Any, RelaxExpr] = {}
        self.blocks: dict[Var, BindingBlock] = {}
        names: dict[Var, Var] = {}
        blocks: list[BindingBlock] = []
        results: list[RelaxExpr] = []
        for part in nodes(func):
            if isinstance(part, BindingBlock):
                blocks.append(part)
            elif isinstance(part, SeqExpr):
                results.append(part.body)
        bindings: list[tuple[BindingBlock, Any]] = [(block, each) for block in blocks for each in block.bindings]
        for block, binding in bindings:
            value = self._known_item(binding.value)
            self.values[binding.var] = value
            self.blocks[binding.var] = block
            changes_nothing = isinstance(binding, VarBinding) or structural_equal(
                binding.var.struct_info, binding.value.struct_info
            )
            if isinstance(value, Var) and changes_nothing:
                names[binding.var] = value
            elif isinstance(value, Constant) and changes_nothing:
                self.uses[binding.var] = value
        used_outside, used_by_name = self._used_outside(bindings, results, names)
        for var, value in names.items():
            self.removed.add(var)
            original = _resolve(_resolve(value, names), self.definitions)
            inner_block = self.blocks.get(original)
            is_inner = isinstance(original, DataflowVar) or original not in used_by_name
            is_outer = var in used_outside or self.blocks[var] is not inner_block
            if isinstance(inner_block, DataflowBlock) and is_inner and is_outer and not isinstance(var, DataflowVar):
                self.definitions[original] = self.uses[original] = var
            else:
                self.uses[var] = original
        for var, block in self.blocks.items():
            is_inner = isinstance(block, DataflowBlock) and not isinstance(var, DataflowVar)
            if is_inner and var not in used_outside and var not in self.removed:
                inner = DataflowVar(var.name_hint, var.struct_info)
                self.definitions[var] = self.uses[var] = inner

    def _known_item(self, value: RelaxExpr) -> RelaxExpr:
        """Return the field that an item of a tuple is, the value itself for other values."""
        if not isinstance(value, TupleGetItem):
            return value
        fields: Any = _resolve(value.tuple_value, self.values)
        if not isinstance(fields, Tuple):
            return value
        field: RelaxExpr = fields.fields[value.index]
        if isinstance(field, Var):
            self.items[value] = field
        return field

    def _used_outside(
        self, bindings: Sequence[tuple[BindingBlock, Any]], results: Sequence[RelaxExpr], names: dict[Var, Var]
    ) -> tuple[set[Var], set[Var]]:
        """Return the variables that are used outside of the block that binds them, by any name and by their own."""
        used: set[Var] = set()
        used_by_name: set[Var] = set()

        def use(value: RelaxExpr, block: BindingBlock | None) -> None:
            for part in nodes(value):
                var: Any = part
                user_block = block
                while isinstance(var, Var):
                    used.update([var] if self.blocks.get(var) is not block else [])
                    used_by_name.update([var] if self.blocks.get(var) is not user_block else [])
                    var, user_block = names.get(var), self.blocks.get(var)

        for result in results:
            use(result, None)
        for block, binding in bindings:
            value = self.values[binding.var]
            value = value.cond if isinstance(value, If) else value
            # names are removed; functions and sequences have blocks that are visited themselves
            if binding.var not in names and not isinstance(value, (Function, SeqExpr)):
                use(value, block)
        return used, used_by_name


def _resolve(value: Any, values: dict[Any, Any]) -> Any:
    while value in values:
        value = values[value]
    return value


class _BindingCanonicalizer(RelaxRewriter):
    """Applies a plan."""

    def __init__(self, plan: _Plan) -> None:
        super().__init__()
        self.plan = plan
        self.renamed.update(plan.uses)

    @on(Var)
    def use(self, node: Var) -> Any:
        return _resolve(node, self.renamed)

    @on(TupleGetItem)
    def item(self, node: TupleGetItem) -> Any:
        field = self.plan.items.get(node)
        return self.descend(node) if field is None else self.value(field)

    @on(VarBinding)
    def var_binding(self, node: VarBinding) -> None:
        if node.var in self.plan.removed:
            return
        var = _resolve(node.var, self.plan.definitions)
        super().var_binding(node if var is node.var else node.replace(var=var))

    @on(MatchCast)
    def match_cast(self, node: MatchCast) -> None:
        if node.var in self.plan.removed:
            return
        var = _resolve(node.var, self.plan.definitions)
        super().match_cast(node if var is node.var else node.replace(var=var))
