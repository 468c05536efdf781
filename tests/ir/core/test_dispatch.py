"""Rules by class: the nearest base, overlays, families of rules that are loaded on use."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from tvmscript.ir.core.dispatch import ClassTable, Dispatch


class Base: ...


class Middle(Base): ...


class Leaf(Middle): ...


def test_the_nearest_base_wins() -> None:
    table = Dispatch[str]({Base: "base"})
    assert table[Leaf] == "base"
    table.register(Middle)("middle")
    assert (table[Leaf], table[Middle], table[Base]) == ("middle", "middle", "base")


def test_without_a_rule_it_is_the_default() -> None:
    assert Dispatch({Leaf: "leaf"}, default="other")[Base] == "other"
    with pytest.raises(LookupError, match="no rule for Base"):
        Dispatch({Leaf: "leaf"})[Base]


def test_an_overlay_follows_the_table_below_it() -> None:
    below = Dispatch({Base: "base"}, default="other")
    overlay = Dispatch({Middle: "over"}, below=below)
    assert (overlay[Leaf], overlay[Base], overlay[int]) == ("over", "base", "other")
    below.register(Leaf)("leaf")
    assert (overlay[Leaf], overlay[Middle], below[Middle]) == ("leaf", "over", "base")


def test_a_family_is_imported_when_a_class_of_it_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Dispatch[str](default="other", families={__name__: "late_rules"})
    assert table[int] == "other"
    with pytest.raises(ModuleNotFoundError):
        table[Leaf]
    table = Dispatch[str](default="other", families={__name__: "late_rules"})
    monkeypatch.setitem(sys.modules, "late_rules", ModuleType("late_rules"))
    assert table[Leaf] == "other"


def test_a_class_table_computes_once() -> None:
    asked: list[type] = []

    def name(cls: type) -> str:
        asked.append(cls)
        return cls.__name__

    table = ClassTable(name)
    assert (table[Leaf], table[Leaf], asked) == ("Leaf", "Leaf", [Leaf])
