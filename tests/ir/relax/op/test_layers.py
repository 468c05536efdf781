"""Layers and runtime operators: inference against TVM, references against TVM's programs and our kernels."""

from __future__ import annotations

import itertools
import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import tvmscript  # installs the printer: sizes are compared as text
import tvmscript.ir.relax.op.registry as all  # fills the registry
from tests.ir.relax.infos import told
from tests.ir.relax.op import layers, library
from tests.ir.relax.op.calls import Case, plain
from tests.ir.relax.op.current import INFERRED
from tests.ir.relax.peer import check_kept_answers, kept_answers
from tvmscript import relax
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.module import GlobalVar, VDevice
from tvmscript.ir.core.span import Source, Span
from tvmscript.ir.relax import expr, struct_info
from tvmscript.ir.relax.distributed import DeviceMesh, DTensorStructInfo, Placement
from tvmscript.ir.relax.errors import InvalidCall
from tvmscript.ir.relax.op.call_packed import call_packed
from tvmscript.ir.relax.op.script_functions import as_prim, script_function_of
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.struct_info import (
    ObjectStructInfo,
    PrimStructInfo,
    ShapeExpr,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.tir.var import Var

Array = npt.NDArray[Any]

CASES = layers.cases()

#: printed with its arguments in the order of the function in R: TVM's text does not read back
IN_ORDER_OF_R = "nn.attention_var_len"
#: (operator, what its arguments' texts have): TVM fails on them without saying what it takes
STRICTER_THERE = {("quantize", "?"), ("quantize", "[s"), ("dequantize", "?")}


def _made() -> layers.Made:
    library_of_ours = SimpleNamespace(
        **{**vars(struct_info), "Var": expr.Var, "PrimValue": as_prim, "GlobalVar": GlobalVar}
    )
    unknown = lambda ndim, dtype: TensorStructInfo(None, dtype or "void", ndim)  # noqa: E731
    return layers.Made(library_of_ours, Var, unknown, lambda fields: expr.Tuple(tuple(fields)))


def _call(case: Case) -> expr.Call:
    name = case[0].replace("distributed.", "dist.")
    result: expr.Call = _made().call(case, script_function_of(library.operator(name)))
    return result


def _answer(case: Case, *, names_alone: bool) -> Any:
    try:
        call = _call(case)
    except TVMScriptError as error:
        return f"refused: {error.text}"
    # the oracle does not know what later TVMs have added
    known = [
        (name, value) for name, value in call.attrs.items() if name not in getattr(call.op, "v0_27_attributes", ())
    ]
    attrs = [[name] if names_alone else [name, plain(value)] for name, value in known]
    return json.loads(json.dumps([told(call.struct_info), attrs, layers.text_of(call)]))


@pytest.fixture(scope="module")
def theirs() -> list[Any]:
    return kept_answers(layers.__file__)


@pytest.mark.oracle
def test_the_kept_answers_are_those_of_tvm(oracle: Any) -> None:
    check_kept_answers(layers.__file__)


def test_the_oracle_infers_the_same(theirs: list[Any]) -> None:
    """Struct info, names, order and values of attributes, and the text of the call; or both refuse."""
    different = set()
    for case, their in zip(CASES, theirs, strict=True):
        is_refused = isinstance(their, str)
        ours = _answer(case, names_alone=not is_refused and any(len(each) == 1 for each in their[1]))
        if case[0] == IN_ORDER_OF_R and not is_refused:
            ours, their = ours[:2], their[:2]
        if ours != their and not (is_refused and isinstance(ours, str)):
            text = json.dumps(case[1])
            different.add((case[0], next((mark for mark in ("[s", "?") if mark in text), text)))
    assert different == STRICTER_THERE


def test_every_operator_of_these_families_has_a_case() -> None:
    seen = {case[0].replace("distributed.", "dist.") for case in CASES} | {"nn.attention_bias"}
    seen |= {name for name, *_ in INFERRED} | {"breakpoint", "call_py_func"}
    files = [
        each for each in vars(all).values() if getattr(each, "__name__", "").startswith("tvmscript.ir.relax.op.nn")
    ]
    files += [
        getattr(all, name)
        for name in ["builtin", "call_packed", "call_tir", "ccl", "debug", "grad", "image", "inspect", "qdq"]
    ]
    declared = {
        each.name.removeprefix("relax.") for file in files for each in vars(file).values() if isinstance(each, Operator)
    }
    assert declared - seen == set()


def _arrays(call: expr.Call) -> list[Any]:
    return [each.data if isinstance(each, expr.Constant) else library.array(each) for each in call.args]


@pytest.mark.parametrize(
    "name",
    sorted({case[0] for case in CASES if case[0].startswith(("nn.", "quantize", "dequantize"))} - {"nn.dropout"}),
)
def test_numpy_gives_what_is_inferred(name: str) -> None:
    """Shapes and dtypes of the references, on ones."""
    compared = 0
    for case in CASES:
        # TVM has integers in the place of zero extents that NumPy has no window for
        if case[0] != name or any(mark in json.dumps(case[1]) for mark in ("0", "bool", "e4m3", "e5m2")):
            continue
        try:
            call = _call(case)
        except InvalidCall:
            continue
        arrays = _arrays(call)
        if call.op.reference is None or any(array is None for array in arrays):
            continue
        if call.attrs.get("out_dtype") in ("int32", "e4m3_float8"):
            continue
        with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore", category=RuntimeWarning):
            result = call.op.reference(np, *arrays, **call.attrs)
        is_tuple = isinstance(result, tuple)
        value = tuple(map(np.asarray, result)) if is_tuple else np.asarray(result)
        compared += 1
        assert library.describes(call.struct_info, value), case
    assert compared or name == "nn.attention_var_len"


#: (operator, attributes, shapes of the arguments): run by TVM
PROGRAMS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("nn.conv2d", {"strides": (2, 1), "padding": (1, 0, 2, 1), "groups": 2}, ["2, 4, 7, 6", "6, 2, 3, 2"]),
    ("nn.conv2d", {"data_layout": "NHWC", "kernel_layout": "HWIO", "dilation": (2, 1)}, ["2, 7, 6, 3", "3, 2, 3, 4"]),
    ("nn.conv1d", {"strides": (2,), "padding": (1, 2)}, ["2, 3, 8", "4, 3, 3"]),
    ("nn.conv2d_transpose", {"strides": (2, 2), "padding": (1, 1, 0, 1), "output_padding": (1, 0)},
     ["1, 4, 5, 4", "4, 3, 3, 2"]),
    ("nn.max_pool2d", {"pool_size": (3, 2), "strides": (2, 2), "padding": (1, 1, 1, 1), "ceil_mode": True},
      ["1, 2, 8, 7"]),
    ("nn.avg_pool2d", {"pool_size": (3, 2), "strides": (2, 2), "padding": (1, 1, 1, 1)}, ["1, 2, 8, 7"]),
    ("nn.avg_pool2d", {"pool_size": (2, 2), "padding": (1, 1, 0, 0), "count_include_pad": True}, ["1, 2, 6, 5"]),
    ("nn.adaptive_avg_pool2d", {"output_size": (3, 2)}, ["1, 2, 6, 6"]),
    ("nn.gelu", {}, ["3, 4"]), ("nn.gelu_tanh", {}, ["3, 4"]), ("nn.silu", {}, ["3, 4"]),
    ("nn.leakyrelu", {"alpha": 0.2}, ["3, 4"]),
    ("nn.softmax", {"axis": 0}, ["3, 4"]), ("nn.log_softmax", {"axis": -1}, ["3, 4"]),
    ("nn.layer_norm", {"axes": (1, 2)}, ["2, 3, 4", "3, 4", "3, 4"]),
    ("nn.rms_norm", {"axes": (-1,)}, ["2, 3, 4", "4"]),
    ("nn.group_norm", {"num_groups": 2, "channel_axis": 1, "axes": (2, 3)}, ["2, 4, 3, 5", "4", "4"]),
    ("nn.cross_entropy_with_logits", {}, ["3, 4", "3, 4"]),
    ("nn.attention", {}, ["1, 3, 2, 4", "1, 5, 2, 4", "1, 5, 2, 6"]),
    ("nn.attention", {"causal_mask": "BottomRight"}, ["1, 3, 2, 4", "1, 5, 2, 4", "1, 5, 2, 6", "1, 2, 3, 5"]),
    ("nn.attention", {"causal_mask": "TopLeft"}, ["1, 3, 2, 4", "1, 5, 2, 4", "1, 5, 2, 6"]),
]  # fmt: skip


def _program_of_layers() -> tuple[str, list[list[Array]]]:
    """Return one program of all of them, and arrays for each."""
    params, lines, arrays = [], [], []
    generator = np.random.default_rng(0)
    for index, (name, attrs, shapes) in enumerate(PROGRAMS):
        names = [f"x{index}_{place}" for place in range(len(shapes))]
        params += [f'{each}: R.Tensor(({shape},), "float32")' for each, shape in zip(names, shapes, strict=True)]
        keywords = "".join(
            f", {key}={list(item) if isinstance(item, tuple) else item!r}" for key, item in attrs.items()
        )
        lines.append(f"    y{index} = R.{name}({', '.join(names)}{keywords})")
        arrays.append(
            [generator.uniform(-1, 1, tuple(map(int, shape.split(",")))).astype("float32") for shape in shapes]
        )
    results = ", ".join([f"y{index}" for index in range(len(lines))])
    return "\n".join(["@R.function", f"def main({', '.join(params)}):", *lines, f"    return ({results})"]), arrays


def _check_references(arrays: list[list[Array]], results: Sequence[Array]) -> None:
    for (name, attrs, _), group, result in zip(PROGRAMS, arrays, results, strict=True):
        operator = library.operator(name)
        if name == "nn.attention" and len(group) == 4:
            operator = library.operator("nn.attention_bias")
        mine = operator.reference(np, *group, **operator.complete_attrs(attrs))  # type: ignore[misc]  # it has one
        np.testing.assert_allclose(mine, result, rtol=1e-4, atol=1e-5, err_msg=f"{name} {attrs}")


def test_references_compute_what_tvm_computes(oracle: Any, tmp_path: Path) -> None:
    text, arrays = _program_of_layers()
    inputs: dict[str, Any] = {f"in_{place}": each for place, each in enumerate(itertools.chain(*arrays))}
    np.savez(tmp_path / "in.npz", **inputs)
    oracle.run(text, str(tmp_path / "out.npz"), inputs=str(tmp_path / "in.npz"))
    result = np.load(tmp_path / "out.npz")
    _check_references(arrays, [result[f"out_{index}"] for index in range(len(PROGRAMS))])


def test_references_compute_what_the_kernels_compute() -> None:
    text, arrays = _program_of_layers()
    module = tvmscript.IRModule({"main": tvmscript.from_source(text)})
    machine = relax.VirtualMachine(relax.build(module, target="interp"), tvmscript.cpu())
    _check_references(arrays, [each.numpy() for each in machine["main"](*itertools.chain(*arrays))])


# What no function of TVM tells


def _tensor(*extents: int, dtype: str = "float32") -> expr.Var:
    return expr.Var("x", TensorStructInfo(extents, dtype))


def _op(name: str) -> Any:
    return script_function_of(library.operator(name))


def test_refusals_point_at_the_argument() -> None:
    span = Span(Source("conv2d(x, weight)"), 1, 11, 1, 17)
    weight = expr.TupleGetItem(expr.Tuple((_tensor(8, 3, 3, 3),)), 0, span=span)
    with pytest.raises(InvalidCall, match=r"weight takes weights for .* channels") as caught:
        _op("nn.conv2d")(_tensor(1, 4, 8, 8), weight)
    assert (caught.value.line, caught.value.column) == (1, 11)


def test_a_bias_makes_another_operator() -> None:
    query, bias = _tensor(1, 4, 2, 8), _tensor(1, 2, 4, 4)
    assert _op("nn.attention")(query, query, query).op.name == "relax.nn.attention"
    call = _op("nn.attention")(query, query, query, bias, scale=0.5)
    assert call.op.name == "relax.nn.attention_bias"
    assert call.attrs["scale"].dtype == "float32"
    assert call.attrs["scale"].value == 0.5


def test_variable_length_attention_takes_the_keys_from_the_queries() -> None:
    query, starts, longest = _tensor(1, 4, 2, 8), _tensor(3, dtype="int32"), _tensor(1, dtype="int32")
    call = _op("nn.attention_var_len")(query, query, query, starts, longest)
    assert [each is starts for each in call.args[3:]] == [True, True, False, False]
    assert [each is longest for each in call.args[3:]] == [False, False, True, True]


@pytest.mark.parametrize("position", [3, 4])
def test_variable_length_attention_takes_tensors_alone(position: int) -> None:
    """TVM 0.17: the operator requires the input to be a tensor."""
    query, starts, longest = _tensor(1, 4, 2, 8), _tensor(3, dtype="int32"), _tensor(1, dtype="int32")
    for other in (expr.ShapeExpr([3]), expr.Tuple((starts, starts))):
        given: list[Any] = [query, query, query, starts, longest]
        given[position] = other
        with pytest.raises(InvalidCall, match="takes a tensor, but got"):
            _op("nn.attention_var_len")(*given)


def test_attention_of_unknown_shapes_has_four_dimensions() -> None:
    unknown = expr.Var("x", TensorStructInfo(None, "float32", 4))
    known = _op("nn.attention")(unknown, unknown, unknown).struct_info
    assert isinstance(known, TensorStructInfo)
    assert (known.ndim, known.extents, known.dtype) == (4, None, "float32")


def test_padding_of_an_unknown_shape() -> None:
    of_variable = expr.Var("x", TensorStructInfo(expr.Var("s", ShapeStructInfo(ndim=1)), "float32"))
    known = _op("nn.pad")(of_variable, [1, 2]).struct_info
    assert isinstance(known, TensorStructInfo)
    assert (known.ndim, known.shape) == (1, None)


def test_devices() -> None:
    place = VDevice("llvm", 1)
    moved = _op("to_vdevice")(_tensor(2), place).struct_info
    assert isinstance(moved, TensorStructInfo)
    assert moved.vdevice is place
    with pytest.raises(InvalidCall, match="a virtual device of the module"):
        _op("to_vdevice")(_tensor(2), "llvm")
    hinted = _op("hint_on_device")(_tensor(2), (2, 1))
    assert hinted.attrs == {"dev_type": 2, "dev_id": 1, "memory_scope": "global"}
    with pytest.raises(InvalidCall, match=r"a device \(R.device\)"):
        _op("hint_on_device")(_tensor(2), "cuda")


def test_tensors_over_devices() -> None:
    mesh = DeviceMesh((2,), (0, 1))
    whole = DTensorStructInfo(TensorStructInfo([4], "float32"), mesh, Placement.from_text("R"))
    value = expr.Var("x", whole)
    call = _op("dist.redistribute")(value, mesh, "S[0]").struct_info
    assert isinstance(call, DTensorStructInfo)
    assert str(call.placement) == "S[0]"
    assert _op("dist.annotate_sharding")(value, mesh, "S[0]").struct_info is whole
    with pytest.raises(InvalidCall, match="a distributed tensor"):
        _op("dist.redistribute")(_tensor(4), mesh, "S[0]")
    with pytest.raises(InvalidCall, match="a device mesh"):
        _op("dist.redistribute")(value, "mesh", "S[0]")
    local = _op("dist.call_tir_local_view")(GlobalVar("f"), value, whole)
    assert local.struct_info is whole
    assert isinstance(local.args[1], expr.Tuple)


@pytest.mark.parametrize(
    ("shape", "dtype", "offset", "expected"),
    [
        (None, None, None, ((4, 6), "float32")),
        ([24], None, None, ((24,), "float32")),
        ([4, 12], "float16", None, ((4, 12), "float16")),
        ([5], None, 76, ((5,), "float32")),
        (None, "int32", 0, ((4, 6), "int32")),
    ],
)
def test_views(shape: Any, dtype: Any, offset: Any, expected: Any) -> None:
    info = _op("memory.view")(_tensor(4, 6), shape, dtype, offset).struct_info
    assert isinstance(info, TensorStructInfo)
    assert (library.numbers(info.extents or ()), info.dtype) == expected


@pytest.mark.parametrize(("shape", "dtype", "offset"), [([25], None, None), ([24], None, 4), ([24], "float64", None)])
def test_views_stay_inside(shape: Any, dtype: Any, offset: Any) -> None:
    with pytest.raises(InvalidCall, match=r"at least .* bytes"):
        _op("memory.view")(_tensor(4, 6), shape, dtype, offset)


def test_views_of_unknown_size_are_taken() -> None:
    n = Var("n", "int64")
    data = expr.Var("x", TensorStructInfo([n], "float32"))
    info = _op("memory.view")(data, ShapeExpr([n, 4]), "int8").struct_info
    assert isinstance(info, TensorStructInfo)
    assert info.ndim == 2


def test_calls_of_external_functions() -> None:
    info = TensorStructInfo([2], "float32")
    one = call_packed("ext", _tensor(2), 3, sinfo_args=info)
    assert one.struct_info is info
    assert isinstance(one.op, expr.ExternFunc)
    assert isinstance(one.args[1], expr.PrimValue)
    two = call_packed("ext", sinfo_args=[info, info])
    assert isinstance(two.struct_info, TupleStructInfo)
    assert isinstance(call_packed("ext").struct_info, ObjectStructInfo)
    with pytest.raises(InvalidCall, match="func takes a function"):
        call_packed(1)  # type: ignore[arg-type]
    with pytest.raises(TVMScriptError, match="sinfo_args takes struct info"):
        call_packed("ext", sinfo_args=["float32"])  # type: ignore[list-item]
    with pytest.raises(InvalidCall, match="func takes an opaque function"):
        _op("call_pure_packed")(GlobalVar("f"), _tensor(2), sinfo_args=info)
    with pytest.raises(TVMScriptError, match="out_sinfo takes struct info"):
        _op("call_tir")(GlobalVar("f"), [], "float32")


def test_dynamic_calls() -> None:
    call = _op("vm.call_tir_dyn")(GlobalVar("f"), [_tensor(2)])
    assert isinstance(call.struct_info, TupleStructInfo)
    assert not call.op.pure


def test_inspection_of_symbolic_shapes() -> None:
    n, m = Var("n", "int64"), Var("m", "int64")
    tensor = expr.Var("x", TensorStructInfo([n, m, 4], "float32"))
    stride = _op("inspect.tensor_stride_i")(tensor, 0).struct_info
    assert isinstance(stride, PrimStructInfo)
    assert str(stride.value) == "m * T.int64(4)"
    with pytest.raises(InvalidCall, match="an int64"):
        _op("inspect.tensor_shape_i")(tensor, expr.Var("i", PrimStructInfo("int32")))
