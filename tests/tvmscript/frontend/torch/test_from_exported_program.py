"""`from_exported_program`: dynamic dimensions, weights, control flow."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest

from tests.tvmscript.frontend.torch.running import assert_equal, run
from tvmscript import relax
from tvmscript.backends.runtime.errors import KernelAssertion
from tvmscript.frontend.errors import InvalidModel, UnsupportedOperators
from tvmscript.frontend.torch import from_exported_program, from_fx
from tvmscript.ir.relax.transform.operators.remove_matmul_broadcast import RemoveMatmulBroadcast
from tvmscript.relax.frontend import detach_params

torch: Any = pytest.importorskip("torch", reason="torch is optional")
nn: Any = torch.nn
export: Any = torch.export
Base: Any = nn.Module
pytestmark = pytest.mark.filterwarnings("ignore")  # torch's own


class Network(Base):  # type: ignore[misc]  # torch has no types here
    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm, self.linear = nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.Linear(4, 5)
        self.register_buffer("scale", torch.tensor([0.5, 2.0, 1.0, 3.0]))

    def forward(self, x: Any) -> Any:
        x = torch.relu_(self.norm(self.conv(x))).mean((2, 3)) * self.scale
        return self.linear(x).view(x.shape[0] * 5)


@pytest.mark.parametrize("decompose", [True, False])
def test_dynamic_dimensions_are_size_variables_with_bounds(decompose: bool) -> None:
    model = Network().eval()
    batch = export.Dim("batch", min=2, max=64)
    program = export.export(model, (torch.randn(2, 3, 10, 10),), dynamic_shapes=({0: batch},))
    imported = from_exported_program(program, keep_params_as_input=True, run_ep_decomposition=decompose)
    module, params = detach_params(imported)
    attrs = module["main"].attrs
    assert (list(attrs["tir_var_lower_bound"].values()), list(attrs["tir_var_upper_bound"].values())) == ([2], [64])
    assert [param.name_hint for param in module["main"].params][:3] == ["x", "p_conv_weight", "p_conv_bias"]
    assert len(params["main"]) == 6
    x = torch.randn(7, 3, 10, 10)
    assert_equal(run(module, [x], params["main"]), [model(x)])


def test_multiples_of_sizes_in_files(tmp_path: Path) -> None:
    shapes = [{0: export.Dim("n", min=2, max=8) * 2}]
    linear = nn.Linear(2, 3)
    program = export.export(linear, (torch.ones(4, 2),), dynamic_shapes=shapes)
    export.save(program, tmp_path / "m.pt2")
    module = from_exported_program(export.load(tmp_path / "m.pt2"))
    assert list(module["main"].attrs["tir_var_upper_bound"].values()) == [8]
    assert module.script() == from_exported_program(program).script()
    assert_equal(run(module, [torch.ones(6, 2)]), [linear(torch.ones(6, 2))])
    with pytest.raises(KernelAssertion, match=r"must have the extent .*2.* in dimension 0"):
        run(module, [torch.ones(7, 2)])


class Function(Base):  # type: ignore[misc]  # torch has no types here
    def __init__(self, function: Any) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: Any) -> Any:
        return self.function(*args)


def _check(function: Any, *inputs: Any, **options: Any) -> None:
    program = export.export(Function(function), inputs, **options)
    assert_equal(run(from_exported_program(program), inputs), [function(*inputs)])


def test_conditionals_are_conditionals_of_the_graph() -> None:
    def choose(x: Any) -> Any:
        return torch.cond(x.sum() > 0, lambda x: x * 2, lambda x: x - 1, (x,))

    program = export.export(Function(choose), (torch.ones(3),))
    module = from_exported_program(program)
    assert "if " in module.script()
    for x in (torch.ones(3), -torch.ones(3)):
        assert_equal(run(module, [x]), [choose(x)])


def test_loops_are_functions_that_call_themselves() -> None:
    def double(x: Any, limit: Any) -> Any:
        _, x = torch.while_loop(
            lambda n, x: (n < 5) & (x.sum() < limit), lambda n, x: (n + 1, x * 2), (torch.tensor(0), x)
        )
        return x + 1

    program = export.export(Function(double), (torch.ones(3), torch.tensor(30.0)))
    module = from_exported_program(program)
    assert "cls.loop(" in module.script()
    for limit in (0.0, 30.0, 1e6):
        inputs = [torch.ones(3), torch.tensor(limit)]
        assert_equal(run(module, inputs), [double(*inputs)])


def test_scans_are_converted_step_by_step() -> None:
    scan = importlib.import_module("torch._higher_order_ops.scan").scan

    def running(x: Any, y: Any) -> Any:
        total, sums = scan(lambda total, item: (total + item, (total * y).sum()), torch.zeros(3), x)
        return total, sums

    _check(running, torch.randn(4, 3), torch.randn(3))


def test_masked_elements_have_an_unknown_number() -> None:
    _check(lambda x: torch.masked_select(x, x > 0) * 2, torch.tensor([1.0, -2.0, 3.0]))


def test_integers_of_tensors_are_sizes() -> None:
    def narrow(x: Any, n: Any) -> Any:
        size = n.item()
        torch._check(size >= 0)
        torch._check(size <= 5)
        return torch.zeros(size) + x[:1]

    _check(narrow, torch.randn(5), torch.tensor(3))


def test_sizes_are_elements_and_results() -> None:
    def count(x: Any) -> Any:
        return x.new_full((2,), x.shape[0]), x.shape[0]

    program = export.export(Function(count), (torch.ones(3),), dynamic_shapes=(({0: export.Dim("n")},),))
    filled, size = run(from_exported_program(program), [torch.ones(5)])
    assert (filled.tolist(), str(filled.dtype)) == ([5.0, 5.0], "float32")
    assert (size.tolist(), str(size.dtype)) == (5, "int64")


def test_autocast_and_no_grad_regions_are_inlined() -> None:
    def regions(x: Any) -> Any:
        with torch.no_grad():
            y = x * 2
        return y + x

    _check(regions, torch.randn(4))


def test_a_matrix_that_a_batch_repeats_is_multiplied_once() -> None:
    """torch decomposes a layer on transposed tokens to products with a copy of the weight for each token."""
    w, x = torch.randn(4, 5), torch.randn(2, 6, 4)
    model = Function(lambda x: torch.bmm(x.transpose(0, 1), w.expand(6, 4, 5)))
    module = from_exported_program(export.export(model, (x,)))
    assert "R.broadcast_to(" not in RemoveMatmulBroadcast()(module)["main"].script()
    assert_equal(run(module, [x]), [model(x)])


@pytest.mark.long
def test_recurrent_layers_without_decomposition() -> None:
    for layer in (nn.LSTM(4, 3, num_layers=2, bidirectional=True), nn.GRU(4, 3, batch_first=True), nn.RNN(4, 3)):
        x = torch.randn(5, 2, 4)
        program = export.export(layer.eval(), (x,))
        module = from_exported_program(program, run_ep_decomposition=False)
        assert_equal(run(module, [x]), layer(x))


def test_operators_without_converter_are_reported_with_the_line_of_the_model() -> None:
    program = export.export(Function(torch.special.bessel_j0), (torch.ones(2),))
    with pytest.raises(UnsupportedOperators, match=r"special_bessel_j0\.default \(.*\.py:\d+: "):
        from_exported_program(program)


class Counts(Base):  # type: ignore[misc]  # torch has no types here
    def forward(self, x: Any, weights: Any) -> Any:
        distinct = torch.unique(x, return_inverse=True, return_counts=True)
        return *distinct, torch.bincount(x, minlength=4), torch.bincount(x, weights)


def test_strides_of_transposed_tensors_are_refused() -> None:
    for function in (lambda x: x.t().as_strided((2, 3), (1, 2)), lambda x: x.t().relu().as_strided((3,), (1,))):
        program = export.export(Function(function), (torch.zeros(3, 4),))
        with pytest.raises(InvalidModel, match="as_strided is of a tensor whose elements do not lie in the order"):
            from_exported_program(program, run_ep_decomposition=False)
    graph = torch.fx.symbolic_trace(lambda x: x.t().as_strided((2, 3), (1, 2)))
    with pytest.raises(InvalidModel, match="as_strided is of a tensor whose elements"):
        from_fx(graph, [((3, 4), "float32")])


def test_results_whose_sizes_depend_on_values() -> None:
    program = export.export(Counts(), (torch.tensor([5, 2, 5]), torch.ones(3)), strict=False)
    module = from_exported_program(program)
    for values in ([5, 2, 5], [0, 1, 0]):
        inputs = [torch.tensor(values), torch.tensor([0.5, 2.0, 1.0])]
        assert_equal(run(module, inputs), list(Counts()(*inputs)))


class Samples(Base):  # type: ignore[misc]  # torch has no types here
    def forward(self, x: Any) -> Any:
        return torch.multinomial(x, 2), torch.multinomial(x, 400, replacement=True)


def test_samples_follow_weights() -> None:
    weights = torch.tensor([[0.0, 1.0, 3.0], [1.0, 0.0, 0.0001]])
    module = from_exported_program(export.export(Samples(), (weights,)))
    few, many = run(module, [weights])
    assert sorted(few[0]) == [1, 2]
    assert set(few[1]) == {0, 2}
    assert 0.6 < (many[0] == 2).mean() < 0.9
    assert (many[0] == 0).sum() == 0


class Positions(Base):  # type: ignore[misc]  # torch has no types here
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("table", torch.arange(20.0).reshape(1, 20))

    def forward(self, x: Any) -> Any:
        return x + self.table[:, : x.shape[1]]


def test_ranges_of_sizes_tell_the_shapes_of_slices() -> None:
    """Of n up to 20, `table[:n]` has n elements; otherwise the sum has no known shape, and no kernel."""
    shapes = {"x": {1: export.Dim("n", min=2, max=20)}}
    module = from_exported_program(export.export(Positions(), (torch.ones(2, 7),), dynamic_shapes=shapes))
    assert relax.build(module, "llvm", pipeline="kernel_calls").reasons == {}
    x = torch.randn(2, 20)
    assert_equal(run(module, [x]), [Positions()(x)])


def test_dropout_in_training_is_its_input() -> None:
    model, x = nn.Sequential(nn.Dropout(0.5), nn.ReLU()), torch.randn(2, 3)
    assert_equal(run(from_exported_program(export.export(model, (x,))), [x]), torch.relu(x))


@pytest.mark.parametrize(
    ("layer", "lines"),
    [
        (nn.ReLU6(), ["R.clip(input, R.prim_value(T.float64(0)), R.prim_value(T.float64(6)))"]),
        (nn.ELU(0.5), ["R.exp(input)", 'R.subtract(R.const(1, "float32"), lv)', "R.nn.relu(lv1)",
                       'R.multiply(R.const(-0.5, "float32"), lv2)', "R.nn.relu(input)", "R.add(lv3, lv4)"]),
        (nn.Threshold(0.1, 20), ["R.less_equal(input, R.const(0.10000000149011612, \"float32\"))",
                                 'R.const(20, "float32")', "R.where(lv, lv1, input)"]),
        (nn.BatchNorm2d(3, affine=False), ["center=False, scale=False", "lv[0]"]),
    ],
)  # fmt: skip
def test_operators_are_those_of_tvm(layer: Any, lines: list[str]) -> None:
    """apache-tvm 0.27 wrote the lines, in its dialect."""
    program = export.export(layer.eval(), (torch.randn(1, 3, 4, 4),))
    bindings = [
        line for line in from_exported_program(program).script().splitlines() if " lv" in line and " = " in line
    ]
    assert len(bindings) == len(lines)
    assert all(line in binding for binding, line in zip(bindings, lines, strict=True))
