"""`from_traced`: graphs of TorchScript."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tvmscript.frontend.torch.running import assert_equal, run
from tvmscript.frontend.errors import InvalidModel, UnsupportedOperators
from tvmscript.frontend.torch import from_traced
from tvmscript.relax.frontend import detach_params

torch: Any = pytest.importorskip("torch", reason="torch is optional")
nn: Any = torch.nn
Base: Any = nn.Module
pytestmark = pytest.mark.filterwarnings("ignore")  # torch's own


class Network(Base):  # type: ignore[misc]  # torch has no types here
    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4)
        self.tail = nn.Sequential(nn.ReLU(inplace=True), nn.MaxPool2d(2))

    def forward(self, x: Any) -> Any:
        y = self.tail(self.norm(self.conv(x)))
        y = torch.flatten(y, 1).view(x.shape[0], -1, 4)
        first, second = torch.split(y, [1, 3], -1)
        return y[:, 0] + y.size(0), torch.cat([second, first], -1).to(torch.float64)


def test_weights_are_parameters_under_their_paths() -> None:
    model, x = Network().eval(), torch.randn(2, 3, 10, 10)
    module, params = detach_params(from_traced(torch.jit.trace(model, x), [("input0", (2, 3, 10, 10))]))
    names = [param.name_hint for param in module["main"].params]
    assert names[0] == "input0"
    assert set(names[1:]) == {name for name in model.state_dict() if "num_batches" not in name}
    assert_equal(run(module, [x], params["main"]), model(x))


class Function(Base):  # type: ignore[misc]  # torch has no types here
    def __init__(self, function: Any) -> None:
        super().__init__()
        self.function = function

    def forward(self, x: Any) -> Any:
        return self.function(x)


def test_operators_without_converter_are_reported_with_their_lines() -> None:
    traced = torch.jit.trace(Function(torch.special.bessel_j0), torch.ones(2))
    with pytest.raises(UnsupportedOperators, match=r"aten::special_bessel_j0 \(.*\.py:\d+"):
        from_traced(traced, [("x", (2,))])


def test_inputs_have_the_dtypes_of_the_trace() -> None:
    """Shapes alone say no dtype: token numbers are integers."""
    model, tokens = nn.Embedding(10, 4), torch.tensor([[1, 2], [3, 4]])
    module, params = detach_params(from_traced(torch.jit.trace(model, tokens), [("tokens", (2, 2))]))
    assert_equal(run(module, [tokens], params["main"]), model(tokens))


def test_too_many_inputs_are_refused() -> None:
    with pytest.raises(InvalidModel, match="the model has 1 inputs, shape_list 2"):
        from_traced(torch.jit.trace(Function(torch.relu), torch.ones(2)), [("x", (2,)), ("y", (2,))])


def _mask(x: Any) -> Any:
    mask = x.new_zeros(x.shape)
    mask[1:3, 0:2] = 5
    mask[0, :].add_(1)
    return mask + x


def _views(x: Any) -> Any:
    y = x.clone()
    column, row, wide = y.t()[0], y[1], y.to(torch.float64)
    column.mul_(3)
    y.unsqueeze(0)[:, :2].sub_(1)
    y.view(-1)[2:5] = 7
    return y, column, row, wide


@pytest.mark.parametrize("function", [_mask, _views])
def test_changes_in_place_are_seen_through_views(function: Any) -> None:
    x = torch.randn(4, 3)
    module, _ = detach_params(from_traced(torch.jit.trace(Function(function), x), [("x", (4, 3))]))
    assert_equal(run(module, [x]), function(x))


def test_changes_of_what_may_be_a_copy_are_refused() -> None:
    def change(x: Any) -> Any:
        y = x * 2
        flat = y.t().reshape(-1)
        y.add_(1)
        return flat + 0

    with pytest.raises(InvalidModel, match=r"aten::add_: it changes the memory that .* aten::reshape sees"):
        from_traced(torch.jit.trace(Function(change), torch.ones(4, 3)), [("x", (4, 3))])
