"""CombineParallelMatmul: one product with several weights side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.analysis.unused import remove_all_unused
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Call, DataflowBlock, DataflowVar, Tuple, TupleGetItem, Var, VarBinding
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.binary import add
from tvmscript.ir.relax.op.linear_algebra import matmul
from tvmscript.ir.relax.op.manipulate import concat, split
from tvmscript.ir.relax.op.nn.activation import gelu, relu, silu
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import shapes_provably_equal
from tvmscript.ir.relax.transform.base import RelaxFunctionPass
from tvmscript.ir.relax.transform.rewriters.bindings_in_order import bindings_in_order
from tvmscript.ir.relax.transform.rewriters.block_rewriter import BlockRewriter
from tvmscript.ir.relax.variables import iter_bindings, udchain
from tvmscript.ir.tir import IntImm

_ACTIVATIONS: Final = (relu, gelu, silu)
#: (left side, right sides, biases, variable -> its value) -> whether the products are combined
Check = Callable[[Var, Sequence[Any], Sequence[Any], Mapping[Var, RelaxExpr]], bool]


@dataclass(frozen=True, eq=False)
class CombineParallelMatmul(RelaxFunctionPass):
    """Replace products in a dataflow block that share their left side by one product with the concatenated right sides,
    which is split afterwards. A bias and an activation that all of them have are moved before the split.

    `check(left, rights, biases, values)` says whether products are combined. Of right sides with an unknown number of
    columns one is combined, as the last.

    rewrite:
        a = R.matmul(x, A)    -->  lv = R.concat((A, B), axis=1)
        b = R.matmul(x, B)         lv1 = R.matmul(x, lv)
                                   lv2 = R.split(lv1, [n], axis=1)
    """

    name = "relax.CombineParallelMatmul"
    is_exact = False
    check: Check | None = None

    def transform(self, func: Function, mod: IRModule) -> Function:
        combiner = _Combiner(self.check)
        combined: Function = combiner.rewrite(func)
        return remove_all_unused(combined) if combiner.combined or _has_parallel_products(func) else func


def _has_parallel_products(func: Function) -> bool:
    """Return whether two products of a function, in any blocks, share their left side."""
    values = [binding.value for binding in iter_bindings(func)]
    lefts = [value.args[0] for value in values if isinstance(value, Call) and _is_product(value)]
    return len(set(lefts)) < len(lefts)


def _is_product(value: Any) -> bool:
    return isinstance(value, Call) and value.op is matmul and _has_matrix(value.args[1])


@dataclass(frozen=True)
class _Branch:
    """A product with what follows it: a bias and an activation, each of which is the only use of the one before."""

    var: Var
    product: Any
    bias_var: Var | None
    bias: Any
    activation_var: Var | None
    activation: Any

    @property
    def info(self) -> TensorStructInfo:
        info = self.product.struct_info
        assert isinstance(info, TensorStructInfo)
        return info

    @property
    def columns(self) -> Any:
        """The number of columns of the right side."""
        return self.product.args[1].struct_info.extents[-1]


class _Combiner(BlockRewriter):
    def __init__(self, check: Check | None) -> None:
        super().__init__()
        self.check = check
        #: products that are part of another one
        self.combined: set[Var] = set()

    def new_values(self, block: DataflowBlock) -> dict[Var, RelaxExpr]:
        bindings: Any = block.bindings
        values: dict[Var, Any] = {binding.var: binding.value for binding in bindings if isinstance(binding, VarBinding)}
        users = udchain(block)
        by_left: dict[Any, list[_Branch]] = {}
        for var, value in values.items():
            if _is_product(value) and var not in self.combined:
                by_left.setdefault(value.args[0], []).append(_branch(var, value, values, users))
        for left, branches in by_left.items():
            for group in _groups(branches):
                new_values = self._combined(left, group, values)
                if new_values and bindings_in_order(block.bindings, new_values) is not None:
                    self.combined.update(branch.var for branch in group)
                    return new_values
        return {}

    def _combined(self, left: Any, group: list[_Branch], values: Mapping[Var, RelaxExpr]) -> dict[Var, RelaxExpr]:
        """Return the new values of the last variables of some branches, none where they are not combined."""
        has_bias = _all_alike([branch.bias for branch in group], _bias_rank)
        has_activation = _all_alike([branch.activation for branch in group], lambda op: op) and (
            has_bias or not any(branch.bias_var for branch in group)
        )
        rights = [branch.product.args[1] for branch in group]
        if len(set(rights)) < len(rights):
            return {}
        biases = [branch.bias for branch in group] if has_bias else []
        if self.check is not None and not self.check(left, rights, biases, values):
            return {}
        first = group[0]
        axis = rights[0].struct_info.ndim - 1
        result = Call(
            matmul, (left, Call(concat, (Tuple(tuple(rights)),), {"axis": axis})), {"out_dtype": first.info.dtype}
        )
        if has_bias:
            joined = Call(concat, (Tuple(tuple(biases)),), {"axis": biases[0].struct_info.ndim - 1})
            result = Call(add, (result, joined))
        if has_activation:
            result = Call(first.activation.op, (result,), first.activation.attrs)
        info = result.struct_info
        assert isinstance(info, TensorStructInfo)
        parts = Call(split, (result,), {"indices_or_sections": _ends(group[:-1]), "axis": info.ndim - 1})
        new_values: dict[Var, RelaxExpr] = {}
        for index, branch in enumerate(group):
            last = branch.activation_var if has_activation else branch.bias_var if has_bias else branch.var
            assert last is not None
            new_values[last] = TupleGetItem(parts, index)
        return new_values


def _has_matrix(value: Any) -> bool:
    info = value.struct_info
    return isinstance(info, TensorStructInfo) and info.extents is not None and info.ndim >= 2


def _branch(var: Var, product: Any, values: Mapping[Var, Any], users: Mapping[Var, Sequence[Var]]) -> _Branch:
    def only_user(producer: Var) -> tuple[Var | None, Any]:
        using = users.get(producer, ())
        is_inner = isinstance(producer, DataflowVar) and len(using) == 1
        return (using[0], values.get(using[0])) if is_inner else (None, None)

    bias_var, addition = only_user(var)
    bias = None
    if isinstance(addition, Call) and addition.op is add and addition.args[0] is var and addition.args[1] is not var:
        bias = addition.args[1]
    if bias_var is None or bias is None or _bias_rank(bias) is None or not _fits(bias, product):
        bias_var, bias = None, None
    activation_var, activation = only_user(bias_var or var)
    if not isinstance(activation, Call) or activation.op not in _ACTIVATIONS:
        activation_var, activation = None, None
    return _Branch(var, product, bias_var, bias, activation_var, activation)


def _bias_rank(bias: Any) -> int | None:
    """Return the rank of a bias, None where its shape is not known."""
    info = None if bias is None else bias.struct_info
    return info.ndim if isinstance(info, TensorStructInfo) and info.extents else None


def _fits(bias: Any, product: Any) -> bool:
    """Whether a bias has a value for each column and none for rows."""
    *outer, columns = bias.struct_info.extents
    is_row = all(isinstance(size, IntImm) and size.value == 1 for size in outer)
    return is_row and shapes_provably_equal((columns,), product.args[1].struct_info.extents[-1:])


def _all_alike(parts: Sequence[Any], key: Callable[[Any], Any]) -> bool:
    return None not in parts and len({_key_of(key(part)) for part in parts}) == 1


def _key_of(value: Any) -> Any:
    return (value.op, tuple(value.attrs.items())) if isinstance(value, Call) else value


def _groups(branches: Sequence[_Branch]) -> Iterator[list[_Branch]]:
    """Yield branches whose products combine: of one dtype, with right sides of one shape but for the columns."""
    rest = list(branches)
    while rest:
        first, *others = rest
        group = [first, *(branch for branch in others if _is_like(first, branch))]
        rest = [branch for branch in others if branch not in group]
        static = [branch for branch in group if isinstance(branch.columns, IntImm)]
        symbolic = [branch for branch in group if branch not in static]
        group = static + symbolic[:1]
        if len(group) > 1:
            yield group


def _is_like(branch: _Branch, other: _Branch) -> bool:
    a, b = (each.product.args[1].struct_info for each in (branch, other))
    is_same_dtype = branch.info.dtype is other.info.dtype and a.dtype is b.dtype
    return is_same_dtype and a.ndim == b.ndim and shapes_provably_equal(a.extents[:-1], b.extents[:-1])


def _ends(group: Sequence[_Branch]) -> tuple[int, ...]:
    """Return where the columns of each branch end."""
    ends: list[int] = []
    for branch in group:
        ends.append((ends[-1] if ends else 0) + branch.columns.value)
    return tuple(ends)
