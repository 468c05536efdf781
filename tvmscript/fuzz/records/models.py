"""Import models that other libraries write, and observe the modules: their weights are in the texts."""

from __future__ import annotations

import base64
import math
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from tvmscript.frontend.onnx import from_onnx
from tvmscript.frontend.optional import load_library
from tvmscript.frontend.tflite import from_tflite
from tvmscript.frontend.torch import from_exported_program, from_fx, from_traced
from tvmscript.fuzz.observing import observe, observe_error
from tvmscript.ir.core import IRModule, TVMScriptError

#: the shape of a tensor, its dtype, its least element, the largest
Tensor = tuple[tuple[int, ...], str, int, int]


def _unpacked(text: str) -> bytes:
    """Return the bytes of a model: a text has them compressed by zlib, in base 85."""
    return zlib.decompress(base64.b85decode(text))


def check_onnx(text: str, shapes: Mapping[str, Any] | None = None, **options: Any) -> None:
    """Observe the module of an ONNX model."""
    try:
        _observe(from_onnx(_unpacked(text), dict(shapes) if shapes is not None else None, **options))
    except (TVMScriptError, TypeError, ValueError) as error:
        observe_error(error)


def check_tflite(text: str, *args: Any, **options: Any) -> None:
    """Observe the module of a TFLite model."""
    try:
        _observe(from_tflite(_unpacked(text), *args, **options))
    except (TVMScriptError, TypeError, ValueError) as error:
        observe_error(error)


def check_torch(kind: str, calls: Sequence[tuple[str, Sequence[Tensor]]]) -> None:
    """Observe the module of a torch model whose results are those of some functions of tensors.

    `kind` is fx, exported, decomposed or traced.
    """
    torch: Any = load_library("torch", "the fuzzer of its models")
    names = {"torch": torch, "F": torch.nn.functional, "nn": torch.nn, "math": math}
    functions = [eval(text, names) for text, _ in calls]  # noqa: S307  # a text of a recorded example
    counts = [len(inputs) for _, inputs in calls]
    tensors = [torch.from_numpy(_array(each)) for _, inputs in calls for each in inputs] or [torch.zeros(1)]
    model = _model(torch, functions, counts, len(tensors))
    infos = [(tuple(each.shape), each.dtype) for each in tensors]
    try:
        if kind == "fx":
            module = from_fx(torch.fx.symbolic_trace(model), infos)
        elif kind == "traced":
            traced = torch.jit.trace(model, tuple(tensors), check_trace=False)
            module = from_traced(traced, [(f"x{place}", info) for place, info in enumerate(infos)])
        else:
            program = torch.export.export(model, tuple(tensors))
            module = from_exported_program(program, run_ep_decomposition=kind == "decomposed")
        _observe(module)
    except (TVMScriptError, TypeError, ValueError, RuntimeError) as error:
        observe_error(error)


def _array(tensor: Tensor) -> Any:
    shape, dtype, low, high = tensor
    numbers = np.arange(math.prod(shape)) * 5 % (high - low + 1) + low
    return numbers.reshape(shape).astype(dtype)


_SOURCE: Final = """
def forward(self, {parameters}):
    values = [{parameters}]
    results = []
    for function, count in zip(functions, counts):
        results.append(function(*values[:count]))
        values = values[count:]
    return tuple(results)
"""


def _model(torch: Any, functions: Sequence[Any], counts: Sequence[int], count: int) -> Any:
    """Return a module that hands its tensors to the functions; torch.fx traces named parameters alone."""
    names: dict[str, Any] = {"functions": functions, "counts": counts}
    exec(_SOURCE.format(parameters=", ".join(f"x{place}" for place in range(count))), names)  # noqa: S102
    return type("Model", (torch.nn.Module,), {"forward": names["forward"]})().eval()


def _observe(module: IRModule) -> None:
    observe("imported", module.script, show_meta=True)
