"""Random choices that Hypothesis draws at once, since generators need thousands of them in a second.

`st.randoms(use_true_random=False)` draws every choice from Hypothesis, which takes longer than most generators.
"""

from __future__ import annotations

import random
from typing import Final

from hypothesis import strategies as st

#: choices for a program of common size; further choices are the simplest
_SIZE: Final = 256


class Choices(random.Random):
    """Take choices from bytes; later choices are the first item.

    Bytes of 0 are dropped, so that Hypothesis removes a choice by zeroing it; smaller bytes are earlier items. Writers
    shrink well if their simplest item is first.
    """

    def __init__(self, data: bytes) -> None:
        super().__init__(0)
        self._data = data.replace(b"\0", b"")
        self._place = 0

    def random(self) -> float:
        """Draw one of 255 numbers in [0, 1)."""
        return self._byte() / 255

    def getrandbits(self, k: int, /) -> int:
        """All other methods use this one."""
        bits = 0
        for _ in range(0, k, 8):
            bits = bits << 8 | self._byte()
        return bits & ((1 << k) - 1)

    def below(self, count: int) -> int:
        """A number from 0 on."""
        return self.randrange(count)

    def _byte(self) -> int:
        place = self._place
        if place == len(self._data):
            return 0
        self._place = place + 1
        return self._data[place] - 1


def choices(size: int = _SIZE) -> st.SearchStrategy[Choices]:
    """Strategy of random generators over `size` bytes of choices."""
    return st.binary(min_size=size, max_size=size).map(Choices)


__all__ = ["Choices", "choices"]
