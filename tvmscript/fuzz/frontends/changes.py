"""Models with one change: each is imported or refused with an error of the package, whatever has been changed."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Final

import numpy as np

from tvmscript.frontend import relay
from tvmscript.frontend.relay.expr import as_module
from tvmscript.frontend.stablehlo import from_stablehlo
from tvmscript.fuzz.frontends import relay as graphs
from tvmscript.fuzz.frontends.plan import Plan
from tvmscript.fuzz.frontends.pool import Array
from tvmscript.fuzz.frontends.stablehlo import random_program
from tvmscript.fuzz.observing import observe, observe_error
from tvmscript.ir.core import IRModule, TVMScriptError
from tvmscript.ir.relax.verify import verify

_TOKEN: Final = re.compile(r"%\w+|-?\d+(?:\.\d+)?|[A-Za-z_]\w*|->|[\[\]<>(){},:=#]")
_WORDS: Final = ("0", "1", "-1", "7", "true", "f32", "i32", "i1", "tensor", "dense", "array", "%arg0", "[]", "")


def _changed_text(rng: random.Random, text: str) -> str:
    """Return a text with a token removed, doubled, or in place of another."""
    tokens = list(_TOKEN.finditer(text))
    token = rng.choice(tokens)
    same = [each[0] for each in tokens if each[0][:1].isalpha() == token[0][:1].isalpha()]
    new = rng.choice((rng.choice(same), rng.choice(_WORDS), f"{token[0]} {token[0]}"))
    return text[: token.start()] + new + text[token.end() :]


def check_text(rng: random.Random, steps: int) -> None:
    """Import a StableHLO program with a changed token or two."""
    text = random_program(rng, steps).text
    for _ in range(rng.randint(1, 2)):
        text = _changed_text(rng, text)
    check_stablehlo(text)


def check_stablehlo(text: str) -> None:
    """Import the text of a StableHLO program."""
    _check_imported(lambda: from_stablehlo(text))


def _changed_array(rng: random.Random, array: Array) -> Array:
    """Return an array of another shape or dtype."""
    kind = rng.randrange(4)
    if kind == 0 or not array.ndim:
        return array.astype(rng.choice(("int32", "float32", "bool", "float16")))
    axis = rng.randrange(array.ndim)
    if kind == 1:
        return np.repeat(array, 2, axis)
    return array.take(0, axis) if kind == 2 else np.expand_dims(array, axis)


def check_graph(rng: random.Random, steps: int) -> None:
    """Import a graph of Relay in which an input has another shape or dtype than its operators take."""
    plan = Plan(rng)
    with np.errstate(all="ignore"):
        while len(plan.steps) < steps or not plan.inputs:
            rng.choice(graphs.OPERATORS)(plan)
    changed = rng.choice(list(plan.inputs))
    arrays = {
        number: _changed_array(rng, array) if number == changed else array for number, array in plan.inputs.items()
    }

    def imported() -> IRModule:
        variables = {
            number: relay.var(f"x{number}", shape=array.shape, dtype=str(array.dtype))
            for number, array in arrays.items()
        }
        tensors = plan.build(variables)
        results = [tensors[each.ref] for each in plan.outputs()]
        module: IRModule = as_module(relay.Function(list(variables.values()), relay.Tuple(results)))
        return module

    _check_imported(imported)


def _check_imported(imported: Callable[[], IRModule]) -> None:
    try:
        module = imported()
    except TVMScriptError as error:
        observe_error(error)
        return
    observe("imported", module.script, show_meta=True)
    verify(module)


def check(rng: random.Random, steps: int) -> None:
    """Raises what no import may raise."""
    rng.choice((check_text, check_text, check_graph))(rng, steps)
