"""Tables that are imported on first use. `LAZY_TABLES` lists all of them."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

#: table -> its module and its name there: a kernel does not import the parser of Relax
LAZY_TABLES: Final = {
    "R": ("tvmscript.parser.relax.builtins.table", "RELAX"),
    "R of 0.27": ("tvmscript.parser.v0_27.relax_builtins", "RELAX_V0_27"),
    "T of 0.27": ("tvmscript.parser.v0_27.builtins", "TIR_V0_27"),
    "members of 0.27": ("tvmscript.parser.v0_27.buffers", "MEMBERS_V0_27"),
    "parsers of 0.27": ("tvmscript.parser.v0_27.function", "PARSERS"),
    "tile level of 0.27": ("tvmscript.parser.v0_27.tile", "TILE_LEVEL"),
    "device instructions of T": ("tvmscript.parser.v0_27.instructions", "FUNCTIONS"),
    "axes of layouts": ("tvmscript.parser.v0_27.layouts", "AXIS_NAMES"),
    "functions of tvm.ir": ("tvmscript.parser.v0_27.ffi_json", "FUNCTIONS"),
    "rare names of T": ("tvmscript.parser.tir.builtins.rare", "MODULES"),
    "constants of Relax": ("tvmscript.parser.relax.builtins.metadata", "CONSTRUCTORS"),
    "parsers of Relax fragments": ("tvmscript.parser.relax.fragments", "PARSERS"),
}


class LazyTable(Mapping[str, object]):
    """An entry of `LAZY_TABLES`, imported on first use."""

    def __init__(self, name: str) -> None:
        self._module, self._attribute = LAZY_TABLES[name]
        self._table: Mapping[str, object] | None = None

    def load(self) -> Mapping[str, object]:
        """Return the table."""
        table = self._table
        if table is None:
            table = self._table = getattr(importlib.import_module(self._module), self._attribute)
        return table

    def get(self, key: str, default: object = None) -> Any:
        """Return the entry of a name."""
        return self.load().get(key, default)

    def __getitem__(self, key: str) -> Any:
        return self.load()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.load())

    def __len__(self) -> int:
        return len(self.load())
