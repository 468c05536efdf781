"""Modules whose functions call each other, C functions and packed functions."""

from __future__ import annotations

import random
from typing import Any, Final

import numpy as np
import tvm_ffi

from tvmscript.fuzz.codegen.writing import Kernel, Written, constant, under
from tvmscript.fuzz.programs import indented

#: the registered function that kernels call: it records its arguments and returns 10 * their number + the first number
TELL: Final = "tvmscript.testing.tell"
_SCALARS: Final = ("int32", "float32", "int64", "bool", "int8", "uint8", "float64", "uint32", "float16", "int16")
_TOLD: list[tuple[object, ...]] = []


def _tell(*values: Any) -> int | float:
    told = tuple(map(_plain, values))
    _TOLD.append(told)
    first = next((value for value in told if isinstance(value, (int, float))), 0)
    if first == 13:
        raise ValueError("thirteen")
    return len(values) * 10 + first


def _plain(value: Any) -> object:
    """Convert an argument to a comparable constant."""
    if isinstance(value, (bool, int, float, str)) or value is None:
        return value
    view = np.from_dlpack(value)
    return str(view.dtype), view.shape, tuple(view.reshape(-1).tolist())


def register() -> list[tuple[object, ...]]:
    """Register the recording function. Returns its record, cleared."""
    if tvm_ffi.get_global_func(TELL, allow_missing=True) is None:
        tvm_ffi.register_global_func(TELL, _tell)
    _TOLD.clear()
    return _TOLD


def _public(text: str, name: str) -> str:
    return text.replace("):\n", f'):\n    T.func_attr({{"global_symbol": "{name}"}})\n', 1)


def _module(functions: list[str], main: str) -> str:
    texts = [*functions, _public(main, "main")]
    body = "".join(f"{line}\n" for text in texts for line in indented(text.splitlines()))
    return f"@I.ir_module\nclass Module:\n{body}"


def own_functions(rng: random.Random) -> Written:
    """Draw scalar functions that `main` calls with conversions of arguments and results."""
    k = Kernel(rng)
    k.heads.clear()
    functions: list[str] = []
    kinds: list[tuple[str, str, str]] = []
    for at in range(k.number(1, 2)):
        first, second, result = k.pick(*_SCALARS), k.pick("int32", "float32", "int64", "bool"), k.pick(*_SCALARS)
        value = k.pick("x", "x", "y", "T.if_then_else(T.Cast('bool', y), x, x)")
        body = [f"T.ret(T.Cast('{result}', {value}))"]
        if k.chance(0.4):
            body = [*under("if T.Cast('bool', y):", [f"T.ret(T.Cast('{result}', x))"]), *body]
        functions.append(
            "\n".join(
                ["@T.prim_func(private=True)", *under(f"def g{at}(x: T.{first}, y: T.{second}) -> T.{result}:", body)]
            )
        )
        kinds.append((first, second, result))
    out = k.pick("int64", "float64", "int32", "float32")
    k.array("A", "(9,)", "int32")
    k.array("B", "(9,)", out)
    body = []
    for at, (first, second, _) in enumerate(kinds):
        x = k.pick("A[i]", "A[i] % 7", "i - 4")
        y = k.pick("A[i]", "i % 2", "A[8 - i]")
        if first.startswith("u"):
            x = f"T.bitwise_and({x}, 127)"
        call = f"Module.g{at}(T.Cast('{first}', {x}), T.Cast('{second}', {y}))"
        body.append(f"B[{k.pick('i', '8 - i')}] = T.Cast('{out}', {call})")
    kind = k.pick("range", "range", "T.parallel")
    if kind == "T.parallel":
        body = body[:1]
    k.lines = under(f"for i in {kind}(9):", body)
    return Written(_module(functions, k.text()), k.sizes)


def functions_of_buffers(rng: random.Random) -> Written:
    """Draw functions that check the arrays, or parts of arrays, that `main` passes."""
    k = Kernel(rng)
    k.heads.clear()
    dtype = k.pick("float32", "int32", "int8", "float64", "int64", "uint16")
    shape = [k.pick(1, 2, 3, 4) for _ in range(k.number(1, 3))]
    total = int(np.prod(shape))
    inner = Kernel(rng)
    inner.heads.clear()
    inner.params = ["x: T.handle", "y: T.handle", "s: T.int32"]
    wanted = [k.pick(str(extent), str(extent), "nml"[axis]) for axis, extent in enumerate(shape)]
    second = [k.pick(extent, extent, extent, "n") for extent in wanted]
    if k.chance(0.15):
        wanted[-1] = f"{shape[-1] + 1}"
    inner.heads = [f"{name} = T.int32()" for name in sorted({*wanted, *second} & {*"nml"})]
    steps = [str(int(np.prod(shape[axis + 1 :]))) for axis in range(len(shape))]
    for name, extents in (("X", wanted), ("Y", second)):
        strides = k.pick("", "", f", strides=({', '.join(steps)},)")
        inner.heads.append(f'{name} = T.match_buffer({name.lower()}, ({", ".join(extents)},), "{dtype}"{strides})')
    at = ", ".join(f"x{axis}" for axis in range(len(shape)))
    body = [f"Y[{at}] = X[{at}] + {constant(dtype, k.number(1, 4))}"]
    for axis, extent in reversed(list(enumerate(wanted))):
        body = under(f"for x{axis} in range({extent}):", body)
    inner.lines = under(f"if s < {k.number(0, 9)}:", body)
    text = inner.text("g").replace("@T.prim_func", "@T.prim_func(private=True)")
    if k.chance(0.3):
        text = _public(inner.text("g"), "g")
    for name in "AB":
        k.array(name, f"({total + 8},)", dtype)

    def handed(name: str) -> str:
        extent_list = list(shape)
        if k.chance(0.1):
            extent_list[0] += 1
        extent_list = extent_list if k.chance(0.95) else [*extent_list, 1]
        strides = k.pick("0", "0", f"T.tvm_stack_make_shape({', '.join([*steps, '1'][: len(extent_list)])})")
        extents = ", ".join(map(str, extent_list))
        other = dtype if k.chance(0.95) else k.pick("int16", "float32")
        return (
            f"T.tvm_stack_make_array({name}.data, T.tvm_stack_make_shape({extents}), {strides}, {len(extent_list)}, "
            f"T.{other}(0), 0)"
        )

    k.lines = [f"Module.g({handed('A')}, {handed('B')}, {k.number(0, 9)})", f"B[{total + 7}] = A[1]"]
    if k.chance(0.4):
        k.lines = under(f"for i in range({k.number(0, 2)}):", k.lines)
    return Written(_module([text], k.text()), k.sizes)


def bare_handles(rng: random.Random) -> Written:
    """Draw functions that pass on handles, which nothing matches with a buffer, to functions with buffers."""
    k = Kernel(rng)
    k.heads.clear()
    dtype, count = k.pick("int32", "int8", "int64", "uint16"), k.number(1, 9)
    names: list[str] = []
    for name in "xy":
        k.params.append(k.pick(f"{name}: T.handle", f'{name}: T.handle("{dtype}")'))
        names.append(f'{name.upper()} = T.Buffer(({count},), "{dtype}", data={name})')
        if k.chance(0.6):
            k.params[-1], names[-1] = f'{name.upper()}: T.Buffer(({count},), "{dtype}")', ""
        elif k.chance(0.3):
            k.params[-1] = f"{name}: T.handle"
            names[-1] = f'{name.upper()} = T.match_buffer({name}, ({count},), "{dtype}")'
    k.heads = [line for line in names if line]
    k.lines = under(f"for i in range({count}):", [f"Y[i] = Y[i] + X[{k.pick('i', f'{count - 1} - i')}]"])
    functions = [k.text("g")]
    if k.chance(0.4):
        k.params, k.heads, k.lines = ["x: T.handle", "y: T.handle"], [], ["Module.g(x, y)"]
        functions.append(k.text("h"))
    callee = "gh"[len(functions) - 1]
    k.params, k.heads = [], []
    passed: list[str] = []
    for name in "ab":
        if k.chance(0.4):
            k.array(name.upper(), f"({count},)", dtype)
            passed.append(k.pick(name, f"{name.upper()}.data"))
        else:
            k.params.append(f"{name}: T.handle")
            k.sizes[name] = 8 * count
            passed.append(name)
    k.lines = [f"Module.{callee}({', '.join(k.pick(passed, passed, passed[::-1]))})" for _ in range(k.number(1, 2))]
    private = [text.replace("@T.prim_func", "@T.prim_func(private=True)") for text in functions]
    return Written(_module(private, k.text()), k.sizes)


def registered(rng: random.Random) -> Written:
    """Draw calls of a registered function with arrays, views, scalars of every dtype, strings.

    The interpreter has no registered functions; the expected calls and results are computed from the arguments.
    """
    k = Kernel(rng)
    k.heads.clear()
    n = k.pick(-3, 0, 1, 2, 7, 13)
    k.scalar("n", "int32", n)
    k.array("B", "(9,)", "float64")
    dtype = k.pick("int32", "float32", "int8", "int64", "float64", "uint8", "int16")
    shape = [k.pick(1, 2, 3, 4) for _ in range(k.number(1, 3))]
    total = int(np.prod(shape))
    k.array("A", f"({total + 3},)", dtype)
    lines = under(f"for i in range({total + 3}):", [f"A[i] = T.Cast('{dtype}', i * 3)"])
    lines += under("for i in range(9):", ["B[i] = T.float64(0)"])
    told: list[tuple[object, ...]] = []
    results: dict[int, float] = {}
    fails = False
    for at in range(k.number(1, 3)):
        values: list[tuple[str, object]] = [_value(k, n) for _ in range(k.number(0, 5))]
        if k.chance(0.5):
            values.insert(k.number(0, len(values)), _array(k, dtype, shape))
        call = f"T.call_packed({', '.join([repr(TELL), *[text for text, _ in values]])})"
        given = tuple(value for _, value in values)
        times = k.pick(1, 1, 1, 0, 2)
        first = next((value for value in given if isinstance(value, (int, float))), 0)
        fails = fails or (times > 0 and first == 13)
        told += [given] * (min(times, 1) if fails else times)
        result = len(given) * 10 + first
        kind = k.pick("int32", "int64", "float64")
        if kind == "float64" or isinstance(first, float):
            whole = [f"T.evaluate({call})"]
        else:
            call = call if kind == "int32" else f'T.Call("int64", "tir.tvm_call_packed", [{call[14:-1]}])'
            whole = [f"B[{at}] = T.Cast('float64', {call})"]
            if times and not fails:
                results[at] = float((result + 2**31) % 2**32 - 2**31 if kind == "int32" else result)
        if times != 1:
            whole = under(f"for i in range({times}):", whole)
        lines += whole
        if fails:
            break
    k.lines = lines
    return Written(k.text(), k.sizes, told=tuple(told), results=tuple(sorted(results.items())))


def _value(k: Kernel, n: int) -> tuple[str, object]:
    """Draw a scalar argument and its expected value."""
    return k.pick(
        ("n", n),
        ("n * 2", n * 2),
        ("T.int64(5)", 5),
        ("T.int64(-4294967297)", -4294967297),
        ("T.bool(True)", True),
        ("n < 1", n < 1),
        ("T.float32(2.5)", 2.5),
        ("T.float64(-0.25)", -0.25),
        ("T.float16(1.5)", 1.5),
        ('"text"', "text"),
        ('"\\u00fc 100%"', "\u00fc 100%"),
        ("T.uint8(200)", 200),
        ("T.int8(-1)", -1),
        ("T.uint32(4000000000)", 4000000000),
        ("T.Cast('int32', A[2])", 6),
    )


def _array(k: Kernel, dtype: str, shape: list[int]) -> tuple[str, object]:
    """Draw a view of the array A of multiples of 3, possibly transposed."""
    offset = k.number(0, 3)
    extents = ", ".join(map(str, shape))
    numbers = (np.arange(int(np.prod(shape))) + offset) * 3
    strides = "0"
    array = numbers.reshape(shape)
    if k.chance(0.4):
        array = numbers.reshape(shape[::-1]).T
        steps = [int(np.prod(shape[:axis])) for axis in range(len(shape))]
        strides = f"T.tvm_stack_make_shape({', '.join(map(str, steps))})"
    text = (
        f"T.tvm_stack_make_array(A.data, T.tvm_stack_make_shape({extents}), {strides}, {len(shape)}, "
        f"T.{dtype}(0), {offset})"
    )
    return text, (dtype, tuple(shape), tuple(array.astype(dtype).reshape(-1).tolist()))


_C: Final = (
    ("fabs", 1), ("sqrt", 1), ("floor", 1), ("ceil", 1), ("trunc", 1), ("fmod", 2), ("copysign", 2), ("round", 1),
    ("fma", 3),
)  # fmt: skip


def of_c(rng: random.Random) -> Written:
    """Draw calls of C functions and LLVM intrinsics by name."""
    k = Kernel(rng)
    dtype = k.pick("float32", "float64")
    k.array("A", "(24,)", dtype)
    k.array("B", "(24,)", dtype)
    body: list[str] = []
    for at in range(k.number(1, 3)):
        name, count = k.pick(*_C)
        args = ", ".join(["A[i]", "A[23 - i]", "B[i]"][:count])
        form = k.pick("extern", "pure", "llvm")
        if form == "llvm":
            whole = {"fmod": "llvm.sqrt", "nearbyint": "llvm.nearbyint"}.get(name, f"llvm.{name}")
            count = 1 if name == "fmod" else count
            args = ", ".join(["A[i]", "A[23 - i]", "B[i]"][:count])
            call = f'T.call_llvm_pure_intrin("{dtype}", "{whole}", T.uint32({count}), {args})'
        else:
            suffix = "f" if dtype == "float32" else ""
            call = f'T.call_{"extern" if form == "extern" else "pure_extern"}("{dtype}", "{name}{suffix}", {args})'
        body.append(f"B[{k.pick('i', '23 - i', f'(i + {at}) % 24')}] = {call}")
    k.lines = under("for i in range(24):", body)
    return Written(k.text(), k.sizes)
