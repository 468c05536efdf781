"""Tables of names: rare ones and constructors of dtypes are there on use, entries of a table hide those under it."""

from __future__ import annotations

from tvmscript.parser.builtins.table import TIR, LayeredTable, NameTable


def test_all_listed_names_count() -> None:
    assert len(TIR) == len([*TIR]) == len({*TIR})
    assert all(name in TIR and TIR[name] is TIR.get(name) for name in TIR)


def test_constructors_of_dtypes_are_found_and_not_listed() -> None:
    assert TIR.get("int3x5") is TIR.get("int3x5")
    assert TIR.get("int3x5") is not None
    assert "int3x5" not in TIR
    assert TIR.get("int3y5", "default") == "default"
    assert NameTable.get(TIR, "int03", "default") == "default"


def test_own_entries_hide_those_under_them() -> None:
    table = LayeredTable({"a": 1, "b": 2}, {"b": 3, "c": 4})
    assert dict(table) == {"a": 1, "b": 2, "c": 4}
    assert len(table) == 3
    assert [table.get(name, "default") for name in "abcd"] == [1, 2, 4, "default"]
