"""Attention."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import Data, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe("nn.attention", "nn.attention_bias")
def _attention(name: str, r: Draws) -> OperatorCall:
    batch, queries, keys, size, values = (r.size() for _ in range(5))
    shared, times = r.choice((1, 2)), r.choice((1, 2, 3))
    dtype = r.choice(("float32", "float16"))
    args = [
        Data((batch, queries, shared * times, size), dtype),
        Data((batch, keys, shared, size), dtype),
        Data((batch, keys, shared, values), dtype),
    ]
    if name == "nn.attention_bias":
        bias = (r.choice((1, batch)), r.choice((1, shared * times)), r.choice((1, queries)), keys)
        args.append(Data(bias, dtype))
    mask = r.given(causal_mask=r.choice(("TopLeft", "BottomRight")))
    return OperatorCall(name, tuple(args), mask, Data((batch, queries, shared * times, values), dtype))


@recipe("nn.attention_var_len")
def _attention_var_len(name: str, r: Draws) -> OperatorCall:
    heads, size, values, total = (r.size() for _ in range(4))
    starts, longest = Data((r.size(),), "int32"), Data((), "int32")
    args = (
        Data((1, total, heads, size)),
        Data((1, total, heads, size)),
        Data((1, total, heads, values)),
        starts,
        longest,
    )
    return OperatorCall(name, args, {}, Data((1, total, heads, values)))
