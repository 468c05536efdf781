"""Plain kernels of random shapes, and comparison of their default schedules with the plain loops."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

import tvmscript
from tvmscript.backends import llvm
from tvmscript.ir.core import Target
from tvmscript.ir.schedule.default.cpu import Default
from tvmscript.ir.schedule.default.cpu.normal_form import normalize
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import IntImm, PrimFunc, Var


def nest(name: str, sizes: Sequence[int | str], kinds: str, body: str, init: str = "") -> str:
    """Return a block with the axes v0, v1, ... in its loops."""
    loops = [f"i{place}" for place in range(len(sizes))]
    axes = ", ".join(f"v{place}" for place in range(len(sizes)))
    text = f"    for {', '.join(loops)} in T.grid({', '.join(map(str, sizes))}):\n        with T.block('{name}'):\n"
    text += f"            {axes} = T.axis.remap('{kinds}', [{', '.join(loops)}])\n"
    if init:
        text += f"            with T.init():\n                {init}\n"
    return f"{text}            {body}\n"


def program(params: str, *parts: str) -> PrimFunc:
    """Return a function; sizes n and m are known at run time where the parameters use them."""
    names = [part.split(":")[0].strip() for part in params.split("; ")]
    types = [part.split(":", 1)[1].strip() for part in params.split("; ")]
    sizes = [size for size in ("n", "m") if re.search(rf"\b{size}\b", params)]
    head = f"@T.prim_func\ndef main({', '.join(f'{name.lower()}: T.handle' for name in names)}):\n"
    head += "".join(f"    {size} = T.int64()\n" for size in sizes)
    buffers = zip(names, types, strict=True)
    head += "".join(f"    {name} = T.match_buffer({name.lower()}, {each})\n" for name, each in buffers)
    func = tvmscript.from_source(head + "".join(parts))
    assert isinstance(func, PrimFunc)
    return func


def arguments(func: PrimFunc, sizes: dict[str, int]) -> list[Any]:
    """Return arrays of random values."""
    rng, arrays = np.random.default_rng(0), list[Any]()
    for buffer in func.buffer_map.values():
        shape = [
            extent.value if isinstance(extent, IntImm) else sizes[extent.name]
            for extent in buffer.shape
            if isinstance(extent, (IntImm, Var))
        ]
        arrays.append((rng.random(shape) * 8 - 4).astype(str(buffer.dtype)))
    return arrays


def scheduled(func: PrimFunc) -> Schedule:
    """Return the default schedule of a function; its trace is replayed, and yields the same."""
    schedule = Default().apply(func, Target.make("llvm"), False)
    assert schedule is not None
    again = Schedule(normalize(func))
    tvmscript.Trace.from_json(schedule.trace.as_json()).apply_to_schedule(again)
    assert tvmscript.ir.structural_equal(again.mod, schedule.mod)
    return schedule


def check(func: PrimFunc, *, tolerance: float = 0, **sizes: int) -> Schedule:
    """Compare what the default schedule and the plain loops compute: bit by bit, or within a tolerance."""
    schedule, results = scheduled(func), list[Any]()
    for module in (tvmscript.IRModule({"main": func}), schedule.mod):
        values = arguments(func, sizes)
        tvmscript.build(module, target=llvm.EXACT, default_schedule=False)["main"](*values)
        results.append(values)
    for plain, fast in zip(*results, strict=True):
        np.testing.assert_allclose(fast, plain, rtol=tolerance, atol=tolerance)
    return schedule
