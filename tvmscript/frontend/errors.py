"""Errors of importing models (TS45xx)."""

from __future__ import annotations

from collections.abc import Iterable

from tvmscript.ir.core import TVMScriptError


class UnsupportedOperators(TVMScriptError, code="TS4500"):
    """A model has operators that its front end cannot convert. All of them are reported at once."""

    message = "{source} cannot convert {count}: {operators}"

    @staticmethod
    def check(source: str, unsupported: Iterable[tuple[str, str]]) -> None:
        """Raise the error where there are operators without a converter: their names, each with a place of its use."""
        places: dict[str, list[str]] = {}
        for name, place in unsupported:
            places.setdefault(name, []).append(place)
        if places:
            lines = [f"{name} ({', '.join(used)})" for name, used in places.items()]
            count = "1 operator" if len(lines) == 1 else f"{len(lines)} operators"
            raise UnsupportedOperators(source=source, count=count, operators="; ".join(lines))


class InvalidModel(TVMScriptError, code="TS4501"):
    """A model cannot be imported: an operator of it is used wrongly, or the file is damaged."""

    message = "{source}: {place}: {reason}"


class MissingLibrary(TVMScriptError, code="TS4502"):
    """A front end needs an optional library that is not installed."""

    message = "{what} needs {library}: pip install {library}"
