"""Outlining: bindings of a group become a private function, which the graph calls instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tvmscript.ir.core import GlobalVar, IRModule, Op, nodes, on
from tvmscript.ir.core.name_supply import NameSupply
from tvmscript.ir.relax.analysis.visit import post_order_visit
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import (
    BindingBlock,
    Call,
    Constant,
    DataflowBlock,
    DataflowVar,
    ExternFunc,
    MatchCast,
    PrimValue,
    SeqExpr,
    ShapeExpr,
    StringImm,
    Tuple,
    TupleGetItem,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.call_tir import call_tir
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import ShapeStructInfo, TupleStructInfo
from tvmscript.ir.relax.transform.fusion.common.groups import Group
from tvmscript.ir.relax.variables import copy_with_new_vars, defined_symbolic_vars, free_symbolic_vars

#: how the name of the function of a group begins
_PREFIX = "fused_"


class OutlinedFunction:
    """The function of a group. Values from outside of the group become parameters.

    With `lift_constants`, constants become parameters too.
    """

    def __init__(self, attrs: dict[str, Any], lift_constants: bool) -> None:
        self.attrs = attrs
        self.lift_constants = lift_constants
        self.name = _PREFIX.removesuffix("_")
        self.bindings: list[VarBinding | MatchCast] = []
        #: values from outside -> parameters, in order
        self.params: dict[Any, Var] = {}
        #: variables of the group that are used outside of it
        self.outputs: list[Var] = []
        #: tuples from outside of which only items are used -> indices of the items
        self._items: dict[Any, list[int]] = {}
        self._defined: set[Var] = set()
        self._constant_names = NameSupply()

    def append(self, binding: VarBinding | MatchCast) -> None:
        """Add a binding, after those that it depends on."""
        self.bindings.append(binding)
        self._defined.add(binding.var)
        value: Any = binding.value
        if isinstance(value, TupleGetItem):
            self._param(value.tuple_value)
            indices = self._items.get(value.tuple_value)
            if indices is not None and value.index not in indices:
                indices.append(value.index)
        elif isinstance(value, Call):
            self.name += f"_{_callee_name(value)}"
            for argument in value.args[1].fields if value.op is call_tir else value.args:  # type: ignore[union-attr]
                self._param(argument)
                self._items.pop(argument, None)
        elif isinstance(value, Tuple):
            for field in value.fields:
                self._param(field)
                self._items.pop(field, None)
        else:
            self._param(value)
            self._items.pop(value, None)

    def _param(self, value: Any) -> None:
        """Add a parameter for a value from outside. Scalars and functions stay where they are."""
        is_constant = isinstance(value, Constant)
        if value in self.params or value in self._defined or (is_constant and not self.lift_constants):
            return
        if isinstance(value, Tuple):
            for field in value.fields:
                self._param(field)
            return
        if isinstance(value, (PrimValue, GlobalVar, Op, ExternFunc)):
            return
        if isinstance(value.struct_info, TupleStructInfo):
            self._items[value] = []
        name = value.name_hint if isinstance(value, Var) else f"param_{self._constant_count()}"
        self.params[value] = Var(name, value.struct_info)

    def _constant_count(self) -> int:
        return sum(not isinstance(value, Var) for value in self.params)

    def append_output(self, var: Var) -> None:
        """Make a variable of the group a result of the function."""
        if var not in self.outputs:
            self.outputs.append(var)

    def build(self) -> tuple[Function, list[RelaxExpr]]:
        """Return the function and the arguments of its call."""
        items: dict[tuple[Any, int], Var] = {}
        params: list[Var] = []
        arguments: list[RelaxExpr] = []
        for value, param in self.params.items():
            if value not in self._items:
                params.append(param)
                arguments.append(value)
                continue
            for index in self._items[value]:
                item: RelaxExpr = TupleGetItem(value, index)
                items[value, index] = Var(f"{param.name_hint}_{index}", item.struct_info)
                params.append(items[value, index])
                arguments.append(item)
        body = _BodyBuilder(self, items).body()
        function = Function(tuple(params), body, attrs=self.attrs)
        free = set(free_symbolic_vars(function))
        used: list[Any] = [part for binding in self.bindings for part in nodes(binding.value) if part in free]
        sizes = tuple(dict.fromkeys(used))
        if sizes:
            params.append(Var("tir_vars", ShapeStructInfo(sizes)))
            arguments.append(ShapeExpr(sizes))
            function = Function(tuple(params), body, attrs=self.attrs)
        return _with_own_sizes(function), arguments


def _callee_name(call: Call) -> str:
    callee: Any = call.args[0] if call.op is call_tir else call.op
    return str(getattr(callee, "name", None) or getattr(callee, "name_hint", "")).removeprefix(_PREFIX)


def _with_own_sizes(func: Function) -> Function:
    """Return the function with its own size variables, and so its own parameters."""
    return copy_with_new_vars(func) if defined_symbolic_vars(func) else func


class _BodyBuilder(RelaxRewriter):
    """Builds the body of a function: one dataflow block, with the parameters in the place of values from outside."""

    def __init__(self, outlined: OutlinedFunction, items: Mapping[tuple[Any, int], Var]) -> None:
        super().__init__()
        self.outlined = outlined
        self.items = items
        self.renamed.update(outlined.params)

    @on(Constant, ShapeExpr, StringImm)
    def leaf(self, node: Any) -> Any:
        return self.renamed.get(node, node)

    def body(self) -> SeqExpr:
        """Return the sequence of the bindings. Several outputs become a tuple."""
        outputs = self.outlined.outputs

        def fill() -> RelaxExpr:
            self.builder.begin_block(True)
            for binding in self.outlined.bindings:
                self._binding(binding)
            results: list[Any] = [self.renamed.get(output, output) for output in outputs]
            return results[0] if len(results) == 1 else Tuple(tuple(results))

        return self.builder.sequence(fill)

    def _binding(self, binding: VarBinding | MatchCast) -> None:
        value = binding.value
        if isinstance(value, TupleGetItem) and (value.tuple_value, value.index) in self.items:
            self.renamed[binding.var] = self.items[value.tuple_value, value.index]
        elif binding.var in self.outlined.outputs:
            self.renamed[binding.var] = self.builder.emit_output(self.value(value))
        else:
            self.rewrite(binding)


class Outliner(RelaxRewriter):
    """Rewriter that replaces the bindings of groups in dataflow blocks by calls of new functions of the module."""

    def __init__(self, mod: IRModule, groups: Mapping[Any, Group], lift_constants: bool = True) -> None:
        super().__init__(BlockBuilder(mod))
        #: variable -> its group, for variables of dataflow blocks
        self.groups = groups
        self.lift_constants = lift_constants

    def run(self) -> IRModule:
        """Return the module with the groups of its functions outlined."""
        mod = self.builder.get()
        for var, func in mod.functions_items():
            if is_fusible(func):
                rewritten = self.rewrite(func)
                if rewritten is not func:
                    self.builder.update_func(var, rewritten)
        return self.builder.finalize()

    def _group(self, var: Var) -> Group | None:
        group = self.groups.get(var)
        return None if group is None else group.root()

    def block(self, node: BindingBlock) -> None:
        """Emit the bindings of a block, those of groups as calls."""
        functions: dict[Group, OutlinedFunction] = {}
        if isinstance(node, DataflowBlock):
            functions = self._functions(node)
        if not functions:
            super().block(node)
            return
        self.builder.begin_block(True)
        for binding in _sorted_by_group(node.bindings, self._group):
            group = self._group(binding.var)
            if group is None or group not in functions:
                self.rewrite(binding)
            elif binding is functions[group].bindings[-1]:
                self._emit_call(functions[group])

    def _functions(self, block: DataflowBlock) -> dict[Group, OutlinedFunction]:
        functions: dict[Group, OutlinedFunction] = {}
        for item in block.bindings:
            binding: Any = item
            group = self._group(binding.var)
            if group is not None and (group.size > 1 or group.attrs):
                function = functions.get(group)
                if function is None:
                    attrs = {**group.attrs, "Primitive": 1}
                    function = functions[group] = OutlinedFunction(attrs, self.lift_constants)
                function.append(binding)
        for item in block.bindings:
            binding = item
            group = self._group(binding.var)
            for var in _used_vars(binding.value):
                producer = self._group(var)
                if producer is not group and producer in functions:
                    functions[producer].append_output(var)
            if group in functions and not isinstance(binding.var, DataflowVar):
                functions[group].append_output(binding.var)
        return functions

    def _emit_call(self, outlined: OutlinedFunction) -> None:
        """Add the function to the module, and emit its call. A group without outputs is dead."""
        outputs = outlined.outputs
        if not outputs:
            return
        function, arguments = outlined.build()
        name = self.builder.add_func(function, outlined.name)
        call = Call(name, [self.value(argument) for argument in arguments])
        emit = self.builder.emit if isinstance(outlined.bindings[-1].var, DataflowVar) else self.builder.emit_output
        result = emit(call)
        if len(outputs) == 1:
            self.renamed[outputs[0]] = result
            return
        for binding in outlined.bindings:
            if binding.var in outputs:
                item = TupleGetItem(result, outputs.index(binding.var))
                emit = self.builder.emit if isinstance(binding.var, DataflowVar) else self.builder.emit_output
                self.renamed[binding.var] = emit(item)


def is_primitive(func: Function) -> bool:
    """Whether a function is an outlined group."""
    value = func.attrs.get("Primitive", 0)
    return bool(getattr(value, "value", value))


def is_fusible(func: object) -> bool:
    """Whether the bindings of a function may be grouped: it is a graph function that is not a group itself."""
    return isinstance(func, Function) and not is_primitive(func) and "Codegen" not in func.attrs


def _used_vars(value: RelaxExpr) -> Iterator[Var]:
    used: list[Any] = []
    post_order_visit(value, used.append)
    return (part for part in used if isinstance(part, Var))


def _sorted_by_group(bindings: Sequence[Any], group_of: Any) -> Iterable[Any]:
    """Return bindings with those of each group together, after the groups that they depend on."""
    members: dict[Any, list[Any]] = {}
    producers: dict[Any, list[Any]] = {}
    for binding in bindings:
        group = group_of(binding.var) or binding.var
        members.setdefault(group, []).append(binding)
        used = [group_of(var) or var for var in _used_vars(binding.value)]
        producers.setdefault(group, []).extend(producer for producer in used if producer is not group)
    done: set[Any] = set()
    ordered: list[Any] = []
    for first in members:
        stack = [(first, iter(producers.get(first, ())))]
        while stack:
            group, rest = stack[-1]
            producer = None if group in done else next(rest, None)
            if producer is not None:
                if producer not in done and producer in members:
                    stack.append((producer, iter(producers[producer])))
                continue
            stack.pop()
            if group not in done:
                done.add(group)
                ordered += members[group]
    return ordered
