"""TVM's paths and signatures of the names."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import pytest

from tvmscript.relax.frontend import nn


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("nn", "Module"), ("nn.core", "Tensor"), ("nn.core", "wrap_nested"), ("nn.core", "get_default_dtype"),
        ("nn.exporter", "Exporter"), ("nn.extern", "SourceModule"), ("nn.modules", "Conv2D"),
        ("nn.modules", "Attention"), ("nn.op", "matmul"), ("nn.spec", "ModuleSpec"),
        ("nn.subroutine", "SubroutineMixin"), ("nn.visitor", "Mutator"), ("common", "detach_params"),
    ],
)  # fmt: skip
def test_paths(path: str, name: str) -> None:
    module = importlib.import_module(f"tvmscript.relax.frontend.{path}")
    value = getattr(module, name)
    if path != "common":
        assert value is getattr(nn, name, None) or value is getattr(nn.spec, name)


def test_modules_are_an_attribute() -> None:
    """After `from tvmscript.relax.frontend import nn`, without a further import, as in TVM."""
    assert nn.modules.Attention is nn.Attention
    assert nn.modules.Timesteps is nn.Timesteps


SIGNATURES: dict[str, list[str]] = {
    "Conv2D": [
        "in_channels", "out_channels", "kernel_size", "stride=1", "padding=0", "dilation=1", "groups=1", "bias=True",
        "dtype=None", "data_layout='NCHW'",
    ],
    "Linear": ["in_features", "out_features", "bias=True", "dtype=None", "out_dtype=None"],
    "LayerNorm": ["normalized_shape", "eps=1e-05", "elementwise_affine=True", "dtype=None"],
    "KVCache": ["init_seq_len", "unit_shape", "dtype=None"],
    "multiply": ["a", "b", "name='mul'"],
    "negative": ["x", "name='neg'"],
    "topk": ["data", "k=1", "axis=-1", "ret_type='both'", "largest=True", "dtype='int32'", "name='topk'"],
    "split": ["ary", "indices_or_sections", "axis=0", "name='split'"],
    "permute_dims": ["x", "axes=None", "name=None"],
    "tensor_ir_op": ["func", "name_hint", "args", "out"],
    "tensor_expr_op": ["tensor_expr_func", "name_hint", "args", "attrs=None"],
    "SourceModule": [
        "symbols", "source_code", "source_format", "compile_options=None", "compiler=None", "output_format='obj'",
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures(name: str) -> None:
    """Names, order and defaults of parameters, which ../shared/parity/nn_modules.tsv lists."""
    value: Any = getattr(nn, name)
    parameters = inspect.signature(value).parameters.values()
    shown = [
        parameter.name if parameter.default is parameter.empty else f"{parameter.name}={parameter.default!r}"
        for parameter in parameters
    ]
    assert shown == SIGNATURES[name]
