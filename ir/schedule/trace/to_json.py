"""TVM's JSON of traces: `[[[kind, inputs, attributes, outputs], ...], [[index of an instruction, decision], ...]]`.

Random variables are names. Among inputs text stands between quotes, unescaped, but not in dicts; None is "None", an
index map is the JSON text of its nodes; true and false are 1 and 0; a buffer of a block is its index and 0 (read) or
1 (write).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeVar

from tvmscript.ir.core import IRError, Node, closest
from tvmscript.ir.schedule.instruction import Instruction, InstructionKind
from tvmscript.ir.schedule.random_variables import BlockRV, ExprRV, LoopRV
from tvmscript.ir.schedule.trace import node_graph
from tvmscript.ir.schedule.trace.program_variables import free_variables
from tvmscript.ir.tir import Expr, FloatImm, IntImm, StringImm, Var, substitute, uses

Json = Any
N = TypeVar("N", bound=Node)
_SIDES = ("read", "write")
#: Instructions that have another name in TVM 0.27.
_OTHER_NAMES = {"GetSBlock": "GetBlock"}


class BadTrace(IRError, code="TS4201"):
    """A JSON value that is no trace: it has to be `[instructions, decisions]`, as `trace.as_json()` gives it."""

    message = "{where} is no part of a trace: {problem}"


class Names:
    """b0, l1, v2, ...: the names of random variables in the order in which they come out."""

    def __init__(self) -> None:
        self.names: dict[Any, str] = {}

    def of(self, variable: Any) -> str:
        """The name of a random variable; a new one where it has none."""
        if variable not in self.names:
            letter = "b" if isinstance(variable, BlockRV) else "l" if isinstance(variable, LoopRV) else "v"
            self.names[variable] = f"{letter}{len(self.names)}"
        return self.names[variable]

    def rename(self, value: N) -> N:
        """Give the random variables of an expression or index map their names. Variables of the program keep theirs.

        Raises `BadTrace` where one has the name of a random variable.
        """
        for var in free_variables(value).difference(self.names):
            if var.name in self.names.values():
                problem = f"{var.name} is a variable of the program and the name of a random variable"
                raise BadTrace(where=str(value), problem=problem)
        return substitute(value, {var: Var(self.names[var], var.dtype) for var in uses(value) if var in self.names})


def encode(insts: Sequence[Instruction], decisions: dict[Instruction, Any]) -> list[Json]:
    """The JSON value of instructions and decisions. Raises `BadTrace` for an input that JSON has no form for."""
    check_forms(insts)
    names = Names()
    written: list[Json] = []
    for inst in insts:
        inputs = [_encode_input(value, names) for value in inst.inputs]
        written.append(
            [inst.kind.name, inputs, _encode_attributes(inst, names), [names.of(item) for item in inst.outputs]]
        )
    places = [[place, decisions[inst]] for place, inst in enumerate(insts) if decisions.get(inst) is not None]
    return [written, places]


def check_forms(insts: Sequence[Instruction]) -> None:
    """Check that instructions have as many inputs and attributes as their kinds. Raises `BadTrace`."""
    for place, inst in enumerate(insts):
        kind = inst.kind
        where = f"instruction {place} ({kind.name})"
        _check_inputs(kind, len(inst.inputs), where)
        if len(inst.attrs) != len(kind.attrs):
            problem = f"its attributes are {', '.join(kind.attrs) or 'none'}, but {len(inst.attrs)} are given"
            raise BadTrace(where=where, problem=problem)


def _check_inputs(kind: InstructionKind, count: int, where: str) -> None:
    required = [name for name in kind.inputs if not name.startswith("*")]
    if count < len(required) or (count > len(required) and len(required) == len(kind.inputs)):
        raise BadTrace(where=where, problem=f"the inputs of {kind.name} are {', '.join(kind.inputs) or 'none'}")


def _encode_input(value: Any, names: Names) -> Json:
    if value is None:
        return "None"
    if isinstance(value, (str, StringImm)):
        return f'"{_text(value)}"'
    if isinstance(value, (BlockRV, LoopRV)) or (isinstance(value, Var) and value in names.names):
        return names.of(value)
    if isinstance(value, (IntImm, FloatImm)):
        return value.value
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, dict):
        return {key: _encode_in_dict(item, names) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_encode_input(item, names) for item in value]
    if isinstance(value, Node):
        return node_graph.dump(names.rename(value))
    raise BadTrace(where=repr(value), problem="JSON has no form for it")


def _encode_in_dict(value: Any, names: Names) -> Json:
    if isinstance(value, (list, tuple)):
        return [_encode_in_dict(item, names) for item in value]
    if isinstance(value, Expr) and not isinstance(value, (IntImm, FloatImm, StringImm)) and value not in names.names:
        raise BadTrace(where=str(value), problem="JSON has no form for an expression in a dict")
    return _text(value) if isinstance(value, (str, StringImm)) else _encode_input(value, names)


def _text(value: str | StringImm) -> str:
    return value if isinstance(value, str) else value.value


def _encode_attributes(inst: Instruction, names: Names) -> list[Json]:
    written: list[Json] = []
    for name, value in zip(inst.kind.attrs, inst.attrs, strict=True):
        if name == "buffer":
            side, index = value
            written += [index, _SIDES.index(side)]
        elif isinstance(value, Node):
            written.append(node_graph.dump(names.rename(value)))
        else:
            written.append(_encode_plain(value))
    return written


def _encode_plain(value: Any) -> Json:
    if isinstance(value, (list, tuple)):
        return [_encode_plain(item) for item in value]
    return int(value) if isinstance(value, bool) else value


def decode(value: Json) -> tuple[list[Instruction], dict[Instruction, Any]]:
    """Instructions and decisions from their JSON value (or its text). Raises `BadTrace`."""
    try:
        loaded = json.loads(value) if isinstance(value, str) else value
    except ValueError as error:
        raise BadTrace(where="the text", problem=str(error)) from None
    except RecursionError:
        raise BadTrace(where="the text", problem=_TOO_DEEP) from None
    if not _nests_less(loaded, _MAX_NESTING):
        raise BadTrace(where="the value", problem=_TOO_DEEP)
    return _decode(loaded)


#: lists and dicts in each other; those of annotations are the deepest
_MAX_NESTING = 64
_TOO_DEEP = "it nests too deeply"


def _nests_less(value: Json, depth: int) -> bool:
    if isinstance(value, dict):
        value = list(value.values())
    return not isinstance(value, (list, tuple)) or (depth > 0 and all(_nests_less(item, depth - 1) for item in value))


def _decode(value: Json) -> tuple[list[Instruction], dict[Instruction, Any]]:
    if not (isinstance(value, (list, tuple)) and len(value) == 2 and all(isinstance(v, (list, tuple)) for v in value)):
        raise BadTrace(where=_abbreviate(value), problem="a trace is [instructions, decisions]")
    variables: dict[str, Any] = {}
    insts = [_decode_instruction(place, entry, variables) for place, entry in enumerate(value[0])]
    decisions: dict[Instruction, Any] = {}
    for entry in value[1]:
        if not (
            isinstance(entry, (list, tuple)) and len(entry) == 2 and _is_index(entry[0]) and entry[0] < len(insts)
        ):  # fmt: skip
            raise BadTrace(where=_abbreviate(entry), problem="a decision is [index of an instruction, value]")
        decisions[insts[entry[0]]] = entry[1]
    return insts, decisions


def _is_index(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _decode_instruction(place: int, entry: Json, variables: dict[str, Any]) -> Instruction:
    where = f"instruction {place}"
    is_entry = isinstance(entry, (list, tuple)) and len(entry) == 4 and isinstance(entry[0], str)
    if not is_entry or not all(isinstance(part, (list, tuple)) for part in entry[1:]):
        raise BadTrace(where=where, problem=f"{_abbreviate(entry)} is not [kind, inputs, attributes, outputs]")
    name, inputs, attrs, outputs = entry
    kind = InstructionKind.registry.get(_OTHER_NAMES.get(str(name), str(name)))
    if kind is None:
        hint = closest(name, InstructionKind.registry)
        raise BadTrace(where=where, problem=f"there is no instruction {name}", hint=hint)
    _check_inputs(kind, len(inputs), where)
    read = tuple(_decode_input(value, variables, where) for value in inputs)
    if not all(isinstance(item, str) and item for item in outputs) or len(set(outputs)) != len(outputs):
        raise BadTrace(where=where, problem=f"its outputs are names, one each, not {_abbreviate(outputs)}")
    instruction = Instruction(
        kind, read, _decode_attributes(kind, list(attrs), variables, where), tuple(map(_make_variable, outputs))
    )
    variables.update(zip(outputs, instruction.outputs, strict=True))
    return instruction


def _make_variable(name: str) -> Any:
    makers: dict[str, Any] = {"b": BlockRV, "l": LoopRV}
    return makers[name[0]]() if name[:1] in makers else ExprRV(name, "int32")


def _decode_input(value: Json, variables: dict[str, Any], where: str) -> Any:
    if isinstance(value, list):
        return [_decode_input(item, variables, where) for item in value]
    if isinstance(value, dict):
        return {key: _decode_in_dict(item, variables) for key, item in value.items()}
    if not isinstance(value, str):
        return value
    if value == "None":
        return None
    if value.startswith('"'):
        return value[1:-1]
    if value.startswith("{"):
        return _decode_node(value, variables)
    if value not in variables:
        raise BadTrace(where=where, problem=f"{value} is used before an instruction gives it")
    return variables[value]


def _decode_node(text: str, variables: dict[str, Any]) -> Node:
    """The expression or index map of a text, with random variables where it has their names."""
    decoded: Node = node_graph.load(text)
    return substitute(decoded, {v: variables[v.name] for v in free_variables(decoded) if v.name in variables})


def _decode_in_dict(value: Json, variables: dict[str, Any]) -> Any:
    """A value in a dict: text there has no quotes; so it is a random variable where one has its name."""
    if isinstance(value, list):
        return [_decode_in_dict(item, variables) for item in value]
    if isinstance(value, dict):
        return {key: _decode_in_dict(item, variables) for key, item in value.items()}
    return variables.get(value, value) if isinstance(value, str) else value


def _decode_attributes(
    kind: InstructionKind, attrs: list[Json], variables: dict[str, Any], where: str
) -> tuple[Any, ...]:
    values: list[Any] = []
    for name in kind.attrs:
        if not attrs:
            raise BadTrace(where=where, problem=f"the attribute {name} of {kind.name} is missing")
        value = attrs.pop(0)
        if name == "buffer":
            side = attrs.pop(0) if attrs else len(_SIDES)
            if not _is_index(value) or not _is_index(side) or side >= len(_SIDES):
                raise BadTrace(where=where, problem=f"a buffer is its index and 0 or 1, not {_abbreviate(value)}")
            values.append((_SIDES[side], value))
        elif name in kind.booleans:
            values.append(bool(value))
        elif isinstance(value, str) and value.startswith("{"):
            values.append(_decode_node(value, variables))
        else:
            values.append(value)
    return tuple(values)


def _abbreviate(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 80 else f"{text[:77]}..."
