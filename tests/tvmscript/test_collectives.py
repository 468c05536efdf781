"""Graphs that two processes run together, against NumPy on the whole tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript import collectives
from tvmscript.graph_build import ExecMode
from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.transform.pipeline import get_pipeline
from tvmscript.ir.transform.registry import get_pass
from tvmscript.relax.distributed import DTensorStructInfo

torch: Any = pytest.importorskip("torch", reason="torch is optional")

WORKERS = 2
PASSES = (
    "relax.LegalizeOps",
    "relax.distributed.PropagateSharding",
    "relax.distributed.LowerGlobalViewToLocalView",
    "relax.distributed.LegalizeRedistribute",
    "relax.distributed.LowerDistIR",
)
#: an array of NumPy: the types of its operators say no more
Array = Any
MODES: tuple[ExecMode, ...] = ("compiled", "bytecode")

HEADER = """
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @R.function
"""
MLP = """
    def main(x: R.Tensor((8, 16), "float32"), w1: R.Tensor((16, 16), "float32"), w2: R.Tensor((16, 16), "float32")):
        with R.dataflow():
            y = R.nn.relu(R.matmul(x, w1))
            z = R.dist.annotate_sharding(y, device_mesh="mesh[0]", placement="S[1]")
            r = R.matmul(z, w2)
            R.output(r)
        return r
"""
ATTENTION = """
    def main(
        x: R.Tensor((8, 16), "float32"),
        wq: R.Tensor((16, 16), "float32"),
        wk: R.Tensor((16, 16), "float32"),
        wv: R.Tensor((16, 16), "float32"),
        wo: R.Tensor((16, 16), "float32"),
    ):
        with R.dataflow():
            q = R.permute_dims(R.reshape(R.matmul(x, wq), (8, 4, 4)), (1, 0, 2))
            k = R.permute_dims(R.reshape(R.matmul(x, wk), (8, 4, 4)), (1, 2, 0))
            v = R.permute_dims(R.reshape(R.matmul(x, wv), (8, 4, 4)), (1, 0, 2))
            s = R.dist.annotate_sharding(R.matmul(q, k), device_mesh="mesh[0]", placement="S[0]")
            p = R.nn.softmax(s, axis=-1)
            o = R.reshape(R.permute_dims(R.matmul(p, v), (1, 0, 2)), (8, 16))
            r = R.matmul(o, wo)
            R.output(r)
        return r
"""
REDUCTIONS = """
    def main(x: R.Tensor((8, 16), "float32")):
        a = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[0]")
        b = R.sum(a, axis=1)
        c = R.mean(a, axis=0)
        d = R.max(a, axis=0, keepdims=True)
        e = R.min(a)
        f = R.prod(a, axis=0)
        g = R.multiply(a, c)
        return (b, c, d, e, f, g)
"""
#: a placement that no kernel keeps, since R.flip does not pass the sharding on
FLIP = """
    def main(x: R.Tensor((8, 16), "float32")):
        a = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="R")
        b = R.flip(a, axis=0)
        c = R.dist.annotate_sharding(b, device_mesh="mesh[0]", placement="S[1]")
        d = R.exp(c)
        return d
"""
#: gathered and split again, on another axis
GATHER = """
    def main(x: R.DTensor((8, 16, 4), "float32", "mesh[0]", "S[1]")):
        a = R.exp(x)
        b = R.dist.redistribute(a, device_mesh="mesh[0]", placement="R")
        c = R.dist.redistribute(a, device_mesh="mesh[0]", placement="S[2]")
        d = R.dist.redistribute(c, device_mesh="mesh[0]", placement="S[0]")
        return (b, c, d)
"""


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attention(x: Array, wq: Array, wk: Array, wv: Array, wo: Array) -> Array:
    q, k, v = ((x @ w).reshape(8, 4, 4).transpose(1, 0, 2) for w in (wq, wk, wv))
    return (softmax(q @ k.transpose(0, 2, 1)) @ v).transpose(1, 0, 2).reshape(8, 16) @ wo


def reductions(x: Array) -> tuple[Array, ...]:
    mean = x.mean(0)
    return x.sum(1), mean, x.max(0, keepdims=True), x.min(), x.prod(0), x * mean


#: name -> the graph, the same in NumPy, the placements of the results
GRAPHS: dict[str, tuple[str, Callable[..., Any], tuple[str, ...]]] = {
    "mlp": (MLP, lambda x, w1, w2: np.maximum(x @ w1, 0) @ w2, ("R",)),
    "attention": (ATTENTION, attention, ("R",)),
    "reductions": (REDUCTIONS, reductions, ("S[0]", "R", "R", "R", "R", "S[0]")),
    "flip": (FLIP, lambda x: np.exp(x[::-1]), ("S[1]",)),
    "gather": (GATHER, lambda x: (np.exp(x),) * 3, ("R", "S[2]", "S[0]")),
}


def lowered(name: str, count: int = len(PASSES)) -> Any:
    mod: Any = tvmscript.from_source(HEADER + GRAPHS[name][0])
    for each in PASSES[:count]:
        mod = get_pass(each)(mod)
    return mod


def single(text: str) -> IRModule:
    return IRModule.from_expr(tvmscript.from_source(text))


def arguments(name: str) -> list[Array]:
    rng = np.random.default_rng(0)
    infos = [param.struct_info for param in lowered(name)["main"].params]
    return [rng.uniform(-1, 1, [extent.value for extent in info.extents]).astype("float32") for info in infos]


def run_as_worker(name: str, exec_mode: ExecMode) -> list[Array]:
    """Run a graph in the process of a worker: only the arguments of worker 0 count."""
    args = arguments(name)
    if torch.distributed.get_rank() > 0:
        args = [np.full_like(arg, np.nan) for arg in args]
    executable = tvmscript.relax.build(get_pipeline("zero")(lowered(name)), exec_mode=exec_mode)
    result: Any = executable["main"](*args)
    return [part.numpy() for part in (result if isinstance(result, list) else [result])]


def run_all() -> dict[tuple[str, str], list[Array]]:
    return {(name, mode): run_as_worker(name, mode) for name in GRAPHS for mode in MODES}


def narrow_floats() -> list[float]:
    """Reduce arrays whose dtypes NumPy does not have, or whose memory cannot be written."""
    found: list[float] = []
    for dtype in ("bfloat16", "float16", "int32"):
        text = f"""
@R.function
def main(x: R.Tensor((4,), "{dtype}")):
    y = R.ccl.allreduce(x, "sum")
    z = R.ccl.allreduce(y, "avg")
    return R.ccl.broadcast_from_worker0(z)
"""
        result: Any = tvmscript.relax.build(single(text))["main"](tvmscript.nd.array(np.arange(4), dtype))
        found.append(float(result.numpy().sum()))
    return found


def wrong_number() -> str:
    text = """
@R.function
def main(x: R.Tensor((4,), "float32")):
    return R.ccl.scatter_from_worker0(x, num_workers=4)
"""
    executable = tvmscript.relax.build(single(text), exec_mode="bytecode")
    with pytest.raises(RuntimeError, match="TS5063") as caught:
        executable["main"](np.zeros(4, "float32"))
    return str(caught.value)


def all_together() -> tuple[Any, list[float], str]:
    return run_all(), narrow_floats(), wrong_number()


@pytest.fixture(scope="module")
def results() -> list[tuple[Any, list[float], str]]:
    """The results of each worker."""
    return collectives.run_workers(WORKERS, all_together, timeout=120)


@pytest.mark.long
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", GRAPHS)
def test_values(name: str, mode: str, results: list[tuple[Any, list[float], str]]) -> None:
    _, reference, placements = GRAPHS[name]
    expected = reference(*arguments(name))
    parts = [values[name, mode] for values, *_ in results]
    wholes = expected if isinstance(expected, tuple) else (expected,)
    for place, (whole, placement) in enumerate(zip(wholes, placements, strict=True)):
        shards = [part[place] for part in parts]
        if placement == "R":
            for shard in shards:
                np.testing.assert_allclose(shard, whole, rtol=1e-4, atol=1e-5)
        else:
            joined = np.concatenate(shards, int(placement[2:-1]))
            np.testing.assert_allclose(joined, whole, rtol=1e-4, atol=1e-5)


@pytest.mark.long
def test_dtypes(results: list[tuple[Any, list[float], str]]) -> None:
    """0 + 1 + 2 + 3, twice: the average of equal tensors is the tensor."""
    assert [numbers for _, numbers, _ in results] == [[12.0, 12.0, 12.0]] * WORKERS


@pytest.mark.long
def test_other_number_of_workers(results: list[tuple[Any, list[float], str]]) -> None:
    for *_, message in results:
        assert "scatter_from_worker0 needs a group of 4, but there is one of 2" in message


@pytest.mark.parametrize("name", GRAPHS)
def test_placements(name: str) -> None:
    """The placements in the table are those of the graph."""
    if name == "gather":
        return
    result = lowered(name, 2)["main"].ret_struct_info
    infos = getattr(result, "fields", (result,))
    assert all(isinstance(info, DTensorStructInfo) for info in infos)
    assert tuple(str(info.placement) for info in infos) == GRAPHS[name][2]


def test_no_process_group() -> None:
    collectives.register()
    text = """
@R.function
def main(x: R.Tensor((4,), "float32")):
    return R.ccl.allreduce(x, "sum")
"""
    executable = tvmscript.relax.build(single(text), exec_mode="bytecode")
    with pytest.raises(RuntimeError, match="allreduce needs a process group, but there is none"):
        executable["main"](np.zeros(4, "float32"))
