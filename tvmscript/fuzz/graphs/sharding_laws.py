"""Law of the passes over distributed tensors: two workers compute the values of the whole graph.

The workers are threads of this process, and communicate through an array.
"""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

import numpy as np
import tvm_ffi

from tvmscript import graph_build
from tvmscript.backends.runtime import global_functions
from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.distributed import DTensorStructInfo
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import TupleStructInfo
from tvmscript.ir.relax.transform.errors import CannotDistribute, ShardingConflict
from tvmscript.ir.relax.transform.pipeline import get_pipeline
from tvmscript.ir.transform.registry import get_pass

WORKERS: Final = 2
PASSES: Final = (
    "relax.distributed.PropagateSharding",
    "relax.distributed.LowerGlobalViewToLocalView",
    "relax.distributed.LegalizeRedistribute",
    "relax.distributed.LowerDistIR",
)
#: extents that two workers share
_EXTENTS: Final = (2, 4, 6)
_UNARY: Final = ("exp", "negative", "nn.relu", "tanh")
_BINARY: Final = ("add", "subtract", "multiply", "maximum")
_REDUCTIONS: Final = ("sum", "max", "min", "mean")


def sharded_text(rng: random.Random) -> str:
    """Write a module of a graph whose tensors have annotations of their placement."""
    shapes: dict[str, tuple[int, ...]] = {}
    lines: list[str] = []

    def bind(expression: str, shape: tuple[int, ...]) -> str:
        name = f"v{len(lines)}"
        lines.append(f"{name} = {expression}")
        shapes[name] = shape
        return place(name, shape) if rng.randrange(6) == 0 else name

    def place(name: str, shape: tuple[int, ...]) -> str:
        """Bind a tensor with an annotation of its placement."""
        places = ["R", *(f"S[{axis}]" for axis, extent in enumerate(shape) if extent % WORKERS == 0)]
        placement = rng.choice(places)
        lines.append(
            f'v{len(lines)} = R.dist.annotate_sharding({name}, device_mesh="mesh[0]", placement="{placement}")'
        )
        shapes[f"v{len(lines) - 1}"] = shape
        return f"v{len(lines) - 1}"

    rows, inner, columns = (rng.choice(_EXTENTS) for _ in range(3))
    params = {"x": (rows, inner), "w": (inner, columns), "b": (columns,)}
    x, w, b = (place(name, shape) for name, shape in params.items())
    bind(f"R.{rng.choice(_UNARY)}({x})", (rows, inner))
    for _ in range(rng.randint(1, 6)):
        name, shape = rng.choice(list(shapes.items()))
        others = [other for other, each in shapes.items() if each == shape]
        kind = rng.randrange(6)
        if kind == 0:
            bind(f"R.{rng.choice(_UNARY)}({name})", shape)
        elif kind == 1:
            bind(f"R.{rng.choice(_BINARY)}({name}, {rng.choice(others)})", shape)
        elif kind == 2 and shape == (rows, inner):
            bind(f"R.matmul({name}, {w})", (rows, columns))
        elif kind == 3 and shape == (rows, columns):
            bind(f"R.add({name}, {b})", shape)
        elif kind == 4 and len(shape) == 2:
            bind(f"R.permute_dims({name}, axes=[1, 0])", shape[::-1])
        elif shape:
            axis, is_kept = rng.randrange(len(shape)), rng.randrange(2) == 0
            rest = (1,) if is_kept else ()
            reduced = (*shape[:axis], *rest, *shape[axis + 1 :])
            bind(f"R.{rng.choice(_REDUCTIONS)}({name}, axis=[{axis}], keepdims={is_kept})", reduced)
    own = [name for name in shapes if name not in params]
    results = rng.sample(own[-3:], rng.randint(1, min(2, len(own))))
    declared = ", ".join(f'{name}: R.Tensor({shape}, "float32")' for name, shape in params.items())
    return "\n".join(
        [
            "@I.ir_module",
            "class Module:",
            f'    I.module_global_infos({{"mesh": [R.device_mesh(({WORKERS},), I.Range(0, {WORKERS}))]}})',
            "    @R.function",
            f"    def main({declared}):",
            "        with R.dataflow():",
            *(f"            {line}" for line in lines),
            f"            R.output({', '.join(results)})",
            f"        return {results[0] if len(results) == 1 else '(' + ', '.join(results) + ')'}",
            "",
        ]
    )


def without_annotations(text: str) -> str:
    """Return the same module for one device."""
    return re.sub(r"R\.dist\.annotate_sharding\((\w+),.*\)", r"\1", text)


class Workers:
    """Threads that run one function, and what they send each other."""

    def __init__(self) -> None:
        self._barrier = threading.Barrier(WORKERS)
        self._sent: list[Any] = [None] * WORKERS
        self._local = threading.local()

    def run(self, function: Callable[..., Any], arguments: Sequence[Any]) -> list[Any]:
        """Return the results of the workers; only the arguments of the first count."""
        functions: dict[str, Callable[..., Any]] = {
            "worker_id": lambda: tvm_ffi.Shape((self._local.rank,)),
            "allreduce": self.reduce,
            "allgather": self._gather,
            "broadcast_from_worker0": self._broadcast,
            "scatter_from_worker0": self._scatter,
        }

        def work(rank: int) -> Any:
            self._local.rank = rank
            return function(*[array.copy() if rank == 0 else np.full_like(array, np.nan) for array in arguments])

        def release_others(job: Future[Any]) -> None:
            if job.exception() is not None:
                self._barrier.abort()

        named = {f"runtime.disco.{name}": callee for name, callee in functions.items()}
        with global_functions.registered(named), ThreadPoolExecutor(WORKERS) as pool:
            jobs = [pool.submit(work, rank) for rank in range(WORKERS)]
            for job in jobs:
                job.add_done_callback(release_others)
            return [job.result() for job in jobs]

    def _exchange(self, value: Any) -> list[Any]:
        self._sent[self._local.rank] = value.copy()
        self._barrier.wait()
        values = list(self._sent)
        self._barrier.wait()
        return values

    def reduce(self, x: Any, kind: int, out: Any) -> None:
        values = np.stack(self._exchange(x.storage))
        out.storage[...] = (np.sum, np.prod, np.min, np.max, np.mean)[kind](values, axis=0)

    def _gather(self, x: Any, out: Any) -> None:
        out.storage[...] = np.concatenate(self._exchange(x.storage))

    def _broadcast(self, x: Any, out: Any) -> None:
        out.storage[...] = self._exchange(x.storage)[0]

    def _scatter(self, x: Any, out: Any) -> None:
        out.storage[...] = self._exchange(x.storage)[0][self._local.rank].reshape(out.storage.shape)


def compute_in_shards(mod: IRModule, arrays: Sequence[Any]) -> tuple[IRModule, list[Any]] | None:
    """Distribute a graph, run it on the workers, and return it with the whole results. None where it is refused."""
    mod = get_pass("relax.LegalizeOps")(mod)
    placements: list[DTensorStructInfo] = []
    try:
        for name in PASSES:
            mod = get_pass(name)(mod)
            if name == PASSES[0]:
                placements = _placements(mod)
    except (CannotDistribute, ShardingConflict):
        return None
    executable = graph_build.build(get_pipeline("zero")(mod), "interp", exec_mode="bytecode")
    results = [
        [part.numpy() for part in (result if isinstance(result, (list, tuple)) else [result])]
        for result in Workers().run(executable.functions["main"], arrays)
    ]
    return mod, [_join(info, shards) for info, shards in zip(placements, zip(*results, strict=True), strict=True)]


def _placements(mod: IRModule) -> list[DTensorStructInfo]:
    main = mod["main"]
    assert isinstance(main, Function)
    result = main.ret_struct_info
    infos = result.fields if isinstance(result, TupleStructInfo) else (result,)
    return [info for info in infos if isinstance(info, DTensorStructInfo)]


def _join(info: DTensorStructInfo, shards: Sequence[Any]) -> Any:
    """Return the whole tensor. Raises `ValueError` where copies differ."""
    (spec,) = info.placement.dim_specs
    if spec.axis >= 0:
        return np.concatenate(shards, spec.axis)
    for shard in shards[1:]:
        np.testing.assert_array_equal(shard, shards[0])
    return shards[0]
