"""An independent evaluator: programs of TIR as Python text, over Python integers and NumPy scalars.

It shares nothing with the interpreter, the arithmetic analyzer or the backends but the node classes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.op import Op
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir import stmt
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.var import Var


class NotInPython(Exception):
    """A program that this evaluator has no text for."""


class Undefined(Exception):
    """A program without a meaning: it reads what nobody wrote, leaves a buffer, or fails an assertion."""


class Memory:
    """A buffer over flat memory; elements are None until they are written."""

    def __init__(self, cells: list[Any], shape: Sequence[int], strides: Sequence[int] = (), offset: int = 0) -> None:
        self.cells = cells
        self.shape = tuple(shape)
        self.strides = tuple(strides) or tuple(math.prod(self.shape[axis + 1 :]) for axis in range(len(self.shape)))
        self.offset = offset

    def place(self, at: tuple[int, ...]) -> int:
        """The cell of an element."""
        place = self.offset
        for index, extent, stride in zip(at, self.shape, self.strides, strict=True):
            if not 0 <= index < extent:
                raise Undefined(f"index {index} of an axis of {extent}")
            place += index * stride
        if not 0 <= place < len(self.cells):
            raise Undefined(f"element {place} of {len(self.cells)}")
        return place

    def load(self, at: tuple[int, ...]) -> Any:
        """An element. Raises `Undefined` where nothing was written."""
        value = self.cells[self.place(at)]
        if value is None:
            raise Undefined("nothing was written")
        return value

    def store(self, at: tuple[int, ...], value: Any) -> None:
        """Set an element."""
        self.cells[self.place(at)] = value


class Part(Memory):
    """A region of another buffer."""

    def __init__(self, whole: Memory, begin: Sequence[int], rank: int) -> None:
        super().__init__(whole.cells, (), (), 0)
        self.whole, self.begin = whole, tuple(begin)
        self.rest = len(begin) - rank
        self.strides = whole.strides[self.rest :]

    def place(self, at: tuple[int, ...]) -> int:
        """The cell of an element of the whole buffer."""
        inner = (0,) * self.rest + at
        return self.whole.place(tuple([first + index for first, index in zip(self.begin, inner, strict=True)]))


def least(a: Any, b: Any) -> Any:
    """The minimum of the language: b where the comparison fails."""
    return a if a < b else b


def greatest(a: Any, b: Any) -> Any:
    """The maximum of the language."""
    return a if a > b else b


def quotient(a: int, b: int) -> int:
    """The quotient rounded towards zero."""
    size = abs(a) // abs(b)
    return size if (a < 0) == (b < 0) else -size


def shifted(a: int, by: int, bits: int) -> int:
    """a * 2 ** by; a right shift where by is below 0."""
    if not abs(by) < bits:
        raise Undefined("a shift by all bits")
    return a << by if by >= 0 else a >> -by


def to_integer(value: Any, low: int, high: int) -> int:
    """A float rounded towards zero, within limits."""
    if np.isnan(value):
        return 0
    if np.isinf(value):
        return high if value > 0 else low
    return min(max(math.trunc(float(value)), low), high)


def away(value: Any) -> Any:
    """A float rounded to the nearest integer, halves away from zero."""
    whole = np.trunc(value)
    return whole + np.copysign(type(value)(1), value) if abs(value - whole) >= 0.5 else whole


def unsigned(value: int, bits: int) -> int:
    """The bits of an integer."""
    return int(value) & ((1 << bits) - 1)


def check(condition: bool) -> None:
    """Raise `Undefined` unless the condition holds."""
    if not condition:
        raise Undefined("an assertion failed")


_NUMPY: Final = {"float16": np.float16, "float32": np.float32, "float64": np.float64}
_INTEGERS: Final[dict[type[Expr], str]] = {
    tir.Add: "{0} + {1}",
    tir.Sub: "{0} - {1}",
    tir.Mul: "{0} * {1}",
    tir.FloorDiv: "{0} // {1}",
    tir.FloorMod: "{0} % {1}",
    tir.Div: "quotient({0}, {1})",
}
_FLOATS: Final[dict[type[Expr], str]] = {
    **_INTEGERS,
    tir.Div: "{0} / {1}",
    tir.Mod: "np.fmod({0}, {1})",
    tir.FloorDiv: "np.floor({0} / {1})",
}
_ORDER: Final[dict[type[Expr], str]] = {
    tir.Min: "least({0}, {1})",
    tir.Max: "greatest({0}, {1})",
    tir.EQ: "{0} == {1}",
    tir.NE: "{0} != {1}",
    tir.LT: "{0} < {1}",
    tir.LE: "{0} <= {1}",
    tir.GT: "{0} > {1}",
    tir.GE: "{0} >= {1}",
    tir.And: "{0} and {1}",
    tir.Or: "{0} or {1}",
}
#: operators on integers; their values are wrapped
_BITS: Final = {
    "tir.bitwise_and": "{0} & {1}",
    "tir.bitwise_or": "{0} | {1}",
    "tir.bitwise_xor": "{0} ^ {1}",
    "tir.bitwise_not": "~{0}",
    "tir.shift_left": "shifted({0}, {1}, {bits})",
    "tir.shift_right": "shifted({0}, -{1}, {bits})",
    "tir.popcount": "unsigned({0}, {bits}).bit_count()",
    "tir.clz": "{bits} - unsigned({0}, {bits}).bit_length()",
}
#: functions of floats; NumPy keeps their dtype
_MATH: Final = {
    **{f"tir.{name}": f"np.{name}({{0}})" for name in ("exp", "exp2", "log", "log2", "log10", "log1p", "sin", "cos")},
    **{
        f"tir.{name}": f"np.{name}({{0}})" for name in ("tan", "sinh", "cosh", "tanh", "sqrt", "floor", "ceil", "trunc")
    },
    "tir.fabs": "abs({0})",
    "tir.rsqrt": "{type}(1) / np.sqrt({0})",
    "tir.sigmoid": "{type}(1) / ({type}(1) + np.exp(-{0}))",
    "tir.erf": "{type}(math.erf({0}))",
    "tir.pow": "np.power({0}, {1})",
    "tir.round": "away({0})",
    "tir.nearbyint": "np.rint({0})",
    "tir.isnan": "bool(np.isnan({0}))",
    "tir.copysign": "np.copysign({0}, {1})",
    "tir.fmod": "np.fmod({0}, {1})",
}
#: statements' calls without an effect on values
_NO_EFFECT: Final = ("tir.tvm_storage_sync", "tir.assume")
#: facts that do not change what the body computes
_LAUNCHES: Final = ("thread_extent",)


class _Writer:
    """Writer of the text of a function."""

    def __init__(self, func: PrimFunc) -> None:
        self.lines: list[str] = []
        self.depth = 0
        self.names: dict[Var | Buffer, str] = {}
        self.constants: dict[str, Any] = {}
        #: data variable -> (text of its cells, dtype)
        self.data: dict[Var, tuple[str, DType]] = {}
        self.rounds_once = True
        self.function(func)

    # -- text

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    @contextmanager
    def under(self, head: str) -> Generator[None]:
        self.line(head)
        self.depth += 1
        yield
        self.depth -= 1

    def name(self, node: Var | Buffer) -> str:
        """The name of a definition."""
        self.names[node] = f"{'b' if isinstance(node, Buffer) else 'v'}{len(self.names)}"
        return self.names[node]

    def use(self, node: Var | Buffer) -> str:
        try:
            return self.names[node]
        except KeyError:
            raise NotInPython(f"{node.name} is not defined") from None

    # -- functions and buffers

    def function(self, func: PrimFunc) -> None:
        params = {param: f"p{place}" for place, param in enumerate(func.params)}
        with self.under(f"def main({', '.join(params.values())}):"):
            for param, given in params.items():
                if param not in func.buffer_map:
                    self.line(f"{self.name(param)} = {self.converted(given, param.dtype)}")
            outs: list[str] = []
            for param, buffer in func.buffer_map.items():
                outs += self.parameter(params[param], buffer)
            self.statement(func.body)
            for out in outs:
                self.line(out)

    def converted(self, given: str, dtype: DType) -> str:
        """A scalar argument."""
        if dtype.is_floating:
            return f"{self.type(dtype)}({given})"
        if not dtype.is_bool and not dtype.is_integer:
            raise NotInPython(f"a parameter of {dtype}")
        return f"bool({given})" if dtype.is_bool else f"int({given})"

    def parameter(self, given: str, buffer: Buffer) -> list[str]:
        """Write a buffer over the memory of an array; the result are lines that write it back."""
        self.element(buffer)
        for axis, (extent, attribute) in enumerate(
            [(extent, "shape[{}]") for extent in buffer.shape] + [(stride, "strides[{}]") for stride in buffer.strides]
        ):
            if isinstance(extent, Var) and extent not in self.names:
                text = attribute.format(axis % max(len(buffer.shape), 1))
                size = f" // {given}.itemsize" if text.startswith("strides") else ""
                self.line(f"{self.name(extent)} = {given}.{text}{size}")
        if isinstance(buffer.elem_offset, Var):
            self.line(f"{self.name(buffer.elem_offset)} = 0")
        elif not (isinstance(buffer.elem_offset, tir.IntImm) and buffer.elem_offset.value == 0):
            raise NotInPython("a parameter with an offset")
        cells = self.name(buffer.data)
        self.line(f"{cells}_flat = flat({given})")
        self.line(f"{cells} = list({cells}_flat)" if buffer.dtype.is_floating else f"{cells} = {cells}_flat.tolist()")
        self.data[buffer.data] = (cells, buffer.dtype)
        self.view(buffer)
        return [f"{cells}_flat[:] = {cells}"]

    def element(self, buffer: Buffer) -> None:
        dtype = buffer.dtype
        if dtype.lanes != 1 or not (dtype.is_bool or dtype.is_integer or str(dtype) in _NUMPY):
            raise NotInPython(f"a buffer of {dtype}")

    def view(self, buffer: Buffer) -> None:
        """Write a buffer over memory that there is."""
        self.element(buffer)
        if buffer.data not in self.data:
            raise NotInPython("a pointer")
        cells, dtype = self.data[buffer.data]
        if dtype is not buffer.dtype:
            raise NotInPython("memory seen as another dtype")
        offset = "0"
        if not isinstance(buffer.elem_offset, Var) or buffer.elem_offset in self.names:
            offset = self.value(buffer.elem_offset)
        parts = (cells, self.all(buffer.shape), self.all(buffer.strides), offset)
        self.line(f"{self.name(buffer)} = Memory({', '.join(parts)})")

    def allocate(self, data: Var, dtype: DType, extents: Sequence[Expr]) -> None:
        cells = self.name(data)
        self.line(f"{cells} = [None] * math.prod({self.all(extents)})")
        self.data[data] = (cells, dtype)

    def match(self, match: stmt.MatchBufferRegion) -> None:
        buffer, source = match.buffer, match.source
        self.element(buffer)
        begin = self.all([part.min for part in source.region])
        text = f"Part({self.use(source.buffer)}, {begin}, {len(buffer.shape)})"
        self.line(f"{self.name(buffer)} = {text}")
        for extent, part in zip(buffer.shape, source.region[len(source.region) - len(buffer.shape) :], strict=True):
            if isinstance(extent, Var) and extent not in self.names:
                self.line(f"{self.name(extent)} = {self.value(part.extent)}")
        for axis, stride in enumerate(buffer.strides):
            if isinstance(stride, Var) and stride not in self.names:
                self.line(f"{self.name(stride)} = {self.use(buffer)}.strides[{axis}]")

    def all(self, values: Sequence[Expr]) -> str:
        return "(" + "".join(f"{self.value(value)}, " for value in values) + ")"

    # -- statements

    def statement(self, node: Stmt) -> None:
        write = _STATEMENTS.get(type(node))
        if write is None:
            raise NotInPython(type(node).__name__)
        write(self, node)

    def sequence(self, node: stmt.SeqStmt) -> None:
        for part in node.seq:
            self.statement(part)

    def loop(self, node: stmt.For) -> None:
        if node.thread_binding is not None:
            raise NotInPython("threads")
        first, extent = self.value(node.min), self.value(node.extent)
        with self.under(f"for {self.name(node.loop_var)} in range({first}, {first} + {extent}):"):
            self.statement(node.body)

    def while_loop(self, node: stmt.While) -> None:
        with self.under(f"while {self.value(node.condition)}:"):
            self.statement(node.body)

    def branch(self, node: stmt.IfThenElse) -> None:
        with self.under(f"if {self.value(node.condition)}:"):
            self.statement(node.then_case)
        if node.else_case is not None:
            with self.under("else:"):
                self.statement(node.else_case)

    def let(self, node: stmt.LetStmt) -> None:
        value = self.value(node.value)
        self.line(f"{self.name(node.var)} = {value}")
        self.statement(node.body)

    def attribute(self, node: stmt.AttrStmt) -> None:
        if node.attr_key in _LAUNCHES:
            raise NotInPython("threads")
        if node.attr_key == "virtual_thread":
            head = f"for {self.name(node.node.var)} in range({self.value(node.value)}):"
            with self.under(head):
                self.statement(node.body)
        else:
            self.statement(node.body)

    def assertion(self, node: stmt.AssertStmt) -> None:
        self.line(f"check({self.value(node.condition)})")
        self.statement(node.body)

    def evaluate(self, node: stmt.Evaluate) -> None:
        value = node.value
        if not (isinstance(value, tir.Call) and isinstance(value.op, Op) and value.op.name in _NO_EFFECT):
            self.line(self.value(value))
        else:
            self.line("pass")

    def store(self, node: stmt.BufferStore) -> None:
        value, buffer, where = self.value(node.value), self.use(node.buffer), [self.value(i) for i in node.indices]
        if node.value.dtype.lanes == 1:
            self.line(f"{buffer}.store({_tuple(where)}, {value})")
            return
        each = [*where[:-1], "x"]
        mask = "" if node.predicate is None else f", {self.value(node.predicate)}"
        with self.under(f"for x, y{', m' if mask else ''} in zip({where[-1]}, {value}{mask}, strict=True):"):
            self.line(f"{'if m: ' if mask else ''}{buffer}.store({_tuple(each)}, y)")

    def allocation(self, node: stmt.Allocate) -> None:
        self.allocate(node.buffer_var, node.dtype, node.extents)
        self.statement(node.body)

    def constant_memory(self, node: stmt.AllocateConst) -> None:
        key = f"k{len(self.constants)}"
        data = np.asarray(node.data).reshape(-1)
        self.constants[key] = list(data) if node.dtype.is_floating else data.tolist()
        cells = self.name(node.buffer_var)
        self.line(f"{cells} = list({key})")
        self.data[node.buffer_var] = (cells, node.dtype)
        self.statement(node.body)

    def declaration(self, node: stmt.DeclBuffer) -> None:
        self.view(node.buffer)
        self.statement(node.body)

    def block(self, node: stmt.BlockRealize) -> None:
        block = node.block
        values = [self.value(value) for value in node.iter_values]
        with self.under(f"if {self.value(node.predicate)}:"):
            for axis, value in zip(block.iter_vars, values, strict=True):
                self.line(f"{self.name(axis.var)} = {value}")
            for buffer in block.alloc_buffers:
                if isinstance(buffer.elem_offset, Var):
                    self.line(f"{self.name(buffer.elem_offset)} = 0")
                self.allocate(buffer.data, buffer.dtype, _space(buffer))
                self.view(buffer)
            for match in block.match_buffers:
                self.match(match)
            if block.init is not None:
                first = " and ".join(
                    f"{self.use(axis.var)} == {self.value(axis.dom.min)}"
                    for axis in block.iter_vars
                    if axis.iter_type is tir.IterKind.COMM_REDUCE and axis.dom is not None
                )
                with self.under(f"if {first or True}:"):
                    self.statement(block.init)
            self.statement(block.body)

    # -- expressions

    def value(self, node: Expr) -> str:
        """The text of a value: a scalar, or a tuple of lanes."""
        if node.dtype.lanes < 0:
            raise NotInPython("scalable vectors")
        if isinstance(node, Var):
            return self.use(node)
        if isinstance(node, tir.IntImm):
            return str(bool(node.value)) if node.dtype.is_bool else f"({node.value})"
        if isinstance(node, tir.FloatImm):
            return self.constant(self.type(node.dtype), node.value)
        if isinstance(node, tir.BinaryOp):
            return self.lanes(self.binary(node), node.dtype, node.a, node.b)
        if isinstance(node, tir.Not):
            return self.lanes("not {0}", node.dtype, node.a)
        if isinstance(node, tir.Cast):
            return self.lanes(self.cast(node.value.dtype, node.dtype), node.dtype, node.value)
        if isinstance(node, tir.Select):
            return self.lanes("select({0}, {1}, {2})", node.dtype, node.condition, node.true_value, node.false_value)
        if isinstance(node, tir.Let):
            value = self.value(node.value)
            return f"(lambda {self.name(node.var)}: {self.value(node.body)})({value})"
        if isinstance(node, tir.BufferLoad):
            return self.load(node)
        if isinstance(node, tir.Ramp):
            each = self.wrapped(f"base + {self.value(node.stride)} * lane", node.base.dtype)
            return f"(lambda base: tuple([{each} for lane in range({node.lanes})]))({self.value(node.base)})"
        if isinstance(node, tir.Broadcast):
            return f"({self.value(node.value)},) * {node.lanes}"
        if isinstance(node, tir.Shuffle):
            return self.shuffle(node)
        if isinstance(node, tir.Call):
            return self.call(node)
        raise NotInPython(type(node).__name__)

    def lanes(self, template: str, dtype: DType, *operands: Expr) -> str:
        """An operator on each lane."""
        values = [self.value(each) for each in operands]
        if dtype.lanes == 1:
            return f"({template.format(*values)})"
        names = "xyz"[: len(values)]
        spread = [f"({value},) * {dtype.lanes}" if each.dtype.lanes == 1 else value
                  for each, value in zip(operands, values, strict=True)]  # fmt: skip
        return f"tuple([{template.format(*names)} for {', '.join(names)}, in zip({', '.join(spread)}, strict=True)])"

    def binary(self, node: tir.BinaryOp) -> str:
        kind, dtype = type(node), node.a.dtype.element
        if kind in _ORDER:
            text = _ORDER[kind]
            return f"bool({text})" if dtype.is_floating and kind not in (tir.Min, tir.Max) else text
        if dtype.is_floating:
            self.type(dtype)
            return _FLOATS[kind]
        return self.wrapped("{0} - {1} * quotient({0}, {1})" if kind is tir.Mod else _INTEGERS[kind], dtype)

    def wrapped(self, text: str, dtype: DType) -> str:
        """An integer in the range of its dtype."""
        if dtype.is_bool:
            return f"bool(({text}) & 1)"
        if not dtype.is_integer:
            raise NotInPython(f"an integer of {dtype}")
        if not dtype.is_signed:
            return f"(({text}) & {2**dtype.bits - 1})"
        half = 2 ** (dtype.bits - 1)
        return f"((({text}) + {half} & {2 * half - 1}) - {half})"

    def cast(self, source: DType, target: DType) -> str:
        source, target = source.element, target.element
        if target.is_bool:
            return "bool({0} != 0)"
        if target.is_floating:
            if source.is_floating:
                self.type(source)
            return f"{self.type(target)}({{0}})"
        if source.is_floating:
            self.type(source)
            return f"to_integer({{0}}, {target.min_value}, {target.max_value})"
        return self.wrapped("int({0})", target)

    def type(self, dtype: DType) -> str:
        """The NumPy scalar type of a float dtype."""
        if str(dtype.element) not in _NUMPY:
            raise NotInPython(f"a value of {dtype}")
        return f"np.{dtype.element}"

    def constant(self, kind: str, value: float) -> str:
        key = f"k{len(self.constants)}"
        self.constants[key] = _NUMPY[kind[3:]](value)
        return key

    def load(self, node: tir.BufferLoad) -> str:
        if node.predicate is not None:
            raise NotInPython("a masked load")
        where, buffer = [self.value(index) for index in node.indices], self.use(node.buffer)
        if node.dtype.lanes == 1:
            return f"{buffer}.load({_tuple(where)})"
        return f"tuple([{buffer}.load({_tuple([*where[:-1], 'x'])}) for x in {where[-1]}])"

    def shuffle(self, node: tir.Shuffle) -> str:
        parts = [f"*{self.value(part)}" if part.dtype.lanes != 1 else self.value(part) for part in node.vectors]
        whole = f"({', '.join(parts)},)"
        picked = [f"{whole}[{self.value(index)}]" for index in node.indices]
        return picked[0] if len(picked) == 1 else f"({', '.join(picked)})"

    def call(self, node: tir.Call) -> str:
        name = node.op.name if isinstance(node.op, Op) else type(node.op).__name__
        dtype = node.dtype.element
        if name == "tir.if_then_else":
            condition, chosen, other = (self.value(arg) for arg in node.args)
            return f"({chosen} if {condition} else {other})"
        if name == "tir.likely":
            return self.value(node.args[0])
        if name in _BITS:
            if dtype.is_floating or node.args[0].dtype.is_floating:
                raise NotInPython(f"{name} of floats")
            if dtype.is_bool and name == "tir.bitwise_not":
                return self.lanes("not {0}", node.dtype, *node.args)
            text = _BITS[name].replace("{bits}", str(node.args[0].dtype.bits))
            return self.lanes(self.wrapped(text, dtype), node.dtype, *node.args)
        if name in _MATH and node.args[0].dtype.is_floating:
            self.rounds_once = self.rounds_once and name in ("tir.floor", "tir.ceil", "tir.trunc", "tir.fabs")
            return self.lanes(_MATH[name].replace("{type}", self.type(node.args[0].dtype)), node.dtype, *node.args)
        raise NotInPython(name)


def _tuple(items: Sequence[str]) -> str:
    return "(" + "".join(f"{item}, " for item in items) + ")"


def _space(buffer: Buffer) -> Sequence[Expr]:
    """The extents of an allocation: those of a buffer whose strides leave no gaps."""
    if buffer.strides:
        raise NotInPython("an allocation with strides")
    return buffer.shape


def flat(array: Any) -> Any:
    """The memory of an array, from its first element on."""
    reach = sum(
        abs(stride) // array.itemsize * (extent - 1) for stride, extent in zip(array.strides, array.shape, strict=True)
    )
    count = reach + 1 if array.size else 0
    return np.lib.stride_tricks.as_strided(array, (count,), (array.itemsize,))


_STATEMENTS: Final[dict[type[Stmt], Callable[[_Writer, Any], None]]] = {
    stmt.SeqStmt: _Writer.sequence,
    stmt.For: _Writer.loop,
    stmt.While: _Writer.while_loop,
    stmt.IfThenElse: _Writer.branch,
    stmt.LetStmt: _Writer.let,
    stmt.AttrStmt: _Writer.attribute,
    stmt.AssertStmt: _Writer.assertion,
    stmt.Evaluate: _Writer.evaluate,
    stmt.BufferStore: _Writer.store,
    stmt.Allocate: _Writer.allocation,
    stmt.AllocateConst: _Writer.constant_memory,
    stmt.DeclBuffer: _Writer.declaration,
    stmt.BlockRealize: _Writer.block,
}


class PythonCode:
    """A program as Python text. Raises `NotInPython`."""

    def __init__(self, func: PrimFunc) -> None:
        writer = _Writer(func)
        self.text = "\n".join(writer.lines) + "\n"
        #: whether every float operation is rounded once, so that results are those of IEEE 754
        self.is_exact = writer.rounds_once
        space: dict[str, Any] = {
            **{each.__name__: each for each in (Memory, Part, least, greatest, quotient, shifted, to_integer, away)},
            **{each.__name__: each for each in (unsigned, check, flat)},
            **writer.constants,
            "select": lambda condition, chosen, other: chosen if condition else other,
            "math": math,
            "np": np,
        }
        exec(self.text, space)
        self._main = space["main"]

    def run(self, values: Sequence[Any]) -> None:
        """Call it with arrays, which are changed in place. Raises `Undefined`."""
        try:
            with np.errstate(all="ignore"):
                self._main(*values)
        except ZeroDivisionError as error:
            raise Undefined("a division by zero") from error
