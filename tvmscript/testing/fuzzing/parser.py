"""Texts that are nearly right: each is read, or refused with an error that points into it."""

from __future__ import annotations

import warnings
from typing import Final

from hypothesis import strategies as st

from tvmscript.ir.core.equal import first_difference
from tvmscript.ir.core.errors import DiagnosticError, TVMScriptError
from tvmscript.ir.core.node import Node
from tvmscript.parser.entry import from_source
from tvmscript.testing.faults import faulty
from tvmscript.testing.fuzzing.area import Area
from tvmscript.testing.fuzzing.scripts import as_literal
from tvmscript.testing.round_trip import check_round_trip
from tvmscript.testing.spellings import spelled
from tvmscript.testing.texts import near_valid_texts, python_texts


class ErrorWithoutPlace(TVMScriptError):
    """An error of the parser that does not say where in the text it is, or cannot be shown."""

    code = "TS8043"
    message = "the error {code} does not point into the text: line {line}, column {column}"


class OtherInOtherWords(TVMScriptError):
    """A text in other words that mean the same was read as another program, or not at all."""

    code = "TS8053"
    message = "in other words the text is another program, first at {path}: {reason}\n{text}"


class FaultRead(TVMScriptError):
    """A text with a fault that the parser took for a program."""

    code = "TS8054"
    message = "the text was read though {name}:\n{text}"


def check(text: str) -> None:
    """A program that reads back, and is the same in other words; with a fault in it, it is refused. Or a
    `DiagnosticError` that says where. Raises whatever else happens.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's own, about the text
        try:
            program = from_source(text)
        except DiagnosticError as error:
            for each in error.errors:
                _check_place(each, text)
            return
        check_round_trip(program, "what was read")
        _check_words(text, program)
        _check_fault(text)


def _check_words(text: str, program: Node) -> None:
    other = spelled(text)
    try:
        again = from_source(other)
    except DiagnosticError as error:
        raise OtherInOtherWords(path="the text", reason=error.text, text=other) from error
    found = first_difference(program, again, map_free_vars=True)
    if found is not None:
        raise OtherInOtherWords(path=found.path, reason=found.reason, text=other)


def _check_fault(text: str) -> None:
    fault = faulty(text)
    if fault is None:
        return
    name, wrong = fault
    try:
        from_source(wrong)
    except DiagnosticError as error:
        for each in error.errors:
            _check_place(each, wrong)
        return
    raise FaultRead(name=name, text=wrong)


def _check_place(error: TVMScriptError, text: str) -> None:
    lines = text.count("\n") + text.count("\r") + text.count("\f") + 1
    if not (1 <= (error.line or 0) <= lines + 1 and (error.column or 0) >= 1 and error.code in error.render()):
        raise ErrorWithoutPlace(code=error.code, line=error.line, column=error.column)


def write(text: str) -> str:
    """The text as a literal."""
    return f"from tvmscript.testing.fuzzing.parser import check\n\nTEXT = {as_literal(text)}\n\ncheck(TEXT)\n"


def examples() -> st.SearchStrategy[str]:
    """Mostly changed programs; some functions that were never meant to be kernels."""
    return st.integers(0, 11).flatmap(lambda kind: python_texts() if kind == 11 else near_valid_texts())


AREA: Final = Area("parser", "texts are read or refused with a place", examples, check, write)
