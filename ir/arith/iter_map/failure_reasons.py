"""Reasons why indices are not an iteration map."""

from __future__ import annotations

from collections.abc import Callable


class NotAffine(Exception):
    """Indices are not affine. Detection catches it and returns a result with errors."""

    def __init__(self, template: str, *parts: object) -> None:
        super().__init__(template)
        self.render = reason(template, *parts)


def reason(template: str, *parts: object) -> Callable[[], str]:
    """Return a function that renders the text, as printing the parts is expensive."""
    return lambda: template.format(*parts)
