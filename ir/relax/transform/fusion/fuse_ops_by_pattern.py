"""FuseOpsByPattern: group values that match patterns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule, UnknownName, nodes
from tvmscript.ir.relax.dpl.matcher import Matches, extract_matched_expr
from tvmscript.ir.relax.dpl.pattern import CallPattern, DFPattern, TupleGetItemPattern
from tvmscript.ir.relax.expr import Call, DataflowBlock, Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.transform.fusion.common.annotate_codegen import annotate_codegen
from tvmscript.ir.relax.transform.fusion.common.groups import Group
from tvmscript.ir.relax.transform.fusion.common.outline import Outliner
from tvmscript.ir.relax.variables import all_vars, get_var2val
from tvmscript.ir.transform.base import Pass


@dataclass(frozen=True, eq=False)
class PatternCheckContext:
    """What the check of a pattern is given."""

    #: the value that matches
    matched_expr: Any
    #: name of an annotation -> the value that its pattern matched
    annotated_expr: Mapping[str, Any]
    #: variable -> its value, for the values that become one function
    matched_bindings: Mapping[Var, Any]
    #: variable -> variables of the block whose values use it
    var_usages: Mapping[Var, Sequence[Var]]
    #: value -> the variable that it is bound to
    value_to_bound_var: Mapping[Any, Var]


@dataclass(frozen=True, eq=False)
class FusionPattern:
    """A pattern with the name of the functions that its matches become, such as `cublas.matmul`."""

    name: str
    pattern: DFPattern
    annotation_patterns: Mapping[str, DFPattern] | None = None
    #: whether a match is accepted
    check: Callable[[PatternCheckContext], bool] | None = None
    #: annotated values -> more attributes of the function
    attrs_getter: Callable[[Mapping[str, Any]], Mapping[str, str]] | None = None


@dataclass(frozen=True, eq=False)
class FuseOpsByPattern(Pass):
    """Outline values of dataflow blocks that match a pattern as functions with the attribute `Composite`, the name of
    the pattern. Patterns are tried in order; a value belongs to one match. A match whose function would need its own
    result is left alone. With `bind_constants` constants stay in the functions, otherwise they become parameters. With
    `annotate_codegen` each function is wrapped in one with the attribute `Codegen`, the name of the pattern before the
    dot.

    Patterns are `FusionPattern`s or tuples of their fields. `entry_functions` names the functions that are searched,
    all without `Composite` or `Codegen` by default. Raises `UnknownName`.

    rewrite:
        lv = R.matmul(x, w)    -->  gv = cls.fused_relax_matmul_relax_nn_relu(x, w)
        gv = R.nn.relu(lv)
    """

    name = "relax.FuseOpsByPattern"
    patterns: Sequence[Any]
    bind_constants: bool = True
    annotate_codegen: bool = False
    entry_functions: Sequence[str] | None = None

    def run(self, mod: IRModule) -> IRModule:
        for item in self.patterns:
            pattern = FusionPattern(*item) if isinstance(item, tuple) else item
            groups: dict[Any, Group] = {}
            for func in self._searched(mod):
                groups.update(_PatternPartition(pattern, func).groups)
            if any(group.root().attrs for group in groups.values()):
                mod = Outliner(mod, groups, lift_constants=not self.bind_constants).run()
        return annotate_codegen(mod) if self.annotate_codegen else mod

    def _searched(self, mod: IRModule) -> Iterator[Function]:
        for name in self.entry_functions or ():
            if name not in mod:
                raise UnknownName(kind="function", name=name)
        for var, func in mod.functions_items():
            is_searched = self.entry_functions is None or var.name_hint in self.entry_functions
            if is_searched and isinstance(func, Function) and not {"Composite", "Codegen"} & func.attrs.keys():
                yield func


class _PatternPartition:
    """The groups of one function: the values of each match."""

    def __init__(self, pattern: FusionPattern, func: Function) -> None:
        self.pattern = pattern
        self.values: dict[Any, Any] = get_var2val(func)
        self.bound_var = {value: var for var, value in self.values.items()}
        #: variable of a dataflow block -> its group
        self.groups: dict[Any, Group] = {}
        for block in nodes(func):
            if isinstance(block, DataflowBlock):
                self._block(block)

    def _block(self, block: DataflowBlock) -> None:
        users = _users(block)
        for item in block.bindings:
            binding: Any = item
            self.groups[binding.var] = Group()
        for item in block.bindings:
            if isinstance(item, VarBinding) and isinstance(item.value, Call):
                matches = extract_matched_expr(self.pattern.pattern, item.value, self.values)
                if matches is not None:
                    self._match(item, matches, users)

    def _match(self, binding: VarBinding, matches: Matches, users: Mapping[Var, Sequence[Var]]) -> None:
        """Merge the values of a match into one group, unless one of them belongs to an earlier match."""
        inner = [
            self.bound_var[value]
            for pattern, value in matches.items()
            if isinstance(pattern, (CallPattern, TupleGetItemPattern)) and value is not binding.value
        ]
        group = self.groups[binding.var].root()
        if any(
            self.groups[var].root().size > 1 or self.groups[var].root().attrs for var in inner if var in self.groups
        ):
            return
        annotated = {
            name: matches[pattern]
            for name, pattern in (self.pattern.annotation_patterns or {}).items()
            if pattern in matches
        }
        if self.pattern.check is not None:
            bindings = {var: self.values[var] for var in (*inner, binding.var)}
            context = PatternCheckContext(binding.value, annotated, bindings, users, self.bound_var)
            if not self.pattern.check(context):
                return
        if self._makes_cycle(group, inner, users):
            return
        extra = self.pattern.attrs_getter(annotated) if self.pattern.attrs_getter is not None else {}
        group.attrs = {**extra, "Composite": self.pattern.name}
        for var in dict.fromkeys(inner):
            if var in self.groups and self.groups[var].root() is not group:
                self.groups[var].root().merge_into(group)

    def _makes_cycle(self, group: Group, inner: Sequence[Var], users: Mapping[Var, Sequence[Var]]) -> bool:
        """Whether a path leaves the group that these variables would join and returns to it."""
        joined = {group, *(self.groups[var].root() for var in inner if var in self.groups)}
        members: dict[Group, list[Var]] = {}
        for var, other in self.groups.items():
            members.setdefault(other.root(), []).append(var)
        stack = [other for start in joined for other in self._next(members[start], users) if other not in joined]
        visited: set[Group] = set()
        while stack:
            other = stack.pop()
            if other in joined:
                return True
            if other not in visited:
                visited.add(other)
                stack += self._next(members[other], users)
        return False

    def _next(self, members: Sequence[Var], users: Mapping[Var, Sequence[Var]]) -> list[Group]:
        """Return the groups of the users of these variables."""
        return [self.groups[user].root() for var in members for user in users.get(var, ())]


def _users(block: DataflowBlock) -> dict[Var, list[Var]]:
    users: dict[Var, list[Var]] = {}
    for item in block.bindings:
        binding: Any = item
        for var in all_vars(binding.value):
            users.setdefault(var, []).append(binding.var)
    return users
