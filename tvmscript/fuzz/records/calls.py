"""Observe what is inferred of calls of graph operators, the kernels of them, and how mistakes are refused."""

from __future__ import annotations

import random

from tvmscript.fuzz.graphs.operator_values import module_of
from tvmscript.fuzz.observing import observe, observe_error
from tvmscript.fuzz.relax.mistakes import mistakes
from tvmscript.fuzz.relax.operator_laws import made
from tvmscript.ir.core import TVMScriptError
from tvmscript.ir.relax.transform.operators.legalize_ops import LegalizeOps
from tvmscript.testing.operator_calls import operator_call


def check_calls(name: str, *seeds: int) -> None:
    """Observe calls of an operator."""
    for seed in seeds:
        call = operator_call(name, random.Random(seed))
        try:
            built = made(call)
            observe("inferred", str, built.struct_info)
            module = module_of(built)
            observe("legalized", LegalizeOps()(module).script)
        except TVMScriptError as error:
            observe_error(error)
        for mistake in mistakes(call):
            try:
                observe("taken", str, made(mistake.call).struct_info)
            except TVMScriptError as error:
                observe_error(error)
