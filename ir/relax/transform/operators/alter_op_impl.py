"""AlterOpImpl: replace the kernels of an operator, with other layouts of their buffers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.arith.index_map import IndexMap
from tvmscript.ir.core import INT64, IRModule, on
from tvmscript.ir.core.python_settings import without_collection
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Call, Tuple, TupleGetItem
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.kernel_calls import match_call_tir
from tvmscript.ir.relax.op.call_tir import call_tir, tuple_fields
from tvmscript.ir.relax.op.reshape import layout_transform
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.transform.errors import CannotReplaceKernel
from tvmscript.ir.te.construct import compute, placeholder
from tvmscript.ir.te.prim_func import create_prim_func
from tvmscript.ir.tir import Expr, IntImm, PrimFunc, Var
from tvmscript.ir.transform.base import Pass

#: an index map, or a function that describes one, with `IndexMap.AXIS_SEPARATOR` among its results
Layout = IndexMap | Callable[..., Any]
#: attribute of kernels: the operator that they compute
OPERATOR_NAME = "operator_name"


@dataclass(frozen=True, eq=False)
class AlterOpImpl(Pass):
    """Replace the kernels with the attribute `operator_name` by those of `op_impl_map`.

    `op_buffer_transforms` maps operators to the layouts of all buffers, inputs and outputs, as index maps or functions;
    `op_buffer_axis_separators` to lists of separators of their axes. `R.layout_transform` brings inputs to the layouts,
    and outputs back; a kernel `remove_pad` cuts padding off. Raises `CannotReplaceKernel`.

    rewrite:
        y = R.call_tir(cls.add, (x,), R.Tensor((16,)))
    -->
        lv = R.layout_transform(x, index_map=lambda i: (i // 4, i % 4))
        lv1 = R.call_tir(cls.add_replacement, (lv,), R.Tensor((4, 4)))
        y = R.layout_transform(lv1, index_map=lambda i, j: i * 4 + j)
    """

    name = "relax.AlterOpImpl"
    op_impl_map: Mapping[str, PrimFunc]
    op_buffer_transforms: Mapping[str, Sequence[Layout]]
    op_buffer_axis_separators: Mapping[str, Sequence[Sequence[int]] | None]

    @without_collection
    def run(self, mod: IRModule) -> IRModule:
        builder = BlockBuilder(mod)
        replacer = _KernelReplacer(builder, mod, self)
        for var, func in mod.functions.items():
            if isinstance(func, Function):
                new_func = replacer.rewrite(func)
                if new_func is not func:
                    builder.update_func(var, new_func)
        return builder.finalize() if replacer.is_changed else mod


class _KernelReplacer(RelaxRewriter):
    """Rewriter of the calls of kernels."""

    def __init__(self, builder: BlockBuilder, mod: IRModule, options: AlterOpImpl) -> None:
        super().__init__(builder)
        self.mod = mod
        self.options = options
        self.is_changed = False

    @on(Call)
    def call(self, node: Call) -> RelaxExpr:
        call: Call = self.descend(node)
        kernel_call = match_call_tir(call, self.mod)
        name = str(kernel_call.kernel.attrs.get(OPERATOR_NAME)) if kernel_call is not None else ""
        if kernel_call is None or name not in self.options.op_impl_map:
            return call
        kernel, fields = kernel_call.kernel, kernel_call.arguments
        replacement = self.options.op_impl_map[name]
        layouts = self._layouts(name, kernel, replacement)
        self.is_changed = True
        symbol = self.builder.add_func(
            replacement.with_attr(OPERATOR_NAME, name), f"{name.replace('.', '_')}_replacement"
        )
        (info,) = call.sinfo_args
        count = len(fields)
        inputs = [self._transformed(field, *layout) for field, layout in zip(fields, layouts, strict=False)]
        infos = tuple_fields(info)
        outputs = [_transformed_info(each, layout[0]) for each, layout in zip(infos, layouts[count:], strict=False)]
        result = TupleStructInfo(tuple(outputs)) if isinstance(info, TupleStructInfo) else outputs[0]
        new_call = Call(call_tir, (symbol, Tuple(tuple(inputs)), *call.args[2:]), call.attrs, (result,), span=call.span)
        if all(layout is None for layout, _ in layouts):
            return new_call
        values = self.builder.emit(new_call)
        if not isinstance(info, TupleStructInfo):
            return self._restored(values, infos[0], *layouts[count])
        restored: list[RelaxExpr] = []
        for index, (each, layout) in enumerate(zip(infos, layouts[count:], strict=False)):
            item = self.builder.emit(TupleGetItem(values, index))
            restored.append(self.builder.emit(self._restored(item, each, *layout)))
        return Tuple(tuple(restored))

    def _layouts(
        self, name: str, kernel: PrimFunc, replacement: PrimFunc
    ) -> list[tuple[IndexMap | None, tuple[int, ...]]]:
        """Return the layout of each buffer with the separators of its axes. Raises `CannotReplaceKernel`."""
        count = len(kernel.params)
        if len(replacement.params) != count:
            reason = f"they have {count} parameters, and the replacement {len(replacement.params)}"
            raise CannotReplaceKernel(name=name, reason=reason, span=replacement.span)
        given = self.options.op_buffer_transforms.get(name) or ()
        separators = self.options.op_buffer_axis_separators.get(name) or ()
        if given and len(given) != count:
            reason = f"layouts are given for {len(given)} buffers, and it has {count} parameters"
            raise CannotReplaceKernel(name=name, reason=reason, span=replacement.span)
        layouts: list[tuple[IndexMap | None, tuple[int, ...]]] = []
        for place in range(count):
            layout = given[place] if given else None
            own: list[int] = list(separators[place]) if place < len(separators) else []
            if layout is not None and not isinstance(layout, IndexMap):
                ndim = len(kernel.buffer_map[kernel.params[place]].shape)
                layout, own = IndexMap.from_func_with_separators(layout, ndim)
            layouts.append((layout, tuple(own)))
        return layouts

    def _transformed(self, value: RelaxExpr, layout: IndexMap | None, separators: tuple[int, ...]) -> RelaxExpr:
        """Return a tensor in a layout."""
        if layout is None:
            return value
        return self.builder.emit(Call(layout_transform, (value,), {"index_map": layout, "axis_separators": separators}))

    def _restored(
        self, value: RelaxExpr, info: StructInfo, layout: IndexMap | None, separators: tuple[int, ...]
    ) -> RelaxExpr:
        """Return a tensor in its former layout, without padding."""
        if layout is None or not isinstance(info, TensorStructInfo):
            return value
        inverse, padding = layout.non_surjective_inverse(info.extents or ())
        restored = Call(layout_transform, (value,), {"index_map": inverse, "axis_separators": ()})
        if isinstance(padding, IntImm) and not padding.value:
            return restored
        kernel = self.builder.add_func(_remove_pad(info), "remove_pad")
        return Call(call_tir, (kernel, Tuple((self.builder.emit(restored),))), None, (info,))


def _transformed_info(info: StructInfo, layout: IndexMap | None) -> StructInfo:
    """Return the struct info of a tensor in a layout."""
    if layout is None or not isinstance(info, TensorStructInfo) or info.extents is None:
        return info
    return TensorStructInfo(layout.map_shape(info.extents), info.dtype, vdevice=info.vdevice)


def _remove_pad(info: TensorStructInfo) -> PrimFunc:
    """Return a kernel that copies the first elements of a tensor along all axes."""
    source = placeholder(_sizes("p", info.ndim), info.dtype, name="input")
    names = [f"ax{place}" for place in range(info.ndim)]
    target = compute(_sizes("i", info.ndim), lambda *indices: source(*indices), name="output", varargs_names=names)
    kernel = create_prim_func([source, target], "int64").without_attr("global_symbol")
    return kernel.with_attr(OPERATOR_NAME, "remove_pad")


def _sizes(prefix: str, ndim: int) -> list[Expr]:
    return [Var(f"{prefix}{place}", INT64) for place in range(ndim)]
