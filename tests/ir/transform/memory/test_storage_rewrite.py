"""Sharing memory changes no value: random sequences of statements over local buffers."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import structural_equal
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


_DTYPES = ["float32", "float32", "int32", "float16", "int8", "float64"]


class _Straight:
    """A program of statements that each compute one buffer from another, maybe in loops, branches and let bindings.

    Buffers have several dtypes and sizes; what is computed in place is computed once.
    """

    def __init__(self, source: random.Random) -> None:
        self.source = source
        self.count = 0
        self.lines: list[str] = []

    def program(self) -> str:
        self.lines = ["@T.prim_func", 'def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):']
        self.scope("    ", 0)
        return "\n".join(self.lines) + "\n"

    def scope(self, indent: str, depth: int) -> None:
        source = self.source
        buffers = [("A", 64, "float32")]
        made: list[tuple[str, int, str]] = []
        for _ in range(source.randint(2, 6)):
            self.count += 1
            size, dtype = source.choice([16, 32, 48, 64, 64]), source.choice(_DTYPES)
            made.append((f"t{self.count}", size, dtype))
            self.lines.append(f'{indent}t{self.count} = T.decl_buffer(({size},), "{dtype}")')
        for name, size, dtype in made:
            of, length, kind = source.choice(buffers[-3:])
            index = source.choice(["i", "i", f"{length - 1} - i" if length >= size else "i"])
            index = index if length >= size else f"i % {length}"
            value = f"{of}[{index}]" if kind == dtype else f'T.Cast("{dtype}", {of}[{index}])'
            self.lines.append(f"{indent}for i in range({size}):\n{indent}    {name}[i] = {value}")
            buffers.append((name, size, dtype))
            if depth < 2 and source.random() < 0.3:
                head = source.choice(["for k in range(3):", "if A[0] > T.float32(0):", "for k in T.parallel(2):"])
                self.lines.append(f"{indent}{head}")
                self.scope(indent + "    ", depth + 1)
        name, size, dtype = source.choice(made)
        value = f"{name}[i]" if dtype == "float32" else f'T.Cast("float32", {name}[i])'
        self.lines.append(f"{indent}for i in range({size}):\n{indent}    B[i] = {value}")


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(12))
def test_as_tvm(oracle: Any, seed: int) -> None:
    text = _Straight(random.Random(seed)).program()
    theirs = tvmscript.from_source(oracle.apply("tir.StorageRewrite", text, check=False))["main"]
    ours = StorageRewrite()(tvmscript.from_source(text))
    named = [func.with_attr("global_symbol", "main") for func in (ours, theirs)]
    assert structural_equal(*named), text
