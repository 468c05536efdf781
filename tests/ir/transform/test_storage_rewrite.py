"""Sharing memory changes no value: random sequences of statements over local buffers."""

from __future__ import annotations

import random

import numpy as np
import pytest

import tvmscript
from tvmscript.ir.transform.memory.storage_rewrite import StorageRewrite

_INDICES = ["i * 8 + j", "i * 8 + j", "j * 8 + i", "63 - (i * 8 + j)", "i * 8"]


def program(source: random.Random) -> str:
    """Statements that read two buffers and write one, at equal or different places, some more than once."""
    names = [f"t{k}" for k in range(source.randint(2, 6))]
    lines = ["@T.prim_func", 'def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):']
    lines += [f"    {name} = T.decl_buffer((64,))" for name in names]
    written = source.sample(names, source.randint(1, 2))
    lines += [f"    for i in range(64):\n        {name}[i] = A[i] + T.float32({k})" for k, name in enumerate(written)]
    for _ in range(source.randint(2, 8)):
        target, index = source.choice(names), source.choice(_INDICES)
        left, right = source.choice(written), source.choice(written)
        first, second = source.choice([index, index, "j * 8 + i"]), source.choice([index, index, "i * 8 + j"])
        if target not in written:
            written.append(target)
            if index == "i * 8":
                lines.append(f"    for i in range(64):\n        {target}[i] = T.float32(0)")
        lines.append(
            f"    for i, j in T.grid(8, 8):\n"
            f"        {target}[{index}] = {left}[{first}] * T.float32(0.5) + {right}[{second}]"
        )
    last, other = source.choice(written), source.choice(written)
    return "\n".join([*lines, f"    for i in range(64):\n        B[i] = {last}[63 - i] + {other}[i]", ""])


@pytest.mark.parametrize("seed", range(80))
def test_same_values(seed: int) -> None:
    func = tvmscript.from_source(program(random.Random(seed)))
    given = np.random.default_rng(seed).uniform(-1, 1, 64).astype("float32")
    results: list[list[float]] = []
    for version in (func, StorageRewrite()(func)):
        out = np.zeros(64, "float32")
        tvmscript.build(version, target="interp")["main"](given, out)
        results.append(out.tolist())
    assert results[0] == results[1]


def test_some_of_these_share_memory() -> None:
    functions = [tvmscript.from_source(program(random.Random(seed))) for seed in range(80)]
    assert sum(StorageRewrite()(func) is not func for func in functions) >= 10
