"""Modules for passes on functions: private functions, hosts and devices, arguments."""

from __future__ import annotations

import random

from tvmscript.fuzz.programs import RandomWriter, Seed, choices, indented


def _function(
    params: list[str], lines: list[str], head: str = "@T.prim_func", name: str = "main", result: str = ""
) -> str:
    return "\n".join([head, f"def {name}({', '.join(params)}){result}:", *indented(lines)])


def _module(*functions: str) -> str:
    lines = [line for func in functions for line in func.splitlines()]
    return "\n".join(["@I.ir_module", "class Module:", *indented(lines)])


# -- scopes


class _Scopes(RandomWriter):
    """Writer of sequential and nested scopes; outer definitions are used after inner scopes."""

    def __init__(self, seed: Seed) -> None:
        super().__init__(seed)
        self.stores = 0

    def statements(self, known: list[str], depth: int) -> list[str]:
        return [line for _ in range(self.random.randrange(1, 4)) for line in self.statement(known, depth)]

    def value(self, known: list[str]) -> str:
        terms = [f"{self.random.choice([*known, 'n'])} * {self.random.randrange(1, 4)}" for _ in range(2)]
        return " + ".join([*terms, f"A[{self.random.randrange(8)}]"])

    def statement(self, known: list[str], depth: int) -> list[str]:
        kind = self.random.choice(["let", "let", "loop", "memory", "store"] if depth else ["store"])
        # some scopes ignore outer variables, whose names they may reuse
        seen = known if self.random.random() < 0.6 else []
        if kind == "let":
            name = self.name("x")
            return [
                f"with T.LetStmt({self.value(known)}) as {name}:",
                *indented(self.statements([*seen, name], depth - 1)),
                *self.store(known),
            ]
        if kind == "loop":
            name = self.name("i")
            return [
                f"for {name} in range({self.random.randrange(1, 3)}):",
                *indented(self.statements([*seen, name], depth - 1)),
                *self.store(known),
            ]
        if kind == "memory":
            name = self.name("L")
            memory = rng_memory(self.random, name)
            body = [f"{name}[0] = {self.value(known)}", f"{name}[1] = {name}[0] + 1"]
            body += self.statements([*seen, f"{name}[0]", f"{name}[1]"], depth - 1)
            return ["if T.bool(True):", *indented([*memory, *body]), *self.store(known)]
        return self.store(known)

    def store(self, known: list[str]) -> list[str]:
        self.stores += 1
        return [f"B[{self.stores - 1}] = B[{self.stores - 1}] + {self.value(known)}"]


def rng_memory(rng: random.Random, name: str) -> list[str]:
    """Write an allocation with `decl_buffer` or `allocate`."""
    if rng.random() < 0.5:
        return [f'{name} = T.decl_buffer((2,), "int32")']
    return [f'{name}_d = T.allocate([2], "int32", "global")', f'{name} = T.Buffer((2,), "int32", data={name}_d)']


def scopes(seed: Seed) -> str:
    """Write variables, loops and allocations in scopes."""
    writer = _Scopes(seed)
    body = writer.statements([], 3) + writer.statements([], 2)
    return _function(
        ['A: T.Buffer((8,), "int32")', f'B: T.Buffer(({max(writer.stores, 1)},), "int32")', "n: T.int32"], body
    )


# -- private functions


def inlined(seed: Seed) -> str:
    """Write a module with calls of private functions: repeated, nested, in loops, recursive."""
    rng = choices(seed)
    dtype = rng.choice(["int32", "float32"])
    one = "1" if dtype == "int32" else "T.float32(1)"
    functions: list[str] = []
    calls: list[str] = []

    def pointer(at: str) -> str:
        return rng.choice([f"T.address_of(B[{at}])", "B.data"])

    loop = "for i in range(n % 3 + 1):"
    first = [
        f'A = T.decl_buffer((4,), "{dtype}", data=a)'
        if rng.random() < 0.6
        else f'A = T.Buffer((4,), "{dtype}", data=a)',
        *rng.choice(
            [
                [loop, f"    A[i] = A[i] + {one}"],
                [f"x: T.{dtype} = A[n % 4]", f"A[0] = x + {one}"],
                [f"A[n % 4] = A[1] + {one} + {one}"],
            ]
        ),
    ]
    if rng.random() < 0.5:
        first += [f'W = T.decl_buffer((2,), "{dtype}")', "W[0] = A[1]", "A[2] = W[0]"]
    private = "@T.prim_func(private=True)"
    signature = [f'a: T.handle("{dtype}")', "n: T.int32"]
    functions.append(_function(signature, first, private, "first"))
    for _ in range(rng.randrange(1, 4)):
        value = rng.choice(["1", "n", "n + 1", "2 * n - 1", "3"])
        calls.append(f"Module.first({pointer(rng.choice(['0', '2', '4']))}, {value})")
    if rng.random() < 0.5:
        count = rng.choice(["n + 1", "n"])
        functions.append(_function(signature, ["Module.first(a, n)", f"Module.first(a, {count})"], private, "both"))
        calls.append(f"Module.both({pointer('1')}, {rng.choice(['n', '2'])})")
    if rng.random() < 0.4:
        again = [
            f'A = T.decl_buffer((4,), "{dtype}", data=a)',
            "if n > 0:",
            f"    A[n % 4] = {one}",
            "    Module.again(a, n - 1)",
        ]
        again += ["    Module.first(a, n)"] if rng.random() < 0.5 else []
        functions.append(_function(signature, again, private, "again"))
        calls.append(f"Module.again({pointer('0')}, 3)")
    if rng.random() < 0.3:
        functions.append(_function(["n: T.int32"], ["T.ret(n + 1)"], private, "value", " -> T.int32"))
        calls.append(f'B[7] = T.Cast("{dtype}", Module.value(n))' if dtype != "int32" else "B[7] = Module.value(n)")
    if rng.random() < 0.3:
        public = [f'A = T.decl_buffer((4,), "{dtype}", data=a)', f"A[3] = {one}"]
        functions.append(_function(signature, public, "@T.prim_func", "public"))
        calls.append(f"Module.public({pointer('2')}, n)")
    rng.shuffle(calls)
    body = calls
    if rng.random() < 0.4:
        body = ["for i in range(2):", *indented(calls)]
    functions.insert(
        rng.randrange(len(functions) + 1), _function([f'B: T.Buffer((8,), "{dtype}")', "n: T.int32"], body)
    )
    return _module(*functions)


# -- hosts and devices


def kernels_of_devices(seed: Seed) -> str:
    """Write a function with device regions that use host variables."""
    rng = choices(seed)
    lines = ['T.func_attr({"target": T.target("cuda", host="llvm")})']
    if rng.random() < 0.4:
        lines += ['W = T.allocate([n % 8 + 8], "float32", "global")', "W1 = T.Buffer((n % 8 + 8,), data=W)"]
        memory = True
    else:
        memory = False
    lines += [f"y: T.float32 = A[{rng.randrange(4)}] * x"] if rng.random() < 0.5 else []
    has_y = "y:" in lines[-1]
    for number in range(rng.randrange(1, 4)):
        blocks = rng.choice(["4", "n % 3 + 1", "n + 1"])
        value = " + ".join(
            ["T.float32(bx)", *(["y"] if has_y and rng.random() < 0.6 else []), *(["x"] if rng.random() < 0.5 else [])]
        )
        store = [f'B[{number * 16} + bx] = {value} + T.Cast("float32", m)']
        if memory:
            store = [f"W1[bx % 8] = {value}", f"B[{number * 16} + bx] = W1[bx % 8]"] if rng.random() < 0.6 else store
        if rng.random() < 0.5:
            shared = rng.choice(["shared", "shared.dyn"])
            extent = rng.choice(["4", "n + 4", "8"])
            own = [
                f'S = T.allocate([{extent}], "float32", "{shared}")',
                f'S1 = T.Buffer(({extent},), data=S, scope="{shared}")',
                'with T.launch_thread("threadIdx.x", 4) as tx:',
                "    S1[tx] = A[tx]",
                *indented(
                    [line.replace("+ bx]", "+ bx + tx]") + (" + S1[tx]" if "B[" in line else "") for line in store]
                ),
            ]
            store = own
        region = [
            'with T.attr(T.target("cuda"), "target", 0):',
            f'    with T.launch_thread("blockIdx.x", {blocks}) as bx:',
            *indented(indented(store)),
        ]
        match rng.randrange(4):
            case 0:
                region = ["for m in range(2):", *indented(region)]
            case 1:
                region = ["with T.LetStmt(n * 3) as m:", *indented(region)]
            case 2:
                region = [
                    f'with T.attr(T.target("{rng.choice(["c", "llvm"])}"), "target", 0):',
                    f'    B[{number * 16}] = x + T.Cast("float32", n)',
                ]
            case _:
                region = [line.replace('T.Cast("float32", m)', "x") for line in region]
        lines += region
    return _function(
        ['A: T.Buffer((8,), "float32")', 'B: T.Buffer((64,), "float32")', "n: T.int32", "x: T.float32"], lines
    )


def launched_kernels(seed: Seed) -> str:
    """Write a host function that calls device kernels and host functions."""
    rng = choices(seed)
    functions: list[str] = []
    calls: list[str] = []
    for number in range(rng.randrange(1, 4)):
        target = rng.choice(["cuda", "cuda", "cuda", "c", "ext_dev"])
        head = f'T.func_attr({{"target": T.target("{target}"), "tir.is_global_func": T.bool(True)}})'
        body = [head, "B1 = T.decl_buffer((64,), data=b)"]
        extent = rng.choice(["m", "4", "m + k", "k * 2 + 1"])
        if target == "cuda":
            memory = rng.random() < 0.5
            size = rng.choice(["m * 4", "8", "k + 4"])
            inner = [f'B1[{number * 16} + bx * 4 % 12 + tx] = T.Cast("float32", m * 10 + k) + T.Cast("float32", bx)']
            if memory:
                shared = [
                    f'S = T.allocate([{size}], "float32", "shared.dyn")',
                    f'S1 = T.decl_buffer(({size},), data=S, scope="shared.dyn")',
                ]
                inner = [
                    *shared,
                    'with T.launch_thread("threadIdx.x", 4) as tx:',
                    "    S1[0] = T.float32(2)",
                    *indented([inner[0] + " + S1[0]"]),
                ]
            else:
                inner = ['with T.launch_thread("threadIdx.x", 4) as tx:', *indented(inner)]
            body += [f'with T.launch_thread("blockIdx.x", {extent}) as bx:', *indented(inner)]
        else:
            body.append(f'B1[{number * 16}] = T.Cast("float32", m * 10 + k)')
        result = ""
        if rng.random() < 0.3:
            result = " -> T.int32"
            body.append("T.ret(0)")
        functions.append(
            _function(
                ['b: T.handle("float32")', "m: T.int32", "k: T.int32"],
                body,
                "@T.prim_func(private=True)",
                f"kernel{number}",
                result,
            )
        )
        given = rng.choice(["n % 4 + 1, n", "3, n % 2", "n + 1, 2"])
        calls.append(f"Module.kernel{number}(B.data, {given})")
    if rng.random() < 0.3:
        calls = ["for i in range(2):", *indented(calls)]
    host = ['T.func_attr({"target": T.target("c")})', *calls]
    functions.insert(
        rng.randrange(len(functions) + 1), _function(['B: T.Buffer((64,), "float32")', "n: T.int32"], host)
    )
    return _module(*functions)


# -- arguments


def arguments(seed: Seed) -> str:
    """Write a function with scalar and array arguments of any shapes, strides and offsets."""
    rng = choices(seed)
    params: list[str] = []
    heads: list[str] = []
    body: list[str] = []
    symbols: list[str] = []
    for number in range(rng.randrange(1, 4)):
        handle, name = f"p{number}", f"P{number}"
        dtype = rng.choice(["float32", "int32", "int8", "float16", "uint8", "int64", "float64"])
        rank = rng.randrange(1, 4)
        shape: list[str] = []
        for _ in range(rank):
            kinds = [str(rng.randrange(1, 5))] * 2
            if len(symbols) < 3:
                symbols.append(f"s{len(symbols)}")
                kinds += [symbols[-1]] * 2
            kinds += [each for each in symbols if any(each in line for line in heads)]
            kinds += [f"{each} * 2" for each in symbols if any(f" {each} = " in f" {line}" for line in heads)]
            extent = rng.choice(kinds)
            if extent in symbols and f"{extent} = T.int32()" not in heads:
                heads.append(f"{extent} = T.int32()")
            shape.append(extent)
        symbols = [each for each in symbols if f"{each} = T.int32()" in heads]
        layout = ""
        if rng.random() < 0.4:
            steps = [f"t{number}_{axis}" for axis in range(rank)]
            steps[-1] = rng.choice([steps[-1], "1"])
            heads += [f"{step} = T.int32()" for step in steps if step != "1"]
            layout = f", strides=({', '.join(steps)},)"
        if rng.random() < 0.25:
            heads.append(f"o{number} = T.int32()")
            layout += f", elem_offset=o{number}, offset_factor={rng.choice([1, 4])}"
        params.append(f"{handle}: T.handle")
        heads.append(f'{name} = T.match_buffer({handle}, ({", ".join(shape)},), "{dtype}"{layout})')
        first = ", ".join("0" for _ in shape)
        last = ", ".join(f"{extent} - 1" for extent in shape)
        body.append(f'{name}[{first}] = {name}[{last}] + T.Cast("{dtype}", {rng.choice([*symbols, "7"])})')
    for number in range(rng.randrange(3)):
        dtype = rng.choice(["int32", "int64", "float32", "bool", "uint8", "float64"])
        params.insert(rng.randrange(len(params) + 1), f"x{number}: T.{dtype}")
        params.append(f'X{number}: T.Buffer((2,), "{dtype if dtype != "bool" else "int8"}")')
        body.append(f"X{number}[0] = x{number}" if dtype != "bool" else f'X{number}[0] = T.Cast("int8", x{number})')
    result = ""
    if rng.random() < 0.3:
        result = " -> T.int32"
        body.append("T.ret(42)")
    target = rng.choice(['T.target("c", host="c")', 'T.target("cuda", host="c")'])
    lines = [f'T.func_attr({{"target": {target}}})', *heads, *body]
    return _function(params, lines, result=result)


def contexts(seed: Seed) -> str:
    """Write repeated context calls in loops and threads."""
    rng = choices(seed)
    lines = ['T.func_attr({"target": T.target("c")})']

    def call(argument: str) -> str:
        name = rng.choice(["ctx", "ctx", "other"])
        context = f'T.Call("handle", "tir.tvm_thread_context", [T.call_extern("handle", "{name}")])'
        return f'T.call_extern("int32", "f", {context}, {argument})'

    for _ in range(rng.randrange(1, 4)):
        lines += rng.choice(
            [
                [call("n"), call("n + 1")],
                ["for i in range(4):", f"    {call('i')}", f"    {call('n')}"],
                ["for i in T.parallel(4):", f"    {call('i')}", f"    {call('i + 1')}"],
                ['with T.launch_thread("threadIdx.x", 4) as tx:', f"    {call('tx')}"],
            ]
        )
    return _function(["n: T.int32"], lines)


def constants(seed: Seed) -> str:
    """Write functions with constant data, some of it equal."""
    rng = choices(seed)
    functions: list[str] = []
    for number in range(rng.randrange(1, 3)):
        lines: list[str] = []
        total: list[str] = []
        for place in range(rng.randrange(1, 3)):
            data = rng.choice([[1, 2, 3, 4], [1, 2, 3, 5], [0, 0, 0, 9]])
            lines += [
                f'c{place} = T.allocate_const({data}, "int32", [4])',
                f'C{place} = T.Buffer((4,), "int32", data=c{place})',
            ]
            total.append(f"C{place}[i]")
        lines += ["for i in range(4):", f"    B[i] = {' * 3 + '.join(total)}"]
        functions.append(_function(['B: T.Buffer((4,), "int32")'], lines, name=f"main{number}"))
    return _module(*functions)
