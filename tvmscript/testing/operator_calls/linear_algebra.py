"""Matrix products."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import ANY, FLOATS, Data, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe("matmul")
def _matmul(name: str, r: Draws) -> OperatorCall:
    inner, dtype = r.size(), r.choice(FLOATS)
    outer = r.shape(0, 2)
    left = (inner,) if r.random() < 0.2 else (*r.broadcastable(outer), r.size(), inner)
    right = (inner,) if r.random() < 0.2 else (*r.broadcastable(outer), inner, r.size())
    return OperatorCall(name, (Data(left, dtype), Data(right, dtype)), r.given(out_dtype=r.choice(FLOATS)))


@recipe("einsum")
def _einsum(name: str, r: Draws) -> OperatorCall:
    extents = {letter: r.size() for letter in "ijkl"}
    words = ["".join(r.sample("ijkl", r.randint(1, 3))) for _ in range(r.randint(1, 3))]
    is_wide = r.random() < 0.3
    wide = r.shape(1, 2) if is_wide else ()
    operands: list[Data] = []
    for word in words:
        prefix = r.broadcastable(wide) if is_wide else ()
        operands.append(Data((*prefix, *[extents[letter] for letter in word])))
    used = sorted(set("".join(words)))
    dots = "..." if is_wide else ""
    text = ",".join(dots + word for word in words)
    if r.random() < 0.6:
        text += "->" + dots + "".join(r.sample(used, r.randint(0, len(used))))
    return OperatorCall(name, (operands, text))


@recipe("outer")
def _outer(name: str, r: Draws) -> OperatorCall:
    dtype = r.choice(ANY)
    return OperatorCall(name, (Data((r.size(),), dtype), Data((r.size(),), dtype)))
