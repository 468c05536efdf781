"""Tables that are loaded when they are first asked for."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Any


class LazyTable(Mapping[str, Any]):
    """The table of a module, which is imported on first use."""

    def __init__(self, module: str, name: str) -> None:
        self.module = module
        self.name = name
        self._table: Mapping[str, Any] | None = None

    @property
    def table(self) -> Mapping[str, Any]:
        """The table itself."""
        if self._table is None:
            found: Mapping[str, Any] = getattr(importlib.import_module(self.module), self.name)
            self._table = found
            return found
        return self._table

    def get(self, key: str, default: Any = None) -> Any:
        """The entry of a name."""
        return self.table.get(key, default)

    def __getitem__(self, key: str) -> Any:
        return self.table[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.table)

    def __len__(self) -> int:
        return len(self.table)
