"""Whole models: shapes of symbolic sizes, scripts with weights beside them, errors of damaged files."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tvmscript
from tvmscript import relax
from tvmscript.cli import main
from tvmscript.frontend.errors import InvalidModel, UnsupportedOperators
from tvmscript.frontend.onnx import importer
from tvmscript.frontend.onnx.errors import UnknownInput
from tvmscript.relax.frontend.onnx import from_onnx

onnx: Any = pytest.importorskip("onnx", reason="onnx is an optional library")

Array = np.ndarray[Any, Any]


def _model(nodes: list[Any], inputs: dict[str, list[Any]], outputs: dict[str, list[Any]], *weights: Any) -> Any:
    helper = onnx.helper
    infos = [
        [helper.make_tensor_value_info(name, 1, shape) for name, shape in side.items()] for side in (inputs, outputs)
    ]
    graph = helper.make_graph(nodes, "g", *infos, list(weights))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


def _flattening() -> Any:
    """Return a model that computes the shape of a reshape: Shape, Gather, Concat, Reshape, MatMul."""
    make = onnx.helper.make_node
    weight = onnx.numpy_helper.from_array(np.arange(240, dtype="float32").reshape(12, 20), "w")
    nodes = [
        make("Shape", ["x"], ["s"]),
        make("Constant", [], ["zero"], value_ints=[0]),
        make("Gather", ["s", "zero"], ["n"]),
        make("Constant", [], ["rest"], value_ints=[-1]),
        make("Concat", ["n", "rest"], ["shape"], axis=0),
        make("Reshape", ["x", "shape"], ["flat"]),
        make("MatMul", ["flat", "w"], ["y"]),
    ]
    return _model(nodes, {"x": ["batch", 3, 4]}, {"y": ["batch", 20]}, weight)


def test_arithmetic_of_shapes_becomes_symbolic_sizes() -> None:
    text = from_onnx(_flattening()).script()
    assert "R.reshape(x, R.shape([batch, 12]))" in text
    assert "shape_to_tensor" not in text


@pytest.mark.parametrize("name", ["ReduceMin", "ReduceMax", "ReduceSum", "ReduceSumSquare"])
def test_reductions_of_no_axes(name: str) -> None:
    """With `noop_with_empty_axes` no axis is reduced, and only the square is computed."""
    node = onnx.helper.make_node(name, ["x"], ["y"], noop_with_empty_axes=1)
    model = _model([node], {"x": [2, 3]}, {"y": [2, 3]})
    model.opset_import[0].version = 18
    x = np.arange(6, dtype="float32").reshape(2, 3)
    executable = relax.build(from_onnx(model), "interp", exec_mode="bytecode")
    result = relax.VirtualMachine(executable, tvmscript.cpu())["main"](x).numpy()
    np.testing.assert_array_equal(result, x * x if name.endswith("Square") else x)


@pytest.mark.parametrize("dtype", ["int8", "int32", "uint8", "bool"])
def test_extremes_of_no_elements_are_those_of_the_dtype(dtype: str) -> None:
    helper, kind = onnx.helper, onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    nodes = [helper.make_node(name, ["x", "axes"], [name], keepdims=0) for name in ("ReduceMin", "ReduceMax")]
    infos = [helper.make_tensor_value_info(each.output[0], kind, [2]) for each in nodes]
    axes = onnx.numpy_helper.from_array(np.array([1]), "axes")
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", kind, [2, 0])], infos, [axes])
    module = from_onnx(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)]))
    executable = relax.build(module, "interp", exec_mode="bytecode")
    results = relax.VirtualMachine(executable, tvmscript.cpu())["main"](np.zeros((2, 0), dtype))
    low, high = (False, True) if dtype == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    assert [each.numpy().tolist() for each in results] == [[high] * 2, [low] * 2]


def test_parts_of_a_shape_are_sizes() -> None:
    make = onnx.helper.make_node
    nodes = [
        make("Shape", ["x"], ["s"]),
        make("Split", ["s"], ["n", "c", "h"]),
        make("Concat", ["h", "n", "c"], ["shape"], axis=0),
        make("Reshape", ["x", "shape"], ["y"]),
    ]
    text = from_onnx(_model(nodes, {"x": ["batch", 3, "h"]}, {"y": ["h", "batch", 3]})).script()
    assert "R.reshape(x, R.shape([h, batch, 3]))" in text


def test_names_of_inputs_are_those_of_python() -> None:
    """Texts have no other names; graphs may keep them."""
    names = ["0", "1a", "a.b", "a b", "ä", "a_b", "x"]
    shapes = {name: ["2d" if name == "0" else "rows", 3] for name in names}
    model = _model([onnx.helper.make_node("Sum", names, ["z"])], shapes, {"z": ["rows", 3]})
    func: Any = from_onnx(model)["main"]
    assert [param.name_hint for param in func.params] == [
        "input_0", "input_1a", "a_b", "a_b_1", "_", "a_b_2", "x"
    ]  # fmt: skip
    assert str(func.params[0].struct_info.shape.values[0]) == "dim_2d"
    kept: Any = from_onnx(model, sanitize_input_names=False)["main"]
    assert [param.name_hint for param in kept.params] == names


def test_weights_are_parameters_on_request() -> None:
    module = from_onnx(_flattening(), keep_params_in_input=True)
    function: Any = module["main"]
    assert [param.name_hint for param in function.params] == ["x", "w"]
    assert [array.shape for array in function.attrs["params"]] == [(12, 20)]
    assert function.attrs["num_input"] == 1


def test_a_model_becomes_a_script_that_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    onnx.save(_flattening(), tmp_path / "net.onnx")
    np.save(tmp_path / "x.npy", np.ones((2, 3, 4), "float32"))
    script = str(tmp_path / "net.py")
    assert main(["convert", str(tmp_path / "net.onnx"), "-o", script]) == 0
    module = tvmscript.load(script)
    executable = relax.build(module, "interp", exec_mode="bytecode")
    result = relax.VirtualMachine(executable, tvmscript.cpu())["main"](np.ones((2, 3, 4), "float32"))
    expected = np.ones((2, 12), "float32") @ np.arange(240, dtype="float32").reshape(12, 20)
    np.testing.assert_allclose(result.numpy(), expected)
    assert main(["run", script, "--no-script", "--input", f"x={tmp_path / 'x.npy'}"]) == 0
    assert "output 0: float32 [2, 20]" in capsys.readouterr().out
    assert main(["run", str(tmp_path / "net.onnx")]) == 0
    output = capsys.readouterr().out
    assert "input x: float32 [16, 3, 4] random" in output
    assert "@I.ir_module" not in output


def _run(model: Any, *inputs: Any) -> Any:
    vm = relax.VirtualMachine(relax.build(from_onnx(model)), tvmscript.cpu())
    return vm["main"](*inputs).numpy()


def test_pad_has_zeros_where_no_value_is_given() -> None:
    make = onnx.helper.make_node
    widths = onnx.numpy_helper.from_array(np.array([0, 1, 2, 0], "int64"), "widths")
    model = _model([make("Pad", ["x", "widths"], ["y"])], {"x": [2, 3]}, {"y": [4, 4]}, widths)
    assert "R.nn.pad(" in from_onnx(model).script()
    x = np.random.default_rng(0).random((2, 3), "float32")
    np.testing.assert_array_equal(_run(model, x), np.pad(x, ((0, 2), (1, 0))))


def test_a_slice_of_a_whole_axis_keeps_its_symbolic_size() -> None:
    """Models of TensorFlow slice the rows of a batch from 0 to their number; a sum of both has that size."""
    make = onnx.helper.make_node
    zero, eight = (onnx.numpy_helper.from_array(np.array([value], "int64"), str(value)) for value in (0, 8))
    nodes = [
        make("Shape", ["x"], ["rows"], start=0, end=1),
        make("Concat", ["0", "0"], ["begins"], axis=0),
        make("Concat", ["rows", "8"], ["ends"], axis=0),
        make("Slice", ["x", "begins", "ends"], ["part"]),
        make("Slice", ["x", "0", "rows", "0"], ["whole"]),
        make("Mul", ["whole", "whole"], ["square"]),
        make("Slice", ["square", "begins", "ends"], ["head"]),
        make("Add", ["part", "head"], ["y"]),
    ]
    model = _model(nodes, {"x": ["batch", 12]}, {"y": ["batch", 8]}, zero, eight)
    main: Any = from_onnx(model)["main"]
    assert str(main.ret_struct_info) == 'R.Tensor((batch, 8), dtype="float32")'
    x = np.random.default_rng(0).random((3, 12), "float32")
    np.testing.assert_allclose(_run(model, x), (x + x * x)[:, :8], rtol=1e-6)


@pytest.mark.parametrize("is_of_dividend", [0, 1])
def test_remainders_of_floats(is_of_dividend: int) -> None:
    """A divisor may be infinite; the result has the sign of the divisor, or that of the dividend."""
    model = _model(
        [onnx.helper.make_node("Mod", ["a", "b"], ["y"], fmod=is_of_dividend)], {"a": [6], "b": [6]}, {"y": [6]}
    )
    a = np.array([-3, 3, -1, 1, 7.5, -6], "float32")
    b = np.array([np.inf, np.inf, -np.inf, -np.inf, -2, 4], "float32")
    np.testing.assert_array_equal(_run(model, a, b), (np.fmod if is_of_dividend else np.mod)(a, b))


def test_a_loop_over_a_sequence_is_unrolled() -> None:
    """The length of the sequence is the number of steps, the step a position in it."""
    make, value = onnx.helper.make_node, onnx.helper.make_tensor_value_info
    body = onnx.helper.make_graph(
        [make("SequenceAt", ["parts", "i"], ["part"]), make("Sub", ["part", "before"], ["after"]),
         make("Identity", ["going"], ["still"])],
        "body",
        [value("i", 7, []), value("going", 9, []), value("before", 1, [1, 2])],
        [value("still", 9, []), value("after", 1, [1, 2])],
    )  # fmt: skip
    nodes = [
        make("SplitToSequence", ["x"], ["parts"], axis=0),
        make("SequenceLength", ["parts"], ["count"]),
        make("Loop", ["count", "", "start"], ["y"], body=body),
    ]
    model = _model(nodes, {"x": [3, 2], "start": [1, 2]}, {"y": [1, 2]})
    x, start = np.arange(6, dtype="float32").reshape(3, 2), np.ones((1, 2), "float32")
    np.testing.assert_array_equal(_run(model, x, start), x[2:] - (x[1:2] - (x[:1] - start)))


def test_a_loop_that_carries_a_sequence_is_unrolled_up_to_its_trip_count() -> None:
    """Its condition is not asked for after the last step, and is unknown at import."""
    make, value = onnx.helper.make_node, onnx.helper.make_tensor_value_info
    body = onnx.helper.make_graph(
        [make("SequenceInsert", ["before", "scale"], ["after"]), make("ReduceSum", ["scale"], ["sum"], keepdims=0),
         make("Greater", ["sum", "sum"], ["still"]), make("Add", ["scale", "scale"], ["double"])],
        "body",
        [value("i", 7, []), value("going", 9, []), onnx.helper.make_tensor_sequence_value_info("before", 1, [2]),
         value("scale", 1, [2])],
        [value("still", 9, []), onnx.helper.make_tensor_sequence_value_info("after", 1, [2]), value("double", 1, [2])],
    )  # fmt: skip
    nodes = [
        make("SequenceConstruct", ["x"], ["parts"]),
        make("Loop", ["count", "", "parts", "x"], ["all", "last"], body=body),
        make("ConcatFromSequence", ["all"], ["y"], axis=0),
    ]
    count = onnx.numpy_helper.from_array(np.array(1, "int64"), "count")
    x = np.array([1, 2], "float32")
    np.testing.assert_array_equal(_run(_model(nodes, {"x": [2]}, {"y": [4]}, count), x), [1, 2, 1, 2])


def test_a_sequence_of_parts_of_a_symbolic_axis() -> None:
    """Lengths of the parts are enough; without them the extent has to be known."""
    make = onnx.helper.make_node
    lengths = onnx.numpy_helper.from_array(np.array([1, 2], "int64"), "lengths")
    for inputs in (["x", "lengths"], ["x"]):
        nodes = [make("SplitToSequence", inputs, ["parts"]), make("ConcatFromSequence", ["parts"], ["y"], axis=0)]
        model = _model(nodes, {"x": ["n"]}, {"y": [3]}, lengths)
        if len(inputs) == 2:
            assert from_onnx(model).script()
        else:
            with pytest.raises(UnknownInput, match="SplitToSequence node 'parts' needs the value of the extent"):
                from_onnx(model)


def _run_node(node: Any, expected: Array, *inputs: Array) -> Array:
    """Run a model of one node whose tensors have the dtypes of arrays."""
    helper = onnx.helper
    to_type = helper.np_dtype_to_tensor_dtype
    infos = [
        [helper.make_tensor_value_info(name, to_type(array.dtype), array.shape) for name, array in side]
        for side in (zip(node.input, inputs, strict=True), [(node.output[0], expected)])
    ]
    graph = helper.make_graph([node], "g", *infos)
    result = _run(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 24)]), *inputs)
    return np.asarray(result).astype(expected.dtype)  # NumPy itself has neither bfloat16 nor powers of two


@pytest.mark.parametrize("dtype", ["float16", ml_dtypes.bfloat16])
@pytest.mark.parametrize(
    ("op_type", "attributes", "function"),
    [
        ("Elu", {}, lambda x: np.where(x > 0, x, np.expm1(x))),
        ("Celu", {"alpha": 2.0}, lambda x: np.where(x > 0, x, 2 * np.expm1(x / 2))),
        ("Selu", {"alpha": 2.0, "gamma": 3.0}, lambda x: np.where(x > 0, 3 * x, 6 * np.expm1(x))),
        ("Softmax", {"axis": 0}, lambda x: np.exp(x) / np.exp(x).sum(0)),
        ("LogSoftmax", {"axis": 0}, lambda x: x - np.log(np.exp(x).sum(0))),
    ],
)
def test_functions_of_narrow_floats_are_rounded_once(
    op_type: str, attributes: dict[str, Any], function: Callable[[Array], Array], dtype: Any
) -> None:
    x = np.linspace(-0.3, 0.7, 64).astype(dtype)
    expected = function(x.astype("float64")).astype("float32").astype(dtype)
    result = _run_node(onnx.helper.make_node(op_type, ["x"], ["y"], **attributes), expected, x)
    assert np.array_equal(result, expected)


def test_sums_of_narrow_convolutions_are_those_of_float32() -> None:
    x, weight = np.full((1, 64, 9), 0.1, "float16"), np.full((1, 64, 5), 0.1, "float16")
    exact = 320 * float(x[0, 0, 0]) * float(weight[0, 0, 0])
    expected = np.full((1, 1, 5), exact, "float16")
    assert np.array_equal(_run_node(onnx.helper.make_node("Conv", ["x", "w"], ["y"]), expected, x, weight), expected)


@pytest.mark.parametrize(
    ("mode", "exponents"),
    [
        ("up", [0, 1, 125, 128, 128, 128, 254, 255]),
        ("down", [0, 0, 124, 127, 127, 127, 254, 255]),
        ("nearest", [0, 0, 125, 127, 128, 128, 254, 255]),
    ],
)
def test_casts_to_powers_of_two(mode: str, exponents: list[int]) -> None:
    x = np.array([0, 2.0**-129, 0.248, 1.25, 1.5, -1.75, 1.75 * 2.0**127, np.nan], "float32")
    expected = np.array(exponents, "uint8").view(ml_dtypes.float8_e8m0fnu)
    node = onnx.helper.make_node("Cast", ["x"], ["y"], to=onnx.TensorProto.FLOAT8E8M0, round_mode=mode)
    assert _run_node(node, expected, x).view("uint8").tolist() == exponents


def test_operators_that_tf2onnx_leaves() -> None:
    make = onnx.helper.make_node
    model = _model([make("Erfc", ["x"], ["y"])], {"x": [3]}, {"y": [3]})
    # the values of the complementary error function are from tables
    np.testing.assert_allclose(_run(model, np.array([0, 0.5, -1], "float32")), [1, 0.4795001, 1.8427008], rtol=1e-5)


def test_wrong_shapes_name_the_node() -> None:
    weight = onnx.numpy_helper.from_array(np.zeros((5, 4), "float32"), "w")
    node = onnx.helper.make_node("MatMul", ["x", "w"], ["y"], name="first")
    with pytest.raises(InvalidModel, match=r"MatMul node 'first': R\.matmul: x2 takes 8 rows"):
        from_onnx(_model([node], {"x": [3, 8]}, {"y": [3, 4]}, weight))


@pytest.mark.parametrize(
    ("operator", "inputs", "attributes", "message"),
    [
        ("Relu", ["x", "x"], {}, "it takes at most 1 inputs, but is given 2"),
        ("Add", ["x"], {}, "it takes at least 2 inputs, but is given 1"),
        ("Max", ["x", ""], {}, "it has no input 1, data_0"),
        ("Softmax", ["x"], {"axis": [0, 1]}, "its attribute axis is INTS, not INT"),
        ("RandomNormal", [], {"shape": [1 << 40]}, "its shape has 1,099,511,627,776 elements, which are too many"),
    ],
)
def test_nodes_fit_the_schemas_of_operators(
    operator: str, inputs: list[str], attributes: dict[str, Any], message: str
) -> None:
    node = onnx.helper.make_node(operator, inputs, ["y"], name="first", **attributes)
    with pytest.raises(InvalidModel, match=f"{operator} node 'first': {message}"):
        from_onnx(_model([node], {"x": [2, 3]}, {"y": [2, 3]}))


def test_borders_are_bounded() -> None:
    pads = onnx.numpy_helper.from_array(np.array([0, 1 << 40]), "pads")
    node = onnx.helper.make_node("Pad", ["x", "pads"], ["y"], name="first", mode="reflect")
    with pytest.raises(
        InvalidModel, match=r"Pad node 'first': the result has 1,099,511,627,779 elements, which are too"
    ):
        from_onnx(_model([node], {"x": [3]}, {"y": [3]}, pads))


@pytest.mark.parametrize(
    ("operator", "outputs", "inputs", "attributes", "name"),
    [
        ("RNN", ["y"], {"x": [2, 1, 3], "w": [1, "h", 3], "r": [1, "h", "h"]}, {}, "its hidden size"),
        ("Slice", ["y"], {"x": [4, 5], "begins": ["k"], "ends": ["k"]}, {}, "the number of axes"),
    ],
)
def test_sizes_that_must_be_numbers(
    operator: str, outputs: list[str], inputs: dict[str, list[Any]], attributes: dict[str, Any], name: str
) -> None:
    node = onnx.helper.make_node(operator, list(inputs), outputs, name="first", **attributes)
    with pytest.raises(UnknownInput, match=name):
        from_onnx(_model([node], inputs, {output: [] for output in outputs}))


@pytest.mark.parametrize("storage_order", [0, 1])
def test_places_of_symbolic_sizes(storage_order: int) -> None:
    """Places count over the whole tensor, by rows or by columns."""
    node = onnx.helper.make_node(
        "MaxPool",
        ["x"],
        ["y", "places"],
        kernel_shape=[2, 2],
        strides=[2, 1],
        pads=[0, 1, 0, 0],
        storage_order=storage_order,
    )
    model = _model([node], {"x": ["n", 2, "m", 3]}, {"y": [], "places": []})
    x = np.random.default_rng(3).permutation(48).reshape(2, 2, 4, 3).astype("float32")
    results: Any = relax.build(from_onnx(model), "llvm")["main"](x)
    largest, places = (value.numpy() for value in results)
    assert places.shape == (2, 2, 2, 3)
    in_order = x.transpose(0, 1, 3, 2) if storage_order else x
    np.testing.assert_array_equal(in_order.reshape(-1)[places], largest)


def test_negated_truth_values_are_not_folded() -> None:
    truth = onnx.numpy_helper.from_array(np.array([True, False]), "t")
    model = _model([onnx.helper.make_node("Neg", ["t"], ["y"])], {"x": [2]}, {"y": [2]}, truth)
    assert "R.negative(" in from_onnx(model).script()


def test_extrema_begin_with_infinities() -> None:
    node = onnx.helper.make_node("ReduceMax", ["x"], ["y"], axes=[1], keepdims=0)
    model = _model([node], {"x": [2, 2]}, {"y": [2]})
    x = np.array([[-np.inf, -np.inf], [-np.inf, 3]], "float32")
    np.testing.assert_array_equal(_run(model, x), [-np.inf, 3])


def test_all_unsupported_operators_are_reported() -> None:
    make = onnx.helper.make_node
    model = _model([make("Foo", ["x"], ["a"], "first"), make("Bar", ["a"], ["y"], "second")], {"x": [1]}, {"y": [1]})
    with pytest.raises(UnsupportedOperators, match=r"2 operators: Foo \(first\); Bar \(second\)"):
        from_onnx(model)


def _fourier() -> Any:
    return _model([onnx.helper.make_node("DFT", ["x"], ["y"])], {"x": [1, 1 << 16, 1]}, {"y": [1, 1 << 16, 2]})


def _symbolic_fourier() -> Any:
    return _model([onnx.helper.make_node("DFT", ["x"], ["y"])], {"x": [1, "n", 1]}, {"y": [1, "n", 2]})


def _symbolic_rows() -> Any:
    node = onnx.helper.make_node("GatherND", ["x", "i"], ["y"])
    model = _model([node], {"x": [2, 3], "i": [1, "n"]}, {"y": ["m"]})
    model.graph.input[1].type.tensor_type.elem_type = 7
    return model


def _deformed() -> Any:
    node = onnx.helper.make_node("DeformConv", ["x", "w", "o"], ["y"])
    side = (1 << 31) - 1
    return _model([node], {"x": [1, 1, 3, 3], "w": [1, 1, 1, 1], "o": [1, 2, side, side]}, {"y": [1, 1, side, side]})


def _end_of_a_shape() -> Any:
    model = _model([onnx.helper.make_node("Shape", ["x"], ["y"], end=1)], {"x": [2, "n"]}, {"y": [1]})
    model.graph.node[0].attribute[0].ClearField("type")
    model.graph.node[0].attribute[0].ClearField("i")
    return model


def _long_sequence() -> Any:
    node = onnx.helper.make_node("RNN", ["x", "w", "r"], ["y"], hidden_size=1)
    return _model([node], {"x": [1 << 16, 1, 1], "w": [1, 1, 1], "r": [1, 1, 1]}, {"y": [1 << 16, 1, 1, 1]})


def _sequence_as_a_tensor() -> Any:
    nodes = [onnx.helper.make_node("SequenceConstruct", ["x"], ["s"]), onnx.helper.make_node("Size", ["s"], ["y"])]
    return _model(nodes, {"x": [2]}, {"y": []})


def _newest_version() -> Any:
    model = _flattening()
    model.opset_import[0].version = 1 << 62
    return model


def _attribute(kind: int) -> Any:
    model = _model([onnx.helper.make_node("Foo", ["x"], ["y"], alpha=1.0)], {"x": [2]}, {"y": [2]})
    model.graph.node[0].op_type = "HardSigmoid"
    model.graph.node[0].attribute[0].name = "unknown"
    model.graph.node[0].attribute[0].type = kind
    return model


def _list_for_a_number() -> Any:
    model = _model([onnx.helper.make_node("Cast", ["x"], ["y"], to=1)], {"x": [2]}, {"y": [2]})
    model.graph.node[0].attribute[0].ClearField("type")
    model.graph.node[0].attribute[0].ClearField("i")
    return model


def _shape_of_many_sizes() -> Any:
    node = onnx.helper.make_node("Reshape", ["x", "s"], ["y"])
    model = _model([node], {"x": [2], "s": [1 << 40]}, {"y": [2]})
    model.graph.input[1].type.tensor_type.elem_type = 7
    return model


def _places(kernel: list[int]) -> Any:
    node = onnx.helper.make_node("MaxPool", ["x"], ["y", "places"], kernel_shape=kernel)
    return _model([node], {"x": [1, 1, 8, 8]}, {"y": [], "places": []})


def _nan_shape() -> Any:
    make = onnx.helper.make_node
    nodes = [make("Constant", [], ["s"], value_floats=[float("nan"), 2.0]), make("ConstantOfShape", ["s"], ["y"])]
    return _model(nodes, {"z": [1]}, {"y": [2, 2]})


def _float_shape() -> Any:
    nodes = [
        onnx.helper.make_node("Constant", [], ["x"], value_ints=[1, 2]),
        onnx.helper.make_node("Constant", [], ["s"], value_floats=[2.0, 2.0]),
        onnx.helper.make_node("Expand", ["x", "s"], ["y"]),
    ]
    return _model(nodes, {"z": [1]}, {"y": [2, 2]})


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (_places([1 << 31, 2]), "places in windows of more than 4,096 elements are not supported"),
        (_nan_shape(), "ConstantOfShape node .*: cannot convert float NaN to integer"),
        (_float_shape(), "Expand node .*: its shape has elements of float32"),
        (_shape_of_many_sizes(), "its shape needs a known number of sizes, up to"),
        (_fourier(), "65,536 by 65,536 elements has too many factors"),
        (_deformed(), "its number of places has [0-9,]* elements"),
        (_end_of_a_shape(), "its attribute end is no number"),
        (_long_sequence(), "sequences of more than 4,096 steps are not supported"),
        (_sequence_as_a_tensor(), "Size node 'y': its input 0 is a sequence"),
        (_newest_version(), "4611686018427387904 is no version of the operators of ai.onnx"),
        (_attribute(12), "its attribute unknown is SPARSE_TENSORS, which is not supported"),
        (_list_for_a_number(), "its attribute to is no number"),
    ],
)
def test_malformed_models_have_one_error(model: Any, message: str) -> None:
    with pytest.raises(InvalidModel, match=message):
        from_onnx(model)


@pytest.mark.parametrize(
    ("model", "name"), [(_symbolic_fourier(), "extent of its axis"), (_symbolic_rows(), "length of its rows")]
)
def test_extents_that_are_needed_at_import(model: Any, name: str) -> None:
    with pytest.raises(UnknownInput, match=f"needs the value of the {name}"):
        from_onnx(model)


def _calls(*names: str) -> Any:
    """Return a model of functions, each of which calls the next one twice, the last but one the last one."""
    helper = onnx.helper
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("local", 1)]
    functions = [
        helper.make_function("local", name, ["x"], ["z"], [
            helper.make_node(callee, ["x"], ["y"], domain="local"),
            helper.make_node(callee, ["y"], ["z"], domain="local"),
        ], opsets)
        for name, callee in pairwise(names)
    ]  # fmt: skip
    functions.append(
        helper.make_function("local", "Last", ["x"], ["y"], [helper.make_node("Relu", ["x"], ["y"])], opsets)
    )
    model = _model([helper.make_node(names[0], ["x"], ["y"], domain="local")], {"x": [2]}, {"y": [2]})
    return helper.make_model(model.graph, functions=functions, opset_imports=opsets)


def test_functions_that_call_each_other_without_end() -> None:
    with pytest.raises(InvalidModel, match="functions call each other without end"):
        from_onnx(_calls("First", "Second", "First"))


def test_functions_that_come_to_many_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    model = _calls(*(f"F{index}" for index in range(40)), "Last")
    monkeypatch.setattr(importer, "_MOST_REPEATED", 200)
    with pytest.raises(InvalidModel, match="its functions, branches and loops come to more than 200 nodes"):
        from_onnx(model)


def test_loops_that_come_to_many_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The body of a loop whose count is known is converted for each iteration."""
    helper = onnx.helper
    infos = [helper.make_tensor_value_info(name, *kind) for name, *kind in (("i", 7, []), ("c", 9, []), ("v", 1, [2]))]
    results = [helper.make_tensor_value_info(name, *kind) for name, *kind in (("d", 9, []), ("w", 1, [2]))]
    body = helper.make_graph(
        [helper.make_node("Identity", ["c"], ["d"]), helper.make_node("Add", ["v", "v"], ["w"])], "b", infos, results
    )
    count = onnx.numpy_helper.from_array(np.array(20), "count")
    model = _model([helper.make_node("Loop", ["count", "", "x"], ["y"], body=body)], {"x": [2]}, {"y": [2]}, count)
    assert from_onnx(model).script().count("R.add(") == 20
    monkeypatch.setattr(importer, "_MOST_REPEATED", 30)
    with pytest.raises(InvalidModel, match="its functions, branches and loops come to more than 30 nodes"):
        from_onnx(model)


def test_quotients_by_zero_are_left_to_the_run() -> None:
    make = onnx.helper.make_node
    nodes = [
        make("Constant", [], ["zero"], value_ints=[0]),
        make("Div", ["zero", "zero"], ["q"]),
        make("Cast", ["q"], ["y"], to=1),
    ]
    assert "R.floor_divide" in from_onnx(_model(nodes, {"x": [1]}, {"y": [1]})).script()


def test_damaged_models_have_one_error(tmp_path: Path) -> None:
    content = _flattening().SerializeToString()
    with pytest.raises(InvalidModel, match="damaged"):
        from_onnx(content[: len(content) // 2])
    with pytest.raises(InvalidModel, match="a name is no UTF-8"):
        from_onnx(content.replace(b"MatMul", b"Mat\xfful"))
    with pytest.raises(InvalidModel, match="no such file"):
        from_onnx(tmp_path / "none.onnx")
    make = onnx.helper.make_node
    with pytest.raises(InvalidModel, match="there is a cycle"):
        from_onnx(_model([make("Relu", ["b"], ["a"]), make("Relu", ["a"], ["b"])], {"x": [1]}, {"b": [1]}))
    huge = _flattening()
    huge.graph.initializer[0].dims[:] = [1 << 20, 1 << 11]
    with pytest.raises(InvalidModel, match="needs 8589934592 bytes"):
        from_onnx(huge)


def test_softplus_does_not_overflow() -> None:
    helper = onnx.helper
    node = helper.make_node("Softplus", ["x"], ["y"])
    info = [helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [3]) for name in "xy"]
    module = from_onnx(helper.make_model(helper.make_graph([node], "g", info[:1], info[1:])))
    machine = relax.VirtualMachine(relax.build(module, "llvm"), tvmscript.cpu())
    result = machine["main"](np.array([-200, 0, 200], "float32")).numpy()
    np.testing.assert_allclose(result, [0, np.log(2), 200], rtol=1e-6)
