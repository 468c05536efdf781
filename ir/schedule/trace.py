"""Traces: the steps of a schedule in order, and the numbers that were drawn."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.schedule.instruction import Instruction


class Trace:
    """Instructions, and the decision of each that drew numbers."""

    def __init__(self, insts: list[Instruction] | None = None, decisions: dict[Instruction, Any] | None = None) -> None:
        self.insts = list(insts or ())
        self.decisions = dict(decisions or {})

    def append(self, inst: Instruction, decision: Any = None) -> None:
        """One more step."""
        self.insts.append(inst)
        if inst.kind.has_decision:
            self.decisions[inst] = decision
