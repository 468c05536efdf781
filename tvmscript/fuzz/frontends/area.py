"""Fuzz the importers of models: random programs of each front end compute what NumPy does."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st

from tvmscript.fuzz.area import Area
from tvmscript.fuzz.frontends import changes, nn, onnx, relay, stablehlo, torch, training


@dataclass(frozen=True)
class Example:
    """A front end, how many operators its model has at least, and the seed that they are drawn from."""

    frontend: str
    steps: int
    seed: int


_CHECKS: Final[Mapping[str, Callable[[random.Random, int], object]]] = {
    "stablehlo": stablehlo.check, "relay": relay.check, "nn": nn.check, "training": training.check,
    "changes": changes.check,
    **({"onnx": onnx.check} if onnx.IS_INSTALLED else {}), **({"torch": torch.check} if torch.IS_INSTALLED else {}),
}  # fmt: skip


def examples() -> st.SearchStrategy[Example]:
    """Draw a front end and a model."""
    return st.builds(Example, st.sampled_from(list(_CHECKS)), st.integers(1, 8), st.integers(0, 2**32 - 1))


def check(example: Example) -> None:
    """Raises `LevelsDisagree`; propagates other errors."""
    _CHECKS[example.frontend](random.Random(example.seed), example.steps)


def write(example: Example) -> str:
    """Write the example as an expression."""
    return f"from tvmscript.fuzz.frontends.area import Example, check\n\ncheck({example!r})\n"


AREA: Final = Area("frontends", "imported models compute what NumPy does", examples, check, write, batch=100)
