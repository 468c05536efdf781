"""InjectCopyIntrin hands the regions of a copy to a function; what TVM 0.17 hands over is what is expected."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.tir.rewrite import NOOP
from tvmscript.ir.transform.errors import NoCopy
from tvmscript.ir.transform.memory.inject_copy_intrin import InjectCopyIntrin

_HEADER = """
@T.prim_func
def main(a: T.handle, b: T.handle, m: T.int32, n: T.int32):
    A = T.match_buffer(a, (1024,))
    B = T.match_buffer(b, (1024,))
    with T.attr(0, "pragma_memcpy", 1):
"""

#: loops, then shape, strides, offset of the source, the same of the destination, padding
CASES = {
    "two loops": (
        ["for i, j in T.grid(8, m): B[i * m + j] = A[i * m + j]"],
        [["8", "m"], ["m", "1"], "0", ["8", "m"], ["m", "1"], "0", [], [], "None"],
    ),
    "strides": (
        ["for i, j, k in T.grid(4, 3, 2): B[i * 6 + j * 2 + k + n] = A[k * n + j * 8 + i * 2 * 32 + 5]"],
        [["4", "3", "2"], ["64", "8", "n"], "5", ["4", "3", "2"], ["6", "2", "1"], "n", [], [], "None"],
    ),
    "one element": (["B[3] = A[5]"], [["1"], ["1"], "5", ["1"], ["1"], "3", [], [], "None"]),
    "conversion": (
        ["for i in range(4): B[i * 3 + 2] = T.Cast('float32', A[i * 5 + 7])"],
        [["4"], ["5"], "7", ["4"], ["3"], "2", [], [], "None"],
    ),
    "padding": (
        [
            "for i, j in T.grid(m + 2, n):",
            "    B[i * n + j] = T.if_then_else(i >= 1 and i < m + 1, A[(i - 1) * n + j], T.float32(1.0))",
        ],
        [["m", "n"], ["n", "1"], "0", ["m + 2", "n"], ["n", "1"], "0", ["1", "0"], ["1", "0"], "T.float32(1)"],
    ),
    "padding of two axes": (
        [
            "for i, j in T.grid(10, 20):",
            "    B[i * 20 + j] = T.Select(",
            "        i >= 1 and i < 9 and j >= 2 and j < 18, A[i * 16 + j - 18], T.float32(0))",
        ],
        [["8", "16"], ["16", "1"], "0", ["10", "20"], ["20", "1"], "0", ["1", "2"], ["1", "2"], "T.float32(0)"],
    ),
}


def _program(lines: list[str]) -> Any:
    return tvmscript.from_source(_HEADER + "\n".join(f"        {line}" for line in lines) + "\n")


def _texts(values: Any) -> list[str]:
    return [str(each) for each in values]


@pytest.mark.parametrize("name", CASES)
def test_regions(name: str) -> None:
    lines, expected = CASES[name]
    program = _program(lines)
    seen: list[Any] = []

    def make_copy(src: Any, dst: Any, before: Any, after: Any, value: Any) -> Any:
        for each in (src, dst):
            seen.extend([_texts(each.shape), _texts(each.strides), str(each.elem_offset)])
        seen.extend([_texts(before), _texts(after), str(value)])
        assert (src.data.name, dst.data.name) == ("A", "B")
        return NOOP

    made = InjectCopyIntrin("memcpy", make_copy)(program)
    assert seen == expected
    assert "A[" not in made.script()


@pytest.mark.parametrize(
    "lines",
    [
        ["for i in range(4): B[i] = A[i] + T.float32(1)"],
        ["for i in range(1, 4): B[i] = A[i]"],
        ["for i in range(4): B[i * i] = A[i]"],
        ["C = T.Buffer((4, 4), data=A.data)", "for i in range(4): B[i] = C[i, 0]"],
        ["for i in range(4): B[i] = T.if_then_else(i * i < 4, A[i], T.float32(0))"],
    ],
)
def test_what_is_no_copy(lines: list[str]) -> None:
    with pytest.raises(NoCopy, match="TS4046"):
        InjectCopyIntrin("memcpy", lambda *given: NOOP)(_program(lines))


def test_other_attributes_stay() -> None:
    program = _program(["for i in range(4): B[i] = A[i]"])
    assert InjectCopyIntrin("other", lambda *given: NOOP)(program) is program


def test_what_is_no_statement() -> None:
    with pytest.raises(WrongType):
        InjectCopyIntrin("memcpy", lambda *given: None)(_program(["B[3] = A[5]"]))
