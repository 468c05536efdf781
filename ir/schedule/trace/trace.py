"""Traces: the steps of a schedule in order, and the numbers that were drawn; to be done again, changed, kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tvmscript.ir.core.node import Node
from tvmscript.ir.schedule.instruction import Instruction
from tvmscript.ir.schedule.trace import to_json, to_python
from tvmscript.ir.tir.substitute import substitute, uses

if TYPE_CHECKING:
    from tvmscript.ir.schedule.recorder import Recorder

#: (instruction, its inputs, its attributes, its decision) -> the decision to take
DecisionProvider = Callable[[Instruction, list[Any], list[Any], Any], Any]

_POSTPROC = "EnterPostproc"


class Trace:
    """Instructions, and the decision of each that drew numbers. `str(trace)` is a Python program that does them."""

    def __init__(self, insts: Sequence[Instruction] = (), decisions: Mapping[Instruction, Any] | None = None) -> None:
        self.insts = list(insts)
        self.decisions = dict(decisions or {})

    def append(self, inst: Instruction, decision: Any = None) -> None:
        """One more step."""
        self.insts.append(inst)
        if decision is not None:
            self.decisions[inst] = decision

    def pop(self) -> Instruction | None:
        """Take the last step off; None where there is none."""
        if not self.insts:
            return None
        inst = self.insts.pop()
        self.decisions.pop(inst, None)
        return inst

    def get_decision(self, inst: Instruction) -> Any:
        """What an instruction drew; None where it draws nothing."""
        return self.decisions.get(inst)

    def with_decision(self, inst: Instruction, decision: Any, remove_postproc: bool = False) -> Trace:
        """A trace with another decision for one instruction, without post-processing if asked for."""
        insts = self._insts(remove_postproc)
        return Trace(insts, {**self._decisions(insts), inst: decision})

    def simplified(self, remove_postproc: bool = False) -> Trace:
        """A trace without the pure instructions whose results nothing uses."""
        used: set[Any] = set()
        kept: list[Instruction] = []
        for inst in reversed(self._insts(remove_postproc)):
            if inst.kind.is_pure and used.isdisjoint(inst.outputs):
                continue
            kept.append(inst)
            used.update(random_variables_in(inst.inputs))
        kept.reverse()
        return Trace(kept, self._decisions(kept))

    def as_json(self, remove_postproc: bool = False) -> list[Any]:
        """`[instructions, decisions]` as TVM has it: lists, strings and numbers alone."""
        insts = self._insts(remove_postproc)
        return to_json.encode(insts, self.decisions)

    @staticmethod
    def from_json(value: list[Any] | str) -> Trace:
        """The trace of a JSON value, or of its text. Raises `BadTrace`, `BadNodeGraph`."""
        return Trace(*to_json.decode(value))

    def as_python(self, remove_postproc: bool = False) -> list[str]:
        """One line of Python for each instruction; `sch` is the schedule."""
        return to_python.instruction_lines(self._insts(remove_postproc), self.decisions)

    def __str__(self) -> str:
        return to_python.render_program(self.insts, self.decisions)

    __repr__ = __str__

    def show(self, style: str | None = None, black_format: bool = False) -> None:
        """Print the trace as a Python program; `style` and `black_format`, which TVM has, change nothing."""
        print(self)

    def apply_to_schedule(
        self, sch: Recorder, remove_postproc: bool = False, decision_provider: DecisionProvider | None = None
    ) -> None:
        """Do the steps to a schedule. `decision_provider` may take other decisions.

        Raises what the primitives raise; the steps before have been done then.
        """
        values: dict[Any, Any] = {}
        for inst in self._insts(remove_postproc):
            inputs = [_substitute(item, values) for item in inst.inputs]
            decision = self.decisions.get(inst)
            if decision_provider is not None:
                decision = decision_provider(inst, inputs, list(inst.attrs), decision)
            made = replay_instruction(sch, inst, inputs, decision)
            outputs = made if isinstance(made, list) else [made] if inst.outputs else []
            values.update(zip(inst.outputs, outputs, strict=True))

    @staticmethod
    def apply_json_to_schedule(json_obj: list[Any] | str, sch: Recorder) -> None:
        """Do the steps of a JSON value to a schedule."""
        Trace.from_json(json_obj).apply_to_schedule(sch)

    def _insts(self, remove_postproc: bool) -> list[Instruction]:
        if remove_postproc:
            for place, inst in enumerate(self.insts):
                if inst.kind.name == _POSTPROC:
                    return self.insts[:place]
        return self.insts

    def _decisions(self, insts: Sequence[Instruction]) -> dict[Instruction, Any]:
        return {inst: self.decisions[inst] for inst in insts if inst in self.decisions}


def replay_instruction(sch: Recorder, inst: Instruction, inputs: Sequence[Any], decision: Any = None) -> Any:
    """Do a step once more, with these inputs; what the primitive gives, and raises."""
    kind = inst.kind
    positional: list[Any] = []
    named: dict[str, Any] = dict(zip(kind.attrs, inst.attrs, strict=True))
    rest = list(inputs)
    for name in kind.inputs:
        if not name.startswith("*"):
            named[name] = rest.pop(0)
        elif name[1:] == kind.star:
            positional = rest
        else:
            named[name[1:]] = rest
    if kind.has_decision:
        named["decision"] = decision
    return getattr(sch, kind.method)(*positional, **named)


def random_variables_in(value: Any) -> set[Any]:
    """The random variables in an input."""
    if isinstance(value, list | tuple):
        return set().union(*map(random_variables_in, value))
    if isinstance(value, dict):
        return random_variables_in(list(value.values()))
    return uses(value) if isinstance(value, Node) else {value} if value.__hash__ else set()


def _substitute(value: Any, values: Mapping[Any, Any]) -> Any:
    """An input with the random variables of another schedule."""
    if isinstance(value, list | tuple):
        return [_substitute(item, values) for item in value]
    if isinstance(value, dict):
        return {key: _substitute(item, values) for key, item in value.items()}
    if isinstance(value, Node):
        return substitute(value, {name: values[name] for name in uses(value) if name in values})
    return values.get(value, value)
