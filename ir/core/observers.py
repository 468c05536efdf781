"""Functions that want to know when something happened, such as a program that was read."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import ParamSpec

P = ParamSpec("P")


class Observers(list[Callable[P, None]]):
    """Called one after the other with what happened; what one of them raises goes to who caused it.

    Where it happens: `if OBSERVERS: OBSERVERS.tell(...)`, which costs nothing while nobody listens.
    """

    __slots__ = ()

    def tell(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call all of them, in the order in which they came."""
        for each in tuple(self):
            each(*args, **kwargs)

    @contextmanager
    def observing(self, observer: Callable[P, None]) -> Generator[None, None, None]:
        """Call the observer too, until the context is left."""
        self.append(observer)
        try:
            yield
        finally:
            self.remove(observer)
