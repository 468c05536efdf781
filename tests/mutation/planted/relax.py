"""Bugs of the graph level: what operators infer, struct info, reading and printing of graphs."""

from __future__ import annotations

from typing import Final

from tests.mutation.patch import Patch

PATCHES: Final = (
    Patch(
        "comparison-dtype",
        "ir/relax/op/binary.py",
        "    return _broadcast(call, _operand(call, 0), _operand(call, 1), BOOL)",
        "    return _broadcast(call, _operand(call, 0), _operand(call, 1), _operand(call, 0).dtype)",
        "comparisons have the dtype of their operands",
    ),
    Patch(
        "reduction-keepdims",
        "ir/relax/op/statistical.py",
        "    extents = kept if keepdims else [extent for axis, extent in enumerate(kept) if axis not in gone]",
        "    extents = [extent for axis, extent in enumerate(kept) if axis not in gone]",
        "keepdims is forgotten where axes are given",
    ),
    Patch(
        "scan-flattens",
        "ir/relax/op/statistical.py",
        "    extents = found.extents\n    return tensor_of(None if extents is None else (product(extents),), 1, dtype, found.vdevice)",
        "    return TensorStructInfo(found.shape, dtype, found.ndim, found.vdevice)",
        "cumsum without an axis keeps the shape",
    ),
    Patch(
        "matmul-columns",
        "ir/relax/op/linear_algebra.py",
        "*(b[-1:] if columns else ())], dtype, vdevice)",
        "*(b[-2:-1] if columns else ())], dtype, vdevice)",
        "matmul has as many columns as rows of the second matrix",
    ),
    Patch(
        "permute-order",
        "ir/relax/op/manipulate.py",
        '    order = tuple(reversed(range(ndim))) if axes is None else axes_of(call, "axes", axes, ndim)',
        '    order = tuple(range(ndim)) if axes is None else axes_of(call, "axes", axes, ndim)',
        "permute_dims without axes does not reverse them",
    ),
    Patch(
        "concat-axis",
        "ir/relax/op/manipulate.py",
        "extents[along] = mul(parts[0], size(len(parts))) if is_even else total(parts)",
        "extents[along] = mul(parts[0], size(len(parts)))",
        "concat takes all parts to be as long as the first",
    ),
    Patch(
        "split-rest",
        "ir/relax/op/manipulate.py",
        "    return [*[part] * (count - 1), sub(whole, mul(part, size(count - 1)))]",
        "    return [part] * count",
        "the last section of split is as long as the others",
    ),
    Patch(
        "squeeze-axes",
        "ir/relax/op/manipulate.py",
        "return of_extents([extent for extent in extents if not is_one(extent)], found.dtype, found.vdevice)",
        "return of_extents([extent for extent in extents if is_one(extent)], found.dtype, found.vdevice)",
        "squeeze keeps the axes of extent 1",
    ),
    Patch(
        "repeat-axis",
        "ir/relax/op/manipulate.py",
        "        flat = None if extents is None else (simplified(mul(product(extents), size(repeats))),)",
        "        flat = None if extents is None else (product(extents),)",
        "repeat without an axis forgets the repeats",
    ),
    Patch(
        "stack-axis",
        "ir/relax/op/manipulate.py",
        'along = axis_of(call, "axis", call.attrs["axis"] or 0, ndim)\n    vdevice',
        "along = 0\n    vdevice",
        "stack puts the new axis first",
    ),
    Patch(
        "pool-dilation",
        "ir/relax/op/nn/pool.py",
        '            attrs["dilation"][at],\n            attrs["strides"][at],\n            ceil_mode=attrs["ceil_mode"],',
        '            1,\n            attrs["strides"][at],\n            ceil_mode=attrs["ceil_mode"],',
        "pooling forgets the dilation",
    ),
    Patch(
        "conv-padding",
        "ir/relax/op/nn/conv.py",
        '                attrs["padding"][at] + attrs["padding"][spatial + at],\n                weight',
        '                2 * attrs["padding"][at],\n                weight',
        "convolutions take both paddings of an axis to be equal",
    ),
    Patch(
        "dtype-of-arguments",
        "ir/relax/op/shapes.py",
        "    return TensorStructInfo(found.shape, dtype, found.ndim, found.vdevice)",
        "    return TensorStructInfo(found.shape, found.dtype, found.ndim, found.vdevice)",
        "operators that change the dtype do not",
    ),
    Patch(
        "unseen-sizes",
        "ir/relax/derive.py",
        "            if size is None:\n                return None\n            if size is not var:",
        "            if size is None:\n                continue\n            if size is not var:",
        "sums of sizes are seen outside of the scope of their variables",
    ),
    Patch(
        "common-of-branches",
        "ir/relax/lattice.py",
        "    dtype = left.dtype if left.dtype is right.dtype else VOID\n",
        "    dtype = left.dtype\n",
        "the branches of an if are taken to have the dtype of the first",
    ),
    Patch(
        "printed-ndim",
        "tvmscript/printer/relax_struct_info.py",
        "    if node.shape is None and node.ndim != UNKNOWN_NDIM:\n",
        "    if node.shape is None and node.ndim > 0:\n",
        "tensors of rank 0 and unknown shape are printed without their rank",
    ),
    Patch(
        "printed-purity",
        "tvmscript/printer/relax_struct_info.py",
        '        if node.purity:\n            said.append("purity=True")\n',
        "",
        "the purity of functions is not printed",
    ),
)
