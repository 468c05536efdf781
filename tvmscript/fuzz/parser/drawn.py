"""Texts of random valid programs of every kind."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from tvmscript.fuzz.programs.blocks import random_blocks
from tvmscript.fuzz.programs.loop_features import random_features
from tvmscript.fuzz.programs.loops import random_program
from tvmscript.fuzz.programs.pipelines import pipeline
from tvmscript.fuzz.programs.stages import staged_program
from tvmscript.testing.graph_strategies import graph_modules
from tvmscript.testing.kernels import kernel_texts
from tvmscript.testing.scopes import scoped_funcs
from tvmscript.testing.strategies import prim_funcs

_WRITERS: Final = (random_blocks, random_program, random_features, pipeline)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Draw the text of a valid program: a runnable kernel, any function, a graph."""
    kind = draw(st.integers(0, 8))
    if kind == 8:
        return draw(scoped_funcs()).script()
    if kind == 7:
        return draw(kernel_texts())
    if kind == 0:
        return staged_program(lambda count: draw(st.integers(0, count - 1)), 2)
    if kind == 5:
        return draw(prim_funcs()).script()
    if kind == 6:
        return draw(graph_modules(4)).script()
    return _WRITERS[kind - 1](draw(st.randoms(use_true_random=False)))
