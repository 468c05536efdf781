"""Expressions to LLVM values: each rule writes the instructions and returns the value's name or constant."""

from __future__ import annotations

from collections.abc import Callable

from tvmscript.backends.llvm.assembly import FunctionText
from tvmscript.backends.llvm.codegen import division
from tvmscript.backends.llvm.codegen.codegen import Ruled, on
from tvmscript.backends.llvm.codegen.conversions import Converter
from tvmscript.backends.llvm.codegen.ranges import Ranges
from tvmscript.backends.llvm.context import Program
from tvmscript.backends.llvm.errors import NotSupportedByLLVM
from tvmscript.backends.llvm.types import float_constant, integer_constant, is_encoded, value_type
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core.dtype import BOOL, FLOAT32, FLOAT64, INT64, DType
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir.base import Expr

#: operator -> opcode for floats, signed and unsigned integers
_ARITHMETIC: dict[type[Expr], tuple[str, str]] = {
    tir.Add: ("fadd", "add"),
    tir.Sub: ("fsub", "sub"),
    tir.Mul: ("fmul", "mul"),
}
_DIVISION: dict[type[Expr], Callable[[FunctionText, str, str, division.Known], str]] = {
    tir.Div: division.truncdiv,
    tir.Mod: division.truncmod,
    tir.FloorDiv: division.floordiv,
    tir.FloorMod: division.floormod,
}
#: comparison -> predicate for floats, signed and unsigned integers. Only NE holds for nan.
_COMPARISON: dict[type[Expr], tuple[str, str, str]] = {
    tir.EQ: ("oeq", "eq", "eq"),
    tir.NE: ("une", "ne", "ne"),
    tir.LT: ("olt", "slt", "ult"),
    tir.LE: ("ole", "sle", "ule"),
    tir.GT: ("ogt", "sgt", "ugt"),
    tir.GE: ("oge", "sge", "uge"),
}
_EXTREMES: dict[type[Expr], tuple[str, str]] = {tir.Min: ("olt", "min"), tir.Max: ("ogt", "max")}


def evaluates_safely(expr: Expr) -> bool:
    """Whether computing the value where it is not needed does no harm: nothing is loaded, called or divided."""
    return not any(
        isinstance(part, tir.BufferLoad) or (isinstance(part, tir.Call) and not _is_bitwise(part))
        for part in nodes(expr)
    )


def _is_bitwise(call: tir.Call) -> bool:
    name = getattr(call.op, "name", "")
    return name.startswith(("tir.bitwise_", "tir.shift_", "tir.likely", "tir.isnan", "tir.reinterpret"))


class Expressions(Ruled):
    """Writes expressions into one function; `env` tells what variables stand for there."""

    def __init__(self, program: Program, text: FunctionText) -> None:
        self.program = program
        self.text = text
        self.env: dict[tir.Var, str] = {}
        #: loop variables as i64, in which loops count and addresses are computed
        self.wide: dict[tir.Var, str] = {}
        self._narrow_at: dict[tir.Var, int] = {}
        self.ranges = Ranges()
        self.convert = Converter(program, text)

    def expr(self, node: Expr) -> str:
        """The value of an expression. Raises `NotSupportedByLLVM`."""
        rule = self.nodes.get(type(node))
        if rule is None:
            raise NotSupportedByLLVM(what=f"the expression {type(node).__name__}", span=node.span)
        operand: str = rule(self, node)
        return operand

    def lookup(self, var: tir.Var) -> str:
        """What a variable stands for. Raises `NotSupportedByLLVM` for one that is not defined."""
        found = self.env.get(var)
        if found is None and var in self.wide:
            found = self._narrow(var)
        if found is None:
            raise NotSupportedByLLVM(what=f"the variable {var.name}, which is not defined here", span=var.span)
        return found

    def typed(self, node: Expr) -> str:
        """Type and value, as operands of calls are written."""
        return f"{value_type(node.dtype)} {self.expr(node)}"

    def widen(self, var: tir.Var, operand: str) -> None:
        """Make a loop variable stand for an i64, truncated in this place if the program wants its own width."""
        self.wide[var] = operand
        if var.dtype.bits == 64:
            self.env[var] = operand
            return
        self.env.pop(var, None)
        self._narrow_at[var] = self.text.reserve()

    def _narrow(self, var: tir.Var) -> str:
        wide = self.wide[var]
        narrow = f"{wide}.narrow"
        self.text.lines[self._narrow_at[var]] = f"  {narrow} = trunc nsw i64 {wide} to {value_type(var.dtype)}"
        self.env[var] = narrow
        return narrow

    def index(self, node: Expr) -> str:
        """An index as an i64: its sums and products do not wrap, as it is within a buffer."""
        kind = type(node)
        if isinstance(node, tir.IntImm):
            return str(node.value)
        if isinstance(node, tir.Var):
            wide = self.wide.get(node)
            return wide if wide is not None else self.convert.cast(self.lookup(node), node.dtype, INT64)
        if isinstance(node, tir.BinaryOp) and node.dtype.is_signed:
            if kind in _ARITHMETIC:
                return self.text.value(f"{_ARITHMETIC[kind][1]} nsw i64 {self.index(node.a)}, {self.index(node.b)}")
            if kind in _DIVISION and self.ranges.is_exact(node):
                known = INT64, self.ranges.is_never_negative(node.a), self.ranges.of(node.b)
                return _DIVISION[kind](self.text, self.index(node.a), self.index(node.b), known)
        return self.convert.cast(self.expr(node), node.dtype, INT64)

    def int64(self, node: Expr) -> str:
        """A signed integer as an i64."""
        return self.index(node) if self.ranges.is_exact(node) else self.convert.cast(self.expr(node), node.dtype, INT64)

    @on(tir.IntImm)
    def _int(self, node: tir.IntImm) -> str:
        return integer_constant(node.dtype, node.value)

    @on(tir.FloatImm)
    def _float(self, node: tir.FloatImm) -> str:
        return self.float_value(node.dtype, node.value)

    def float_value(self, dtype: DType, value: float) -> str:
        """A constant of any floating-point dtype."""
        if is_encoded(dtype):
            wide = FLOAT64.with_lanes(dtype.lanes)
            return self.convert.cast(float_constant(wide, value), wide, dtype)
        return float_constant(dtype, value)

    @on(tir.StringImm)
    def _string(self, node: tir.StringImm) -> str:
        return self.program.text.string(node.value)

    @on(tir.Var, tir.SizeVar)
    def _var(self, node: tir.Var) -> str:
        return self.lookup(node)

    @on(tir.Cast)
    def _cast(self, node: tir.Cast) -> str:
        return self.convert.cast(self.expr(node.value), node.value.dtype, node.dtype)

    @on(*_ARITHMETIC)
    def _arithmetic(self, node: tir.BinaryOp) -> str:
        a, b = self.expr(node.a), self.expr(node.b)
        floats, integers = _ARITHMETIC[type(node)]
        dtype = node.dtype
        if dtype.is_floating:
            return self.float_op(floats, a, b, dtype)
        return self.text.value(f"{integers} {value_type(dtype)} {a}, {b}")

    def float_op(self, op: str, a: str, b: str, dtype: DType) -> str:
        """An operation of two floats, in float32 where the dtype has no arithmetic of its own."""
        flags = f" {self.program.target.fast_math}" if self.program.target.fast_math else ""
        if not is_encoded(dtype):
            return self.text.value(f"{op}{flags} {value_type(dtype)} {a}, {b}")
        # products of e8m0 leave the range of float32, and have no zero to go to
        wide = (FLOAT64 if dtype.code == "float8_e8m0fnu" else FLOAT32).with_lanes(dtype.lanes)
        left, right = self.convert.cast(a, dtype, wide), self.convert.cast(b, dtype, wide)
        return self.convert.cast(self.text.value(f"{op}{flags} {value_type(wide)} {left}, {right}"), wide, dtype)

    @on(*_DIVISION)
    def _division(self, node: tir.BinaryOp) -> str:
        dtype = node.dtype
        a, b = self.expr(node.a), self.expr(node.b)
        if dtype.is_floating:
            return self._float_division(type(node), a, b, dtype)
        positive = self.ranges.is_never_negative(node.a)
        return _DIVISION[type(node)](self.text, a, b, (dtype, positive, self.ranges.of(node.b)))

    def _float_division(self, kind: type, a: str, b: str, dtype: DType) -> str:
        if kind is tir.Div:
            return self.float_op("fdiv", a, b, dtype)
        # In double precision, rounded once more at the end, as the reference interpreter does it.
        wide = FLOAT64.with_lanes(dtype.lanes)
        kind_text = value_type(wide)
        x, y = self.convert.cast(a, dtype, wide), self.convert.cast(b, dtype, wide)
        if kind is tir.FloorDiv:
            quotient = self.text.value(f"fdiv {kind_text} {x}, {y}")
            return self.convert.cast(self.overloaded("llvm.floor", wide, [quotient]), wide, dtype)
        remainder = self.text.value(f"frem {kind_text} {x}, {y}")
        if kind is tir.FloorMod:
            remainder = self._with_sign_of(remainder, y, wide)
        return self.convert.cast(remainder, wide, dtype)

    def _with_sign_of(self, remainder: str, divisor: str, dtype: DType) -> str:
        """A remainder moved into the divisor's direction; zero stays."""
        kind, flag = value_type(dtype), value_type(BOOL.with_lanes(dtype.lanes))
        zero = float_constant(dtype, 0.0)
        below = self.text.value(f"fcmp olt {kind} {remainder}, {zero}")
        above = self.text.value(f"fcmp olt {kind} {divisor}, {zero}")
        differ = self.text.value(f"xor {flag} {below}, {above}")
        some = self.text.value(f"fcmp une {kind} {remainder}, {zero}")
        moved = self.text.value(f"fadd {kind} {remainder}, {divisor}")
        return self.select(self.text.value(f"and {flag} {differ}, {some}"), moved, remainder, dtype, dtype.lanes)

    def float_unary(self, intrinsic: str, operand: str, dtype: DType) -> str:
        """An LLVM intrinsic of one float."""
        if is_encoded(dtype):
            wide = FLOAT32.with_lanes(dtype.lanes)
            return self.convert.encode(self.overloaded(intrinsic, wide, [self.convert.decode(operand, dtype)]), dtype)
        return self.overloaded(intrinsic, dtype, [operand])

    def overloaded(self, intrinsic: str, dtype: DType, operands: list[str], extra: str = "") -> str:
        """A call of an overloaded LLVM intrinsic whose arguments and result are of this dtype; `extra` is appended."""
        kind = value_type(dtype)
        lanes = f"v{dtype.lanes}" if dtype.lanes > 1 else ""
        letter = "i" if dtype.is_integer else "f"
        params = ", ".join([kind] * len(operands)) + (", i1" if extra else "")
        symbol = self.program.text.declare(f"{intrinsic}.{lanes}{letter}{dtype.bits}", f"{kind} {{}}({params})")
        listed = ", ".join(f"{kind} {operand}" for operand in operands)
        return self.text.value(f"call {kind} {symbol}({listed}{extra})")

    @on(tir.Min, tir.Max)
    def _extreme(self, node: tir.BinaryOp) -> str:
        dtype, left = node.dtype, node.a
        constant = node.b.value if isinstance(node.b, tir.Broadcast) else node.b
        if type(left) is type(node) and isinstance(constant, tir.FloatImm) and expr_deep_equal(left.a, node.b):
            # max(max(c, x), c) is max(x, c); LLVM 22 makes max(c, x) of it, which is another value for nan and -0.0
            left = left.b
        a, b = self.expr(left), self.expr(node.b)
        predicate, name = _EXTREMES[type(node)]
        if dtype.is_integer:
            return self.overloaded(f"llvm.{'s' if dtype.is_signed else 'u'}{name}", dtype, [a, b])
        flag = self.compare(f"fcmp {predicate}", a, b, dtype)
        return self.select(flag, a, b, dtype, dtype.lanes)

    def compare(self, op: str, a: str, b: str, dtype: DType) -> str:
        """An fcmp or icmp; encoded floats are decoded first."""
        if is_encoded(dtype):
            a, b, dtype = self.convert.decode(a, dtype), self.convert.decode(b, dtype), FLOAT32.with_lanes(dtype.lanes)
        return self.text.value(f"{op} {value_type(dtype)} {a}, {b}")

    def select(self, flag: str, a: str, b: str, dtype: DType, flags: int) -> str:
        """The select instruction, with one flag or one for each lane."""
        kind = value_type(dtype)
        condition = "i1" if flags == 1 else f"<{flags} x i1>"
        return self.text.value(f"select {condition} {flag}, {kind} {a}, {kind} {b}")

    @on(*_COMPARISON)
    def _comparison(self, node: tir.CompareOp) -> str:
        dtype = node.a.dtype
        floats, signed, unsigned = _COMPARISON[type(node)]
        if dtype.is_signed and dtype.lanes == 1 and self.ranges.is_exact(node.a) and self.ranges.is_exact(node.b):
            # in the width that loops count in
            return self.text.value(f"icmp {signed} i64 {self.index(node.a)}, {self.index(node.b)}")
        a, b = self.expr(node.a), self.expr(node.b)
        if dtype.is_floating:
            return self.compare(f"fcmp {floats}", a, b, dtype)
        return self.compare(f"icmp {signed if dtype.is_signed else unsigned}", a, b, dtype)

    @on(tir.And)
    def _and(self, node: tir.And) -> str:
        return self._logical(node, "and", "false")

    @on(tir.Or)
    def _or(self, node: tir.Or) -> str:
        return self._logical(node, "or", "true")

    def _logical(self, node: tir.LogicalOp, op: str, decided: str) -> str:
        """b is computed only where a does not decide, unless computing it does no harm."""
        kind = value_type(node.dtype)
        a = self.expr(node.a)
        if node.dtype.lanes > 1 or evaluates_safely(node.b):
            return self.text.value(f"{op} {kind} {a}, {self.expr(node.b)}")
        start = self.text.block
        more, done = self.text.label("more"), self.text.label("decided")
        yes, no = (more, done) if op == "and" else (done, more)
        self.text.branch(a, yes, no)
        self.text.place(more)
        b = self.expr(node.b)
        end = self.text.block
        self.text.jump(done)
        self.text.place(done)
        return self.text.value(f"phi i1 [ {decided}, %{start} ], [ {b}, %{end} ]")

    @on(tir.Not)
    def _not(self, node: tir.Not) -> str:
        true = integer_constant(node.dtype, 1)
        return self.text.value(f"xor {value_type(node.dtype)} {self.expr(node.a)}, {true}")

    @on(tir.Select)
    def _select(self, node: tir.Select) -> str:
        flag = self.expr(node.condition)
        a, b = self.expr(node.true_value), self.expr(node.false_value)
        return self.select(flag, a, b, node.dtype, node.condition.dtype.lanes)

    def choose(self, condition: Expr, yes: Expr, no: Expr) -> str:
        """The value of one of two expressions; only that one is evaluated."""
        if evaluates_safely(yes) and evaluates_safely(no):
            flag = self.expr(condition)
            return self.select(flag, self.expr(yes), self.expr(no), yes.dtype, condition.dtype.lanes)
        flag = self.expr(condition)
        first, second, done = self.text.label("then"), self.text.label("else"), self.text.label("chosen")
        self.text.branch(flag, first, second)
        arrived: list[str] = []
        for label, value in ((first, yes), (second, no)):
            self.text.place(label)
            operand = self.expr(value)
            arrived.append(f"[ {operand}, %{self.text.block} ]")
            self.text.jump(done)
        self.text.place(done)
        return self.text.value(f"phi {value_type(yes.dtype)} {', '.join(arrived)}")

    @on(tir.Let)
    def _let(self, node: tir.Let) -> str:
        self.bind(node.var, node.value)
        return self.expr(node.body)

    def bind(self, var: tir.Var, value: Expr) -> None:
        """Make a variable stand for a value."""
        self.env[var] = self.expr(value)
        if value.dtype.is_integer:
            self.ranges.known[var] = self.ranges.of(value)

    def splat(self, operand: str, dtype: DType) -> str:
        """A scalar in all lanes of a vector dtype."""
        kind, scalar = value_type(dtype), value_type(dtype.element)
        if not operand.startswith("%") and not operand.startswith("@"):
            return f"splat ({scalar} {operand})"
        first = self.text.value(f"insertelement {kind} poison, {scalar} {operand}, i32 0")
        return self.text.value(f"shufflevector {kind} {first}, {kind} poison, <{dtype.lanes} x i32> zeroinitializer")

    @on(tir.Broadcast)
    def _broadcast(self, node: tir.Broadcast) -> str:
        return self.splat(self.expr(node.value), node.dtype)

    @on(tir.Ramp)
    def _ramp(self, node: tir.Ramp) -> str:
        return self.ramp(self.expr(node.base), node.stride, node.dtype)

    def ramp(self, base: str, stride: Expr, dtype: DType) -> str:
        """base + stride * (0, 1, 2, ...)."""
        kind = value_type(dtype)
        if dtype.is_floating:
            raise NotSupportedByLLVM(what="a Ramp of floats", span=stride.span)
        scalar = value_type(dtype.element)
        if isinstance(stride, tir.IntImm):
            mask = (1 << dtype.bits) - 1
            steps = f"<{', '.join(f'{scalar} {(lane * stride.value) & mask}' for lane in range(dtype.lanes))}>"
        else:
            lanes = f"<{', '.join(f'{scalar} {lane}' for lane in range(dtype.lanes))}>"
            steps = self.text.value(f"mul {kind} {lanes}, {self.splat(self.expr(stride), dtype)}")
        if base == "0":
            return steps
        return self.text.value(f"add {kind} {self.splat(base, dtype)}, {steps}")

    @on(tir.Shuffle)
    def _shuffle(self, node: tir.Shuffle) -> str:
        scalar = value_type(node.dtype.element)
        parts: list[str] = []
        for vector in node.vectors:
            operand = self.expr(vector)
            if vector.dtype.lanes == 1:
                parts.append(operand)
                continue
            kind = value_type(vector.dtype)
            parts += [
                self.text.value(f"extractelement {kind} {operand}, i32 {lane}") for lane in range(vector.dtype.lanes)
            ]
        picked = [self._lane(parts, index, scalar) for index in node.indices]
        return picked[0] if node.dtype.lanes == 1 else self.gathered(picked, node.dtype)

    def _lane(self, parts: list[str], index: Expr, scalar: str) -> str:
        if isinstance(index, tir.IntImm):
            return parts[index.value]
        whole = f"<{len(parts)} x {scalar}>"
        made = "poison"
        for lane, part in enumerate(parts):
            made = self.text.value(f"insertelement {whole} {made}, {scalar} {part}, i32 {lane}")
        return self.text.value(f"extractelement {whole} {made}, {self.typed(index)}")

    def gathered(self, lanes: list[str], dtype: DType) -> str:
        """A vector of these scalars."""
        kind, scalar = value_type(dtype), value_type(dtype.element)
        made = "poison"
        for lane, operand in enumerate(lanes):
            made = self.text.value(f"insertelement {kind} {made}, {scalar} {operand}, i32 {lane}")
        return made
