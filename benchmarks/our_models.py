"""The models in this package: `python our_models.py` answers the questions of `models.py`."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from model_programs import LLAMA, MODELS, build
from turns import Call, Subject, serve

import tvmscript
from tvmscript import relax
from tvmscript.backends.vm.executable import Executable
from tvmscript.backends.vm.graph_function import GraphFunction
from tvmscript.ir.relax.lowering.memory_plan import peak_of_live_bytes
from tvmscript.ir.relax.transform.normal_form.canonicalize_bindings import CanonicalizeBindings
from tvmscript.ir.relax.transform.operators.decompose_ops_for_inference import DecomposeOpsForInference
from tvmscript.ir.relax.transform.parameters.bind_params import BindParams

#: name and length of the graph that measures the time between kernels
CHAIN, KERNELS = "chain of kernels", 1_000


class ModelCall:
    """A call of a compiled model."""

    def __init__(self, executable: Executable, arguments: list[Any], cache: Any = None) -> None:
        self.executable, self._arguments, self._cache = executable, arguments, cache
        self._main = relax.VirtualMachine(executable, tvmscript.cpu())["main"]

    def __call__(self) -> Any:
        if self._cache is None:
            return self._main(*self._arguments)
        self._cache.popn(0, 1)
        self._cache.begin_forward((0,), (1,))
        return self._main(self._cache, *self._arguments)


def load(name: str) -> Subject:
    """A model, or the chain of kernels."""
    if name == CHAIN:
        return Subject(_build_chain, lambda _: {})
    model = MODELS[name]
    inputs, weights = model.arrays()
    cache = _cache() if name == "Llama block" else None
    handle = relax.Var("cache", relax.ObjectStructInfo())
    extra = {} if cache is None else {"attention": partial(_attention, handle)}
    mod = build(model, relax, relax.TensorStructInfo, extra, [] if cache is None else [handle])
    named = {f"w_{key.replace('.', '_')}": value for key, value in weights.items()}
    arguments = [tvmscript.nd.array(array) for array in inputs]

    def build_model() -> Call:
        bound = BindParams("main", named)(mod)
        executable = tvmscript.compile(CanonicalizeBindings()(DecomposeOpsForInference()(bound)), "llvm")
        assert isinstance(executable, Executable)
        return ModelCall(executable, arguments, cache)

    return Subject(build_model, partial(_figures, cache is None))


def _figures(has_sum: bool, call: Call) -> dict[str, float]:
    """The sum of a result, the number of kernels, planned bytes and their lower bound."""
    assert isinstance(call, ModelCall)
    figures = {"sum": float(np.abs(call().numpy()).sum())} if has_sum else {}
    function = call.executable["main"]
    if isinstance(function, GraphFunction):
        host = function.host
        sizes, lives = [size for size, _ in host.temporaries], [life for _, life in host.temporaries]
        figures |= {
            "kernels": host.num_calls,
            "planned": function.workspace_bytes or 0,
            "bound": peak_of_live_bytes(sizes, lives),
        }
    return figures


def _cache() -> Any:
    """A cache with as many tokens as the peers have."""
    _, heads, groups, width, _, length = LLAMA
    create = tvmscript.get_global_func("vm.builtin.paged_attention_kv_cache_create")
    dtype = tvmscript.nd.array(np.zeros(1, "float32"))
    cache = create((1, 2 * length, length, 16), 1, heads, groups, width, 1, 1.0, 10000.0, dtype)
    cache.add_sequence(0)
    cache.begin_forward((0,), (length,))
    qkv = np.random.default_rng(1).standard_normal((length, heads + 2 * groups, width), dtype="float32")
    result = tvmscript.nd.array(np.zeros((length, heads, width), "float32"))
    cache.attention(0, 1.0, tvmscript.nd.array(qkv), result)
    return cache


def _attention(cache: Any, qkv: Any) -> Any:
    """The call of attention over the cache."""
    _, heads, _, width, _, _ = LLAMA
    builder = relax.BlockBuilder.current()
    assert builder is not None
    return builder.emit(
        relax.op.call_dps_packed(
            "vm.builtin.attention_kv_cache_attention_with_fused_qkv",
            (cache, relax.PrimValue(0), relax.PrimValue(tvmscript.tir.const(1.0, "float64")), qkv),
            relax.TensorStructInfo((1, heads, width), "float32"),
        )
    )


def _build_chain() -> Call:
    """A chain of kernels that compute nothing to speak of."""
    builder = relax.BlockBuilder()
    x = relax.Var("x", relax.TensorStructInfo((1,), "float32"))
    with builder.function("main", [x]):
        with builder.dataflow():
            last: Any = x
            for _ in range(KERNELS):
                last = builder.emit(relax.op.add(last, x))
            last = builder.emit_output(last)
        builder.emit_func_output(last)
    return ModelCall(relax.build(builder.get(), "llvm"), [tvmscript.nd.array(np.ones(1, "float32"))])


if __name__ == "__main__":
    serve(load)
