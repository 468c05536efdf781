"""Random programs that run: each writer returns the text of a function, from a seed or a `random.Random`.

Programs drawn with `hypothesis.strategies.randoms(use_true_random=False)` shrink.
"""

from __future__ import annotations

import random

#: what the choices of a writer come from
Seed = int | random.Random


def choices(seed: Seed) -> random.Random:
    """Where a writer takes its choices from."""
    return seed if isinstance(seed, random.Random) else random.Random(seed)
