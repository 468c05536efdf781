"""Errors of comparing programs and applying differences."""

from __future__ import annotations

from tvmscript.ir.core import TVMScriptError


class DoesNotFit(TVMScriptError, code="TS3201"):
    """A difference was applied to another program than its left one.

    A diff refers to parts of its left program. It applies to that program or a structurally equal one:
    `diff(old, new)` applies to `old`, not to `new`.
    """

    message = "the difference does not fit this program: {reason}"


class InvalidDiff(TVMScriptError, code="TS3202"):
    """A text is not the JSON form of a difference, or it is damaged.

    grammar_docs/diff.md describes the format; `Diff.json()` writes it.
    """

    message = "this is not a difference in JSON: {reason}"


class NotComparable(TVMScriptError, code="TS3203"):
    """An argument of `diff` is not a program.

    `diff` takes modules, functions, statements, expressions, and their texts.
    """

    message = "diff takes programs and their texts, but got {got}"


class NotStorable(TVMScriptError, code="TS3204"):
    """A value in a program has no JSON form, so the difference cannot be encoded."""

    message = "{value} of type {kind} cannot be part of a difference"
