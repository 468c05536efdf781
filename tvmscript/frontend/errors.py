"""Errors of importing models (TS45xx)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tvmscript.ir.core import TVMScriptError


class UnsupportedOperators(TVMScriptError, code="TS4500"):
    """A model has operators that its front end cannot convert. All of them are reported at once."""

    message = "{source} cannot convert {count}: {operators}"

    @staticmethod
    def of(source: str, places: Mapping[str, Iterable[str]]) -> UnsupportedOperators:
        """Return the error for operators and the places in the model that use them."""
        lines = [f"{name} ({', '.join(used) or 'no place'})" for name, used in places.items()]
        count = "1 operator" if len(lines) == 1 else f"{len(lines)} operators"
        return UnsupportedOperators(source=source, count=count, operators="; ".join(lines))


class InvalidModel(TVMScriptError, code="TS4501"):
    """A model cannot be imported: an operator of it is used wrongly, or the file is damaged."""

    message = "{source}: {place}: {reason}"


class MissingLibrary(TVMScriptError, code="TS4502"):
    """A front end needs an optional library that is not installed."""

    message = "{what} needs {library}: pip install {library}"
