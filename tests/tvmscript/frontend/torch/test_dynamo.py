"""torch.compile: the backend, and the graphs that it finds."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tvmscript.frontend.torch.running import assert_equal, run
from tvmscript.frontend.torch import dynamo_capture_subgraphs, relax_dynamo
from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.transform.pipeline import get_pipeline

torch: Any = pytest.importorskip("torch", reason="torch is optional")
nn: Any = torch.nn
Base: Any = nn.Module
pytestmark = pytest.mark.filterwarnings("ignore")  # torch's own


class Broken(Base):  # type: ignore[misc]  # torch has no types here
    """A model whose graph breaks where Python looks at a value."""

    def __init__(self) -> None:
        super().__init__()
        self.linear, self.norm = nn.Linear(8, 8), nn.LayerNorm(8)

    def forward(self, x: Any) -> Any:
        y = nn.functional.gelu(self.norm(self.linear(x)))
        if y.sum() > 1e6:
            y = y + 1
        return y.mean(-1), y[:, 1:]


@pytest.mark.long
def test_the_backend_computes_what_torch_does_for_all_sizes() -> None:
    model = Broken().eval()
    torch._dynamo.reset()
    compiled = torch.compile(model, backend=relax_dynamo())
    with torch.no_grad():
        for batch in (2, 5, 7):
            x = torch.randn(batch, 3, 8)
            assert_equal([tensor.numpy() for tensor in compiled(x)], model(x))


@pytest.mark.long
def test_integers_are_arguments() -> None:
    """With dynamic=True integers are symbols, which need be no extents of tensors."""
    torch._dynamo.reset()

    def function(x: Any, k: int) -> Any:
        return x[:, :k] * k, x.view(k, -1)

    compiled = torch.compile(function, backend=relax_dynamo(), dynamic=True)
    x = torch.randn(3, 4)
    for k in (2, 3):
        assert_equal([tensor.numpy() for tensor in compiled(x, k)], function(x, k))


@pytest.mark.parametrize("pipeline", [None, "zero", "passes"])
def test_the_pipeline(pipeline: str | None) -> None:
    """A name is looked up, and passes are called with the module of a graph."""
    called: list[IRModule] = []

    def passes(module: IRModule) -> IRModule:
        called.append(module)
        return get_pipeline("default")(module)

    x = torch.randn(2, 3)
    traced = torch.fx.symbolic_trace(lambda x: torch.relu(x) + 1)
    compiled = relax_dynamo(passes if pipeline == "passes" else pipeline)(traced, [x])
    assert len(called) == (pipeline == "passes")
    result: Any = compiled(x)
    assert_equal([result.numpy()], traced(x))


@pytest.mark.long
def test_each_graph_is_a_function() -> None:
    def double(x: Any) -> Any:
        return torch.relu(x) * 2

    x = torch.randn(2, 3)
    module = dynamo_capture_subgraphs(double, x)
    assert [var.name_hint for var in module.get_global_vars()] == ["subgraph_0"]
    assert_equal(run(type(module)({"main": module["subgraph_0"].with_attr("global_symbol", "main")}), [x]), double(x))
