"""Writers of random programs that can be run: each gives the text of a function, from a seed or a `random.Random`.

With `hypothesis.strategies.randoms(use_true_random=False)` what they write shrinks.
"""

from __future__ import annotations

import random

#: what the choices of a writer come from
Seed = int | random.Random


def choices(seed: Seed) -> random.Random:
    """Where a writer takes its choices from."""
    return seed if isinstance(seed, random.Random) else random.Random(seed)
