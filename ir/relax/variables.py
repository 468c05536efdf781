"""Variables of functions: which are used, bound, free; what they are bound to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from tvmscript.ir.core.module import GlobalVar
from tvmscript.ir.core.node import Node
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Binding, Call, DataflowBlock, MatchCast, Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.struct_info import FuncStructInfo
from tvmscript.ir.relax.symbolic_shape import definable_tir_vars_in_struct_info, tir_vars_in_struct_info
from tvmscript.ir.tir.var import Var as SizeVar

T = TypeVar("T")


def _unique(items: Iterable[T]) -> list[T]:
    return list(dict.fromkeys(items))


def _bound_vars(program: Node) -> Iterator[Var]:
    for part in nodes(program):
        if isinstance(part, VarBinding | MatchCast):
            yield part.var
        elif isinstance(part, Function):
            yield from part.params


def all_vars(program: Node) -> list[Var]:
    """Every variable of values, each once, in the order of the text."""
    return _unique(part for part in nodes(program) if isinstance(part, Var))


def bound_vars(program: Node) -> list[Var]:
    """Parameters and variables that are bound."""
    return _unique(_bound_vars(program))


def free_vars(program: Node) -> list[Var]:
    """Variables that the program uses and does not bind."""
    inside = set(_bound_vars(program))
    return [var for var in all_vars(program) if var not in inside]


def all_global_vars(program: Node) -> list[GlobalVar]:
    """The functions of the module that the program names."""
    return _unique(part for part in nodes(program) if isinstance(part, GlobalVar))


def defined_symbolic_vars(func: Function) -> list[SizeVar]:
    """The size variables that the parameters of a function define, and the casts in it."""
    return _unique(_defined_size_vars(func))


def _defined_size_vars(func: Function) -> Iterator[SizeVar]:
    for part in nodes(func):
        infos: tuple[Any, ...] = ()
        if isinstance(part, Function):
            infos = tuple(param.struct_info for param in part.params)
        elif isinstance(part, MatchCast):
            infos = (part.struct_info,)
        for info in infos:
            if info is not None:
                yield from definable_tir_vars_in_struct_info(info)


def free_symbolic_vars(func: Function) -> list[SizeVar]:
    """The size variables that a function uses and nothing in it defines."""
    defined = set(_defined_size_vars(func))
    used: list[SizeVar] = []
    for part in nodes(func):
        if isinstance(part, SizeVar):
            used.append(part)
        elif isinstance(part, Var) and part.struct_info is not None:
            used += tir_vars_in_struct_info(part.struct_info)
    return [var for var in _unique(used) if var not in defined]


def iter_bindings(program: Node) -> Iterator[VarBinding | MatchCast]:
    """Every binding, those of branches and functions inside included."""
    return (part for part in nodes(program) if isinstance(part, VarBinding | MatchCast))


def name_to_binding(func: Function) -> dict[str, list[Binding]]:
    """The bindings of each name; as in TVM, those of branches and of functions inside do not count."""
    found: dict[str, list[Binding]] = {}
    for block in func.body.blocks:
        for binding in block.bindings:
            if isinstance(binding, VarBinding | MatchCast):
                found.setdefault(binding.var.name_hint, []).append(binding)
    return found


def get_var2val(func: Function) -> dict[Var, RelaxExpr]:
    """The value of each variable; a cast says more than its value, and is none."""
    return {binding.var: binding.value for binding in iter_bindings(func) if isinstance(binding, VarBinding)}


def udchain(block: DataflowBlock) -> dict[Var, list[Var]]:
    """Which variables of a block each variable is used by."""
    found: dict[Var, list[Var]] = {}
    for binding in block.bindings:
        if isinstance(binding, VarBinding | MatchCast):
            for var in all_vars(binding.value):
                found.setdefault(var, []).append(binding.var)
            found.setdefault(binding.var, [])
    return found


def is_impure_call(call: Call) -> bool:
    """Whether a call may have side effects: of an operator that does, or of a function that says so. What nothing is
    known of counts as impure, as in TVM.
    """
    if isinstance(call.op, Operator):
        return not call.op.pure
    known = getattr(call.op, "struct_info", None)
    return not (isinstance(known, FuncStructInfo) and known.purity)


def contains_impure_call(expr: Node, own_name: Var | None = None) -> bool:
    """Whether evaluating the expression calls something impure. Functions inside count where they are called;
    `own_name`, by which the function calls itself, does not.
    """
    found = False

    def look(part: Any) -> bool:
        nonlocal found
        if isinstance(part, Call) and part.op is not own_name and is_impure_call(part):
            found = True
        return not (isinstance(part, Function) and part is not expr)

    _walk_nodes(expr, look)
    return found


def _walk_nodes(root: Node, enter: Callable[[Any], bool]) -> None:
    stack: list[Any] = [root]
    while stack:
        item = stack.pop()
        if isinstance(item, Node):
            if enter(item) and not (item.is_name and item is not root):
                stack += [getattr(item, name) for name in reversed(item.schema.children)]
        elif isinstance(item, tuple | list):
            stack += reversed(item)
