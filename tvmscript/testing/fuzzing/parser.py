"""Texts that are nearly right: each is read, or refused with an error that points into it."""

from __future__ import annotations

import warnings
from typing import Final

from tvmscript.ir.core.errors import DiagnosticError, TVMScriptError
from tvmscript.parser.entry import from_source
from tvmscript.testing.fuzzing.area import Area
from tvmscript.testing.fuzzing.scripts import as_literal
from tvmscript.testing.round_trip import check_round_trip
from tvmscript.testing.texts import near_valid_texts


class ErrorWithoutPlace(TVMScriptError):
    """An error of the parser that does not say where in the text it is, or cannot be shown."""

    code = "TS8043"
    message = "the error {code} does not point into the text: line {line}, column {column}"


def check(text: str) -> None:
    """A program that reads back, or a `DiagnosticError` that says where. Raises whatever else happens."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's own, about the text
        try:
            program = from_source(text)
        except DiagnosticError as error:
            for each in error.errors:
                _check_place(each, text)
            return
        check_round_trip(program, "what was read")


def _check_place(error: TVMScriptError, text: str) -> None:
    lines = text.count("\n") + text.count("\r") + text.count("\f") + 1
    if not (1 <= (error.line or 0) <= lines + 1 and (error.column or 0) >= 1 and error.code in error.render()):
        raise ErrorWithoutPlace(code=error.code, line=error.line, column=error.column)


def write(text: str) -> str:
    """The text as a literal."""
    return f"from tvmscript.testing.fuzzing.parser import check\n\nTEXT = {as_literal(text)}\n\ncheck(TEXT)\n"


AREA: Final = Area("parser", "texts are read or refused with a place", near_valid_texts, check, write)
