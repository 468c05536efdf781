"""Used, bound and free variables of functions, and purity of calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeVar
from weakref import WeakKeyDictionary

from tvmscript.ir.core import GlobalVar, Node, nodes
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.expr import Binding, Call, DataflowBlock, MatchCast, Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.struct_info import FuncStructInfo
from tvmscript.ir.relax.symbolic_shape import definable_tir_vars_in_struct_info, extents_of, tir_vars_in_struct_info
from tvmscript.ir.tir import PrimFunc, rename_definitions, substitute
from tvmscript.ir.tir.var import Var as SizeVar

T = TypeVar("T")


def _unique(items: Iterable[T]) -> list[T]:
    return list(dict.fromkeys(items))


def _bound_vars(program: Node) -> Iterator[Var]:
    for part in nodes(program):
        if isinstance(part, (VarBinding, MatchCast)):
            yield part.var
        elif isinstance(part, Function):
            yield from part.params


def all_vars(program: Node) -> list[Var]:
    """Return every Relax variable in the order of first occurrence."""
    return _unique(part for part in nodes(program) if isinstance(part, Var))


def bound_vars(program: Node) -> list[Var]:
    """Return the parameters and the variables of bindings."""
    return _unique(_bound_vars(program))


def free_vars(program: Node) -> list[Var]:
    """Return the variables that the program uses but does not bind."""
    bound = set(_bound_vars(program))
    return [var for var in all_vars(program) if var not in bound]


def all_global_vars(program: Node) -> list[GlobalVar]:
    """Return the functions of the module that the program refers to."""
    callees = _GLOBAL_VARS.get(program) if isinstance(program, PrimFunc) else None
    if callees is None:
        callees = _unique(part for part in nodes(program) if isinstance(part, GlobalVar))
        if isinstance(program, PrimFunc):  # passes over graphs ask again and again
            _GLOBAL_VARS[program] = callees
    return [*callees]


_GLOBAL_VARS: Final = WeakKeyDictionary[PrimFunc, list[GlobalVar]]()


def defined_symbolic_vars(func: Function) -> list[SizeVar]:
    """Return the size variables that parameters and casts of a function define."""
    return _unique(_defined_size_vars(func))


def _defined_size_vars(func: Function) -> Iterator[SizeVar]:
    for part in nodes(func):
        infos: tuple[StructInfo | None, ...] = ()
        if isinstance(part, Function):
            infos = tuple(param.struct_info for param in part.params)
        elif isinstance(part, MatchCast):
            infos = (part.struct_info,)
        for info in infos:
            if info is not None:
                yield from definable_tir_vars_in_struct_info(info)


def free_symbolic_vars(func: Function) -> list[SizeVar]:
    """Return the size variables that a function uses but does not define."""
    defined = set(_defined_size_vars(func))
    used: list[SizeVar] = []
    for part in nodes(func):
        if isinstance(part, SizeVar):
            used.append(part)
        elif isinstance(part, Var) and part.struct_info is not None:
            used += tir_vars_in_struct_info(part.struct_info)
    return [var for var in _unique(used) if var not in defined]


def hint_of_shared_sizes(params: Sequence[Var], facts: Mapping[str, object]) -> str | None:
    """Return a hint that names the other parameters with the size that `name` has in dimension `axis`."""
    infos = {param.name_hint: param.struct_info for param in params if param.struct_info is not None}
    sizes = extents_of(infos.pop(str(facts["name"]), None))
    size = sizes[int(str(facts["axis"]))] if sizes else None
    own = [] if size is None else [part for part in nodes(size) if isinstance(part, SizeVar)]
    shared = [
        f"{other} has the size {var.name} too"
        for other, other_info in infos.items()
        for var in tir_vars_in_struct_info(other_info)
        if var in own
    ]
    return "; ".join(shared) or None


def copy_with_new_vars(func: Function) -> Function:
    """Return a copy of a function with parameters, variables and sizes of its own."""
    sizes = {size: size.replace() for size in defined_symbolic_vars(func)}
    return rename_definitions(substitute(func, sizes))


def iter_bindings(program: Node) -> Iterator[VarBinding | MatchCast]:
    """Yield every binding, including those of branches and nested functions."""
    return (part for part in nodes(program) if isinstance(part, (VarBinding, MatchCast)))


def name_to_binding(func: Function) -> dict[str, list[Binding]]:
    """Return the bindings of each name. As in TVM, branches and nested functions are excluded."""
    by_name: dict[str, list[Binding]] = {}
    for block in func.body.blocks:
        for binding in block.bindings:
            if isinstance(binding, (VarBinding, MatchCast)):
                by_name.setdefault(binding.var.name_hint, []).append(binding)
    return by_name


def get_var2val(func: Function) -> dict[Var, RelaxExpr]:
    """Return the value of each variable. Casts are excluded."""
    return {binding.var: binding.value for binding in iter_bindings(func) if isinstance(binding, VarBinding)}


def udchain(block: DataflowBlock) -> dict[Var, list[Var]]:
    """Return the use-def chain of a block: variable -> variables of the block whose values use it."""
    users: dict[Var, list[Var]] = {}
    for binding in block.bindings:
        if isinstance(binding, (VarBinding, MatchCast)):
            for var in all_vars(binding.value):
                users.setdefault(var, []).append(binding.var)
            users.setdefault(binding.var, [])
    return users


def is_impure_call(call: Call) -> bool:
    """Whether a call may have side effects, by its operator or the struct info of its callee. As in TVM, a callee
    without struct info is impure.
    """
    if isinstance(call.op, Operator):
        return not call.op.pure
    info = getattr(call.op, "struct_info", None)
    return not (isinstance(info, FuncStructInfo) and info.purity)


def contains_impure_call(expr: Node, own_name: Var | None = None) -> bool:
    """Whether evaluating the expression makes an impure call. Bodies of nested functions do not count, nor do recursive
    calls by `own_name`.
    """
    stack: list[object] = [expr]
    while stack:
        value = stack.pop()
        if isinstance(value, (tuple, list)):
            stack += value
        elif isinstance(value, Node):
            if isinstance(value, Call) and value.op is not own_name and is_impure_call(value):
                return True
            if value is expr or not (value.is_name or isinstance(value, Function)):
                stack += [getattr(value, name) for name in value.schema.children]
    return False
