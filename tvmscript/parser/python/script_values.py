"""Values of the script that are no expressions and have operators of their own: `4 @ Axis.laneid`."""

from __future__ import annotations


class ScriptValue:
    """An operand that computes `+` and `@` itself."""

    __slots__ = ()

    def apply(self, symbol: str, other: object, is_left: bool) -> object:
        """Return `self symbol other` or, unless `is_left`, `other symbol self`. Raises `TypeError`."""
        raise NotImplementedError

    def __add__(self, other: object) -> object:
        return self.apply("+", other, True)

    def __radd__(self, other: object) -> object:
        return self.apply("+", other, False)

    def __matmul__(self, other: object) -> object:
        return self.apply("@", other, True)

    def __rmatmul__(self, other: object) -> object:
        return self.apply("@", other, False)
