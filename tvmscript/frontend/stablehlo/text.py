"""Read the text of StableHLO programs: operations with their operands, attributes, types and regions.

The forms are those that MLIR prints: `%2 = stablehlo.add %0, %1 : tensor<4xf32>`, and the generic one,
`%2 = "stablehlo.gather"(%0, %1) <{slice_sizes = array<i64: 1, 3>}> : (...) -> tensor<1x3xf32>`. Nothing is executed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

import numpy as np
import numpy.typing as npt

from tvmscript.frontend.errors import InvalidModel
from tvmscript.ir.core.python_settings import MAX_NESTING

#: element type -> dtype
_DTYPES: Final = {
    "i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
    "ui8": "uint8", "ui16": "uint16", "ui32": "uint32", "ui64": "uint64",
    "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64",
    "complex64": "complex64", "complex128": "complex128",
}  # fmt: skip
#: dtype of complex numbers -> that of their parts
PARTS: Final = {"complex64": "float32", "complex128": "float64"}
#: a size that the text leaves open
UNKNOWN_SIZE: Final = -1
#: most results of an operation
_MOST_RESULTS: Final = 1 << 16
#: most elements of a constant that is one number
_MOST_ELEMENTS: Final = 1 << 28
_RESULTS = re.compile(r"(%\w+(?:\s*,\s*%\w+)*)(?::(\d+))?\s*=\s*")
_NAME = re.compile(r'"?([A-Za-z_][\w.]*)"?')
_OPERAND = re.compile(r"%\w+(?:#\d+)?")
_ATTRIBUTE = re.compile(
    r"(\w+)\s*=\s*(dense<[^>]*>|array<[^>]*>|\[[^\]=]*\](?:x\[[^\]]*\]->\[[^\]]*\])?(?:\s*x\s*\[[^\]]*\])?"
    r"|\[\[.*?\]\]|@[\w.$-]+|[-\w.]+)"
)
_TENSOR = re.compile(r"tensor<((?:(?:\d+|\?)x)*)(\w+)>")
_FUNCTION = re.compile(r"func\.func\s+(?:(public|private)\s+)?@([\w.$-]+)\((.*?)\)\s*(?:->.*)?\{\s*$")
_ARGUMENT = re.compile(r"(%\w+)\s*:\s*(tensor<[^>]*>)")


@dataclass(frozen=True)
class TensorType:
    """Shape and dtype of a tensor."""

    shape: tuple[int, ...]
    dtype: str


@dataclass
class Region:
    """Operations with arguments of their own."""

    arguments: list[str]
    operations: list[Operation]


@dataclass
class Operation:
    """One operation. `text` is what stands between its name and its types."""

    name: str
    results: list[str]
    operands: list[str]
    attrs: dict[str, str]
    text: str
    types: list[TensorType]
    line: int
    regions: list[Region] = field(default_factory=list[Region])

    @property
    def place(self) -> str:
        """The operation in words, for messages."""
        return f"line {self.line}: {self.name}"

    def fail(self, reason: str) -> NoReturn:
        """Raise `InvalidModel` for this operation."""
        raise InvalidModel(source="StableHLO", place=self.place, reason=reason)

    def integers(self, name: str, default: Sequence[int] | None = None) -> list[int]:
        """Return an attribute that is a list of integers. Raises `InvalidModel`."""
        text = self.attrs.get(name)
        if text is None:
            return self.fail(f"it has no attribute {name}") if default is None else list(default)
        return numbers(text.partition(":")[2] if text.startswith("array<") else text)

    def integer(self, name: str, default: int | None = None) -> int:
        """Return an attribute that is an integer. Raises `InvalidModel`."""
        values = self.integers(name, None if default is None else [default])
        return values[0] if len(values) == 1 else self.fail(f"{name} is no integer")


@dataclass
class FunctionText:
    """A function of a program."""

    name: str
    arguments: list[tuple[str, TensorType]]
    operations: list[Operation]


def numbers(text: str) -> list[int]:
    """Return all integers in a text."""
    return [int(number) for number in re.findall(r"-?\d+", text)]


def read_program(text: str) -> dict[str, FunctionText]:
    """Return the functions of a program by name. Raises `InvalidModel`."""
    return _Reader(text).functions()


class _Reader:
    """A reader of lines."""

    def __init__(self, text: str) -> None:
        plain = text.replace("complex<f32>", "complex64").replace("complex<f64>", "complex128")
        self.lines = [line.strip() for line in plain.splitlines()]
        self.position = 0

    def fail(self, reason: str) -> NoReturn:
        raise InvalidModel(source="StableHLO", place=f"line {self.position}", reason=reason)

    def next(self) -> str:
        """Return the next line that has something. Raises `InvalidModel` at the end."""
        line = ""
        while not line or line.startswith(("//", "#loc")):
            if self.position == len(self.lines):
                self.fail("the program ends in the middle of a function")
            line = self.lines[self.position]
            self.position += 1
        return re.sub(r"\s+loc\(.*\)$", "", line)

    def functions(self) -> dict[str, FunctionText]:
        functions: dict[str, FunctionText] = {}
        while self.position < len(self.lines):
            line = self.lines[self.position]
            match = _FUNCTION.match(line)
            self.position += 1
            if match is None:
                if line.startswith("func.func"):
                    self.fail("the head of the function is not understood")
                continue
            arguments = [(name, self.type_of(kind)) for name, kind in _ARGUMENT.findall(match[3])]
            functions[match[2]] = FunctionText(match[2], arguments, self.operations(0))
        return functions

    def operations(self, depth: int) -> list[Operation]:
        """Return the operations up to the end of a region."""
        if depth > MAX_NESTING:
            self.fail("regions are nested too deep")
        operations: list[Operation] = []
        while not (line := self.next()).startswith("}"):
            operations.append(self.operation(line, depth))
        self.end = line
        return operations

    def operation(self, line: str, depth: int) -> Operation:
        number = self.position
        match = _RESULTS.match(line)
        results: list[str] = []
        if match is not None:
            line = line[match.end() :]
            names = re.findall(r"%\w+", match[1])
            results = names if match[2] is None else [f"{names[-1]}#{index}" for index in range(self.count(match[2]))]
        name = _NAME.match(line)
        if name is None:
            self.fail("an operation is expected")
        body = line[name.end() :]
        regions: list[Region] = []
        if body.endswith("({"):
            body, regions, signature = self.generic_regions(body[:-2], depth)
        elif name[1] == "stablehlo.while":
            body, _, signature = body.rpartition(" : ")
            regions = self.loop(body, depth)
        else:
            body, _, signature = body.rpartition(" : ")
            if name[1] == "stablehlo.reduce" and " applies " not in body:
                regions = [self.reducer(depth)]
        if name[1] in ("stablehlo.return", "return", "func.return"):
            signature = ""
        types = [self.type_of(kind) for kind in re.findall(r"tensor<[^>]*>", signature.rpartition("->")[2])]
        attrs = {key: value.strip() for key, value in _ATTRIBUTE.findall(body)}
        return Operation(name[1], results, _OPERAND.findall(body), attrs, body.strip(), types, number, regions)

    def generic_regions(self, head: str, depth: int) -> tuple[str, list[Region], str]:
        """Return what stands before the regions, the regions, and the types behind them."""
        regions: list[Region] = []
        while True:
            arguments: list[str] = []
            if self.lines[self.position : self.position + 1] and self.lines[self.position].startswith("^"):
                arguments = [name for name, _ in _ARGUMENT.findall(self.next())]
            regions.append(Region(arguments, self.operations(depth + 1)))
            if not self.end.startswith("}, {"):
                return head, regions, self.end.rpartition(" : ")[2]

    def loop(self, body: str, depth: int) -> list[Region]:
        """Return the condition and the body of `while`."""
        carried = re.findall(r"(%\w+)\s*=\s*%", body)
        if self.next() != "cond {":
            self.fail("the condition of a loop is expected")
        condition = Region(carried, self.operations(depth + 1))
        if self.end != "} do {":
            self.fail("the body of a loop is expected")
        return [condition, Region(carried, self.operations(depth + 1))]

    def reducer(self, depth: int) -> Region:
        """Return the region of a reduction of several tensors: pairs of arguments, the first ones first."""
        pairs = re.findall(r"\((%\w+)[^()]*?,\s*(%\w+)[^()]*?\)", self.next())
        arguments = [first for first, _ in pairs] + [second for _, second in pairs]
        return Region(arguments, self.operations(depth + 1))

    def count(self, text: str) -> int:
        """Return the number of results of an operation."""
        if len(text) > len(str(_MOST_RESULTS)) or int(text) > _MOST_RESULTS:
            self.fail(f"operations of {text} results are not supported")
        return int(text)

    def type_of(self, text: str) -> TensorType:
        match = _TENSOR.fullmatch(text)
        if match is None or match[2] not in _DTYPES:
            self.fail(f"the type {text} is not supported")
        sizes = [UNKNOWN_SIZE if size == "?" else int(size) for size in match[1].split("x")[:-1]]
        return TensorType(tuple(sizes), _DTYPES[match[2]])


def dense(operation: Operation, text: str, kind: TensorType) -> npt.NDArray[Any]:
    """Return the array of `dense<...>`: one number for all elements, nested lists, or bytes. Raises `InvalidModel`."""
    words = text.strip()
    count = int(np.prod(kind.shape, dtype=object))
    if kind.dtype == "bfloat16":
        operation.fail("constants of bfloat16 are not supported")
    if count > _MOST_ELEMENTS:
        operation.fail(f"a constant of {count} elements is too large")
    if words.startswith('"0x'):
        raw = np.frombuffer(bytes.fromhex(words[3:-1]), kind.dtype)
        if raw.size != count:
            operation.fail(f"{raw.size} elements for the shape {list(kind.shape)}")
        return raw.reshape(kind.shape)
    values = list(_numbers(operation, words, kind.dtype))
    if len(values) == 1:
        return np.full(kind.shape, values[0], kind.dtype)
    if len(values) != count:
        operation.fail(f"{len(values)} elements for the shape {list(kind.shape)}")
    return np.array(values, kind.dtype).reshape(kind.shape)


def _numbers(operation: Operation, text: str, dtype: str) -> Iterator[complex | np.generic]:
    if dtype in PARTS:
        pairs = re.findall(r"\(([^,()]+),([^,()]+)\)", text)
        yield from (complex(*[_number(operation, word.strip(), PARTS[dtype]) for word in pair]) for pair in pairs)
        return
    for word in re.findall(r"[^\s,\[\]]+", text):
        yield _number(operation, word, dtype)


def _number(operation: Operation, word: str, dtype: str) -> float | np.generic:
    if word in ("true", "false"):
        return word == "true"
    if word.startswith("0x"):  # the bits of a float that is no number
        width = np.dtype(dtype).itemsize
        number: np.generic = np.frombuffer(int(word, 16).to_bytes(width, "little"), dtype)[0]
        return number
    try:
        return float(word) if dtype.startswith("float") else int(word)
    except ValueError:
        operation.fail(f"{word} is no number")
