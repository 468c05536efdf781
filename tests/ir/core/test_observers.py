"""Who listens is told, in order, and no longer than asked for."""

from __future__ import annotations

import pytest

from tvmscript.ir.core.observers import Observers


def test_observers_are_called_in_order_while_they_listen() -> None:
    heard: list[str] = []
    observers: Observers[str] = Observers()
    observers.append(lambda what: heard.append(f"first {what}"))
    with observers.observing(lambda what: heard.append(f"second {what}")):
        observers.tell("a")
    observers.tell("b")
    assert heard == ["first a", "second a", "first b"]


def test_what_an_observer_raises_comes_through_and_it_is_forgotten() -> None:
    observers: Observers[int] = Observers()

    def refuse(number: int) -> None:
        raise ValueError(number)

    with pytest.raises(ValueError, match="7"), observers.observing(refuse):
        observers.tell(7)
    assert not observers
