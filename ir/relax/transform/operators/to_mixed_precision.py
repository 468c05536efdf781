"""ToMixedPrecision: compute products of float32 tensors in float16."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tvmscript.ir.core import FLOAT32, DType, IRModule, WrongType, on
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.expr import (
    BindingBlock,
    Call,
    Constant,
    DataflowBlock,
    DataflowVar,
    MatchCast,
    Tuple,
    TupleGetItem,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.datatype import astype
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo, map_fields
from tvmscript.ir.relax.transform.base import RelaxFunctionPass
from tvmscript.ir.relax.variables import all_vars

FLOAT16: Final = DType("float16")
#: the largest finite float16
LARGEST: Final = 65504.0

#: whether all uses of a tensor want float16, by field for a tuple; None where there is no use
Need = bool | None | tuple["Need", ...]


@dataclass(frozen=True)
class ToMixedPrecision(RelaxFunctionPass):
    """Cast the float32 arguments of operators such as `R.matmul` and `R.nn.conv2d` to float16, in dataflow blocks.

    Products accumulate in `out_dtype`, float32 or float16; results are kept as float16. The entry of an operator says
    how it is treated (`Operator.mixed_precision`): "always" takes float16; "follow" stays in float16 where all its
    tensors are float16, or constants within its range; all others, "never", take float32. Outputs of blocks keep their
    dtypes. Parameters named in `fp16_input_names` become float16. Raises `WrongType` for another `out_dtype`.

    rewrite:
        lv = R.matmul(x, w)       -->  lv = R.astype(x, dtype="float16")
        y = R.nn.relu(lv)              lv1 = R.astype(w, dtype="float16")
                                       lv2 = R.matmul(lv, lv1, out_dtype="float32")
                                       lv3 = R.astype(lv2, dtype="float16")
                                       lv4 = R.nn.relu(lv3)
                                       y = R.astype(lv4, dtype="float32")
    """

    name = "relax.ToMixedPrecision"
    is_exact = False
    out_dtype: str = "float32"
    fp16_input_names: tuple[str, ...] | list[str] | None = None

    def transform(self, func: Function, mod: IRModule) -> Function:
        if self.out_dtype not in ("float16", "float32"):
            raise WrongType(where=f"{self.name}.out_dtype", expected="float16 or float32", got=self.out_dtype)
        return _PrecisionRewriter(func, DType(self.out_dtype), self.fp16_input_names or ()).rewritten()


def _policy(call: Call) -> str:
    """Return how a call is treated; "stays" where the arguments keep their dtypes."""
    operator = call.op
    if not isinstance(operator, Operator) or call.sinfo_args:
        return "stays"
    policy = operator.mixed_precision or "never"
    if policy == "always":
        first = next((info.dtype for arg in call.args for info in _tensors(arg.struct_info)), FLOAT32)
        dtypes = {first, *_dtypes(call.struct_info)}
        return policy if dtypes <= {FLOAT16, FLOAT32} else "stays"
    return policy


def _tensors(info: StructInfo | None) -> Iterator[TensorStructInfo]:
    """Yield the tensors of a value."""
    if isinstance(info, TensorStructInfo):
        yield info
    elif isinstance(info, TupleStructInfo):
        for field in info.fields:
            yield from _tensors(field)


# Which variables are used as float16 alone


def _merge(left: Need, right: Need) -> Need:
    if left is None or right is None:
        return right if left is None else left
    if isinstance(left, bool) and isinstance(right, bool):
        return left and right
    size = len(left) if isinstance(left, tuple) else len(right) if isinstance(right, tuple) else 0
    return tuple(map(_merge, _by_field(left, size), _by_field(right, size)))


def _by_field(need: Need, size: int) -> tuple[Need, ...]:
    return need if isinstance(need, tuple) else (need,) * size


class _Needs:
    """Collects what the bindings of the dataflow blocks of a body need, from the last to the first."""

    def __init__(self, func: Function) -> None:
        self.needs: dict[Var, Need] = {}
        self.require([func.body.body], False)
        for block in reversed(func.body.blocks):
            if isinstance(block, DataflowBlock):
                for binding in reversed(block.bindings):
                    self._binding(binding)

    def require(self, values: Iterable[Any], need: Need) -> None:
        """Add a use of values."""
        for value in values:
            if isinstance(value, Var):
                self.needs[value] = _merge(self.needs.get(value), need)
            elif isinstance(value, Tuple):
                for field, field_need in zip(value.fields, _by_field(need, len(value.fields)), strict=True):
                    self.require([field], field_need)

    def _binding(self, binding: Any) -> None:
        value: Any = binding.value
        need = self.needs.get(binding.var) if isinstance(binding.var, DataflowVar) else False
        if isinstance(binding, MatchCast):
            self.require([value], False)
        elif isinstance(value, Call) and _policy(value) == "always":
            self.require(value.args, True)
        elif isinstance(value, (Tuple, Var)):
            self.require([value], need)
        elif isinstance(value, TupleGetItem) and isinstance(info := value.tuple_value.struct_info, TupleStructInfo):
            places = range(len(info.fields))
            self.require([value.tuple_value], tuple([need if place == value.index else None for place in places]))
        else:
            self.require(all_vars(value), False)


class _PrecisionRewriter(RelaxRewriter):
    """Rewrites dataflow blocks. Variables of the program have current values, maybe of other dtypes."""

    def __init__(self, func: Function, out_dtype: DType, float16_names: Sequence[str]) -> None:
        super().__init__()
        self.func = func
        self.out_dtype = out_dtype
        self.needs = _Needs(func).needs
        self.float16_names = float16_names
        #: variable -> its value, where that is not the variable
        self.current: dict[Var, RelaxExpr] = {}

    def rewritten(self) -> Function:
        """Return the function in mixed precision."""
        params: list[Var] = []
        for param in self.func.params:
            info = param.struct_info
            params.append(param)
            if param.name_hint in self.float16_names and isinstance(info, TensorStructInfo) and info.dtype is FLOAT32:
                params[-1] = param.replace(struct_info=info.replace(dtype=FLOAT16))
                self.current[param] = params[-1]
        func = self.func
        if self.current:
            func = func.replace(params=tuple(params), struct_info=None)
        result: Function = self.rewrite(func)
        return result

    def block(self, node: BindingBlock) -> None:
        if not isinstance(node, DataflowBlock):
            super().block(node)
            return
        outside = dict(self.current)
        self.builder.begin_block(True)
        for param in self.func.params:
            self._cast_to_need(param)
        for binding in node.bindings:
            self.rewrite(binding)
            if isinstance(binding, (VarBinding, MatchCast)) and isinstance(binding.var, DataflowVar):
                self._cast_to_need(binding.var)
        self.current = outside

    def _cast_to_need(self, var: Var) -> None:
        """Cast a variable to float16 where all its uses need that."""
        value = self.value_of(var)
        needed = self.with_need(value, self.needs.get(var))
        if needed is not value:
            self.current[var] = self.builder.emit(needed)

    @on(Var)
    def var(self, node: Var) -> RelaxExpr:
        """Return the value of a variable in its dtype."""
        value = self.value_of(node)
        return value if value is node else self.cast(value, node.struct_info)

    @on(VarBinding)
    def var_binding(self, node: VarBinding) -> None:
        rewritten = self._rewritten(node) if self.builder.current_block_is_dataflow() else None
        if rewritten is None:
            super().var_binding(node)
            return
        value = self.builder.normalize(rewritten)
        var = self.bound(node.var, value)
        self.builder.emit_normalized(node if value is node.value else node.replace(var=var, value=value))

    @on(MatchCast)
    def match_cast(self, node: MatchCast) -> None:
        value = self.emitted(self.value(node.value)) if isinstance(node.value, Var) else node.value
        super().match_cast(node if value is node.value else node.replace(value=value))

    def _rewritten(self, node: VarBinding) -> RelaxExpr | None:
        """Return the value of a binding; None where its parts keep their dtypes."""
        value = node.value
        policy = _policy(value) if isinstance(value, Call) else ""
        if isinstance(value, Call) and policy != "stays":
            new_value: RelaxExpr = self._call(value, policy)
        elif isinstance(value, (Tuple, Var)):
            new_value = self.value_of(value)
        elif isinstance(value, TupleGetItem) and isinstance(value.tuple_value, Var):
            new_value = TupleGetItem(self.value_of(value.tuple_value), value.index)
        else:
            return None
        if not isinstance(node.var, DataflowVar):
            new_value = self.cast(new_value, node.var.struct_info)
        elif policy == "always":
            new_value = self.with_need(new_value, True)
        return new_value

    def _call(self, call: Call, policy: str) -> Call:
        """Return a call of an operator with its tensors in one precision."""
        args = [self.value_of(arg) for arg in call.args]
        is_float16 = policy == "always" or (policy == "follow" and all(map(_is_castable, args)))
        target = FLOAT16 if is_float16 else FLOAT32
        new_args = [self.emitted(self.cast(arg, _with_dtype(arg.struct_info, target))) for arg in args]
        attrs = call.attrs
        if policy == "always" and "out_dtype" in attrs:
            attrs = {**attrs, "out_dtype": self.out_dtype}
        elif all(new is old for new, old in zip(new_args, call.args, strict=True)):
            return call
        return Call(call.op, new_args, attrs, span=call.span)

    def value_of(self, value: Any) -> Any:
        """Return the current value of a variable, and of the fields of a tuple."""
        if isinstance(value, Var):
            return self.current.get(value, self.renamed.get(value, value))
        if isinstance(value, Tuple):
            fields = [self.value_of(field) for field in value.fields]
            return value if all(a is b for a, b in zip(fields, value.fields, strict=True)) else Tuple(tuple(fields))
        return value

    # Casts

    def cast(self, value: Any, info: StructInfo | None) -> Any:
        """Cast the tensors of a value to the dtypes of a struct info."""
        old_info = value.struct_info
        if isinstance(old_info, TensorStructInfo) and isinstance(info, TensorStructInfo):
            return value if old_info.dtype is info.dtype else Call(astype, (value,), {"dtype": info.dtype})
        if not isinstance(info, TupleStructInfo) or _dtypes(old_info) == _dtypes(info):
            return value
        whole = self.emitted(value)
        fields: list[Any] = []
        for index, field_info in enumerate(info.fields):
            field = whole.fields[index] if isinstance(whole, Tuple) else self.builder.emit(TupleGetItem(whole, index))
            fields.append(self.emitted(self.cast(field, field_info)))
        return Tuple(tuple(fields))

    def emitted(self, value: Any) -> Any:
        """Bind a call to a variable; return other values."""
        return self.builder.emit(value) if isinstance(value, Call) else value

    def with_need(self, value: Any, need: Need) -> Any:
        """Cast float32 tensors of a value to float16 where that is needed."""
        return self.cast(value, _with_need(value.struct_info, need))


def _with_need(info: StructInfo | None, need: Need) -> StructInfo | None:
    """Return struct info with float16 where that is needed."""
    if isinstance(info, TupleStructInfo):
        needs = _by_field(need, len(info.fields))
        fields = [_with_need(field, field_need) for field, field_need in zip(info.fields, needs, strict=True)]
        return TupleStructInfo(tuple([field for field in fields if field is not None]))
    return _with_dtype(info, FLOAT16) if need is True else info


def _with_dtype(info: StructInfo | None, dtype: DType) -> StructInfo | None:
    """Return struct info with another precision of its float16 and float32 tensors."""

    def converted(part: StructInfo) -> StructInfo:
        is_float = isinstance(part, TensorStructInfo) and part.dtype in (FLOAT16, FLOAT32)
        return part.replace(dtype=dtype) if is_float else part

    return None if info is None else map_fields(info, converted)


def _dtypes(info: StructInfo | None) -> list[DType]:
    return [tensor.dtype for tensor in _tensors(info)]


def _is_castable(value: Any) -> bool:
    """Return whether the tensors of an argument are float16, or constants within its range."""
    if isinstance(value, Tuple):
        return all(map(_is_castable, value.fields))
    if isinstance(value, Constant) and value.dtype is FLOAT32:
        return not bool((np.abs(np.array(value.data)) > LARGEST).any())  # NaN is castable
    return all(dtype is FLOAT16 for dtype in _dtypes(value.struct_info))
