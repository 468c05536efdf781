"""Effects: state that methods of a module take and return, beside their arguments and results."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Var
from tvmscript.ir.relax.struct_info import ObjectStructInfo
from tvmscript.language import R


class Effect:
    """Base of effects. Exported functions take the state after their arguments and return the new state."""

    def emit_init(self, name_hint: str, builder: BlockBuilder) -> list[Var]:
        """Bind the first state, in the function `_initialize_effect`."""
        raise NotImplementedError

    def create(self, name_hint: str) -> list[Var]:
        """Return the parameters of a function that are the state."""
        raise NotImplementedError

    def set_state(self, state_vars: list[Var]) -> None:
        """Set the state of the function under construction."""
        raise NotImplementedError

    def finalize(self) -> list[Var]:
        """Return the state at the end of the function, and forget it."""
        raise NotImplementedError

    def to(self, dtype: str | None = None) -> None:
        """Change the dtype of the state where it has one."""


class IOEffect(Effect):
    """Order of prints and calls for debugging; exists where `export_tvm(debug=True)`."""

    def __init__(self) -> None:
        self.effect: Any = None

    def emit_init(self, name_hint: str, builder: BlockBuilder) -> list[Var]:
        return [builder.emit(R.null_value(), f"{name_hint}.io")]

    def create(self, name_hint: str) -> list[Var]:
        return [Var(f"{name_hint}.io", ObjectStructInfo())]

    def set_state(self, state_vars: list[Var]) -> None:
        (self.effect,) = state_vars

    def finalize(self) -> list[Var]:
        state, self.effect = self.effect, None
        return [state]
