"""Programs for passes on expressions: divisions, common subexpressions, dead statements.

Scalars are below 8; all accesses are in bounds.
"""

from __future__ import annotations

import random
from typing import Final

from tvmscript.fuzz.programs import RandomWriter, Seed, choices, function_text, indented

_SIGNED: Final = ("int8", "int16", "int32", "int64")
_UNSIGNED: Final = ("uint8", "uint16", "uint32", "uint64")


def _as(dtype: str, value: str) -> str:
    return value if dtype == "int32" else f'T.Cast("{dtype}", {value})'


def _constant(dtype: str, value: int) -> str:
    return str(value) if dtype == "int32" else f"T.{dtype}({value})"


# -- divisions


def divisions(seed: Seed) -> str:
    """Write floor divisions of both signs and any width."""
    rng = choices(seed)
    params = ['A: T.Buffer((64,), "int32")', "n: T.int32", "m: T.int32"]
    lines: list[str] = []
    for number in range(rng.randrange(3, 8)):
        dtype = rng.choice(["int32", "int32", "int32", "int64", *_SIGNED, *_UNSIGNED])
        params.append(f'B{number}: T.Buffer((16,), "{dtype}")')
        if rng.random() < 0.15:
            lines += _vector_division(rng, dtype, number)
            continue
        first = rng.choice([0, 0, -20, 5])
        name = "i" if not first else f"(i + {first})"
        lines += ["for i in range(16):", *indented(_division(rng, dtype, f"B{number}[i]", name))]
    return function_text(params, lines)


def _dividend(rng: random.Random, dtype: str, index: str) -> str:
    """Draw a dividend of any sign with more or less precise bounds."""
    is_signed = not dtype.startswith("u")
    data = f"A[i] * 3 + {rng.randrange(-20, 20)}" if is_signed else f"T.abs(A[i] * 3 + {rng.randrange(20)})"
    whole = index if is_signed else "i"
    return _as(
        dtype,
        rng.choice(
            [data, data, whole, f"{whole} * 5 + {rng.randrange(9)}", "n", f"({data}) // 2" if is_signed else "n + m",
             f"T.max({whole}, 3)", f"T.Select(n < 4, {whole}, m)"]
        ),
    )  # fmt: skip


def _divisor(rng: random.Random, dtype: str) -> str:
    is_signed = not dtype.startswith("u")
    plain = [_constant(dtype, rng.choice([3, 4, 5, 7, 8, 16, 1, 2, 12])) for _ in range(4)]
    positive = [_as(dtype, "n + 1"), _as(dtype, "i + 3"), _as(dtype, "T.max(m, 2)")]
    signs = [
        _constant(dtype, rng.choice([-3, -4, -1, -7])),
        _as(dtype, "n * 2 - 7"),
        _as(dtype, "T.Select(m < 4, -3, 5)"),
    ]
    return rng.choice([*plain, *positive, *(signs if is_signed else [])])


def _division(rng: random.Random, dtype: str, target: str, index: str) -> list[str]:
    a, b = _dividend(rng, dtype, index), _divisor(rng, dtype)
    forms = [
        "({a}) // ({b})",
        "({a}) % ({b})",
        "({a}) // ({b}) + ({a}) % ({b})",
        "({a}) // ({b}) * ({b}) + ({a}) % ({b})",
    ]
    value = rng.choice(forms).format(a=a, b=b)
    least = _constant(dtype, rng.choice([0, 1, 2] if dtype.startswith("u") else [-9, -5, -2, -1, 0, 1]))
    match rng.randrange(7):
        case 0:
            return [f"{target} = T.max(({a}) // ({b}), {least})"]
        case 1:
            return [
                f"{target} = T.Select(({a}) % ({b}) {rng.choice(['==', '!='])} {_constant(dtype, 0)}, "
                f"{_constant(dtype, 1)}, {value})"
            ]
        case 2:
            guard = rng.choice(["i < 9", "A[i] >= 0", "n > 2", "i >= 4 and i < 12"])
            chosen = rng.choice(["T.Select", "T.if_then_else"])
            return [f"{target} = {chosen}({guard}, {value}, {_constant(dtype, 0)})"]
        case 3:
            return [f"if A[i] >= {rng.randrange(-3, 3)}:", f"    {target} = {value}"]
        case 4:
            return [f"with T.LetStmt({a}) as x:", f"    {target} = x // ({b}) + x % ({b})"]
        case _:
            return [f"{target} = {value}"]


def _vector_division(rng: random.Random, dtype: str, number: int) -> list[str]:
    """Write a vector division by a scalar or vector."""
    is_signed = not dtype.startswith("u")
    one = _as(dtype, f"A[4] * 5{' - 9' if is_signed else ''}")
    stride = rng.choice([1, 3, -2] if is_signed else [1, 3])
    ramp = f"T.Ramp({_as(dtype, 'n + 6')}, {_constant(dtype, stride)}, 4)"
    dividend = rng.choice([f"T.Broadcast({one}, 4)", ramp, ramp])
    divisor = rng.choice(
        [f"T.Broadcast({_constant(dtype, rng.choice([3, 4, 7]))}, 4)", f"T.Broadcast({_as(dtype, 'm + 2')}, 4)"]
    )
    return [f"B{number}[0:4] = {dividend} {rng.choice(['//', '%'])} {divisor}"]


#: functions of floats that the interpreter evaluates before and after lowering
_FLOAT_CALLS: Final = ("T.exp({0})", "T.sqrt(T.fabs({0}))", "T.fabs({0})", "T.floor({0})", "T.ceil({0})", "T.tanh({0})",
                       "T.cos({0})", "T.sin({0})", "T.exp2({0})", "T.log(T.fabs({0}) + {1})", "T.sigmoid({0})",
                       "T.trunc({0})",
                       "T.round({0})", "T.erf({0})", "T.tan({0})", "T.atan({0})", "T.rsqrt(T.fabs({0}) + {1})",
                       "T.pow(T.fabs({0}) + {1}, {0})", "T.fmod({0}, {1})", "T.exp10({0})", "T.log2(T.fabs({0}) + {1})",
                       "T.nearbyint({0})", "T.atan2({0}, {1})", "T.ldexp({0}, 3)", "T.log10(T.fabs({0}) + {1})",
                       "T.acos({0} * {1})", "T.asin({0})", "T.sinh({0})", "T.cosh({0})", "T.log1p(T.fabs({0}))",
                       "T.copysign({0}, {1})", "T.hypot({0}, {1})")  # fmt: skip
_INTEGER_CALLS: Final = (
    "T.popcount({0})",
    "T.clz({0})",
    "T.abs({0})",
    "T.q_multiply_shift({0}, 1073741824, 31, 3)",
    "T.q_multiply_shift({0}, 1073741825, 31, -1)",
    "T.q_multiply_shift({0}, 1518500250, 31, 2)",
    "T.q_multiply_shift_per_axis({0}, 1518500250, 1, 2, 31, T.bool(True), T.bool(True))",
    "T.q_multiply_shift_per_axis({0}, 1518500250, 0, 3, 31, T.bool(False), T.bool(True))",
)
_WIDENED: Final = (
    ("float32", "float16"), ("int32", "int8"), ("int32", "int16"), ("float64", "float32"), ("int64", "int8"),
)  # fmt: skip
_TARGETS: Final = (
    "llvm -mtriple=x86_64-unknown-linux-gnu", "c", "cuda", "cuda -arch=sm_80", "opencl", "metal", "rocm", "webgpu",
    "vulkan",
)  # fmt: skip


def intrinsics(seed: Seed) -> str:
    """Write intrinsic calls and sums of products for some target."""
    rng = choices(seed)
    params: list[str] = []
    lines = [f'T.func_attr({{"target": T.target("{rng.choice(_TARGETS)}")}})']
    for number in range(rng.randrange(2, 6)):
        dtype = rng.choice(["float32", "float32", "float64", "float16", "int32"])
        params += [f'A{number}: T.Buffer((16,), "{dtype}")', f'B{number}: T.Buffer((16,), "{dtype}")']
        one = f"A{number}[i]"
        calls = _INTEGER_CALLS if dtype == "int32" else _FLOAT_CALLS
        forms = [rng.choice(calls).format(one, f"T.{dtype}(2)") for _ in range(2)]
        value = rng.choice(
            [forms[0], " + ".join(forms), f"{one} * {forms[0]} + {one}", f"{forms[0]} + {one} * {one}",
             f"T.FloorDiv({one}, T.{dtype}(2))",
             f"T.FloorMod({one}, T.{dtype}(2))", f"{one} * T.{dtype}(3) - {forms[1]}"]
        )  # fmt: skip
        lines += ["for i in range(16):", f"    B{number}[i] = {value}"]
        if rng.random() < 0.3:
            wide, narrow = rng.choice(_WIDENED)
            params += [f'C{number}: T.Buffer((8,), "{wide}")', f'D{number}: T.Buffer((8,), "{narrow}")']
            product = f'T.Broadcast(T.Cast("{wide}", D{number}[1]), 4) * C{number}[0:4]'
            lines.append(
                f"C{number}[4:8] = {rng.choice([f'C{number}[4:8] + {product}', f'{product} + C{number}[4:8]'])}"
            )
    return function_text(params, lines)


# -- common subexpressions


class _Shared(RandomWriter):
    """Writer of statements with common subexpressions, in branches, loops, lets."""

    def __init__(self, seed: Seed) -> None:
        super().__init__(seed)
        self.variables = ["n", "m"]
        self.pool: list[str] = []
        self.stores = 0

    def atom(self) -> str:
        return self.random.choice([*self.variables, *self.variables, str(self.random.randrange(1, 5))])

    def expression(self, depth: int = 2) -> str:
        """Draw an expression, often one that occurs already."""
        usable = [text for text in self.pool if all(name in self.variables for name in _names(text))]
        if usable and self.random.random() < 0.55:
            return self.random.choice(usable)
        if depth == 0:
            return self.atom()
        a, b = self.expression(depth - 1), self.expression(depth - 1)
        form = self.random.choice(
            ["({0} + {1})", "({0} * {1})", "({0} - {1})", "T.max({0}, {1})", "({1} + {0})", "({0} // 3)"]
        )
        result = form.format(a, b)
        self.pool.append(result)
        return result

    def statements(self, depth: int) -> list[str]:
        return [line for _ in range(self.random.randrange(1, 4)) for line in self.statement(depth)]

    def store(self) -> list[str]:
        self.stores += 1
        value = self.expression(3)
        form = self.random.choice(
            ["{0}", "{0} + A[({1}) % 64]", "T.popcount({0}) + {1}", "T.Select({0} < {1}, {1}, {0})"]
        )
        return [f"B[{self.stores - 1}] = {form.format(value, self.expression())}"]

    def statement(self, depth: int) -> list[str]:
        kinds = ["store", "store", "if", "branches", "loop", "let", "name"] if depth else ["store"]
        match self.random.choice(kinds):
            case "if":
                return [f"if {self.expression()} < {self.expression()}:", *indented(self.inside(depth))]
            case "branches":
                one, other = self.inside(depth), self.inside(depth)
                return [f"if {self.expression()} < 9:", *indented(one), "else:", *indented(other)]
            case "loop":
                name = self.name("i")
                extent = self.random.choice(["2", "3", f"T.min(T.abs({self.expression(1)}), 3)"])
                return [f"for {name} in range({extent}):", *indented(self.inside(depth, name))]
            case "let" | "name":
                name, value = self.name("x"), self.expression()
                body = self.inside(depth, name)
                return [f"with T.LetStmt({value}) as {name}:", *indented(body)]
            case _:
                return self.store()

    def inside(self, depth: int, name: str | None = None) -> list[str]:
        self.variables += [name] if name else []
        lines = self.statements(depth - 1)
        if name:
            self.variables.remove(name)
        return lines


def _names(text: str) -> list[str]:
    """The variables of an expression."""
    words = "".join(letter if letter.isalnum() else " " for letter in text).split()
    return [word for word in words if word[0] in "nmix" and (word in "nm" or word[1:].isdigit())]


def computed_twice(seed: Seed) -> str:
    """Write common subexpressions, guarded and unguarded."""
    writer = _Shared(seed)
    body = [*writer.store(), *writer.statements(2), *writer.store()]
    return function_text(
        [
            'A: T.Buffer((64,), "int32")',
            f'B: T.Buffer(({max(writer.stores, 1)},), "int32")',
            "n: T.int32",
            "m: T.int32",
        ],
        body,
    )


# -- dead statements


class _Idle(RandomWriter):
    """Writer of statements, some of which are dead."""

    def statements(self, indices: list[str], depth: int) -> list[str]:
        return [line for _ in range(self.random.randrange(1, 4)) for line in self.statement(indices, depth)]

    def index(self, indices: list[str]) -> str:
        """Draw an index below 32."""
        terms = [f"{each} * {self.random.choice([1, 2, 4])}" for each in indices if self.random.random() < 0.8]
        return f"({' + '.join([*terms, str(self.random.randrange(4))])}) % 32"

    def nothing(self, indices: list[str]) -> list[str]:
        place = self.index(indices)
        return self.random.choice(
            [
                ["T.evaluate(0)"],
                ["T.evaluate(n + m)"],
                [f"A[{place}] = A[{place}]"],
                [f"T.evaluate(A[{place}])"],
                ["for u in range(0):", "    A[0] = 7"],
                ["for u in range(T.min(n, 0)):", "    A[0] = 7"],
                ["for u in range(n - 9):", "    A[1] = 7"],
                ["with T.LetStmt(n * 2) as u:", "    T.evaluate(0)"],
                ["with T.LetStmt(A[n]) as u:", f"    B[{place}] = B[{place}] + 0"],
                [f'{self.name("u")} = T.decl_buffer((4,), "int32")', "T.evaluate(1)"],
                ["if n < 3:", "    T.evaluate(0)", "else:", "    T.evaluate(m)"],
            ]
        )

    def statement(self, indices: list[str], depth: int) -> list[str]:
        kinds = ["store", "copy", "copy", "nothing", "again"]
        kinds += ["loop", "loop", "empty", "branch", "other", "let", "constant"] if depth else []
        match self.random.choice(kinds):
            case "store":
                value = self.random.choice(
                    ["n", "3", "A[{0}] + 1", "B[{0}]", "A[{0}] - (A[{0}] - B[{1}])", "A[{0}] + n"]
                )
                text = value.format(self.index(indices), self.index(indices))
                return [f"{self.random.choice('AB')}[{self.index(indices)}] = {text}"]
            case "copy":
                buffer, one = self.random.choice("AB"), self.index(indices)
                other = self.random.choice([one, self.index(indices), f"({one} + 1) % 32"])
                return [f"{buffer}[{one}] = {buffer}[{other}]"]
            case "nothing":
                return self.nothing(indices)
            case "again":
                place, name = self.index(indices), self.random.choice("AB")
                between = self.random.choice(
                    [[], [], [f"C[{self.index(indices)}] = {name}[{self.index(indices)}]"], self.nothing(indices)]
                )
                return [
                    f"{name}[{place}] = {self.random.randrange(50, 99)}",
                    *between,
                    f"{name}[{place}] = {self.random.randrange(9)}",
                ]
            case "loop":
                name = self.name("i")
                first = self.random.choice([0, 0, 1])
                return [
                    f"for {name} in range({first}, {first + self.random.randrange(1, 5)}):",
                    *indented(self.statements([*indices, name], depth - 1)),
                ]
            case "empty":
                empty = self.random.choice([["T.evaluate(0)"], self.nothing(indices)])
                condition = self.condition(indices)
                return [f"if {condition}:", *indented(empty), "else:", *indented(self.statements(indices, depth - 1))]
            case "branch":
                return [f"if {self.condition(indices)}:", *indented(self.statements(indices, depth - 1))]
            case "other":
                most = self.statements(indices, depth - 1)
                return [f"if {self.condition(indices)}:", *indented(most), "else:", *indented(self.nothing(indices))]
            case "constant":
                condition = self.random.choice(["T.bool(True)", "T.bool(False)"])
                most, rest = self.statements(indices, depth - 1), self.statements(indices, depth - 1)
                return [f"if {condition}:", *indented(most), "else:", *indented(rest)]
            case _:
                name = self.name("x")
                value = self.random.choice(["n + 1", "A[n]", "m * 2", "T.if_then_else(T.bool(False), A[40], n)"])
                body = self.statements(indices, depth - 1)
                body += [f"B[{self.index(indices)}] = {name}"] if self.random.random() < 0.5 else []
                return [f"with T.LetStmt({value}) as {name}:", *indented(body)]

    def condition(self, indices: list[str]) -> str:
        one = self.random.choice([*indices, "n", "m", "A[n]"])
        return f"{one} {self.random.choice(['<', '>=', '==', '!='])} {self.random.randrange(4)}"


def idle(seed: Seed) -> str:
    """Write statements that are dead, overwritten, or only appear so."""
    writer = _Idle(seed)
    body = writer.statements([], 3) + writer.statements([], 3)
    params = [f'{name}: T.Buffer((32,), "int32")' for name in "ABC"]
    return function_text([*params, "n: T.int32", "m: T.int32"], body)


def rewritten_elements(seed: Seed) -> str:
    """Write loops that overwrite elements of earlier loops, guarded and unguarded."""
    rng = choices(seed)
    lines: list[str] = []
    for _ in range(rng.randrange(3, 7)):
        if rng.random() < 0.25:
            # a loop-carried value that is overwritten after the loop
            name, place = rng.choice("AB"), rng.choice(["0", "n", "15"])
            between = [f"D[t] = {name}[{place}] + t", f"{name}[{place}] = {rng.choice(['t * 3', 'D[t]', 'n + t'])}"]
            lines += ["for t in range(3):", *indented(between), f"{name}[{place}] = {rng.randrange(9)}"]
            continue
        name, extent = rng.choice("AAB"), rng.choice([8, 12, 16])
        place = rng.choice(["i", "i", "i + 1", "15 - i", "i // 2"])
        value = rng.choice(["0", "0", "1", "i", f"{rng.choice('ABC')}[i]", f"{name}[{place}] + C[i]", f"{name}[i]"])
        guard = rng.choice(
            [None, None, f"i < {rng.randrange(4, 16)}", f"i >= {rng.randrange(4, 12)}", "i < n", "i >= n"]
        )
        store = f"{name}[{place}] = {value}"
        if rng.random() < 0.2 and guard:
            body = [f"if {guard}:", f"    {store}", "else:", f"    {name}[{place}] = {rng.choice(['0', value])}"]
        else:
            body = [f"if {guard}:", f"    {store}"] if guard else [store]
        if rng.random() < 0.25:
            body += [f"{rng.choice('BD')}[i] = {rng.choice('AB')}[{rng.choice(['i', '0', '15 - i'])}]"]
        loop = [f"for i in range({min(extent, 15) if '+ 1' in place else extent}):", *indented(body)]
        lines += [f"for t in range({rng.choice([1, 2])}):", *indented(loop)] if rng.random() < 0.25 else loop
    return function_text([*[f'{name}: T.Buffer((16,), "int32")' for name in "ABCD"], "n: T.int32"], lines)


# -- selects, undefined values


def selects(seed: Seed) -> str:
    """Write selects whose operands load, call, select, or are out of bounds if not chosen."""
    rng = choices(seed)
    lines: list[str] = []
    for number in range(rng.randrange(3, 7)):
        place = f"B[{8 * number} + i]"
        guarded, condition = rng.choice([("A[i + 56]", "i < 4"), ("A[i * 9]", "i < 7"), ("A[i * 2]", "n < 3")])
        if "9" in guarded and rng.random() < 0.9:
            guarded = "A[i * 9 % 64]"
        safe = rng.choice(
            ["n", "i * 3", 'T.Cast("int32", T.popcount(n))', "T.if_then_else(A[i] < 2, i, n)", "T.shift_left(1, i)"]
        )
        other = rng.choice(["A[i] * 2", safe, "T.Select(n < 2, A[n], i)"])
        value = rng.choice(
            [
                f"T.Select({condition}, {guarded}, {safe})",
                f"T.Select(not ({condition}), {safe}, {guarded})",
                f"T.Select(A[i] < 3, {safe}, {other})",
                f"T.Select(i < 4, T.Select({condition}, {guarded}, 1), {other})",
                f"T.Select(i < n, {other}, {safe}) + T.Select({condition}, {safe} + {guarded}, {other})",
            ]
        )
        lines += ["for i in range(8):", f"    {place} = {value}"]
    lines += [
        "B[56:60] = T.Select(T.Broadcast(n < 4, 4), A[0:4], T.Broadcast(0, 4))",
        "B[60:64] = T.Select(n < 4, A[0:4], T.Broadcast(m, 4))",
    ][: rng.randrange(3)]
    return function_text(
        ['A: T.Buffer((64,), "int32")', 'B: T.Buffer((64,), "int32")', "n: T.int32", "m: T.int32"], lines
    )


def undefined(seed: Seed) -> str:
    """Write stores of undefined values that later stores overwrite."""
    rng = choices(seed)
    lines: list[str] = []
    bare = 'T.undef(dtype="int32")'
    for number in range(rng.randrange(2, 6)):
        place = f"A[{8 * number} + i]"
        value = rng.choice(
            [bare, f"{bare} + 1", f"T.if_then_else(i < 3, {bare}, 4)", f"T.max({bare}, n)", f"({bare} * 2 + B[i])"]
        )  # fmt: skip
        match rng.randrange(4):
            case 0:
                first = [f"{place} = {value}"]
            case 1:
                first = ["if i < n:", f"    {place} = {value}"]
            case 2:
                first = [
                    f"with T.LetStmt({bare}) as v:",
                    f"    with T.LetStmt(v + {rng.choice(['1', 'i'])}) as w:",
                    f"        {place} = w + B[i]",
                ]
            case _:
                first = [f"with T.LetStmt({bare}) as v:", f"    {place} = v * 2", f"    C[i] = B[i] + {number}"]
        final = rng.choice(["i", "n + i", "B[i] * 2"])
        lines += ["for i in range(8):", *indented([*first, f"{place} = {final}"])]
    return function_text(
        ['A: T.Buffer((64,), "int32")', 'B: T.Buffer((8,), "int32")', 'C: T.Buffer((8,), "int32")', "n: T.int32"], lines
    )


def split_patterns(seed: Seed) -> str:
    """Write quotients, remainders and comparisons of fused loop variables."""
    rng = choices(seed)
    lines: list[str] = []
    extents = {"i": rng.choice([2, 4]), "j": rng.choice([3, 4]), "k": 8}
    count = 1
    for extent in extents.values():
        count *= extent
    for number in range(rng.randrange(2, 5)):
        c = rng.choice([2, 4, 8, 16])
        terms = rng.choice(
            [f"i * {c * 4} + j * {c} + k", f"i * {c} + k", f"n * {c} + k", f"(i * 4 + j) * {c} + k", f"j * {c}"]
        )
        inner, outer = rng.choice([2, 4, 8, 16, 32, 3]), rng.choice([2, 4, 8, 64])
        value = rng.choice(
            [f"({terms}) // {inner}", f"({terms}) % {outer * inner} // {inner}", f"({terms}) // {inner} % {outer}",
             f"({terms}) % {inner}", f"T.if_then_else({terms} < {inner * outer}, 1, 2)",
             f"T.if_then_else({inner} <= {terms}, i, k)",
             f"T.if_then_else({terms} >= {c} and ({terms}) % {inner * 2} // {inner} < 1, 5, j)"]
        )  # fmt: skip
        place = f"{number * count} + (i * {extents['j']} + j) * 8 + k"
        lines += [f"for i, j, k in T.grid({extents['i']}, {extents['j']}, 8):", f"    B[{place}] = {value}"]
    if rng.random() < 0.3:
        lines += [
            "for i in range(4):",
            "    V[i * 4:i * 4 + 4] = (T.Ramp(n, 1, 4) * T.Broadcast(16, 4) + T.Ramp(0, 1, 4)) // T.Broadcast(32, 4)",
        ]
    return function_text([f'B: T.Buffer(({5 * count},), "int32")', 'V: T.Buffer((16,), "int32")', "n: T.int32"], lines)
