"""Why indices are no iteration map."""

from __future__ import annotations

from collections.abc import Callable


class NotAffine(Exception):
    """Raised inside of the detection, which makes it a result with errors; the text is made on demand."""

    def __init__(self, template: str, *parts: object) -> None:
        super().__init__(template)
        self.render = reason(template, *parts)


def reason(template: str, *parts: object) -> Callable[[], str]:
    """A text that is made when it is asked for: parts are programs."""
    return lambda: template.format(*parts)
