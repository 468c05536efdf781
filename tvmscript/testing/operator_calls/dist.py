"""Distributed tensors."""

from __future__ import annotations

from tvmscript.testing.operator_calls.arguments import Draws
from tvmscript.testing.operator_calls.call import OperatorCall, recipe
from tvmscript.testing.operator_calls.ccl import scattered


@recipe("dist.redistribute_replica_to_shard")
def _shard(name: str, r: Draws) -> OperatorCall:
    return scattered(name, r)
