"""Importers under Relay's names: `relay.frontend.from_pytorch`, `from_onnx`, `from_tflite`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tvmscript.backends.runtime.array import NDArray
from tvmscript.frontend.detach_params import detach_params
from tvmscript.frontend.onnx import from_onnx as import_onnx
from tvmscript.frontend.tflite import from_tflite as import_tflite
from tvmscript.frontend.torch.traced import from_traced
from tvmscript.ir.core import IRModule
from tvmscript.ir.core.lazy import lazy_names

_HELPERS = "common pytorch_utils tensorflow tflite"
_OTHERS = "darknet keras mxnet caffe caffe2 coreml paddle oneflow"
# importers of TVM that are absent, with the reason
__getattr__, __dir__ = lazy_names(
    __name__,
    dict.fromkeys(("onnx", "pytorch"), f"{__name__}:"),
    {
        **dict.fromkeys(_HELPERS.split(), "helpers of TVM's importers are not part of this package"),
        "from_tensorflow": "convert the model by tf2onnx for from_onnx, or by TFLiteConverter for from_tflite",
        **{f"from_{name}": "convert the model to ONNX, and use from_onnx" for name in _OTHERS.split()},
    },
)


def _named_params(mod: IRModule) -> tuple[IRModule, dict[str, NDArray]]:
    """Return a module whose weights are parameters, and their values by name."""
    bare, arrays = detach_params(mod)
    main: Any = bare["main"]
    weights = arrays.get("main", [])
    names = [param.name_hint for param in main.params[len(main.params) - len(weights) :]]
    return bare, dict(zip(names, weights, strict=True))


def from_pytorch(
    script_module: Any,
    input_infos: Sequence[tuple[str, Any]],
    custom_convert_map: Mapping[str, Any] | None = None,
    default_dtype: str = "float32",
    use_parser_friendly_name: bool = False,
    keep_quantized_weight: bool = False,
    export_renamed_c_graph_path: str | None = None,
    preserve_pytorch_scopes: bool = False,
) -> tuple[IRModule, dict[str, NDArray]]:
    """Import what `torch.jit.trace` returns: `mod, params = from_pytorch(traced, [("input0", (1, 3, 224, 224))])`.

    Options of TVM that concern names and quantized weights have no effect. Raises the errors of
    `frontend.torch.from_traced`.
    """
    return _named_params(from_traced(script_module, list(input_infos), dict(custom_convert_map or {})))


def from_onnx(
    model: Any,
    shape: Mapping[str, Any] | None = None,
    dtype: Any = "float32",
    opset: int | None = None,
    freeze_params: bool = True,
    convert_config: Mapping[str, Any] | None = None,
    export_node_renamed_model_path: str | None = None,
) -> tuple[IRModule, dict[str, NDArray]]:
    """Import an ONNX model: the module, and its weights by name. With `freeze_params` weights are constants."""
    mod = import_onnx(model, shape, dtype, opset, keep_params_in_input=not freeze_params)
    return _named_params(mod) if not freeze_params else (mod, {})


def from_tflite(
    model: Any, shape_dict: Mapping[str, Sequence[int]] | None = None, dtype_dict: Mapping[str, str] | None = None
) -> tuple[IRModule, dict[str, NDArray]]:
    """Import a TFLite model; its weights are constants. Options of TVM that concern operators are absent."""
    return import_tflite(model, shape_dict, dtype_dict), {}
