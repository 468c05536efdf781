"""Registry of operators by name, shared by TIR and Relax."""

from __future__ import annotations

import sys
from enum import IntEnum
from typing import ClassVar

from tvmscript.ir.core.errors import DuplicateName, UnknownName, is_same_definition
from tvmscript.ir.core.suggestions import closest


class CallEffect(IntEnum):
    """Side effect of a call (TVM's CallEffectKind)."""

    EXPR_ANNOTATION = 0
    PURE = 1
    READ_STATE = 2
    UPDATE_STATE = 3
    SPECIAL_CALL_ARG = 4
    EMBED_INFO = 5
    CONTROL_JUMP = 6


class Op:
    """A named operator; there is one object for each name."""

    registry: ClassVar[dict[str, Op]] = {}

    #: beginning of the names of users' operators, which are registered on use
    CUSTOM: ClassVar[str] = "custom_op."

    #: the only dialect with it; empty where all have it
    dialect: ClassVar[str] = ""
    #: the fewest and the most arguments of a call
    least_inputs: int = 0
    most_inputs: int = sys.maxsize

    __slots__ = ("doc", "effect", "name")

    def __init__(self, name: str, *, effect: CallEffect = CallEffect.UPDATE_STATE, doc: str = "") -> None:
        self.name = name
        self.effect = effect
        self.doc = doc
        registered = Op.registry.setdefault(name, self)
        # a module whose import was interrupted makes its operators once more
        is_same = is_same_definition(type(registered), type(self))
        if not is_same or (registered.effect, registered.doc) != (effect, doc):
            raise DuplicateName(kind="operator", name=name)
        Op.registry[name] = self

    @staticmethod
    def get(name: str) -> Op:
        """Return the operator of this name. Raises `UnknownName`."""
        try:
            return Op.registry[name]
        except KeyError:
            if name.startswith(Op.CUSTOM):
                return Op(name, doc="An operator that is not TVM's.")
            raise UnknownName(kind="operator", name=name, hint=closest(name, Op.registry)) from None

    def same_as(self, other: object) -> bool:
        """Return whether both are one object."""
        return self is other

    def __repr__(self) -> str:
        return f"Op({self.name!r})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Op.get, (self.name,)

    def __copy__(self) -> Op:
        return self

    def __deepcopy__(self, memo: object) -> Op:
        return self
