"""torch.compile: `relax_dynamo` as its backend, `dynamo_capture_subgraphs` for the graphs that it finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from tvmscript.backends.runtime.array import NDArray, asarray
from tvmscript.backends.runtime.device import cpu
from tvmscript.backends.vm.virtual_machine import VirtualMachine
from tvmscript.frontend.torch.fx import from_fx, loose_sizes
from tvmscript.frontend.torch.protocols import GraphModule, Tensor, torch_library
from tvmscript.frontend.torch.symbols import Symbols
from tvmscript.graph_build import build
from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.transform.pipeline import get_pipeline

#: what torch.compile calls for each graph that it found
Backend = Callable[[GraphModule, Sequence[Tensor]], Callable[..., object]]
Pipeline = str | Callable[[IRModule], IRModule]


def relax_dynamo(pipeline: Pipeline | None = None) -> Backend:
    """Return a backend for `torch.compile(model, backend=relax_dynamo())`: it builds each graph for this machine.

    `pipeline` is a pipeline of `relax.get_pipeline` by name, or passes; the default one fuses operators.
    """
    passes: Pipeline = "default" if pipeline is None else pipeline

    def compile_graph(graph: GraphModule, example_inputs: Sequence[Tensor]) -> Callable[..., object]:
        graph.graph.eliminate_dead_code()
        info = _input_info(graph, example_inputs)
        module = from_fx(graph, info)
        nodes = list(graph.graph.nodes)
        placeholders = [node for node in nodes if node.op == "placeholder"]
        sizes = [placeholders.index(node) for node in loose_sizes(nodes, info)]
        executable = build(module, "llvm", pipeline=get_pipeline(passes) if isinstance(passes, str) else passes)
        main = VirtualMachine(executable, cpu())["main"]

        def run(*args: object) -> object:
            tensors = [cast(Tensor, arg) for arg in args if hasattr(arg, "detach")]
            return _as_torch(main(*map(_as_array, tensors), *[args[index] for index in sizes]))

        return run

    return compile_graph


def _input_info(graph: GraphModule, example_inputs: Sequence[object]) -> list[tuple[list[object], str]]:
    """Return shapes and dtypes of the tensors among the inputs; sizes that may change are variables."""
    symbols = Symbols()
    info: list[tuple[list[object], str]] = []
    placeholders = [node for node in graph.graph.nodes if node.op == "placeholder"]
    for node, example in zip(placeholders, example_inputs, strict=True):
        value = node.meta.get("example_value", example)
        if hasattr(value, "shape"):
            shape: list[object] = list(symbols.shape(value.shape) or value.shape)
            info.append((shape, str(value.dtype)))
    return info


def _as_array(tensor: Tensor) -> NDArray:
    return asarray(tensor.detach().contiguous())


def _as_torch(value: object) -> object:
    """Return arrays as tensors of the same memory, in a tuple as torch.compile expects it."""
    torch = torch_library()

    if isinstance(value, NDArray):
        return torch.from_numpy(value.storage)
    if isinstance(value, torch.Tensor):
        return value
    return tuple(_as_torch(item) for item in value)  # type: ignore[attr-defined]  # a tuple of arrays


def dynamo_capture_subgraphs(model: object, *params: Tensor, **kwargs: object) -> IRModule:
    """Return a module with one function `subgraph_N` for each graph that torch.compile finds in a call of the model.

    `params` and `kwargs` are the arguments of the call; `keep_params_as_input` is an option of `from_fx`.
    """
    torch = torch_library()

    keep_params = bool(kwargs.pop("keep_params_as_input", False))
    captured = IRModule()

    def capture(graph: GraphModule, example_inputs: Sequence[Tensor]) -> Callable[..., object]:
        module = from_fx(
            graph,
            _input_info(graph, example_inputs),
            keep_params_as_input=keep_params,
            unwrap_unit_return_tuple=True,
        )
        name = f"subgraph_{len(captured.get_global_vars())}"
        captured[name] = module["main"].with_attr("global_symbol", name)
        forward: Callable[..., object] = graph.forward
        return forward

    torch._dynamo.reset()
    compiled = torch.compile(model, backend=capture)
    with torch.no_grad():
        compiled(*params, **kwargs)
    return captured
