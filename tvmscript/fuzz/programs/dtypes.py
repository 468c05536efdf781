"""Programs for passes on dtypes: indices that fit into 32 bits and indices that do not, narrow floats."""

from __future__ import annotations

import random

from tvmscript.fuzz.programs import Seed, choices, function_text, indented


def _wide(value: int) -> str:
    return f"T.int64({value})"


# -- indices


def wide_indices(seed: Seed) -> str:
    """Write int64 loops over expressions, some of which exceed 32 bits."""
    return _Wide(seed, is_safe=False).program()


def narrow_indices(seed: Seed) -> str:
    """Write int64 loops whose expressions all fit in 32 bits."""
    return _Wide(seed, is_safe=True).program()


class _Wide:
    def __init__(self, seed: Seed, is_safe: bool) -> None:
        self.random = choices(seed)
        self.is_safe = is_safe
        #: whether only products of scaled variables exceed 32 bits: a variable that must be
        #: wide once is wide everywhere, which hides errors elsewhere
        self.are_products_wide = self.random.random() < 0.6
        self.count = 0
        self.lines: list[str] = []
        #: 64-bit variables in scope
        self.names: list[str] = []

    def large(self) -> int:
        """Draw a factor that may take a few iterations beyond 31 bits."""
        if self.is_safe:
            return self.random.choice([1, 2, 3, 1000])
        if self.are_products_wide:
            return self.random.choice([1, 2, 3, 1000, 1 << 12, 1 << 20, 1 << 26])
        return self.random.choice([1, 2, 3, 1 << 26, 1 << 28, 1 << 29, (1 << 30) + 1, 1 << 31, 1 << 33, 715827883])

    def index(self, depth: int = 1) -> str:
        """Draw an int64 expression."""
        name = self.random.choice(self.names)
        factor = self.large()
        plain = f"{name} * {_wide(factor)}"
        if depth == 0:
            return self.random.choice([name, plain, f"{plain} + {_wide(self.random.randrange(9))}"])
        other = self.index(depth - 1)
        choice = self.random.choice(["T.Select", "T.Select", "T.if_then_else"])
        forms = [
            plain,
            f"({plain}) // {_wide(factor)}",
            f"({other}) * {_wide(factor)}",
            f"{choice}({name} < {_wide(2)}, {name}, {_wide(1 << 20)}) * {_wide(self.large())}",
            f"{choice}({name} < {_wide(2)}, {_wide(1 << 20)}, {name}) * {_wide(self.large())}",
            f"({plain} + {other})",
            f"({plain} - {other})",
            f"T.max({plain}, {other})",
            f"T.min({plain}, {other})",
            f"({other}) % {_wide(self.random.choice([5, 7, 1 << 20]))}",
            f"T.Select({name} < {_wide(2)}, {self.random.choice([name, other])}, {plain})",
            f"T.if_then_else({name} < {_wide(2)}, {name}, {plain})",
            f"T.shift_right({plain}, {_wide(self.random.randrange(1, 5))})",
            f"T.shift_left({name}, {_wide(self.random.choice([1, 3] if self.is_safe else [1, 3, 30, 31, 33]))})",
            f"T.bitwise_and({plain}, {_wide(self.random.choice([7, 255]))})",
            f"T.truncdiv({plain}, {_wide(3)})",
            f"T.truncmod({plain}, {_wide(5)})",
            f"({plain}) // ({name} + {_wide(1)})",
            f"({plain}) % ({name} + {_wide(2)})",
            f'T.Cast("int64", A[{name} % {_wide(16)}])',
            f'T.Cast("int64", T.Cast("int32", {name}))',
        ]
        return self.random.choice(forms)

    def statement(self) -> list[str]:
        self.count += 1
        target = f"B{self.count}"
        index = self.index(2)
        place = self.names[-1]
        var = self.random.choice(self.names)
        limit = self.random.choice([3, 1 << 20] if self.is_safe else [3, 1 << 20, 1 << 31, 1 << 34])
        condition = f"{self.index()} < {_wide(limit)}"
        value = f'T.Cast("int32", {index} % {_wide(97)})'
        match self.random.randrange(9):
            case 7 | 8:
                return [f"{target}[{place} % {_wide(8)}] = A[({index}) % {_wide(16)}]"]
            case 0:
                return [f"if {condition}:", f"    {target}[{place} % {_wide(8)}] = {value}"]
            case 1:
                return [f"{target}[({index}) % {_wide(8)}] = 1"]
            case 2:
                return [f"{target}[{place} % {_wide(8)}] = T.Select({condition}, 3, A[{var} % {_wide(16)}])"]
            case 3:
                name = f"x{self.count}"
                return [
                    f"with T.LetStmt({index}) as {name}:",
                    f'    {target}[{place} % {_wide(8)}] = T.Cast("int32", {name} % {_wide(13)})',
                ]
            case 4:
                return [f'{target}[T.Cast("int64", T.Cast("int32", {place})) % {_wide(8)}] = {value}']
            case 5:
                return [f"{target}[0:4] = A[T.Ramp({var} % {_wide(4)}, {_wide(self.random.choice([1, 2]))}, 4)]"]
            case _:
                return [f"{target}[{place} % {_wide(8)}] = {value}"]

    def program(self) -> str:
        for _ in range(self.random.randrange(1, 4)):
            self.lines += self.nest(self.random.randrange(1, 3))
        outputs = [f'B{number}: T.Buffer((T.int64(8),), "int32")' for number in range(1, self.count + 1)]
        params = ['A: T.Buffer((T.int64(16),), "int32")', *outputs]
        return function_text(params, self.lines)

    def nest(self, depth: int) -> list[str]:
        if depth == 0:
            return [line for _ in range(self.random.randrange(1, 3)) for line in self.statement()]
        name = f"i{len(self.names)}_{self.count}"
        first, extent = self.random.choice([0, 0, 1]), self.random.choice([2, 4, 6])
        kept = self.random.choice(["", ', annotations={"kept": 1}'])
        head = self.random.choice(
            [
                f"for {name} in T.serial({_wide(first)}, {_wide(first + extent)}{kept}):",
                f"for {name} in T.parallel({_wide(first)}, {_wide(first + extent)}{kept}):",
                f"for {name} in range({_wide(extent)}):",
                f'for {name} in T.thread_binding({_wide(extent)}, thread="blockIdx.x"):',
                f'with T.launch_thread("threadIdx.x", {_wide(extent)}) as {name}:',
            ]
        )
        if "thread" in head and any("thread" in line for line in self.lines):
            head = f"for {name} in range({_wide(extent)}):"
        self.names.append(name)
        body = self.nest(depth - 1)
        self.names.pop()
        return [head, *indented(body)]


def wide_blocks(seed: Seed) -> str:
    """Write blocks with int64 axes, some of which exceed 32 bits."""
    return _blocks(choices(seed), [3, 1 << 30, 1 << 32])


def narrow_blocks(seed: Seed) -> str:
    """Write blocks with int64 axes that fit in 32 bits."""
    return _blocks(choices(seed), [3, 1 << 20, 1 << 28])


def _blocks(rng: random.Random, factors: list[int]) -> str:
    rows, columns = rng.choice([2, 4]), rng.choice([4, 6])
    kept = rng.choice(["", ', annotations={"kept": 1}'])
    where = rng.choice(["", f"T.where(i * {_wide(columns)} + j < {_wide(rows * columns - 1)})"])
    lines = [
        f'W = T.alloc_buffer(({_wide(rows)}, {_wide(columns)}), "int32")',
        f"for o in T.serial({_wide(0)}, {_wide(rows)}{kept}):",
        f"    for u in range({_wide(columns)}):",
        '        with T.block("W"):',
        f"            vi = T.axis.spatial({_wide(rows)}, o)",
        f"            vj = T.axis.spatial({_wide(columns)}, u)",
        *(['            T.block_attr({"kept": 1})'] if rng.random() < 0.5 else []),
        f'            W[vi, vj] = A[vi, vj] + T.Cast("int32", vi * {_wide(rng.choice(factors))} // {_wide(1 << 26)})',
        f"for i in range({_wide(rows)}):",
        f"    for j in T.{rng.choice(['serial', 'vectorized', 'unroll'])}({_wide(columns)}):",
        '        with T.block("B"):',
        f"            vi = T.axis.spatial({_wide(rows)}, i)",
        f"            vj = T.axis.{rng.choice(['spatial', 'reduce'])}({_wide(columns)}, j)",
        *([f"            {where}"] if where else []),
        f"            B[vi, vj] = W[vi, {_wide(columns - 1)} - vj]",
    ]
    shape = f'({_wide(rows)}, {_wide(columns)}), "int32"'
    return "\n".join(["@T.prim_func", f"def main(A: T.Buffer({shape}), B: T.Buffer({shape})):", *indented(lines)])


# -- narrow floats


def _float_value(rng: random.Random, dtype: str, names: list[str], depth: int) -> str:
    """Draw an expression of narrow floats."""
    if depth == 0:
        number = rng.choice(["0.5", "1", "2", "-1.5", "0"])
        casts = [f'T.Cast("{dtype}", {value})' for value in (f"T.float32({number})", "n", "F[i]")]
        return rng.choice(["A[i]", "A[7 - i]", "W[i]", *names, *casts])
    a, b = (_float_value(rng, dtype, names, depth - 1) for _ in range(2))
    # only arguments are compared or reinterpreted: intermediate values may be wider, and
    # so may allocations
    bits = "uint16" if dtype in ("bfloat16", "float16") else "uint8"
    forms = [
        *("({0} + {1})", "({0} * {1})", "({0} - {1})", "T.max({0}, {1})", "T.min({0}, {1})", "T.fabs({0})"),
        *("T.Select(A[i] < A[7 - i], {0}, {1})", "T.if_then_else(n < 3, {0}, {1})"),
        *("T.Select(i < 4, {0}, {1})", "T.if_then_else(A[i] != A[0], {0}, {1})"),
        f'T.reinterpret("{dtype}", T.reinterpret("{bits}", A[i]))',
        'T.Cast("' + dtype + '", T.Cast("float32", {0}) * T.float32(0.5))',
    ]
    return rng.choice(forms).format(a, b)


def bfloats(seed: Seed) -> str:
    """Write arithmetic on bfloat16."""
    return _narrow(choices(seed), "bfloat16")


def small_floats(seed: Seed) -> str:
    """Write arithmetic on 8-bit floats."""
    rng = choices(seed)
    return _narrow(rng, rng.choice(["e4m3_float8", "e5m2_float8"]))


def _narrow(rng: random.Random, dtype: str) -> str:
    lines = [f'W = T.decl_buffer((8,), "{dtype}")']
    depth, count = (2, rng.randrange(2, 5)) if dtype == "bfloat16" else (1, rng.randrange(1, 3))
    lines += [
        "for i in range(8):",
        f"    W[i] = {rng.choice(['A[i]', 'A[i] + A[7 - i]', f'T.Cast({chr(34)}{dtype}{chr(34)}, F[i])'])}",
    ]
    for number in range(count):
        target = f"B[{number * 8} + i]"
        value = _float_value(rng, dtype, [], depth)
        match rng.randrange(6):
            case 0:
                body = [
                    f"with T.LetStmt({rng.choice(['A[i]', 'A[i] + W[i]'])}) as v{number}:",
                    f"    {target} = {_float_value(rng, dtype, [f'v{number}'], 1)}",
                ]
            case 1:
                limit = rng.choice(["A[7 - i]", f'T.Cast("{dtype}", T.float32({rng.choice(["0.5", "-1.5", "0"])}))'])
                body = [f"if A[i] < {limit}:", f"    {target} = {value}"]
            case 2:
                body = [
                    f'F[i] = T.Cast("float32", A[{rng.choice(["i", "7 - i"])}])',
                    f'{target} = T.Cast("{dtype}", F[i]) + A[i]',
                ]
            case 3:
                body = [f"W[i] = {value}", f"{target} = W[i]"]
            case _:
                body = [f"{target} = {value}"]
        lines += ["for i in range(8):", *indented(body)]
    if rng.random() < 0.4:
        place = 8 * rng.randrange(4)
        lines.append(
            rng.choice(
                [
                    f"B[{place}:{place + 4}] = A[0:4] * T.Broadcast(A[n], 4)",
                    f"B.vstore([T.Ramp({place}, 1, 4)], A[0:4] + W[4:8], "
                    'predicate=T.get_active_lane_mask("boolx4", 1, 3))',
                    f'B.vstore([T.Ramp({place}, 1, 4)], A[4:8], predicate=T.get_active_lane_mask("boolx4", 0, 3))',
                    f"B[{place}] = T.Shuffle([A[0], A[5]], [1]) + A[2]",
                ]
            )
        )
    params = [
        f'A: T.Buffer((8,), "{dtype}")',
        f'B: T.Buffer((40,), "{dtype}")',
        'F: T.Buffer((8,), "float32")',
        "n: T.int32",
    ]
    return function_text(params, lines)


def stored_bfloats(seed: Seed) -> str:
    """Write accesses through pointers to bfloat16."""
    return _stored(choices(seed), "bfloat16")


def stored_small_floats(seed: Seed) -> str:
    """Write accesses through pointers to 8-bit floats."""
    rng = choices(seed)
    return _stored(rng, rng.choice(["e4m3_float8", "e5m2_float8"]))


def _stored(rng: random.Random, dtype: str) -> str:
    width = 16 if dtype == "bfloat16" else 8
    bits = f"uint{width}"
    lines = [f'A = T.decl_buffer((16,), "{dtype}", data=a)', f'B = T.decl_buffer((32,), "{dtype}", data=b)']
    memory = rng.choice(
        [
            f'W = T.decl_buffer((16,), "{dtype}")',
            f'W_d = T.allocate([16], "{dtype}", "{rng.choice(["global", "local"])}")',
        ]
    )
    lines.append(memory)
    if "W_d" in memory:
        scope = ', scope="local"' if "local" in memory else ""
        lines.append(f'W = T.Buffer((16,), "{dtype}", data=W_d{scope})')
    lines += ["for i in range(16):", "    W[i] = A[15 - i]"]
    for _ in range(rng.randrange(2, 6)):
        k = rng.randrange(16)
        lines += rng.choice(
            [
                [
                    "for i in range(16):",
                    f'    B[i] = T.reinterpret("{dtype}", T.reinterpret("{bits}", W[i]) + T.{bits}({k}))',
                ],
                [f"B[{k}:{k + 4}] = T.Broadcast(W[{k}], 4)"],
                [f"B[16:20] = A[{k % 12}:{k % 12 + 4}]"],
                [f"B[{k}] = T.Select(n < 3, W[{k}], A[1])"],
                [f"B[{k + 8}] = T.if_then_else(n < 3, W[2], A[{k}])"],
                ["with T.LetStmt(A[5]) as v:", f"    B[{k}] = T.if_then_else(n < 5, v, W[0])"],
                [f'C[{k}] = T.reinterpret("{bits}", A[{k}])'],
                [f'C[{k}] = T.Cast("{bits}", T.reinterpret("int{width}", A[{k}]) // T.int{width}(3))'],
                [
                    "for i in range(8):",
                    f'    if T.reinterpret("{bits}", A[i]) < T.{bits}(100):',
                    f"        B[i + {k}] = A[i]",
                ],
            ]
        )
    params = [f'a: T.handle("{dtype}")', f'b: T.handle("{dtype}")', f'C: T.Buffer((16,), "{bits}")', "n: T.int32"]
    return function_text(params, lines)
