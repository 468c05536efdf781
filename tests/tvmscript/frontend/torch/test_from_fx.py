"""`from_fx`: the texts of modules, options, errors."""

from __future__ import annotations

import operator
from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

import tvmscript
from tests.tvmscript.frontend.torch.running import assert_equal, run
from tvmscript import relax, tir
from tvmscript.frontend.errors import InvalidModel, UnsupportedOperators
from tvmscript.frontend.torch import from_exported_program, from_fx, from_traced
from tvmscript.relax.frontend import detach_params

torch: Any = pytest.importorskip("torch", reason="torch is optional")
nn: Any = torch.nn
fx: Any = torch.fx
Base: Any = nn.Module

#: the text of the page "IRModule" of TVM's documents
PAGE = """
@R.function
def main(inp_0: R.Tensor((1, 784), dtype="float32"), fc1_bias: R.Tensor((256,), dtype="float32"), \
fc1_weight: R.Tensor((256, 784), dtype="float32"), fc2_bias: R.Tensor((10,), dtype="float32"), \
fc2_weight: R.Tensor((10, 256), dtype="float32")) -> R.Tensor((1, 10), dtype="float32"):
    R.func_attr({"num_input": 1})
    with R.dataflow():
        lv: R.Tensor((784, 256), dtype="float32") = R.permute_dims(fc1_weight, axes=None)
        lv1: R.Tensor((1, 256), dtype="float32") = R.matmul(inp_0, lv, out_dtype="float32")
        lv2: R.Tensor((1, 256), dtype="float32") = R.add(lv1, fc1_bias)
        lv3: R.Tensor((1, 256), dtype="float32") = R.nn.relu(lv2)
        lv4: R.Tensor((256, 10), dtype="float32") = R.permute_dims(fc2_weight, axes=None)
        lv5: R.Tensor((1, 10), dtype="float32") = R.matmul(lv3, lv4, out_dtype="float32")
        lv6: R.Tensor((1, 10), dtype="float32") = R.add(lv5, fc2_bias)
        gv: R.Tensor((1, 10), dtype="float32") = lv6
        R.output(gv)
    return gv
"""


class Perceptron(Base):  # type: ignore[misc]  # torch has no types here
    def __init__(self) -> None:
        super().__init__()
        self.fc1, self.relu1, self.fc2 = nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10)

    def forward(self, x: Any) -> Any:
        return self.fc2(self.relu1(self.fc1(x)))


class Function(Base):  # type: ignore[misc]  # torch has no types here
    def __init__(self, function: Any) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: Any) -> Any:
        return self.function(x)


def _trace(function: Any) -> Any:
    return fx.symbolic_trace(Function(function))


def test_the_module_of_the_page_prints_as_the_page() -> None:
    model = Perceptron()
    module, params = detach_params(
        from_fx(fx.symbolic_trace(model), [((1, 784), "float32")], keep_params_as_input=True)
    )
    assert PAGE.strip() in module["main"].script()
    x = torch.randn(1, 784)
    assert_equal(run(module, [x], params["main"]), model(x))


def test_weights_are_constants_without_the_option() -> None:
    model = nn.Sequential(nn.Linear(3, 2), nn.Tanh())
    module = from_fx(fx.symbolic_trace(model), [((4, 3), "float32")])
    assert len(module["main"].params) == 1
    x = torch.randn(4, 3)
    assert_equal(run(module, [x]), model(x))


def test_results_are_one_tuple_or_several_or_unwrapped() -> None:
    graph, info = _trace(lambda x: (x + 1,)), [((2,), "float32")]
    assert "gv: R.Tuple(R.Tensor((2,)" in from_fx(graph, info).script()
    assert "gv: R.Tensor((2,)" in from_fx(graph, info, unwrap_unit_return_tuple=True).script()
    pair = from_fx(_trace(lambda x: (x + 1, x * 2)), info, no_bind_return_tuple=True)
    assert "return (gv, gv1)" in pair.script()


def test_all_operators_without_converter_are_reported_with_their_places() -> None:
    graph = _trace(lambda x: torch.special.bessel_j0(torch.linalg.matrix_exp(x)) + torch.special.bessel_j0(x))
    with pytest.raises(UnsupportedOperators, match=r"2 operators: .*matrix_exp \(%.*\); .*bessel_j0 \(%.*, %.*\)"):
        from_fx(graph, [((2, 2), "float32")])


def test_arguments_that_do_not_fit_name_the_module() -> None:
    with pytest.raises(InvalidModel, match=r"%fc \(fc\): R.matmul: x2 takes 9 rows"):
        from_fx(fx.symbolic_trace(nn.Sequential(OrderedDict(fc=nn.Linear(8, 4)))), [((3, 9), "float32")])


def test_models_that_are_no_graphs_are_refused() -> None:
    model: Any = nn.ReLU()
    with pytest.raises(InvalidModel, match=r"it is no GraphModule of torch.fx.symbolic_trace, but ReLU"):
        from_fx(model, [((3,), "float32")])
    with pytest.raises(InvalidModel, match=r"it is no ExportedProgram of torch.export.export, but ReLU"):
        from_exported_program(model)
    with pytest.raises(InvalidModel, match=r"it is no ScriptModule of torch.jit.trace, but ReLU"):
        from_traced(model, [("x", (3,))])


def test_too_few_inputs_are_refused() -> None:
    with pytest.raises(InvalidModel, match="input_info has 0 inputs"):
        from_fx(_trace(torch.relu), [])


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(InvalidModel, match="there is no dimension 5 in a tensor of rank 1"):
        from_fx(_trace(lambda x: x.softmax(0).unflatten(5, (1, 2))), [((2,), "float32")])


def test_deprecated_reductions_are_refused() -> None:
    graph = fx.Graph()
    x = graph.placeholder("x")
    graph.output(graph.call_function(nn.functional.mse_loss, (x, x, False)))
    with pytest.raises(InvalidModel, match="size_average and reduce are deprecated: say reduction="):
        from_fx(fx.GraphModule({}, graph), [((3, 4), "float32")])


def test_operators_in_place_are_seen_through_other_names_of_the_tensor() -> None:
    def in_place(x: Any) -> Any:
        y = x * 2
        z = y.detach()
        y.add_(1)
        return z + y

    module, x = from_fx(_trace(in_place), [((3,), "float32")]), torch.randn(3)
    assert_equal(run(module, [x]), in_place(x))


def test_changes_of_memory_that_a_view_sees_later_are_refused() -> None:
    def change(x: Any) -> Any:
        y = x * 2
        y[0].add_(1)
        return y

    with pytest.raises(InvalidModel, match="it changes the memory that"):
        from_fx(_trace(change), [((3, 2), "float32")])


def test_custom_converters_of_names_and_of_modules() -> None:
    custom = {
        "relu": lambda node, importer: importer.block_builder.emit(
            importer.env[node.args[0]] + importer.env[node.args[0]]
        ),
        nn.Tanh: lambda node, importer: importer.env[node.args[0]],
    }
    model = nn.Sequential(nn.Tanh(), Function(torch.relu))
    module = from_fx(fx.symbolic_trace(model), [((2,), "float32")], custom_convert_map=custom)
    x = torch.randn(2)
    np.testing.assert_allclose(run(module, [x])[0], 2 * x.numpy())


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # torch's own
def test_modules_of_torch_nn() -> None:
    layers = [
        nn.Conv2d(4, 6, 3, padding="same", padding_mode="reflect"),
        nn.BatchNorm2d(6),
        nn.Hardswish(),
        nn.ConvTranspose2d(6, 4, 2, stride=2),
        nn.GroupNorm(2, 4),
        nn.PReLU(4),
        nn.MaxPool2d(3, 2, 1),
        nn.InstanceNorm2d(4, affine=True),
        nn.LeakyReLU(0.2, inplace=True),
        nn.Upsample(scale_factor=2, mode="bilinear"),
        nn.AdaptiveAvgPool2d((4, 3)),
        nn.Dropout(0.4),
        nn.PixelShuffle(2),
        nn.Flatten(2),
        nn.LayerNorm(48),
        nn.Linear(48, 10, bias=False),
        nn.LSTM(10, 5, num_layers=2, bidirectional=True, batch_first=True),
    ]
    model = nn.Sequential(*layers).eval()
    module, x = from_fx(fx.symbolic_trace(model), [((2, 4, 8, 6), "float32")]), torch.randn(2, 4, 8, 6)
    assert_equal(run(module, [x]), model(x))


def test_attention_of_several_heads() -> None:
    attention = nn.MultiheadAttention(8, 2, batch_first=True).eval()
    model = Function(lambda x: attention(x, x, x, need_weights=False)[0])
    model.attention = attention
    module = from_fx(fx.symbolic_trace(model), [((2, 5, 8), "float32")])
    x = torch.randn(2, 5, 8)
    assert_equal(run(module, [x]), model(x))


@pytest.mark.parametrize("name", ["mse_loss", "l1_loss", "huber_loss"])
@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_losses_with_weights(name: str, reduction: str) -> None:
    """The graph is made by hand: `torch.export`, and fx of l1_loss, drop the weights."""
    loss = getattr(nn.functional, name)
    graph = fx.Graph()
    inputs = [graph.placeholder(name) for name in ("x", "y", "weight")]
    graph.output(graph.call_function(loss, tuple(inputs[:2]), {"reduction": reduction, "weight": inputs[2]}))
    module = from_fx(fx.GraphModule({}, graph), [((3, 4), "float32")] * 3)
    x, y, weight = torch.randn(3, 4), torch.randn(3, 4), torch.rand(3, 4)
    assert_equal(run(module, [x, y, weight]), loss(x, y, reduction=reduction, weight=weight))


def test_none_is_a_null_object() -> None:
    module = from_fx(_trace(lambda x: (x + 1, None)), [((2,), "float32")])
    machine = relax.VirtualMachine(relax.build(module, "llvm"), tvmscript.cpu())
    result, nothing = machine["main"](np.zeros(2, "float32"))
    assert result.numpy().tolist() == [1, 1]
    assert nothing is None


def test_values_that_a_converter_leaves_out_are_no_results() -> None:
    attention = nn.MultiheadAttention(8, 2, batch_first=True).eval()
    model = Function(lambda x: attention(x, x, x))
    model.attention = attention
    with pytest.raises(InvalidModel, match="a result has no value in a graph"):
        from_fx(fx.symbolic_trace(model), [((2, 5, 8), "float32")])


@pytest.mark.parametrize(("layout", "shape"), [("NHWC", (1, 4, 5, 3)), ("NDHWC", (1, 2, 4, 5, 3))])
def test_images_with_their_channels_last(layout: str, shape: tuple[int, ...]) -> None:
    graph, x = _trace(lambda x: nn.functional.interpolate(x, scale_factor=2)), torch.randn(shape)
    module = from_fx(graph, [(shape, "float32")], default_image_layout=layout)
    expected = nn.functional.interpolate(x.movedim(-1, 1), scale_factor=2).movedim(1, -1)
    assert_equal(run(module, [x]), expected)


def test_unknown_layouts_are_refused() -> None:
    with pytest.raises(InvalidModel, match="there is no layout CHWN of images"):
        from_fx(_trace(torch.relu), [((2,), "float32")], default_image_layout="CHWN")


@pytest.mark.parametrize("mode", ["constant", "reflect", "replicate", "circular"])
def test_paddings_are_one_operator(mode: str) -> None:
    graph, x = _trace(lambda x: nn.functional.pad(x, (1, 2, 0, 3), mode)), torch.randn(1, 2, 4, 5)
    n = tir.Var("n", "int64")
    module = from_fx(graph, [((1, 2, n, 5), "float32")])
    assert module.script().count(f'pad_mode="{mode}"') == 1
    assert_equal(run(module, [x]), nn.functional.pad(x, (1, 2, 0, 3), mode))


@pytest.mark.filterwarnings("ignore")
def test_conversions_that_change_nothing_are_written() -> None:
    """As TVM writes them; exported programs leave them out."""
    model = Function(lambda x: x.float())
    text = from_fx(fx.symbolic_trace(model), [((2, 3), "float32")]).script()
    assert 'R.astype(inp_0, dtype="float32")' in text
    exported = from_exported_program(torch.export.export(model, (torch.ones(2, 3),)))
    assert "R.astype" not in exported.script()


@pytest.mark.parametrize(("element", "factor"), [(3.0, "3"), (2, "2"), ([[4]], "4")])
def test_the_element_of_a_constant_is_a_number(element: Any, factor: str) -> None:
    root, graph = Base(), fx.Graph()
    root.register_buffer("c", torch.tensor(element))
    number = graph.call_method("item", (graph.get_attr("c"),))
    graph.output(graph.call_function(operator.mul, (graph.placeholder("x"), number)))
    text = from_fx(fx.GraphModule(root, graph), [((4,), "float32")]).script()
    assert f'R.multiply(inp_0, R.const({factor}, "float32"))' in text
