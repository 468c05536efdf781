"""RemoveUnusedOutputs: drop results of private functions that no call uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import GlobalVar, IRModule, nodes, on
from tvmscript.ir.relax.expr import BindingBlock, Call, SeqExpr, StringImm, Tuple, TupleGetItem, Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import TupleStructInfo
from tvmscript.ir.relax.transform.normal_form.canonicalize_bindings import CanonicalizeBindings
from tvmscript.ir.relax.transform.normal_form.dead_code_elimination import DeadCodeElimination
from tvmscript.ir.relax.transform.parameters.common.signatures import called_private_functions
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True)
class RemoveUnusedOutputs(Pass):
    """Drop the fields of tuples that private functions return and no call of them uses. A tuple of one field becomes
    the field. Runs `relax.CanonicalizeBindings` and `relax.DeadCodeElimination` afterwards.

    rewrite:
        def f(x): return (x, R.exp(x))    -->  def f(x): return x
        lv = cls.f(x)                     -->  y = cls.f(x)
        y = lv[0]
    """

    name = "relax.RemoveUnusedOutputs"

    def run(self, mod: IRModule) -> IRModule:
        counts = {
            var.name_hint: len(func.ret_struct_info.fields)
            for var, func in called_private_functions(mod).items()
            if isinstance(func.ret_struct_info, TupleStructInfo)
        }
        used: dict[str, set[int]] = {name: set() for name in counts}
        for func in mod.functions.values():
            _add_used_fields(func, used, counts)
        kept = {name: sorted(indices) for name, indices in used.items() if 0 < len(indices) < counts[name]}
        reduced = {
            var.name_hint: _with_fields(func, kept[var.name_hint])
            for var, func in mod.functions.items()
            if var.name_hint in kept and isinstance(func, Function)
        }
        names = {name: GlobalVar(name, struct_info=func.struct_info) for name, func in reduced.items()}
        functions: dict[Any, Any] = {}
        rewriter = _CallRewriter(names, kept, counts)
        for var, func in mod.functions_items():
            new_func: Any = reduced.get(var.name_hint, func)
            functions[names.get(var.name_hint, var)] = (
                rewriter.rewrite(new_func) if isinstance(new_func, Function) else new_func
            )
        new_mod = CanonicalizeBindings().run(mod.replace(functions=functions) if kept else mod)
        return DeadCodeElimination().run(new_mod)


def _add_used_fields(func: object, used: Mapping[str, set[int]], counts: Mapping[str, int]) -> None:
    """Add the fields of results of calls that a function uses: all of a result that is not only taken apart."""
    if not isinstance(func, Function):
        return
    results: dict[Any, str] = {}
    for binding in nodes(func):
        value: Any = binding.value if isinstance(binding, VarBinding) else None
        callee = value.op if isinstance(value, Call) else None
        if isinstance(binding, VarBinding) and isinstance(callee, GlobalVar) and callee.name_hint in counts:
            results[binding.var] = callee.name_hint
    items = [part for part in nodes(func) if isinstance(part, TupleGetItem) and part.tuple_value in results]
    for item in items:
        used[results[item.tuple_value]].add(item.index)
    uses = Counter(part for part in nodes(func) if part in results)
    for var, name in results.items():
        taken = sum(item.tuple_value is var for item in items)
        if uses[var] > taken + 1:  # its binding is one of the uses
            used[name].update(range(counts[name]))


def _with_fields(func: Function, indices: Sequence[int]) -> Function:
    """Return a function with some fields of its result."""
    body = func.body
    result: Any = body.body
    bindings: list[VarBinding] = []
    items: list[Any] = []
    for index in indices:
        if isinstance(result, Tuple):
            items.append(result.fields[index])
        else:
            value = TupleGetItem(result, index)
            items.append(Var("gv", value.struct_info))
            bindings.append(VarBinding(items[-1], value))
    blocks = (*body.blocks, BindingBlock(tuple(bindings)))
    new_result = items[0] if len(items) == 1 else Tuple(tuple(items))
    return func.replace(body=SeqExpr(blocks, new_result), ret_struct_info=None, struct_info=None)


class _CallRewriter(RelaxRewriter):
    """Rewriter of calls: the result becomes a tuple of the fields that are left, in their old places."""

    def __init__(
        self, names: Mapping[str, GlobalVar], kept: Mapping[str, Sequence[int]], counts: Mapping[str, int]
    ) -> None:
        super().__init__()
        self.names = names
        self.kept = kept
        self.counts = counts

    @on(Call)
    def call(self, node: Call) -> Any:
        call = self.descend(node)
        name = call.op.name_hint if isinstance(call.op, GlobalVar) else ""
        if name not in self.names:
            return call
        indices = self.kept[name]
        result = self.builder.emit(Call(self.names[name], call.args, span=node.span))
        items = [result]
        if len(indices) > 1:
            items = [self.builder.emit(TupleGetItem(result, place)) for place in range(len(indices))]
        fields = dict(zip(indices, items, strict=True))
        return Tuple(tuple(fields.get(index, StringImm("unused")) for index in range(self.counts[name])))
