"""Errors of comparing programs and applying differences."""

from __future__ import annotations

from tvmscript.ir.core import TVMScriptError


class DoesNotFit(TVMScriptError):
    """A difference was applied to another program than its left one.

    A diff refers to parts of its left program. It applies to that program or a structurally equal one:
    `diff(old, new)` applies to `old`, not to `new`.
    """

    code = "TS3201"
    message = "the difference does not fit this program: {reason}"


class InvalidDiff(TVMScriptError):
    """A text is not the JSON form of a difference, or it is damaged.

    grammar_docs/diff.md describes the format; `Diff.json()` writes it.
    """

    code = "TS3202"
    message = "this is not a difference in JSON: {reason}"


class NotComparable(TVMScriptError):
    """An argument of `diff` is not a program.

    `diff` takes modules, functions, statements, expressions, and their texts.
    """

    code = "TS3203"
    message = "diff takes programs and their texts, but got {got}"


class NotStorable(TVMScriptError):
    """A value in a program has no JSON form, so the difference cannot be encoded."""

    code = "TS3204"
    message = "{value} of type {kind} cannot be part of a difference"
