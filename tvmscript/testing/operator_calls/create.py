"""Creation of tensors."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import ANY, FLOATS, Data, Draws, Sizes
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe("ones_like", "zeros_like")
def _like(name: str, r: Draws) -> OperatorCall:
    return OperatorCall(name, (r.data(),), r.given(dtype=r.choice(ANY)))


@recipe("ones", "zeros")
def _filled(name: str, r: Draws) -> OperatorCall:
    return OperatorCall(name, (Sizes(r.shape()), r.choice(ANY)))


@recipe("full")
def _full(name: str, r: Draws) -> OperatorCall:
    return OperatorCall(name, (Sizes(r.shape()), Data((), r.choice(ANY))), r.given(dtype=r.choice(ANY)))


@recipe("full_like")
def _full_like(name: str, r: Draws) -> OperatorCall:
    args = (r.data(), Data((), r.choice(ANY)))
    return OperatorCall(name, args, r.given(dtype=r.choice(ANY)))


@recipe("arange")
def _arange(name: str, r: Draws) -> OperatorCall:
    start, count, step = r.randint(-3, 5), r.randint(0, 9), r.randint(1, 3)
    if r.random() < 0.3:
        return OperatorCall(name, (float(start), start + count + 0.5, step * 0.75), {"dtype": "float32"})
    return OperatorCall(name, (start, start + count, step), {"dtype": r.choice(("int64", "int32", "float32"))})


@recipe("eye")
def _eye(name: str, r: Draws) -> OperatorCall:
    return OperatorCall(name, (r.size(), r.size(), r.randint(-2, 2)), {"dtype": r.choice(ANY)})


@recipe("eye_like")
def _eye_like(name: str, r: Draws) -> OperatorCall:
    args = (Data((r.size(), r.size()), r.choice(ANY)), r.randint(-2, 2))
    return OperatorCall(name, args, r.given(dtype=r.choice(ANY)))


@recipe("hamming_window")
def _hamming(name: str, r: Draws) -> OperatorCall:
    return OperatorCall(name, (r.size(), r.flag(), 0.54, 0.46, r.choice(FLOATS)))


@recipe("tril", "triu")
def _triangle(name: str, r: Draws) -> OperatorCall:
    return OperatorCall(name, (r.data(ANY, 2, 4), r.randint(-2, 2)))
