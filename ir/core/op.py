"""Registry of operators by name, shared by TIR and Relax."""

from __future__ import annotations

import sys
from enum import IntEnum
from typing import ClassVar, Final

from tvmscript.ir.core.errors import DuplicateName, UnknownName, is_same_definition
from tvmscript.ir.core.hooks import hook
from tvmscript.ir.core.suggestions import closest


@hook
def load_tir_operators() -> None:
    """Register the operators of TIR."""


@hook
def load_relax_operators() -> None:
    """Register the operators of Relax."""


#: first part of the name of an operator -> what registers it
_FAMILIES: Final = {"tir": load_tir_operators, "relax": load_relax_operators}


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
            load = _FAMILIES.get(name.partition(".")[0])
            if load is not None and not load.is_filled:
                load()
                return Op.get(name)
            if name.startswith(Op.CUSTOM):
                return Op(name, doc="An operator that is not TVM's.")
            raise UnknownName(kind="operator", name=name, hint=closest(name, Op.registry)) from None

    @staticmethod
    def list_op_names() -> list[str]:
        """Return the names of all operators, in order."""
        for load in _FAMILIES.values():
            if not load.is_filled:
                load()
        return sorted(Op.registry)

    def get_attr(self, attr_name: str) -> object:
        """Return an attribute that TVM registers for TIR: `TCallEffectKind`, `TScriptPrinterName`; None for others."""
        family, _, name = self.name.partition(".")
        if family != "tir":
            return None
        return {"TCallEffectKind": int(self.effect), "TScriptPrinterName": name}.get(attr_name)

    def same_as(self, other: object) -> bool:
        """Return whether both are one object."""
        return self is other

    def __repr__(self) -> str:
        return f"Op({self.name})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Op.get, (self.name,)

    def __copy__(self) -> Op:
        return self

    def __deepcopy__(self, memo: object) -> Op:
        return self
