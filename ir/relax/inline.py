"""Inline functions: put the bodies of graph functions in the place of their calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tvmscript.ir.core import GlobalVar, nodes, on
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.errors import RecursiveInlining
from tvmscript.ir.relax.expr import BindingBlock, Call, DataflowVar, If, Var, VarBinding
from tvmscript.ir.relax.function import Function, inline_calls
from tvmscript.ir.relax.infer_call import SizeUnifier
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info_lattice import BaseCheckResult
from tvmscript.ir.relax.variables import bound_vars, copy_with_new_vars
from tvmscript.ir.tir import substitute


class _Inliner(RelaxRewriter):
    """Rewriter that emits the bindings of callees before the binding of their call."""

    def __init__(self, functions: Mapping[str, Function]) -> None:
        super().__init__()
        self.functions = functions
        #: names of the functions that are being inlined
        self.open: list[str] = []

    @on(VarBinding)
    def var_binding(self, node: VarBinding) -> None:
        """Inline a call that is bound to a variable, which its result replaces if it has the same scope."""
        call = node.value
        if not isinstance(call, Call) or not isinstance(call.op, GlobalVar) or call.op.name_hint not in self.functions:
            super().var_binding(node)
            return
        name = call.op.name_hint
        value = self.inline(name, self.functions[name], [self.value(arg) for arg in call.args])
        if isinstance(value, Var) and (isinstance(node.var, DataflowVar) or not isinstance(value, DataflowVar)):
            self.renamed[node.var] = value
        else:
            self.builder.emit_normalized(node.replace(var=self.bound(node.var, value), value=value))

    def inline(self, name: str, func: Function, args: list[Any]) -> RelaxExpr:
        """Emit the bindings of a function, and return its result. Raises `RecursiveInlining`."""
        if name in self.open:
            raise RecursiveInlining(name=name)
        copy = copy_with_new_vars(func)
        values = self._bind_params(copy.params, args)
        body = substitute(copy.body, values)
        self.open.append(name)
        is_dataflow = self.builder.current_block_is_dataflow()
        for block in body.blocks:
            if not is_dataflow:
                self.block(block)
                continue
            for binding in block.bindings:
                self._emit_inside(binding)
        if not is_dataflow:
            self.builder.begin_block(False)
        self.open.pop()
        result: RelaxExpr = self.value(body.body)
        return result

    def _emit_inside(self, binding: Any) -> None:
        """Emit a binding into a dataflow block: the variables of plain blocks, and outputs, are visible there alone."""
        old = binding.var
        if type(old) is not Var:
            self.rewrite(binding)
            return
        new = self.renamed[old] = DataflowVar(old.name_hint, old.struct_info)
        self.rewrite(binding.replace(var=new))
        self.renamed[old] = self.renamed.get(new, new)

    def _bind_params(self, params: tuple[Var, ...], args: list[Any]) -> dict[Any, Any]:
        """Return the values of parameters and of their sizes; cast arguments that are less precise."""
        unifier = SizeUnifier()
        infos: list[StructInfo | None] = []
        for param, arg in zip(params, args, strict=True):
            info, known = param.struct_info, arg.struct_info
            is_precise = info is None or (known is not None and unifier.check(info, known) is BaseCheckResult.PASS)
            infos.append(None if is_precise else info)
        values: dict[Any, Any] = dict(unifier.sizes)
        for param, arg, info in zip(params, args, infos, strict=True):
            cast_info = None if info is None else substitute(info, unifier.sizes)
            values[param] = arg if cast_info is None else self.builder.match_cast(arg, cast_info, param.name_hint)
        return values


def without_dataflow(func: Function) -> Function:
    """Return a function whose blocks are plain ones."""
    visible: dict[Any, Any] = {
        var: Var(var.name_hint, var.struct_info) for var in bound_vars(func) if isinstance(var, DataflowVar)
    }

    plain: Function = _PlainBlocks(visible).rewrite(func)
    return plain


class _PlainBlocks(RelaxRewriter):
    """Rewriter that emits the bindings of all blocks into plain ones, to other variables."""

    def __init__(self, visible: Mapping[Any, Any]) -> None:
        super().__init__()
        self.visible = visible
        self.renamed.update(visible)

    def block(self, node: BindingBlock) -> None:
        """Emit the bindings of a block."""
        self.builder.begin_block(False)
        for binding in node.bindings:
            item: Any = binding
            self.rewrite(item.replace(var=self.visible.get(item.var, item.var)))


def _inline(func: Function, functions: Mapping[Any, Function], /) -> Function:
    by_name = {key if isinstance(key, str) else key.name_hint: value for key, value in functions.items()}
    called = {part.name_hint for part in nodes(func) if isinstance(part, GlobalVar)}
    if called.isdisjoint(by_name):
        return func
    if any(isinstance(part, If) for callee in by_name.values() for part in nodes(callee)):
        # a conditional cannot stand in a dataflow block
        func = without_dataflow(func)
    inlined: Function = _Inliner(by_name).rewrite(func)
    return inlined


inline_calls.fill(_inline)
