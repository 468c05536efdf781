"""Which mistakes each operator has to refuse, and which parameters the error may name.

Some mistakes are wrong for every operator: a shape instead of a tensor, an axis out of range. Others contradict another
argument; operators that use both arguments refuse them.

The table is TVM's behaviour: `test_refusals_oracle.py` compares every entry, and mistakes without an entry, with TVM
0.17. Operators that exist only in 0.27 were compared with 0.27 on 2026-11-22. `STRICTER` lists refusals of this package
alone.
"""

from __future__ import annotations

from typing import Final

from tvmscript.fuzz.relax.mistakes import Mistake

#: mistakes that every operator refuses, blaming the parameter
ALWAYS: Final = frozenset(("shape", "tuple", "tensor", "layout", "large", "small", "twice", "empty", "item", "rank"))
_GRADIENTS: Final = (
    "grad.avg_pool2d_backward", "grad.max_pool2d_backward", "grad.nll_loss_backward", "grad.no_grad",
    "grad.take_backward",
)  # fmt: skip
#: operator -> such mistakes that it may accept
TAKEN: Final[dict[str, frozenset[str]]] = {
    # the result has the struct info of the input, whatever that is
    **dict.fromkeys(_GRADIENTS, frozenset(("shape", "tuple", "layout", "large", "small"))),
    # storage is an object
    "memory.alloc_tensor": frozenset(("shape", "tuple")),
    "vm.alloc_tensor": frozenset(("shape", "tuple", "tensor")),
    # one tensor of indices is accepted as a list
    "index_put": frozenset(("tensor",)),
    "index_tensor": frozenset(("rank",)),
    # no axis of a scalar is too large
    "squeeze": frozenset(("large",)),
}
#: operator -> mistakes that are refused here and by NumPy; TVM accepts them and fails later
STRICTER: Final[dict[str, frozenset[str]]] = {
    **dict.fromkeys(("argsort", "cumprod", "cumsum", "scatter_elements", "sort"), frozenset(("large", "small"))),
    "clip": frozenset(("shape", "tuple")),
    "memory.ensure_zero_offset": frozenset(("shape", "tuple")),
}

_TENSOR: Final = "dtype more less sizes"
#: operators -> parameter -> refused mistakes, each with the parameters that may be blamed behind `>`: `|` for
#: "or", nothing for the parameter itself
_TOLD: Final[dict[tuple[str, ...], dict[str, str]]] = {
    # element by element
    (
        "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "erf", "exp", "log", "rsqrt", "sigmoid",
        "sin", "sinh", "sqrt", "tan", "tanh",
    ): {"x": "dtype"},
    (
        "add", "atan2", "bitwise_and", "bitwise_or", "bitwise_xor", "divide", "floor_divide", "floor_mod", "left_shift",
        "log_add_exp", "logical_and", "logical_or", "logical_xor", "maximum", "minimum", "mod", "multiply", "power",
        "right_shift", "subtract",
    ): {"x1": "dtype>x2", "x2": "dtype"},
    ("ewise_fma",): {"x1": "dtype>x2 more>x2", "x2": "dtype more", "x3": "dtype more"},
    (
        "nn.gelu", "nn.gelu_tanh", "nn.leakyrelu", "nn.log_softmax", "nn.prelu", "nn.selu", "nn.silu", "nn.softmax",
        "nn.softplus",
    ): {"data": "dtype"},
    ("where",): {"condition": "dtype", "x1": "dtype>x2", "x2": "dtype"},
    # made of nothing
    ("eye_like",): {"x": "more less"},
    ("full", "full_like"): {"fill_value": "more"},
    # parts of a tensor
    ("dynamic_strided_slice",): {
        "x": "more>begin less>begin", "begin": _TENSOR, "end": _TENSOR, "strides": _TENSOR,
    },
    ("gather_elements",): {"data": "more>indices less>indices", "indices": "dtype more less"},
    ("gather_nd",): {"indices": "dtype sizes"},
    ("one_hot", "take"): {"indices": "dtype"},
    # products
    ("einsum",): {"operands": "rank>subscripts items>subscripts"},
    ("matmul",): {"x1": "sizes>x2", "x2": "sizes"},
    ("outer",): {"x1": "more less", "x2": "more less"},
    # moved elements
    ("broadcast_to",): {"x": "more>shape"},
    ("memory.view",): {"shape": "sizes>data"},
    ("nn.pad",): {"data": "more>pad_width less>pad_width"},
    ("reshape",): {"x": "more>shape sizes>shape", "shape": "sizes"},
    ("reverse_sequence",): {"data": "less>batch_axis|seq_axis sizes>seq_lengths", "seq_lengths": _TENSOR},
    ("tensor_to_shape",): {"expr": "more less"},
    # writing into a tensor
    ("index_put",): {"data": "dtype>values more>indices less>indices", "indices": "items", "values": "dtype"},
    ("scatter_elements",): {
        "data": "dtype>updates more>indices less>axis|indices",
        "indices": "dtype more less sizes>updates",
        "updates": _TENSOR,
    },
    ("scatter_nd",): {
        "data": "dtype>updates more>updates less>indices|updates",
        "indices": "dtype more>updates less>|updates sizes",
        "updates": "dtype more",
    },
    ("slice_scatter",): {"input_tensor": "dtype>src more>src less>src", "src": _TENSOR},
    # windows and images
    (
        "nn.conv1d", "nn.conv1d_transpose", "nn.conv2d", "nn.conv2d_transpose", "nn.conv3d", "nn.conv3d_transpose",
    ): {"data": "more less sizes>|weight", "weight": "more less sizes"},
    (
        "image.resize2d", "image.resize3d", "nn.adaptive_avg_pool1d", "nn.adaptive_avg_pool2d",
        "nn.adaptive_avg_pool3d", "nn.avg_pool1d", "nn.avg_pool2d", "nn.avg_pool3d", "nn.max_pool1d", "nn.max_pool2d",
        "nn.max_pool3d", "vision.get_valid_counts",
    ): {"data": "more less"},
    ("image.affine_grid",): {"data": "more less sizes"},
    ("image.grid_sample",): {"data": "more less", "grid": "less"},
    # layers
    ("nn.attention", "nn.attention_var_len"): {
        "query": "more less sizes>key", "key": "more less sizes", "value": "more less sizes",
    },
    ("nn.attention_bias",): {
        "query": "more less sizes>key", "key": "more less sizes", "value": "more less sizes", "bias": "more less sizes",
    },
    ("nn.batch_norm",): {
        "data": "dtype sizes>gamma", "gamma": _TENSOR, "beta": _TENSOR, "moving_mean": _TENSOR, "moving_var": _TENSOR,
    },
    ("nn.group_norm",): {"data": "dtype sizes>gamma|num_groups", "gamma": _TENSOR, "beta": _TENSOR},
    ("nn.instance_norm",): {"data": "dtype>gamma sizes>gamma", "gamma": _TENSOR, "beta": _TENSOR},
    ("nn.layer_norm",): {"data": "dtype sizes>gamma", "gamma": _TENSOR, "beta": _TENSOR},
    ("nn.rms_norm",): {"data": "dtype sizes>weight", "weight": _TENSOR},
    ("nn.cross_entropy_with_logits",): {
        "predictions": "dtype>labels more>labels less>labels sizes>labels", "labels": _TENSOR,
    },
    ("nn.nll_loss",): {"predictions": "more>targets less>|targets", "targets": "dtype more", "weights": _TENSOR},
    # quantization, choices
    ("dequantize",): {"scale": "dtype more", "zero_point": "dtype more"},
    ("quantize",): {"data": "dtype", "scale": "dtype more", "zero_point": "dtype more"},
    ("bucketize",): {"boundaries": "more less"},
    ("multinomial_from_uniform",): {
        "prob": "dtype more less",
        "uniform_sample": "dtype more less sizes>sample_indices",
        "sample_indices": _TENSOR,
    },
    # boxes
    ("vision.all_class_non_max_suppression",): {"boxes": "more less", "scores": "more less"},
    ("vision.multibox_transform_loc",): {
        "cls_pred": "dtype>loc_pred more less sizes>loc_pred", "loc_pred": _TENSOR, "anchor": _TENSOR,
    },
    ("vision.non_max_suppression",): {
        "data": "more less sizes>valid_count", "valid_count": _TENSOR, "indices": _TENSOR,
    },
    ("vision.roi_align", "vision.roi_pool"): {"data": "more less", "rois": "more less sizes"},
}  # fmt: skip


def _read(parameter: str, told: str) -> dict[str, frozenset[str]]:
    """Parse an entry: kind of mistake -> the parameters that may be blamed."""
    refused: dict[str, frozenset[str]] = {}
    for word in told.split():
        kind, _, others = word.partition(">")
        refused[kind] = frozenset(other or parameter for other in others.split("|"))
    return refused


#: operator -> parameter -> kind of mistake -> the parameters that may be blamed
REFUSED: Final = {
    name: {parameter: _read(parameter, told) for parameter, told in entry.items()}
    for names, entry in _TOLD.items()
    for name in names
}


def blamed(mistake: Mistake) -> frozenset[str]:
    """The parameters that may be blamed for a mistake; empty if it need not be refused."""
    name, kind = mistake.call.operator, mistake.kind
    refused_kinds = REFUSED.get(name, {}).get(mistake.parameter, {})
    if kind in refused_kinds or kind not in ALWAYS or kind in TAKEN.get(name, ()):
        return refused_kinds.get(kind, frozenset())
    return frozenset((mistake.parameter,))
