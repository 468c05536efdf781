"""Lists of callbacks for events, such as a parsed program."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import ParamSpec

P = ParamSpec("P")


class Observers(list[Callable[P, None]]):
    """Callbacks of an event, called in order; their exceptions propagate to the caller.

    Where it happens: `if OBSERVERS: OBSERVERS.tell(...)`, which costs nothing while nobody listens.
    """

    __slots__ = ()

    def tell(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call all observers in order of registration."""
        for each in tuple(self):
            each(*args, **kwargs)

    @contextmanager
    def observing(self, observer: Callable[P, None]) -> Generator[None, None, None]:
        """Register an observer for the duration of a context."""
        self.append(observer)
        try:
            yield
        finally:
            self.remove(observer)
