"""Sizes, places and lifetimes of allocations."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tvmscript.ir.analysis.memory.liveness import MemoryOrder, bits_of, lifetimes
from tvmscript.ir.core import nodes
from tvmscript.ir.tir.stmt import Allocate


def _program(body: str, arguments: str = "n: T.int32") -> Any:
    lines = "\n".join(f"    {line}" for line in body.strip("\n").splitlines())
    text = f'@T.prim_func\ndef main(A: T.Buffer((64,), "float32"), {arguments}):\n{lines}'
    return tvmscript.from_source(text, check_well_formed=False)


@pytest.mark.parametrize(
    ("allocation", "bits"),
    [
        ('[8], "float32"', 256),
        ('[2, 3], "float32"', 192),
        ('[8], "float32x4"', 1024),
        ('[8], "int8x16"', 1024),
        ('[3], "bool"', 3),
        ('[], "float64"', 64),
        ('[n], "float32"', 0),
        ('[8, n], "float32"', 0),
    ],
)
def test_bits(allocation: str, bits: int) -> None:
    program = _program(f'C = T.allocate({allocation}, "global")\nT.evaluate(C)')
    (node,) = [node for node in nodes(program) if isinstance(node, Allocate)]
    assert bits_of(node) == bits


def _lives(body: str) -> dict[str, tuple[str, str]]:
    """Return for each allocation the last lines of the statements where its lifetime begins and ends."""
    order = MemoryOrder(_program(body).body)
    born: dict[str, str] = {}
    dies: dict[str, str] = {}
    for step, life in zip(order.steps, lifetimes(order.steps), strict=True):
        text = str(step.stmt).splitlines()[-1].strip()
        for var in life.born if life is not None else ():
            born[var.name] = text
        for var in life.dies if life is not None else ():
            dies[var.name] = text
    return {name: (born[name], dies[name]) for name in born}


USES = """
C = T.allocate([8], "float32", "global")
D = T.allocate([8], "float32", "global")
c = T.Buffer((8,), data=C)
d = T.Buffer((8,), data=D)
c[0] = A[0]
for i in range(8):
    A[i] = c[0]
for j in range(8):
    d[j] = A[j]
A[1] = d[1]
"""


def test_lifetimes_are_those_of_the_outermost_statements() -> None:
    lives = _lives(USES)
    assert lives["c"] == ("c[0] = A[0]", "A[i] = c[0]")
    assert lives["d"] == ("d[j] = A[j]", "A[1] = d[1]")


def test_allocations_inside_of_loops_live_there() -> None:
    lives = _lives("""
for i in range(8):
    C = T.allocate([8], "float32", "global")
    c = T.Buffer((8,), data=C)
    c[0] = A[i]
    A[i] = c[0]
""")
    assert lives == {"c": ("c[0] = A[i]", "A[i] = c[0]")}


@pytest.mark.parametrize(
    ("body", "place", "is_fixed"),
    [
        ("for i in range(8):\n    C = T.allocate([8], 'float32', 'global')\n    T.evaluate(C)", None, False),
        ("for i in range(8):\n    C = T.allocate([i], 'float32', 'global')\n    T.evaluate(C)", None, True),
        ("for i in T.parallel(8):\n    C = T.allocate([i], 'float32', 'global')\n    T.evaluate(C)", "For", False),
        (
            "for i in T.parallel(8):\n    for j in range(8):\n        C = T.allocate([i], 'float32', 'global')\n"
            "        T.evaluate(C)",
            "For",
            False,
        ),
        (
            "for i in T.parallel(8):\n    for j in range(8):\n        C = T.allocate([j], 'float32', 'global')\n"
            "        T.evaluate(C)",
            "For",
            True,
        ),
        (
            "with T.launch_thread('blockIdx.x', 8) as bx:\n    C = T.allocate([bx], 'float32', 'global')\n"
            "    T.evaluate(C)",
            "AttrStmt",
            False,
        ),
        (
            "with T.launch_thread('blockIdx.x', 8) as bx:\n    with T.launch_thread('threadIdx.x', 8) as tx:\n"
            "        C = T.allocate([tx], 'float32', 'global')\n        T.evaluate(C)",
            "AttrStmt",
            True,
        ),
    ],
)
def test_places_of_allocations(body: str, place: str | None, is_fixed: bool) -> None:
    """Memory moves to the outermost loop that starts threads; a size of what is bound inside stays."""
    (allocation,) = MemoryOrder(_program(body).body).allocations.values()
    assert (allocation.place and type(allocation.place).__name__) == place
    assert allocation.is_fixed == is_fixed
