"""ConvertLayout: store tensors in the layouts that operators want."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule, UnknownName, closest, on
from tvmscript.ir.core.op import Op
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.expr import (
    BindingBlock,
    Call,
    DataflowBlock,
    DataflowVar,
    MatchCast,
    Tuple,
    TupleGetItem,
    Var,
    VarBinding,
)
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op.layout_rules import LAYOUT_RULES, LayoutInference, Layouts, identity
from tvmscript.ir.relax.op.manipulate import permute_dims
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import ShapeExpr, TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.transform.base import RelaxFunctionPass

#: operators whose layouts can be chosen
_CHOOSES = "conv"


@dataclass(frozen=True, eq=False)
class ConvertLayout(RelaxFunctionPass):
    """Convert convolutions in dataflow blocks to other layouts, with `R.permute_dims` where tensors enter and leave.

    `desired_layouts` maps operators to the layouts of the data, the kernel and, by default that of the data, the
    result: `{"relax.nn.conv2d": ["NHWC", "OHWI"]}`. Operators whose entries have a layout rule
    (`Operator.layout`) compute in the layouts of their arguments; others take the layouts of the program, which
    outputs of blocks have too. Raises `UnknownName` for an operator that has no layouts to choose, `InvalidCall` for a
    layout with other axes or with inner axes.

    rewrite:
        lv = R.nn.conv2d(x, w)  -->  lv = R.permute_dims(x, axes=[0, 2, 3, 1])
        y = R.nn.relu(lv)            lv1 = R.permute_dims(w, axes=[0, 2, 3, 1])
                                     lv2 = R.nn.conv2d(lv, lv1, data_layout="NHWC", kernel_layout="OHWI")
                                     lv3 = R.nn.relu(lv2)
                                     y = R.permute_dims(lv3, axes=[0, 3, 1, 2])
    """

    name = "relax.ConvertLayout"
    desired_layouts: Mapping[str, Sequence[str]]

    def transform(self, func: Function, mod: IRModule) -> Function:
        choices = {name for name, op in Op.registry.items() if isinstance(op, Operator) and op.layout == _CHOOSES}
        for name in self.desired_layouts:
            if name not in choices:
                hint = closest(name, choices) or f"layouts are chosen for {', '.join(sorted(choices))}"
                raise UnknownName(kind="operator with layouts", name=name, hint=hint)
        converted: Function = _LayoutConverter(self.desired_layouts).rewrite(func)
        return converted


class _LayoutConverter(RelaxRewriter):
    """Rewriter of functions, block by block."""

    def __init__(self, desired: Mapping[str, Sequence[str]]) -> None:
        super().__init__()
        self.desired = desired

    def block(self, node: BindingBlock) -> None:
        if not isinstance(node, DataflowBlock):
            super().block(node)
            return
        converter = _BlockConverter(self.desired, self.renamed)
        self.builder.begin_block(True)
        for binding in converter.converted(node):
            self.builder.emit_normalized(binding)


class _BlockConverter(RelaxRewriter):
    """Rewriter of one dataflow block. Variables of the block have layouts."""

    def __init__(self, desired: Mapping[str, Sequence[str]], renamed: dict[Any, Any]) -> None:
        super().__init__()
        self.desired = desired
        self.renamed = renamed
        #: variable -> its layouts, where they are not those of the program
        self.layouts: dict[Var, Layouts] = {}

    def converted(self, block: DataflowBlock) -> list[Any]:
        """Return the bindings of the block."""
        self.builder.begin_scope()
        self.builder.push_sequence(True)
        for binding in block.bindings:
            self.rewrite(binding)
        self.builder.end_scope()
        return [binding for new_block in self.builder.pop_sequence() for binding in new_block.bindings]

    def layouts_of(self, value: Any) -> Layouts:
        """Return the layouts in which a value is stored."""
        if isinstance(value, Tuple):
            return [self.layouts_of(field) for field in value.fields]
        if isinstance(value, Var) and value in self.layouts:
            return self.layouts[value]
        return _of_program(value.struct_info)

    @on(Var)
    def var(self, node: Var) -> RelaxExpr:
        """Return a variable in the layouts of the program."""
        stored: RelaxExpr = self.stored(node, _of_program(node.struct_info))
        return stored

    def stored(self, value: Any, layouts: Layouts) -> Any:
        """Return a value of the program in some layouts. Permuted tensors are bound to variables."""
        if isinstance(value, Tuple):
            given = layouts if isinstance(layouts, list) else [None] * len(value.fields)
            fields = [self.stored(field, each) for field, each in zip(value.fields, given, strict=True)]
            return value if all(a is b for a, b in zip(fields, value.fields, strict=True)) else Tuple(tuple(fields))
        if isinstance(value, Var):
            return self.emitted(self.permuted(self.renamed.get(value, value), self.layouts_of(value), layouts))
        return self.emitted(self.permuted(self.value(value), _of_program(value.struct_info), layouts))

    def permuted(self, value: Any, old: Layouts, new: Layouts) -> Any:
        """Return a value with its layouts changed."""
        if old == new:
            return value
        if isinstance(old, tuple) and isinstance(new, tuple):
            return Call(permute_dims, (value,), {"axes": tuple([old.index(axis) for axis in new])})
        if not isinstance(old, list) or not isinstance(new, list):
            return value
        whole = self.emitted(value)
        fields: list[Any] = []
        for index, (before, after) in enumerate(zip(old, new, strict=True)):
            field = whole.fields[index] if isinstance(whole, Tuple) else self.builder.emit(TupleGetItem(whole, index))
            fields.append(self.emitted(self.permuted(field, before, after)))
        return Tuple(tuple(fields))

    def emitted(self, value: Any) -> Any:
        """Bind a call to a variable; return other values."""
        return self.builder.emit(value) if isinstance(value, Call) else value

    @on(VarBinding)
    def var_binding(self, node: VarBinding) -> None:
        value = node.value
        is_inner = isinstance(node.var, DataflowVar)
        program = _of_program(node.var.struct_info)
        if isinstance(value, Call) and (inference := self._infer(value)) is not None:
            self._bind(node, self.permuted(*self._convert(value, inference), inference.output if is_inner else program))
            layouts = inference.output
        elif isinstance(value, Var):
            layouts = program
            self._bind(node, self.permuted(self.renamed.get(value, value), self.layouts_of(value), program))
        elif isinstance(value, Tuple):
            layouts = self.layouts_of(value) if is_inner else program
            self._bind(node, self.stored(value, layouts))
        elif isinstance(value, TupleGetItem) and isinstance(value.tuple_value, Var):
            whole = self.layouts_of(value.tuple_value) if is_inner else _of_program(value.tuple_value.struct_info)
            stored = self.stored(value.tuple_value, whole)
            same = stored is value.tuple_value
            self._bind(node, value if same else TupleGetItem(stored, value.index))
            layouts = whole[value.index] if isinstance(whole, list) else program
        else:
            super().var_binding(node)
            return
        if is_inner and layouts != program:
            self.layouts[node.var] = layouts

    def _bind(self, node: VarBinding, value: RelaxExpr) -> None:
        new_value = self.builder.normalize(value)
        var = self.bound(node.var, new_value)
        unchanged = var is node.var and new_value is node.value
        self.builder.emit_normalized(node if unchanged else node.replace(var=var, value=new_value))

    def _infer(self, call: Call) -> LayoutInference | None:
        """Return how a call computes over stored tensors; None where it takes the layouts of the program."""
        operator = call.op
        if not isinstance(operator, Operator) or operator.layout is None:
            return None
        layouts = [self.layouts_of(arg) for arg in call.args]
        return LAYOUT_RULES[operator.layout](call, layouts, self.desired.get(operator.name, ()))

    def _convert(self, call: Call, inference: LayoutInference) -> tuple[RelaxExpr, Layouts]:
        """Return a call over stored tensors, and the layouts of its result."""
        args = [self.stored(arg, layouts) for arg, layouts in zip(call.args, inference.inputs, strict=True)]
        args = [inference.args.get(place, arg) for place, arg in enumerate(args)]
        attrs = {**call.attrs, **inference.attrs}
        unchanged = attrs == dict(call.attrs) and all(new is old for new, old in zip(args, call.args, strict=True))
        return call if unchanged else Call(call.op, args, attrs, span=call.span), inference.output

    @on(MatchCast)
    def match_cast(self, node: MatchCast) -> None:
        layouts = self.layouts_of(node.value)
        is_stored = layouts != _of_program(node.value.struct_info) and _is_ranked(node.struct_info, layouts)
        if not isinstance(node.var, DataflowVar) or not is_stored:
            super().match_cast(node)
            return
        info = _permuted_info(node.struct_info, layouts)
        self.layouts[node.var] = layouts
        self.renamed[node.var] = self.builder.match_cast(self.stored(node.value, layouts), info)


def _of_program(info: StructInfo | None) -> Layouts:
    """Return the layouts of the program; None where the rank is unknown."""
    if isinstance(info, TupleStructInfo):
        return [_of_program(field) for field in info.fields]
    return identity(info.ndim) if isinstance(info, TensorStructInfo) and info.ndim >= 0 else None


def _is_ranked(info: StructInfo, layouts: Layouts) -> bool:
    """Return whether struct info has the rank of each tensor with a layout: others cannot be permuted back."""
    if isinstance(layouts, list):
        return isinstance(info, TupleStructInfo) and all(map(_is_ranked, info.fields, layouts))
    return layouts is None or (isinstance(info, TensorStructInfo) and info.ndim >= 0)


def _permuted_info(info: StructInfo, layouts: Layouts) -> StructInfo:
    """Return the struct info of a stored value."""
    if isinstance(info, TupleStructInfo) and isinstance(layouts, list):
        fields = [_permuted_info(field, each) for field, each in zip(info.fields, layouts, strict=True)]
        return TupleStructInfo(tuple(fields))
    if isinstance(info, TensorStructInfo) and isinstance(layouts, tuple):
        shape: Any = info.shape
        if isinstance(shape, ShapeExpr):
            return info.replace(shape=ShapeExpr([shape.values[axis] for axis in layouts]))
        return info.replace(shape=None, ndim=info.ndim)
    return info
