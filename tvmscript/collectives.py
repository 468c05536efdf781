"""Collective communication of graphs: `R.ccl` and `R.dist` through a process group of torch.distributed.

    torch.distributed.init_process_group("gloo")
    tvmscript.collectives.register()
    vm["main"](x, w)  # in every process; the arguments of worker 0 count

`run_workers` starts the processes on one machine.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import timedelta
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, TypeVar

import tvm_ffi

from tvmscript.backends.runtime import global_functions
from tvmscript.backends.runtime.array import NDArray
from tvmscript.backends.runtime.errors import ExecutionError
from tvmscript.frontend.optional import load_library

ResultT = TypeVar("ResultT")

#: torch's reductions in the order of their numbers in graphs; the last one is the average
_REDUCTIONS: Final = ("SUM", "PRODUCT", "MIN", "MAX", "SUM")
_AVERAGE: Final = 4


class WrongWorkers(ExecutionError, code="TS5063"):
    """A graph communicates without a process group, or in one of another number of processes than its mesh has."""

    message = "{function} needs {expected}, but there is {got}"
    advice = "call torch.distributed.init_process_group in every process of the mesh"


@cache
def _torch() -> Any:
    return load_library("torch", "tvmscript.collectives")


def _group(function: str) -> Any:
    """Return torch.distributed. Raises `WrongWorkers` where no process group is initialized."""
    distributed: Any = load_library("torch.distributed", "tvmscript.collectives")
    if not distributed.is_initialized():
        raise WrongWorkers(function=function, expected="a process group", got="none")
    return distributed


def _check_size(function: str, expected: int) -> None:
    size = _group(function).get_world_size()
    if size != expected:
        raise WrongWorkers(function=function, expected=f"a group of {expected}", got=f"one of {size}")


def _tensor(array: NDArray) -> Any:
    """Return a tensor of torch over the memory of an array; what is read only is copied."""
    storage = array.storage if array.storage.flags.writeable else array.storage.copy()
    tensor = _torch().from_numpy(storage)
    return tensor.view(_torch().bfloat16) if str(array.dtype) == "bfloat16" else tensor


def _worker_id() -> Any:
    return tvm_ffi.Shape((_group("worker_id").get_rank(),))


def _all_reduce(x: NDArray, kind: int, out: NDArray) -> None:
    distributed = _group("allreduce")
    out.storage[...] = x.storage
    tensor = _tensor(out)
    distributed.all_reduce(tensor, getattr(distributed.ReduceOp, _REDUCTIONS[kind]))
    if kind == _AVERAGE:
        tensor.div_(distributed.get_world_size(), rounding_mode=None if tensor.is_floating_point() else "trunc")


def _all_gather(x: NDArray, out: NDArray) -> None:
    distributed = _group("allgather")
    _check_size("allgather", len(out) // max(len(x), 1))
    distributed.all_gather(list(_tensor(out).chunk(distributed.get_world_size())), _tensor(x))


def _broadcast(x: NDArray, out: NDArray) -> None:
    distributed = _group("broadcast_from_worker0")
    out.storage[...] = x.storage
    distributed.broadcast(_tensor(out), 0)


def _scatter(x: NDArray, out: NDArray) -> None:
    distributed = _group("scatter_from_worker0")
    _check_size("scatter_from_worker0", len(x))
    parts = list(_tensor(x).unbind(0)) if distributed.get_rank() == 0 else None
    distributed.scatter(_tensor(out), parts, 0)


#: name without `runtime.disco.` -> function
_FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "worker_id": _worker_id,
    "allreduce": _all_reduce,
    "allgather": _all_gather,
    "broadcast_from_worker0": _broadcast,
    "scatter_from_worker0": _scatter,
}


def register() -> None:
    """Let graphs of this process communicate through the default process group of torch.distributed.

    Raises `MissingLibrary` where torch is not installed.
    """
    _torch()
    for name, function in _FUNCTIONS.items():
        global_functions.register(f"runtime.disco.{name}", function, override=True)


def run_workers(count: int, function: Callable[..., ResultT], *args: Any, timeout: float = 60.0) -> list[ResultT]:
    """Return the results of `function(*args)` in `count` processes of this machine that communicate by gloo.

    The function must be one of a module, since processes are started anew. Raises its errors.
    """
    _torch()
    with (
        tempfile.TemporaryDirectory() as folder,
        ProcessPoolExecutor(count, mp_context=get_context("spawn")) as workers,
    ):
        meeting_point = Path(folder, "workers").as_uri()
        jobs = [workers.submit(_work, rank, count, meeting_point, timeout, function, args) for rank in range(count)]
        return [job.result() for job in jobs]


def _work(
    rank: int, count: int, meeting_point: str, timeout: float, function: Callable[..., ResultT], args: tuple[Any, ...]
) -> ResultT:
    """Join the process group as a worker, and call the function."""
    distributed: Any = load_library("torch.distributed", "tvmscript.collectives")
    options = {"rank": rank, "world_size": count, "timeout": timedelta(seconds=timeout)}
    distributed.init_process_group("gloo", init_method=meeting_point, **options)
    try:
        register()
        return function(*args)
    finally:
        distributed.destroy_process_group()
