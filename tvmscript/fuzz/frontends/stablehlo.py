"""Random StableHLO programs, imported and run beside NumPy."""

from __future__ import annotations

import random

import numpy as np

from tvmscript.frontend.stablehlo import from_stablehlo
from tvmscript.fuzz.frontends import stablehlo_elementwise, stablehlo_tensors
from tvmscript.fuzz.frontends.running import compare, run
from tvmscript.fuzz.frontends.stablehlo_text import Program, Writer

_OPERATIONS = (*stablehlo_elementwise.OPERATIONS, *stablehlo_tensors.OPERATIONS)


def random_program(rng: random.Random, steps: int) -> Program:
    """Write a program of some operations."""
    writer = Writer(rng)
    with np.errstate(all="ignore"):
        while len(writer.lines) < steps:
            rng.choice(_OPERATIONS)(writer)
    return writer.program()


def check(rng: random.Random, steps: int) -> str:
    """Compare the results of an imported program with those of NumPy; return its text. Raises `LevelsDisagree`."""
    program = random_program(rng, steps)
    compare("from_stablehlo", run(from_stablehlo(program.text), program.arguments), program.results)
    return program.text
