"""Traces: the instructions of a schedule and their sampling decisions, to be replayed, edited and stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from tvmscript.ir.core import Node, TVMScriptError
from tvmscript.ir.schedule.instruction import Instruction
from tvmscript.ir.schedule.random_variables import BlockRV, LoopRV
from tvmscript.ir.schedule.trace import to_json, to_python
from tvmscript.ir.schedule.trace.program_variables import free_variables, variables_by_name
from tvmscript.ir.schedule.tree import StmtRef
from tvmscript.ir.tir import Var, substitute, uses

#: (instruction, inputs, attributes, recorded decision) -> the decision to replay
DecisionProvider = Callable[[Instruction, list[Any], list[Any], Any], Any]

_POSTPROC = "EnterPostproc"
#: errors of Python where an argument has another type than a primitive takes
_ARGUMENT_ERRORS = (TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RecursionError)


class Traced(Protocol):
    """A schedule: an instruction is replayed by the method that its kind names."""

    trace: Trace

    def place(self, variable: BlockRV | LoopRV) -> StmtRef:
        """Return the block or loop of a random variable."""
        ...


class Trace:
    """Instructions and their sampling decisions. `str(trace)` is a Python program that replays them."""

    def __init__(self, insts: Sequence[Instruction] = (), decisions: Mapping[Instruction, Any] | None = None) -> None:
        self.insts = list(insts)
        self.decisions = dict(decisions or {})

    def append(self, inst: Instruction, decision: Any = None) -> None:
        """Append an instruction."""
        self.insts.append(inst)
        if decision is not None:
            self.decisions[inst] = decision

    def pop(self) -> Instruction | None:
        """Remove and return the last instruction; None for an empty trace."""
        if not self.insts:
            return None
        inst = self.insts.pop()
        self.decisions.pop(inst, None)
        return inst

    def get_decision(self, inst: Instruction) -> Any:
        """Return the decision of an instruction; None if it samples nothing."""
        return self.decisions.get(inst)

    def with_decision(self, inst: Instruction, decision: Any, remove_postproc: bool = False) -> Trace:
        """Return a trace with another decision for one instruction."""
        insts = self._insts(remove_postproc)
        return Trace(insts, {**self._decisions(insts), inst: decision})

    def simplified(self, remove_postproc: bool = False) -> Trace:
        """Return a trace without pure instructions whose results are unused."""
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
        """Return `[instructions, decisions]` in TVM's format: lists, strings and numbers."""
        insts = self._insts(remove_postproc)
        return to_json.encode(insts, self.decisions)

    @staticmethod
    def from_json(value: list[Any] | str) -> Trace:
        """Return the trace of a JSON value or text. Raises `BadTrace`, `BadNodeGraph`."""
        return Trace(*to_json.decode(value))

    def as_python(self, remove_postproc: bool = False) -> list[str]:
        """Return a line of Python for each instruction; `sch` is the schedule."""
        return to_python.instruction_lines(self._insts(remove_postproc), self.decisions)

    def __str__(self) -> str:
        return to_python.render_program(self.insts, self.decisions)

    __repr__ = __str__

    def show(self, style: str | None = None, black_format: bool = False) -> None:
        """Print the trace as a Python program. `style` and `black_format` exist in TVM; they are ignored."""
        print(self)

    def apply_to_schedule(
        self, sch: Traced, remove_postproc: bool = False, decision_provider: DecisionProvider | None = None
    ) -> None:
        """Replay the trace on a schedule. `decision_provider` may replace decisions.

        Variables of the program in arguments become those of their names in the function at hand. Raises the errors of
        the primitives, and `BadTrace` for other arguments than they take; the instructions before the failed one stay
        applied.
        """
        values: dict[Any, Any] = {}
        insts = self._insts(remove_postproc)
        to_json.check_forms(insts)
        for place, inst in enumerate(insts):
            where = f"instruction {place} ({inst.kind.name})"
            inputs = [_substitute(item, values) for item in inst.inputs]
            free = free_variables((inst.inputs, inst.attrs)).difference(values)
            bindings = {**values, **_own_variables(free, sch, inputs, where)} if free else values
            inputs = [_substitute(item, bindings) for item in inputs]
            attrs = tuple(_substitute(item, bindings) if isinstance(item, Node) else item for item in inst.attrs)
            decision = self.decisions.get(inst)
            if decision_provider is not None:
                decision = decision_provider(inst, inputs, list(inst.attrs), decision)
            try:
                result = replay_instruction(sch, replace(inst, attrs=attrs), inputs, decision)
            except TVMScriptError:
                raise
            except _ARGUMENT_ERRORS as error:
                raise to_json.BadTrace(where=where, problem=f"{type(error).__name__}: {error}") from error
            outputs = result if isinstance(result, list) else [result] if inst.outputs else []
            if len(outputs) != len(inst.outputs):
                problem = f"it has {len(inst.outputs)} outputs, but gives {len(outputs)}"
                raise to_json.BadTrace(where=where, problem=problem)
            values.update(zip(inst.outputs, outputs, strict=True))

    @staticmethod
    def apply_json_to_schedule(json_obj: list[Any] | str, sch: Traced) -> None:
        """Replay the trace of a JSON value on a schedule."""
        Trace.from_json(json_obj).apply_to_schedule(sch)

    def _insts(self, remove_postproc: bool) -> list[Instruction]:
        if remove_postproc:
            for place, inst in enumerate(self.insts):
                if inst.kind.name == _POSTPROC:
                    return self.insts[:place]
        return self.insts

    def _decisions(self, insts: Sequence[Instruction]) -> dict[Instruction, Any]:
        return {inst: self.decisions[inst] for inst in insts if inst in self.decisions}


def replay_instruction(sch: Traced, inst: Instruction, inputs: Sequence[Any], decision: Any = None) -> Any:
    """Call the primitive of an instruction with these inputs; return its result."""
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
    """Return the random variables in an input."""
    if isinstance(value, (list, tuple)):
        return set().union(*map(random_variables_in, value))
    if isinstance(value, dict):
        return random_variables_in(list(value.values()))
    return uses(value) if isinstance(value, Node) else {value} if value.__hash__ else set()


def _own_variables(free: set[Var], sch: Traced, inputs: list[Any], where: str) -> dict[Var, Var]:
    """Return the variables of these names in the function of an instruction. Raises `BadTrace`."""
    places = [value for value in random_variables_in(inputs) if isinstance(value, (BlockRV, LoopRV))]
    named = variables_by_name(sch.place(places[0]).tree.func) if places else {}
    own: dict[Var, Var] = {}
    for var in free:
        candidates = named.get(var.name, [])
        if var not in candidates:
            if [each.dtype for each in candidates] != [var.dtype]:
                problem = f"no single variable of the function is named {var.name} and of {var.dtype}"
                raise to_json.BadTrace(where=where, problem=problem)
            own[var] = candidates[0]
    return own


def _substitute(value: Any, values: Mapping[Any, Any]) -> Any:
    """Replace the random variables of an input."""
    if isinstance(value, (list, tuple)):
        return [_substitute(item, values) for item in value]
    if isinstance(value, dict):
        return {key: _substitute(item, values) for key, item in value.items()}
    if isinstance(value, Node):
        return substitute(value, {name: values[name] for name in uses(value) if name in values})
    return values.get(value, value)
