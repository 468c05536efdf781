"""Laws of what builds programs by calls: the IR builder, and instructions of PTX."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from tvmscript.fuzz.laws import Law, require, require_refusal
from tvmscript.ir.core import IRError, structural_equal
from tvmscript.ir.core.errors import UnknownName, WrongArgumentCount, WrongType
from tvmscript.ir.tir import (
    Buffer,
    BufferLoad,
    Evaluate,
    Expr,
    FloatImm,
    IntImm,
    PrimFunc,
    Stmt,
    StringImm,
    ir_builder,
    make_buffer,
)
from tvmscript.ir.tir.intrin.ptx import PTX_FAMILIES, Form, Operand, ptx_forms, register_dtypes
from tvmscript.ir.tir.intrin.ptx_calls import PtxOperands, ptx_call
from tvmscript.ir.tir.ir_builder import InvalidBuild, IRBuilder
from tvmscript.parser import from_source

# ---- the IR builder


class _Both:
    """Statements that are built by calls, and written as text."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.builder = ir_builder.create()
        self.lines: list[str] = []
        self.depth = 1
        #: loops, in the order in which TVM names them
        self.count = 0
        self.loops: list[tuple[Expr, str]] = []
        self.array = make_buffer((4, 6), "int32", "A")
        self.elements = self.builder.buffer_ptr(self.array)
        self.names = 0

    def write(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def number(self) -> tuple[Any, str]:
        if self.loops and self.rng.randrange(2):
            return self.rng.choice(self.loops)
        value = self.rng.randrange(4)
        return value, str(value)

    def block(self, size: int) -> None:
        """Write some statements; what is left out is a statement that does nothing."""
        for _ in range(size):
            self.rng.choice((self.store, self.store, self.loop, self.branch, self.let, self.loop_with_condition))()

    def inside(self, head: str) -> None:
        """Write a scope below its head."""
        self.write(head)
        self.depth += 1
        self.store()
        if self.depth < 4:
            self.block(self.rng.randrange(3))
        self.depth -= 1

    def store(self) -> None:
        (i, text_i), (j, text_j), (value, text) = self.number(), self.number(), self.number()
        if isinstance(value, int):
            self.elements[i, j] = value
            self.write(f"A[{text_i}, {text_j}] = {text}")
        else:
            self.elements[i, j] = self.elements[j, i] + value
            self.write(f"A[{text_i}, {text_j}] = A[{text_j}, {text_i}] + {text}")

    def loop(self) -> None:
        first, extent = self.rng.randrange(3), self.rng.randint(1, 4)
        kind, head = self.rng.choice(
            (("serial", "T.serial"), ("parallel", "T.parallel"), ("vectorize", "T.vectorized"), ("unroll", "T.unroll"))
        )
        name = "ijk"[self.count] if self.count < 3 else f"i_{self.count - 3}"
        self.count += 1
        with self.builder.for_range(first, first + extent, kind=kind) as var:
            require("builder", "the name of a loop", var.name, name)
            self.loops.append((var, name))
            self.inside(f"for {name} in {head}({first}, {first + extent}):")
            self.loops.pop()

    def branch(self) -> None:
        value, text = self.number()
        limit = self.rng.randrange(4)
        if isinstance(value, int):
            return
        is_likely = self.rng.randrange(3) == 0
        condition: Any = value < limit
        with self.builder.if_scope(self.builder.likely(condition) if is_likely else condition):
            self.inside(f"if T.likely({text} < {limit}):" if is_likely else f"if {text} < {limit}:")
        if self.rng.randrange(2):
            with self.builder.else_scope():
                self.inside("else:")

    def loop_with_condition(self) -> None:
        with self.builder.while_loop(self.elements[0, 0] < 3):
            self.inside("while A[0, 0] < 3:")

    def let(self) -> None:
        """Name a value in a scope of its own."""
        if not self.loops:
            return
        value, text = self.loops[-1]
        self.names += 1
        name = f"v{self.names}"
        with self.builder.if_scope(value < 9):
            var = self.builder.let(name, value + 1)
            self.write(f"if {text} < 9:")
            self.depth += 1
            self.write(f"with T.LetStmt({text} + 1) as {name}:")
            self.loops.append((var, name))
            self.depth += 1
            self.store()
            self.depth -= 2
            self.loops.pop()


def _function(params: Sequence[Any], body: Stmt) -> PrimFunc:
    """Return a function of buffers."""
    return PrimFunc(tuple(params), body)


def _builder(rng: random.Random) -> None:
    """Statements that calls build are those of the text."""
    both = _Both(rng)
    both.block(rng.randint(1, 4))
    if not both.lines:
        both.store()
    body = both.builder.get()
    text = "\n".join(["@T.prim_func", 'def f(A: T.Buffer((4, 6), "int32")):', *both.lines])
    expected: PrimFunc = from_source(text, check_well_formed=False)
    func = _function((both.array,), body)
    require("builder", f"{body}", structural_equal(func.body, expected.body, map_free_vars=True), True)
    _check_builder_scopes(rng)


def _check_builder_scopes(rng: random.Random) -> None:
    """Check allocations, attributes, pointers and positions, and what is refused."""
    builder = ir_builder.create()
    dtype, scope = rng.choice(("float32", "int8")), rng.choice(("", "global", "shared"))
    size = rng.randint(1, 5)
    shape = rng.choice((size, (size, 3)))
    memory = builder.allocate(dtype, shape, "memory", scope=scope)
    position = rng.randrange(size * (1 if isinstance(shape, int) else 3))
    memory[position] = 1
    builder.scope_attr("", rng.choice(("pragma", "mark")), rng.choice((1, "text")))
    pointer = builder.pointer(dtype, "there", scope)
    pointer[0] = memory[position]
    allocate: Any = builder.get()
    facts = (
        allocate.dtype,
        [each.value for each in allocate.extents],
        allocate.buffer_var.type_annotation.storage_scope,
    )
    extents = [shape] if isinstance(shape, int) else [*shape]
    require("builder", "an allocation", facts, (dtype, extents, scope or "global"))
    store, attribute = allocate.body.seq
    place = [position] if isinstance(shape, int) else [position // 3, position % 3]
    indices = [getattr(index, "value", None) for index in store.indices]
    if None not in indices:
        require("builder", "the place of an element", indices, place)
    require("builder", "the value of an attribute", attribute.value.value in (1, "text"), True)
    require("builder", "what is below it", attribute.body.buffer is pointer.asobject(), True)
    require("builder", "dtypes of elements", (memory.dtype, pointer.dtype), (dtype, dtype))
    wrong: dict[str, Callable[[IRBuilder], object]] = {
        "an open scope": lambda ib: (ib.for_range(0, 3).__enter__(), ib.get()),
        "no if": lambda ib: ib.else_scope(),
        "a store of another dtype": lambda ib: ib.pointer("int8").__setitem__(0, FloatImm("float32", 1.0)),
    }
    for what, call in wrong.items():
        require_refusal("builder", what, InvalidBuild, partial(call, ir_builder.create()))
    empty = ir_builder.create()
    with empty.if_scope(IntImm("bool", 1)):
        pass
    with empty.else_scope():
        pass
    require_refusal("builder", "a second else", InvalidBuild, empty.else_scope)


# ---- PTX

_REGISTERS: Final[dict[str, Buffer]] = {
    dtype: make_buffer((512,), dtype, f"B{place}")
    for place, dtype in enumerate((
        "uint8", "int8", "uint16", "int16", "float16", "bfloat16", "uint32", "int32", "float32", "uint64", "int64",
        "float64", "uint128", "int128",
    ))
}  # fmt: skip
_SHARED: Final = make_buffer((64,), "uint32", "S", scope="shared")
#: operands of no register
_WRONG: Final = "float16x2"


def _register(dtype: str, place: int) -> Expr:
    return BufferLoad(_REGISTERS[dtype], (IntImm("int32", place),))


class _Call:
    """Modifiers that go together, and operands for them."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.family = rng.choice(sorted(PTX_FAMILIES))
        self.form: Form = rng.choice(ptx_forms(self.family))
        combination = rng.choice(self.form.combinations)
        self.words = tuple(rng.choice(sorted(choices)) for choices in combination)
        self.modifiers = dict(zip(self.form.names, self.words, strict=True))
        self.operands: list[Any] = []
        #: operand of each value
        self.sources: list[Operand] = []
        for operand, lanes in self.form.layout(self.words):
            self.sources += [operand] * lanes
            self.operands += self.values(operand, lanes)

    def values(self, operand: Operand, lanes: int) -> list[Any]:
        rng = self.rng
        kind = operand.resolved_type(self.modifiers)
        if operand.kind == "immediate":
            choices = [*(operand.choices or (0, 1, 2))]
            return [IntImm("int32", rng.choice(choices)) for _ in range(lanes)]
        if operand.kind == "register" and kind == "pred":
            is_read = operand.access == "r"
            return [_register("uint32", place) < 3 if is_read else _register("uint32", place) for place in range(lanes)]
        if operand.kind == "register":
            dtype = rng.choice(register_dtypes(kind, operand.carrier))
            return [_register(dtype, place) for place in range(lanes)]
        if operand.kind == "pointer":
            return [_REGISTERS["uint32"].data] * lanes
        if kind == "tmem":
            return [_register("uint32", place) for place in range(lanes)]
        if kind.startswith("shared"):
            return [rng.choice((_register("uint32", 3), _SHARED.data)) for _ in range(lanes)]
        return [rng.choice((_register("uint64", 3), _REGISTERS["uint32"].data)) for _ in range(lanes)]


def _ptx(rng: random.Random) -> None:
    """Each permitted form takes operands of its types; texts of its calls read back; one wrong operand is refused."""
    call = _Call(rng)
    family, words = call.family, call.words
    built = ptx_call(family, words, PtxOperands(call.operands))
    strings = [each.value for each in built.args if isinstance(each, StringImm)]
    require("ptx", f"modifiers of {family}", sorted(filter(None, strings[:-1])), sorted(filter(None, words)))
    operands = [each for each in built.args if not isinstance(each, StringImm)]
    require("ptx", f"how many operands {family} has", len(operands), len(call.operands))
    for value, operand in zip(call.operands, operands, strict=True):
        if isinstance(value, BufferLoad) and operand.dtype is value.dtype:
            require("ptx", f"an operand of {family}", operand is value, True)
    params = (*_REGISTERS.values(), _SHARED)
    func = _function(params, Evaluate(built))
    if rng.randrange(4) == 0:
        again: Any = from_source(func.script(dialect="0.27"), check_well_formed=False)
        require("ptx", f"the text of {family}.{'.'.join(words)}", structural_equal(func, again), True)
    _check_refusals(call)


def _check_refusals(call: _Call) -> None:
    family, words, rng = call.family, call.words, call.rng

    def refused(error: type[IRError], what: str, operands: list[Any], modifiers: tuple[str, ...] = words) -> None:
        given = PtxOperands(operands)
        require_refusal("ptx", f"{family}.{'.'.join(words)}: {what}", error, lambda: ptx_call(family, modifiers, given))

    refused(UnknownName, "a modifier", call.operands, (*words, "x9"))
    refused(WrongArgumentCount, "99 operands", [*call.operands, *[IntImm("int32", 0)] * 99])
    if not call.operands:
        return
    place = rng.randrange(len(call.operands))
    operand = call.sources[place]
    others = [*call.operands]
    others[place] = BufferLoad(make_buffer((4,), _WRONG, "W"), (IntImm("int32", 0),))
    refused(WrongType, f"a vector as {operand.name}", others)
    if operand.kind == "immediate" and operand.choices is not None:
        others[place] = IntImm("int32", max(operand.choices) + 1)
        refused(WrongType, f"another {operand.name}", others)
    elif operand.kind == "register" and operand.access != "r":
        others[place] = call.operands[place] + call.operands[place]
        refused(WrongType, f"no place to write {operand.name}", others)
    given = PtxOperands(call.operands, None, is_kept=True)
    require_refusal("ptx", "what is kept", WrongType, lambda: ptx_call(family, words, given))
    condition = _register("int32", 0) < 5
    predicated = ptx_call(family, words, PtxOperands(call.operands, condition))
    require("ptx", "a predicate", predicated.args[len(call.operands)] is condition, True)
    flags = predicated.args[-1]
    require("ptx", "its flag", "pred" in getattr(flags, "value", "").split(","), True)


LAWS: Final[dict[str, Law]] = {"builder": _builder, "ptx": _ptx}
