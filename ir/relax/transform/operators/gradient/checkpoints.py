"""Checkpoints: values between `R.grad.start_checkpoint` and `end_checkpoint` are computed again for the gradient."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tvmscript.ir.core import nodes
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Call, Var, VarBinding
from tvmscript.ir.relax.op.grad import end_checkpoint, start_checkpoint
from tvmscript.ir.tir import substitute


class Checkpoints:
    """The bindings of a block without the marks, and the variables between them."""

    def __init__(self, bindings: Sequence[VarBinding]) -> None:
        #: the bindings in order; the values of marks replace their variables
        self.bindings: list[VarBinding] = []
        #: variables that are computed again -> their bindings
        self.regions: dict[Var, VarBinding] = {}
        #: variables of `regions` -> those of the second computation
        self._copies: dict[Any, Any] = {}
        marked: dict[Any, Any] = {}
        starts: set[Var] = set()
        values: dict[Var, VarBinding] = {}
        for binding in bindings:
            value = substitute(binding.value, marked) if marked else binding.value
            if isinstance(value, Call) and value.op in (start_checkpoint, end_checkpoint):
                (variable,) = value.args
                assert isinstance(variable, Var)  # the inference rule takes no other expression
                marked[binding.var] = variable
                if value.op is start_checkpoint:
                    starts.add(variable)
                else:
                    self._mark_region(variable, starts, values)
                continue
            values[binding.var] = binding if value is binding.value else binding.replace(value=value)
            self.bindings.append(values[binding.var])
        #: variables of marks -> the marked variables
        self.marked = marked

    def _mark_region(self, end: Var, starts: set[Var], values: dict[Var, VarBinding]) -> None:
        """Add the variables that a value is computed from, back to the starts."""
        worklist = [end]
        while worklist:
            variable = worklist.pop()
            if variable in values and variable not in starts and variable not in self.regions:
                self.regions[variable] = values[variable]
                worklist += [part for part in nodes(values[variable].value) if isinstance(part, Var)]

    def compute_again(self, value: Any, emit: Callable[[RelaxExpr, str], Var]) -> Any:
        """Return a value with the variables of regions computed again; each one is computed once."""
        if not self.regions:
            return value
        parts = [part for part in nodes(value) if isinstance(part, Var)]
        for part in parts:
            if part in self.regions and part not in self._copies:
                again = self.compute_again(self.regions[part].value, emit)
                self._copies[part] = emit(again, f"{part.name_hint}_cp")
        copies = {part: self._copies[part] for part in parts if part in self._copies}
        return substitute(value, copies) if copies else value
