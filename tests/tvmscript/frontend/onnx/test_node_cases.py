"""The node cases of `onnx.backend.test`, casts aside: they give what ONNX's reference gives."""

from __future__ import annotations

import zlib
from typing import Any, Final

import ml_dtypes
import numpy as np
import pytest

import tvmscript
from tvmscript import relax
from tvmscript.frontend.errors import UnsupportedOperators
from tvmscript.frontend.onnx.errors import UnknownInput
from tvmscript.ir.core import TVMScriptError
from tvmscript.relax.frontend.onnx import from_onnx

onnx: Any = pytest.importorskip("onnx", reason="onnx is an optional library")

pytestmark = pytest.mark.long


#: dtypes of several elements a byte
_PACKED = (ml_dtypes.int4, ml_dtypes.int2)


def _plain(value: Any) -> Any:
    if isinstance(value, onnx.TensorProto):
        return onnx.numpy_helper.to_array(value)
    return value if value is None or isinstance(value, (list, tuple)) else np.asarray(value)


def _bound(model: Any, inputs: list[Any]) -> Any:
    """Return a model whose integer and small inputs are weights: some operators need their values at import."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    for place, (info, value) in enumerate(zip(model.graph.input, inputs, strict=False)):
        if isinstance(value, np.ndarray) and (value.dtype.kind in "iub" or (place and value.size <= 8)):
            copy.graph.initializer.append(onnx.numpy_helper.from_array(value, info.name))
    return copy


def _argument(value: Any) -> Any:
    """Return an input as a graph takes it: elements of less than a byte are copied."""
    return tvmscript.nd.array(value) if getattr(value, "dtype", None) in _PACKED else value


def _run(model: Any, inputs: list[Any]) -> list[Any]:
    weights = {tensor.name for tensor in model.graph.initializer}
    given = {info.name: value for info, value in zip(model.graph.input, inputs, strict=False)}
    shapes = {
        name: None if value is None else [list(np.shape(item)) for item in value]
        for name, value in given.items()
        if value is None or isinstance(value, list)
    }
    module = from_onnx(model, shapes)  # type: ignore[arg-type]  # None for an absent input
    arguments = [_argument(value) for name, value in given.items() if name not in weights and value is not None]
    executable = relax.build(module, "interp", exec_mode="bytecode")
    result = relax.VirtualMachine(executable, tvmscript.cpu())["main"](*arguments)
    return [result] if len(model.graph.output) == 1 else list(result)


def _outcome(case: Any) -> str:
    inputs, expected = ([_plain(value) for value in values] for values in case.data_sets[0])
    try:
        try:
            results = _run(case.model, inputs)
        except UnknownInput:
            results = _run(_bound(case.model, inputs), inputs)
        for got, want in zip(results, expected, strict=False):
            _compare(got, want, case.rtol, case.atol)
    except UnsupportedOperators:
        return "unsupported"
    except (TVMScriptError, AssertionError):
        return "failed"
    return "passed"


def _compare(got: Any, want: Any, rtol: float, atol: float) -> None:
    if isinstance(want, (list, tuple)):
        for item, other in zip(got, want, strict=True):
            _compare(item, other, rtol, atol)
        return
    values = got.numpy()
    if want.dtype.isbuiltin != 1 and values.dtype.itemsize == want.dtype.itemsize:
        values = values.view(want.dtype)
    if want.dtype == ml_dtypes.bfloat16:
        rtol = max(rtol, 2**-6)  # as in ONNX's own runner: two steps
    np.testing.assert_allclose(values.astype("float64"), want.astype("float64"), rtol=rtol, atol=atol)
    assert values.shape == want.shape


#: the beginnings of names of cases that fail: random numbers, float16 sums of another order, and what has no kernel
_FAILING: Final = ("test_bernoulli", "test_attention_4d_causal_fp16", "test_dft_inverse", "test_equal_string")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("share", [pytest.param(1, marks=pytest.mark.fuzz), 4])
def test_node_cases_pass_but_for_few(share: int) -> None:
    """Operators without a kernel are refused by name, and are one case in thirty."""
    loader: Any = pytest.importorskip("onnx.backend.test.loader", reason="onnx is an optional library")
    cases = [case for case in loader.load_model_tests(kind="node") if not case.name.startswith("test_cast")]
    cases = [case for case in cases if zlib.crc32(case.name.encode()) % share == 0]
    outcomes = {case.name: _outcome(case) for case in cases}
    failed = [name for name, outcome in outcomes.items() if outcome == "failed" and not name.startswith(_FAILING)]
    refused = [name for name, outcome in outcomes.items() if outcome == "unsupported"]
    assert failed == []
    assert len(refused) < len(cases) / 30, refused
