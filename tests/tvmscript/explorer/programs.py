"""A program whose lines are known, and what is expected of them."""

from __future__ import annotations

SCRIPT = """
@T.prim_func
def main(A: T.Buffer((64, 64), "float32"), C: T.Buffer((64,), "float32")):
    S = T.alloc_buffer((64,), "float32")
    for i in range(64):
        for k in range(64):
            with T.block("S"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    S[vi] = T.float32(0)
                S[vi] = S[vi] + A[vi, vk]
    for i in T.vectorized(64):
        with T.block("C"):
            vi = T.axis.spatial(64, i)
            C[vi] = S[vi] * T.float32(2)  # </script> & <b>
"""


def line_of(text: str) -> int:
    """The number of the line of the script with this text."""
    return next(number for number, line in enumerate(SCRIPT.split("\n"), 1) if text in line)


SUM, DOUBLED = line_of("S[vi] + A"), line_of("T.float32(2)")
