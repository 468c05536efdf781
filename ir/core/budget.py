"""What reading one text may still take: a short text must not cost unbounded time or memory."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

#: nodes that operators may copy, because they use an operand twice (`T.abs`, `0 < x < 4`)
MAX_COPIES: Final = 1 << 20
#: nodes of one operand that is used twice
MAX_OPERAND: Final = 1 << 14
#: characters of names that are compared to propose one for a misspelt name
MAX_COMPARED: Final = 1 << 18


class Budget:
    """Remaining quantities. `CURRENT` is that of the text being read."""

    __slots__ = ("compared", "copies")

    def __init__(self) -> None:
        self.copies = MAX_COPIES
        self.compared = MAX_COMPARED


#: None outside of the reading of texts
CURRENT: ContextVar[Budget | None] = ContextVar("budget", default=None)
