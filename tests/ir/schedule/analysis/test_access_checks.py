"""How blocks access a buffer: outside of conditions, first by a load, at other elements than they store."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core import nodes
from tvmscript.ir.schedule.analysis.access_checks import (
    accesses_unconditionally,
    reads_before_write,
    reads_other_elements,
    writes_unconditionally,
)
from tvmscript.ir.tir.stmt import Block

INNER = "with T.block('inner'):\n    {}A[0] = 1.0"


def block_of(body: str) -> tuple[Any, Any]:
    """Return a block with some lines as its body, and the buffer A."""
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    func: Any = tvmscript.from_source(
        "@T.prim_func\ndef main(A: T.Buffer((8,)), B: T.Buffer((8,)), n: T.int32):\n"
        f"    with T.block('outer'):\n{lines}\n",
        check_well_formed=False,
    )
    outer = next(node for node in nodes(func.body) if isinstance(node, Block) and node.name_hint == "outer")
    return outer, func.buffer_map[func.params[0]]


@pytest.mark.parametrize(
    ("body", "is_accessed", "is_written"),
    [
        ("A[0] = 1.0", True, True),
        ("B[0] = A[0]", True, True),
        ("B[0] = 1.0", False, True),
        ("if n > 0:\n    A[0] = 1.0", False, False),
        ("if n > 0:\n    A[0] = 1.0\nA[0] = 2.0", True, True),
        ("if n > 0:\n    B[0] = 1.0\nelse:\n    A[0] = 1.0", False, False),
        ("if A[0] > 0.0:\n    B[0] = 1.0", True, True),
        ("while n > 0:\n    A[0] = 1.0", False, False),
        ("while A[0] > 0.0:\n    B[0] = 1.0", True, True),
        ("B[0] = T.if_then_else(n > 0, A[0], 0.0)", False, True),
        ("B[0] = T.if_then_else(n > 0, 0.0, A[0])", False, True),
        ("B[0] = T.if_then_else(A[0] > 0.0, 1.0, 0.0)", True, True),
        ("B[0] = T.exp(A[0])", True, True),
        (INNER.format(""), True, True),
        (INNER.format("T.where(n > 0)\n    "), False, False),
        (f"{INNER.format('T.where(n > 0)' + chr(10) + '    ')}\nA[1] = 2.0", True, True),
        ("with T.block('inner'):\n    B[0] = A[0]", True, True),
    ],
)
def test_conditions(body: str, is_accessed: bool, is_written: bool) -> None:
    block, buffer = block_of(body)
    assert accesses_unconditionally(block, buffer) is is_accessed
    assert writes_unconditionally(block, buffer) is is_written


def test_init_is_written_too() -> None:
    block, buffer = block_of("with T.init():\n    A[0] = 0.0\nif n > 0:\n    A[0] = 1.0")
    assert writes_unconditionally(block, buffer)
    assert not accesses_unconditionally(block, buffer)


@pytest.mark.parametrize(
    ("body", "is_first"),
    [
        ("B[0] = A[0]", True),
        ("A[0] = 1.0\nB[0] = A[0]", False),
        ("A[0] = A[1]", True),
        ("B[0] = A[0]\nA[0] = 1.0", True),
        ("B[0] = 1.0", False),
        ("with T.block('inner'):\n    with T.init():\n        A[0] = 0.0\n    A[0] = A[0] + 1.0", False),
        ("with T.block('inner'):\n    with T.init():\n        B[0] = A[0]\n    A[0] = 1.0", True),
    ],
)
def test_the_first_access(body: str, is_first: bool) -> None:
    block, buffer = block_of(body)
    assert reads_before_write(block.body, buffer) is is_first


@pytest.mark.parametrize(
    ("body", "reads_others"),
    [
        ("A[n] = A[n] + 1.0", False),
        ("A[n] = A[n + 1] + 1.0", True),
        ("A[n] = A[n] + A[0]", True),
        ("A[n] = A[n] + 1.0\nA[0] = A[n]", False),
        ("B[n] = A[n]", False),
        ("A[n] = 1.0\nwith T.block('inner'):\n    B[0] = A[0]", False),
    ],
)
def test_other_elements(body: str, reads_others: bool) -> None:
    block, buffer = block_of(f"with T.init():\n    A[n] = 0.0\n{body}")
    assert reads_other_elements(block, buffer) is reads_others
    assert not reads_other_elements(block_of(body)[0], buffer)
