"""Random sampling."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import Data, Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe


@recipe("multinomial_from_uniform")
def _multinomial(name: str, r: Draws) -> OperatorCall:
    rows = r.size()
    args = (Data((r.size(), r.size())), Data((rows, 1)), Data((rows, 1), "int64"))
    return OperatorCall(name, args, r.given(dtype=r.choice(("int32", "int64"))))
