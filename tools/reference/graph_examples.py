"""An example of each operator of the graph level for its page: a call, and what is inferred of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.signature import REQUIRED
from tvmscript.ir.relax.struct_info import ObjectStructInfo, TensorStructInfo, TupleStructInfo
from tvmscript.parser import from_source

#: what is tried where nothing else is said: all arguments are this
_USUAL: Final = (
    "float32[n, 4]", "bool[n, 4]", "int64[n, 4]", "float32[n, 4, 8, 8]", "float32[n, 4, 8]", "float32[4, 4]",
    "float32[n, 4, 8, 8, 8]", "int64[4]",
)  # fmt: skip
#: part of a name -> what such operators are for
_FIRST: Final = {"logical": "bool[n, 4]", "bitwise": "int64[n, 4]"}
#: operator -> the tensors a, b, ..., and the arguments of a call
_OWN: Final[dict[str, tuple[str, str]]] = {
    "R.arange": ("", "0, 10, 2"),
    "R.astype": ("float32[n, 4]", 'a, "float16"'),
    "R.broadcast_to": ("float32[n, 1]", "a, (n, 4)"),
    "R.ccl.allgather": ("float32[n, 4]", "a, 2"),
    "R.ccl.scatter_from_worker0": ("float32[4, 8]", "a, 2"),
    "R.clip": ("float32[n, 4]", "a, 0, 6"),
    "R.collapse_sum_like": ("float32[n, 4]; float32[4]", "a, b"),
    "R.collapse_sum_to": ("float32[n, 4]", "a, (4,)"),
    "R.concat": ("float32[n, 4]; float32[n, 2]", "(a, b), axis=1"),
    "R.dequantize": ("int8[n, 4]; float32[4]; int8[4]", "a, b, c, axis=1"),
    "R.dist.redistribute_replica_to_shard": ("float32[n, 4]", "a, 2, 1"),
    "R.einsum": ("float32[n, 4]; float32[4, 8]", '(a, b), subscripts="ij,jk->ik"'),
    "R.expand_dims": ("float32[n, 4]", "a, axis=1"),
    "R.eye": ("", "4"),
    "R.flip": ("float32[n, 4]", "a, axis=1"),
    "R.full": ("float32[]", "(4, 2), a"),
    "R.full_like": ("float32[n, 4]; float32[]", "a, b"),
    "R.gather_nd": ("float32[n, 4]; int64[3, 2]", "a, b"),
    "R.hamming_window": ("", '16, True, 0.54, 0.46, "float32"'),
    "R.image.affine_grid": ("float32[n, 2, 3]", "a, (8, 8)"),
    "R.image.resize2d": ("float32[n, 4, 8, 8]", "a, (16, 16)"),
    "R.image.resize3d": ("float32[n, 4, 8, 8, 8]", "a, (16, 16, 16)"),
    "R.index_tensor": ("float32[n, 4]; int64[2]; int64[2]", "a, (b, c)"),
    "R.inspect.tensor_ndim": ("float32[n, 4]", "a"),
    "R.layout_transform": ("float32[n, 4]", "a, index_map=lambda i, j: (j, i)"),
    "R.matmul": ("float32[n, 4]; float32[4, 8]", "a, b"),
    "R.meshgrid": ("float32[n]; float32[4]", '(a, b), indexing="ij"'),
    "R.multinomial_from_uniform": ("float32[3, 4]; float32[6, 1]; int64[6, 1]", "a, b, c"),
    "R.nn.attention_bias": (
        "float32[n, 6, 2, 8]; float32[n, 6, 2, 8]; float32[n, 6, 2, 8]; float32[n, 2, 6, 6]",
        "a, b, c, d",
    ),
    "R.nn.batch_norm": ("float32[n, 4, 8, 8]; float32[4]; float32[4]; float32[4]; float32[4]", "a, b, c, d, e, axis=1"),
    "R.nn.conv1d": ("float32[n, 4, 8]; float32[6, 4, 3]", "a, b"),
    "R.nn.conv1d_transpose": ("float32[n, 4, 8]; float32[4, 6, 3]", "a, b"),
    "R.nn.conv2d": ("float32[n, 4, 8, 8]; float32[6, 4, 3, 3]", "a, b"),
    "R.nn.conv2d_transpose": ("float32[n, 4, 8, 8]; float32[4, 6, 3, 3]", "a, b"),
    "R.nn.conv3d": ("float32[n, 4, 8, 8, 8]; float32[6, 4, 3, 3, 3]", "a, b"),
    "R.nn.group_norm": ("float32[n, 4, 8]; float32[4]; float32[4]", "a, b, c, num_groups=2, channel_axis=1, axes=[2]"),
    "R.nn.instance_norm": ("float32[n, 4, 8]; float32[4]; float32[4]", "a, b, c, channel_axis=1, axes=[2]"),
    "R.nn.layer_norm": ("float32[n, 4]; float32[4]; float32[4]", "a, b, c, axes=[-1]"),
    "R.nn.nll_loss": ("float32[n, 4]; int64[n]", "a, b"),
    "R.nn.pad": ("float32[n, 4]", "a, pad_width=[0, 0, 1, 1]"),
    "R.nn.pixel_shuffle": ("float32[n, 8, 6, 6]", "a, upscale_factor=2"),
    "R.nn.rms_norm": ("float32[n, 4]; float32[4]", "a, b, axes=[-1]"),
    "R.one_hot": ("int64[n]", "a, R.prim_value(1), R.prim_value(0), 4"),
    "R.ones": ("", '(4, 2), "float32"'),
    "R.quantize": ("float32[n, 4]; float32[4]; int8[4]", "a, b, c, axis=1"),
    "R.repeat": ("float32[n, 4]", "a, 2, axis=1"),
    "R.reshape": ("float32[n, 4]", "a, (2, n * 2)"),
    "R.reverse_sequence": ("float32[n, 4]; int64[4]", "a, b, seq_axis=0, batch_axis=1"),
    "R.scatter_nd": ("float32[n, 4]; int64[3, 1]; float32[3, 4]", "a, b, c"),
    "R.slice_scatter": ("float32[8, 4]; float32[2, 4]", "a, b, 0, 2, 1, axis=0"),
    "R.split": ("float32[n, 4]", "a, 2, axis=1"),
    "R.stack": ("float32[n, 4]; float32[n, 4]", "(a, b), axis=1"),
    "R.strided_slice": ("float32[n, 4]", "a, axes=[1], begin=[1], end=[3]"),
    "R.take": ("float32[n, 4]; int64[2]", "a, b, axis=1"),
    "R.tile": ("float32[n, 4]", "a, 2"),
    "R.tensor_to_shape": ("int64[2]", "a"),
    "R.vision.roi_align": ("float32[n, 4, 8, 8]; float32[6, 5]", "a, b, pooled_size=3, spatial_scale=1.0"),
    "R.vision.roi_pool": ("float32[n, 4, 8, 8]; float32[6, 5]", "a, b, pooled_size=3, spatial_scale=1.0"),
    "R.where": ("bool[n, 4]; float32[n, 4]; float32[4]", "a, b, c"),
    "R.zeros": ("", '(4, 2), "float32"'),
}


def example(operator: Operator) -> str:
    """`float32[n, 4], float32[4]` → `float32[n, 4]`: arguments and what is inferred; empty where tensors do not do."""
    for tensors, call in _tries(operator):
        named: Mapping[str, str] = dict(zip(_NAMES, tensors, strict=False))
        head = ", ".join([f"{name}: {_annotation(tensor)}" for name, tensor in named.items()])
        lines = [f"def main({head}):", "    n = T.int64()", f"    return {operator.script_name}({call})"]
        try:
            func = from_source("\n".join(["@R.function(pure=False)", *lines]))
        except TVMScriptError:
            continue
        if isinstance(func, Function) and (result := _told(func.ret_struct_info)):
            shown = [named.get(part, part) for part in _NAME.split(call)]
            return f"`{''.join(shown)}` → `{result}`"
    return ""


_NAMES: Final = ("a", "b", "c", "d", "e")
_NAME: Final = re.compile(rf"\b([{''.join(_NAMES)}])\b(?=[,)]|$)")


def _tries(operator: Operator) -> Iterator[tuple[list[str], str]]:
    """Tensors, and the arguments of a call with them."""
    own = _OWN.get(operator.script_name)
    if own is not None:
        yield own[0].split("; ") if own[0] else [], own[1]
        return
    needed = [each for each in operator.parameters if each.default is REQUIRED]
    if all(each.is_argument and each.kind == "Expr" and not each.variadic for each in needed):
        first = next((tensor for word, tensor in _FIRST.items() if word in operator.name), _USUAL[0])
        yield from (([tensor] * len(needed), ", ".join(_NAMES[: len(needed)])) for tensor in (first, *_USUAL))


def _annotation(tensor: str) -> str:
    """`float32[n, 4]` as an annotation."""
    dtype, _, dims = tensor.rstrip("]").partition("[")
    sizes = [f'"{size}"' if size.isalpha() else size for size in dims.split(", ") if size]
    return f'R.Tensor(({"".join(f"{size}, " for size in sizes)}), "{dtype}")'


def _told(info: StructInfo | None) -> str:
    """What is inferred, in short; empty where that is nothing."""
    if isinstance(info, TupleStructInfo):
        fields = [_told(field) for field in info.fields]
        return f"({', '.join(fields)})" if all(fields) else ""
    if isinstance(info, TensorStructInfo) and info.extents is not None:
        said = f"{info.dtype}[{', '.join(map(str, info.extents))}]"
    else:
        said = "" if info is None or isinstance(info, ObjectStructInfo) else str(info)
    return re.sub(r"T\.int64\((\d+)\)", r"\1", said)
