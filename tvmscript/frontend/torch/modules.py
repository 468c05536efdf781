"""Converters of the layers of torch.nn, which fx graphs keep as calls of modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from tvmscript.frontend.torch import operators
from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.protocols import Module, Tensor, is_tensor
from tvmscript.frontend.torch.registry import CONVERTERS
from tvmscript.ir.relax.base import RelaxExpr

#: keeps the import, which fills the table of converters
FAMILIES = operators


class Importer(Protocol):
    """What a converter of a layer uses of the import."""

    context: Context

    def tensor(self, tensor: Tensor) -> RelaxExpr: ...


#: (importer, module, *arguments of the call) -> the value of the call
ModuleConverter = Callable[..., object]

_WINDOW = "kernel_size stride padding"
#: layer -> the converter that it is, and its arguments after the input: attributes of the module, in this order, or
#: `argument=attribute`
_LAYERS: dict[str, tuple[str, str]] = {
    # layers with weights
    "Linear": ("linear", "weight bias"),
    "Bilinear": ("bilinear", "weight bias"),
    "BatchNorm1d": ("batch_norm", "weight bias running_mean running_var eps=eps"),
    "BatchNorm2d": ("batch_norm", "weight bias running_mean running_var eps=eps"),
    "BatchNorm3d": ("batch_norm", "weight bias running_mean running_var eps=eps"),
    "LayerNorm": ("layer_norm", "normalized_shape weight bias eps"),
    "RMSNorm": ("rms_norm", "normalized_shape weight eps"),
    "GroupNorm": ("group_norm", "num_groups weight bias eps"),
    "PReLU": ("prelu", "weight"),
    # pooling
    **{f"MaxPool{n}d": (f"max_pool{n}d", f"{_WINDOW} dilation ceil_mode return_indices") for n in (1, 2, 3)},
    "AvgPool1d": ("avg_pool1d", "kernel_size stride padding ceil_mode count_include_pad"),
    **{
        f"AvgPool{n}d": (f"avg_pool{n}d", "kernel_size stride padding ceil_mode count_include_pad divisor_override")
        for n in (2, 3)
    },
    **{f"AdaptiveAvgPool{n}d": (f"adaptive_avg_pool{n}d", "output_size") for n in (1, 2, 3)},
    **{f"AdaptiveMaxPool{n}d": (f"adaptive_max_pool{n}d", "output_size return_indices") for n in (1, 2, 3)},
    # activations
    **{
        name: (name.lower(), "")
        for name in ("ReLU", "ReLU6", "SiLU", "SELU", "Mish", "Sigmoid", "Tanh", "Hardsigmoid", "Hardswish")
    },
    **{name: (name.lower(), "") for name in ("Softsign", "Tanhshrink", "LogSigmoid")},
    "LeakyReLU": ("leaky_relu", "negative_slope"),
    "RReLU": ("rrelu", "lower upper"),
    "ELU": ("elu", "alpha"),
    "CELU": ("celu", "alpha"),
    "GELU": ("gelu", "approximate"),
    "GLU": ("glu", "dim"),
    "Hardtanh": ("hardtanh", "min_val max_val"),
    "Softplus": ("softplus", "beta threshold"),
    "Softshrink": ("softshrink", "lambd"),
    "Hardshrink": ("hardshrink", "lambd"),
    "Threshold": ("threshold", "threshold value"),
    "Softmax": ("softmax", "dim"),
    "Softmin": ("softmin", "dim"),
    "LogSoftmax": ("log_softmax", "dim"),
    # shapes
    "Flatten": ("flatten", "start_dim end_dim"),
    "Unflatten": ("unflatten", "dim unflattened_size"),
    "PixelShuffle": ("pixel_shuffle", "upscale_factor"),
    "PixelUnshuffle": ("pixel_unshuffle", "downscale_factor"),
    "ChannelShuffle": ("channel_shuffle", "groups"),
    "Upsample": ("interpolate", "size scale_factor mode align_corners"),
    "UpsamplingNearest2d": ("interpolate", "size scale_factor mode"),
    "UpsamplingBilinear2d": ("interpolate", "size scale_factor mode align_corners"),
    "LocalResponseNorm": ("local_response_norm", "size alpha beta k"),
    **{f"ConstantPad{n}d": ("constant_pad_nd", "padding value") for n in (1, 2, 3)},
    **{f"ZeroPad{n}d": ("constant_pad_nd", "padding value") for n in (1, 2, 3)},
    **{f"ReflectionPad{n}d": (f"reflection_pad{n}d", "padding") for n in (1, 2, 3)},
    **{f"ReplicationPad{n}d": (f"replication_pad{n}d", "padding") for n in (1, 2, 3)},
    **{f"CircularPad{n}d": (f"_circular_pad{n}d", "padding") for n in (1, 2, 3)},
    # layers that do nothing in inference
    **dict.fromkeys(("Identity", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout"), ("dropout", "")),
    # losses
    "CrossEntropyLoss": ("cross_entropy_loss", "weight reduction ignore_index label_smoothing"),
    "NLLLoss": ("nll_loss", "weight reduction ignore_index"),
    "MSELoss": ("mse_loss", "reduction"),
    "L1Loss": ("l1_loss", "reduction"),
    "SmoothL1Loss": ("smooth_l1_loss", "reduction beta"),
    "HuberLoss": ("huber_loss", "reduction delta"),
    "BCEWithLogitsLoss": ("binary_cross_entropy_with_logits", "weight pos_weight reduction"),
}


def name_of_module(module: Module) -> str:
    """Return the name of the class of a module: `torch.nn.Linear`, or that of a user's module."""
    cls = type(module)
    if cls.__module__.startswith("torch.nn.modules."):
        return f"torch.nn.{cls.__name__}"
    return f"{cls.__module__}.{cls.__qualname__}"


def _attribute(importer: Importer, module: Module, name: str) -> object:
    value = getattr(module, name)
    return importer.tensor(value) if is_tensor(value) else value


def _layer(converter: str, attributes: str) -> ModuleConverter:
    """Return the converter of a layer that is an operator with attributes of the module as further arguments."""
    function = CONVERTERS[converter].function
    words = [word.rpartition("=") for word in attributes.split()]

    def convert(importer: Importer, module: Module, *args: object, **_: object) -> object:
        values = [(argument, _attribute(importer, module, name)) for argument, _, name in words]
        positional = [value for argument, value in values if not argument]
        named = {argument: value for argument, value in values if argument}
        return function(importer.context, *args, *positional, **named)

    return convert


def _convolution(importer: Importer, module: Module, x: RelaxExpr, output_size: object = None) -> object:
    """Convert a convolution; other paddings than zeros are elements that are padded before."""
    ctx, transposed = importer.context, "Transpose" in type(module).__name__
    padding, mode = module.padding, str(module.padding_mode)
    if mode != "zeros":
        pad: Sequence[int] = module._reversed_padding_repeated_twice
        x = _as_tensor(CONVERTERS["pad"].function(ctx, x, list(pad), mode))
        padding = 0
    args = [x, _attribute(importer, module, "weight"), _attribute(importer, module, "bias"), module.stride, padding]
    args += [module.dilation, transposed, module.output_padding, module.groups]
    return CONVERTERS["convolution"].function(ctx, *args)


def _as_tensor(value: object) -> RelaxExpr:
    assert isinstance(value, RelaxExpr)
    return value


def _embedding(importer: Importer, module: Module, indices: RelaxExpr) -> object:
    return CONVERTERS["embedding"].function(importer.context, _attribute(importer, module, "weight"), indices)


def _instance_norm(importer: Importer, module: Module, x: RelaxExpr) -> object:
    values = [_attribute(importer, module, name) for name in ("weight", "bias", "running_mean", "running_var")]
    from_input = not module.track_running_stats
    return CONVERTERS["instance_norm"].function(importer.context, x, *values, from_input, eps=module.eps)


def _recurrent(importer: Importer, module: Module, x: RelaxExpr, state: object = None) -> object:
    """Convert a recurrent layer. States that are not given are zeros."""
    ctx = importer.context
    mode = str(module.mode).lower()
    weights = [importer.tensor(tensor) for tensor in module._flat_weights]
    if state is None:
        shape = ctx.shape(x)
        batch = [] if len(shape) == 2 else [shape[0 if module.batch_first else 1]]
        count = int(module.num_layers) * (2 if module.bidirectional else 1)
        zeros = ctx.full([count, *batch, int(module.hidden_size)], 0, ctx.dtype(x))
        state = [zeros, zeros] if mode == "lstm" else zeros
    options = [module.bias, module.num_layers, 0.0, False, module.bidirectional, module.batch_first]
    results = CONVERTERS[mode].function(ctx, x, state, weights, *options)
    assert isinstance(results, tuple)
    return (results[0], results[1:]) if mode == "lstm" else results


def _multihead_attention(
    importer: Importer,
    module: Module,
    query: RelaxExpr,
    key: RelaxExpr,
    value: RelaxExpr,
    key_padding_mask: RelaxExpr | None = None,
    need_weights: bool = True,
    attn_mask: RelaxExpr | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> object:
    """Convert attention of several heads. Its weights are no result."""
    ctx = importer.context
    if key_padding_mask is not None or module.bias_k is not None or not module._qkv_same_embed_dim:
        ctx.fail("MultiheadAttention with key_padding_mask, bias_k or several widths has no converter")
    weight, bias = _attribute(importer, module, "in_proj_weight"), _attribute(importer, module, "in_proj_bias")
    width, heads = int(module.embed_dim), int(module.num_heads)
    first = 0 if module.batch_first else 1
    rows: list[RelaxExpr] = []
    for number, x in enumerate((query, key, value)):
        part = [ctx.slice(_as_tensor(weight), 0, number * width, (number + 1) * width)]
        if bias is not None:
            part.append(ctx.slice(_as_tensor(bias), 0, number * width, (number + 1) * width))
        projected = _as_tensor(CONVERTERS["linear"].function(ctx, x, *part))
        shape = ctx.shape(projected)
        split = ctx.reshape(projected, [*shape[:-1], heads, width // heads])
        rows.append(ctx.permute(split, [0, 2, 1, 3] if first == 0 else [1, 2, 0, 3]))
    if attn_mask is not None and ctx.dtype(attn_mask) == "bool":  # True means that a key is left out
        attn_mask = _as_tensor(CONVERTERS["logical_not"].function(ctx, attn_mask))
    mixed = CONVERTERS["scaled_dot_product_attention"].function(ctx, *rows, attn_mask)
    joined = ctx.permute(_as_tensor(mixed), [0, 2, 1, 3] if first == 0 else [2, 0, 1, 3])
    flat = ctx.reshape(joined, ctx.shape(query))
    out: Module = module.out_proj
    options = [_attribute(importer, out, "weight"), _attribute(importer, out, "bias")]
    return CONVERTERS["linear"].function(ctx, flat, *options), None


MODULES: Mapping[str, ModuleConverter] = {
    **{f"torch.nn.{name}": _layer(*layer) for name, layer in _LAYERS.items()},
    **{f"torch.nn.Conv{transpose}{n}d": _convolution for transpose in ("", "Transpose") for n in (1, 2, 3)},
    **{f"torch.nn.InstanceNorm{n}d": _instance_norm for n in (1, 2, 3)},
    **{f"torch.nn.{name}": _recurrent for name in ("LSTM", "GRU", "RNN")},
    "torch.nn.Embedding": _embedding,
    "torch.nn.MultiheadAttention": _multihead_attention,
}
