"""Fuzz the parser with nearly valid texts: each is read, or refused with an error inside the text."""

from __future__ import annotations

import random
import warnings
from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st

from tvmscript.fuzz.area import Area
from tvmscript.fuzz.observing import observe, observe_error
from tvmscript.fuzz.parser import near_valid_texts, python_texts
from tvmscript.fuzz.parser.faults import faulty
from tvmscript.fuzz.parser.snippets import Pair, Several, Wrong, same_texts, several_wrong_texts, wrong_text
from tvmscript.fuzz.parser.spellings import spelled
from tvmscript.fuzz.scripts import as_literal
from tvmscript.ir.core import DiagnosticError, Node, TVMScriptError
from tvmscript.ir.core.equality.equal import first_difference
from tvmscript.parser.entry import from_source
from tvmscript.testing.round_trip import check_round_trip


class ErrorWithoutPlace(TVMScriptError, code="TS8043"):
    """An error of the parser has no location in the text, or cannot be rendered."""

    message = "the error {code} does not point into the text: line {line}, column {column}"


class OtherInOtherWords(TVMScriptError, code="TS8053"):
    """An equivalent spelling of a text reads as another program, or is refused."""

    message = "in other words the text is another program, first at {path}: {reason}\n{text}"


class ErrorElsewhere(TVMScriptError, code="TS8057"):
    """The error about a fault points elsewhere."""

    message = "the error is not at line {line}, column {column}, but at {found}\n{text}"


class FaultRead(TVMScriptError, code="TS8054"):
    """The parser accepted a text with a fault."""

    message = "the text was read though {name}:\n{text}"


class ErrorsDepend(TVMScriptError, code="TS8075"):
    """The errors of a text with several faults are not those that each fault gives alone."""

    message = "without the other faults, {what}: {errors}\n{text}"


class AddressInError(TVMScriptError, code="TS8078"):
    """An error of the parser tells where a Python object is in memory rather than what it is."""

    message = "the error {code} has no words for an object: {text}"


@dataclass(frozen=True)
class Snippets:
    """Pairs of equivalent texts, and texts with one fault at a known location, or with several."""

    pairs: tuple[Pair, ...]
    wrong: tuple[Wrong, ...]
    several: tuple[Several, ...] = ()


def check(example: str | Snippets) -> None:
    """Raises a `TVMScriptError` where a text is not read, or not refused, as it has to be."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's own, about the text
        if isinstance(example, str):
            _check_text(example)
            return
        for pair in example.pairs:
            program = from_source(pair.first)
            observe("read", program.script)
            _check_same(program, pair.second)
        for wrong in example.wrong:
            _check_refused(f"something is wrong in line {wrong.line}", wrong.text, wrong.line, wrong.column)
        for several in example.several:
            _check_recovery(several)


def _check_recovery(several: Several) -> None:
    """Check that a text has the errors of all of its faults, and no others."""
    expected = set[tuple[str, int, int, str]]().union(*map(_errors, several.alone))
    reported = _errors(several.text)
    if lost := expected - reported:
        raise ErrorsDepend(what="there are more errors", errors=sorted(lost), text=several.text)
    if new := reported - expected:
        raise ErrorsDepend(what="there are fewer errors", errors=sorted(new), text=several.text)


def _errors(text: str) -> set[tuple[str, int, int, str]]:
    """Return the errors of a text: code, line, column, message."""
    try:
        from_source(text)
    except DiagnosticError as error:
        observe_error(error)
        return {(each.code, each.line or 0, each.column or 0, each.text) for each in error.errors}
    return set()


def _check_refused(name: str, text: str, line: int, column: int) -> None:
    """Check that a text is refused with an error at a location; 0 matches any line or column."""
    try:
        from_source(text)
    except DiagnosticError as error:
        observe_error(error)
        for each in error.errors:
            _check_place(each, text)
        places = [(each.line, each.column) for each in error.errors]
        if line and not any(line == at and column in (0, start) for at, start in places):
            raise ErrorElsewhere(line=line, column=column, found=places, text=text) from error
        return
    raise FaultRead(name=name, text=text)


def _check_text(text: str) -> None:
    """Check round trip, respelling and an injected fault of a valid text, or the locations of the errors of another."""
    try:
        program = from_source(text)
    except DiagnosticError as error:
        observe_error(error)
        for each in error.errors:
            _check_place(each, text)
        return
    observe("read", program.script, show_meta=True)
    check_round_trip(program, "what was read")
    _check_same(program, spelled(text))
    fault = faulty(text)
    if fault is not None:
        _check_refused(fault.name, fault.text, fault.line, fault.column)


def _check_same(program: Node, other: str) -> None:
    """Check that another text reads as the same program."""
    try:
        again = from_source(other)
    except DiagnosticError as error:
        raise OtherInOtherWords(path="the text", reason=error.text, text=other) from error
    difference = first_difference(program, again, map_free_vars=True)
    if difference is not None:
        raise OtherInOtherWords(path=difference.path, reason=difference.reason, text=other)


def _check_place(error: TVMScriptError, text: str) -> None:
    lines = text.count("\n") + text.count("\r") + text.count("\f") + 1
    if not (1 <= (error.line or 0) <= lines + 1 and (error.column or 0) >= 1 and error.code in error.render()):
        raise ErrorWithoutPlace(code=error.code, line=error.line, column=error.column)
    if " object at 0x" in error.text:
        raise AddressInError(code=error.code, text=error.text)


def write(example: str | Snippets) -> str:
    """The text as a literal."""
    imports = "from tvmscript.fuzz.parser.area import"
    if isinstance(example, str):
        return f"{imports} check\n\nTEXT = {as_literal(example)}\n\ncheck(TEXT)\n"
    pieces = "from tvmscript.fuzz.parser.snippets import Pair, Several, Wrong"
    return f"{pieces}\n{imports} Snippets, check\n\ncheck({example!r})\n"


def _snippets(seed: int) -> Snippets:
    r = random.Random(seed)
    return Snippets(
        tuple(same_texts(r) for _ in range(3)),
        tuple(wrong_text(r) for _ in range(3)),
        tuple(several_wrong_texts(r) for _ in range(2)),
    )


def _texts() -> st.SearchStrategy[str]:
    """Draw mutated programs, and some functions of Python's library."""
    return st.integers(0, 11).flatmap(lambda kind: python_texts() if kind == 11 else near_valid_texts())


def examples() -> st.SearchStrategy[str | Snippets]:
    """Draw whole programs, and snippets with known results."""
    return st.one_of(_texts(), st.integers(0, 2**32).map(_snippets))


AREA: Final = Area("parser", "texts are read or refused with a place", examples, check, write)
