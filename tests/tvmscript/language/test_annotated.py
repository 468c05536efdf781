"""`Annotated[T.Buffer, (16, 16), "float32"]`: the spelling of annotations that type checkers accept.

mypy and pyright read this file, strictly and without exceptions, as every file of the tests: what is written in these
kernels is what they must be content with.
"""

from __future__ import annotations

import typing
from typing import Annotated, Any

import pytest

import tvmscript
from tvmscript import I, T
from tvmscript.ir import assert_structural_equal
from tvmscript.parser.diagnostics.errors import InvalidAnnotation, InvalidArguments
from tvmscript.printer import InvalidOption

Row = Annotated[T.Buffer, (16,), "float32"]


@T.prim_func
def every_construct(
    A: Annotated[T.Buffer, (16, 16), "float32"],
    B: typing.Annotated[T.Buffer, (16, 16), "float32"],
    C: Annotated[T.Buffer, (16, 16)],
    S: Annotated[T.Buffer, (16,), "float16", {"scope": "shared", "align": 16}],
    a: T.handle,
    p: Annotated[T.handle, "float32", "shared"],
    n: T.int32,
    k: T.int64,
    x: T.float32,
) -> None:
    T.func_attr({"tir.noalias": True, "global_symbol": "every_construct"})
    m = T.int32()
    M = T.match_buffer(a, (m, 16), "float32", offset_factor=1)
    local = T.alloc_buffer((16,), "float32", scope="local")
    for i, j in T.grid(16, 16):
        with T.block("sum"):
            vi, vj = T.axis.remap("SR", [i, j])
            T.reads(A[vi, vj], B[0:4, vj])
            T.writes(C[vi, 0])
            with T.init():
                C[vi, 0] = T.float32(0)
            C[vi, 0] = C[vi, 0] + A[vi, vj] * B[vi, vj] + 1.0
    for i in range(n):
        local[i] = T.if_then_else(i >= 0 and i < 8, T.exp(x), T.max(x, T.float32(0)))
        if M[i, 0] > 0.5 and not (n < 3):
            M[i, 0] = -M[i, 0] / 2.0
        elif n % 2 == 0:
            M[i, 0] = T.Cast("float32", k // 2)
        else:
            T.evaluate(T.call_extern("int32", "f", M.data, "text", n))
    for i in T.serial(4, annotations={"pragma": 1}):
        for j in T.vectorized(4):
            B[i, j] = T.Select(j < 2, A[i, j], A[j, i])
    for t in T.thread_binding(16, thread="threadIdx.x"):
        S[t] = A[t, 0].astype("float16")
    y: T.float32 = x * 2.0
    z = T.meta_var(y + 1.0)
    while local[0] < z:
        local[0] = local[0] + 1.0
    with T.attr(0, "pragma", 1), T.allocate([4], "float32", "local") as q:
        view = T.Buffer((4,), "float32", data=q, scope="local")
        view[0] = y
    memory = T.allocate([4], "float32", "local")
    other = T.decl_buffer((4,), "float32", data=memory, scope="local")
    other[0:4] = T.Broadcast(T.float32(1), 4)
    assert n < 100, "n is small"
    T.evaluate(T.isnullptr(p))


def test_what_checkers_accept_is_read() -> None:
    params = {name.name_hint: buffer for name, buffer in every_construct.buffer_map.items()}
    assert [var.name_hint for var in every_construct.params] == [
        "A_handle", "B_handle", "C_handle", "S_handle", "a", "p", "n", "k", "x",
    ]  # fmt: skip
    shared = params["S_handle"]
    assert (shared.dtype, shared.storage_scope, shared.data_alignment) == ("float16", "shared", 16)
    assert params["C_handle"].dtype == "float32"
    assert_structural_equal(every_construct, tvmscript.from_source(every_construct.script()))


@I.ir_module
class Kernels(I.Module):
    @T.prim_func
    def twice(A: Row, B: Row) -> None:
        cls = Kernels
        for i in range(16):
            B[i] = cls.double(A[i])

    @T.prim_func(private=True)
    def double(x: T.float32) -> T.float32:
        return x * T.float32(2)


def test_modules() -> None:
    assert [var.name_hint for var in Kernels.get_global_vars()] == ["double", "twice"]
    first, second = Kernels["twice"].buffer_map.values()
    assert first is not second


def test_without_postponed_evaluation() -> None:
    """What Python evaluated already is taken as it is."""
    made: dict[str, Any] = {}

    def annotate(size: int) -> Any:
        def kernel(A: Any) -> None:
            A[0] = T.float32(1)

        kernel.__annotations__["A"] = Annotated[T.Buffer, (size,), "float32"]
        return kernel

    kernel = annotate(8)
    made["kernel"] = T.prim_func(kernel, source="def kernel(A: Unknown):\n    A[0] = T.float32(1)\n")
    assert 'A: T.Buffer((8,), "float32")' in made["kernel"].script()


HEADERS = (
    "",
    "from typing import Annotated\n",
    "from typing_extensions import Annotated\n",
    "import typing\nAnnotated = typing.Annotated\n",
    "import typing as t\nAnnotated = t.Annotated\n",
)


@pytest.mark.parametrize("header", HEADERS)
def test_headers_of_texts(header: str) -> None:
    body = "    for i in range(4):\n        A[i] = T.float32(1)\n"
    text = f'{header}@T.prim_func\ndef f(A: Annotated[T.Buffer, (4,), "float32"]) -> None:\n{body}'
    plain = f'@T.prim_func\ndef f(A: T.Buffer((4,), "float32")):\n{body}'
    assert_structural_equal(tvmscript.from_source(text), tvmscript.from_source(plain))


def test_other_names_of_a_typing_module_are_refused() -> None:
    with pytest.raises(tvmscript.DiagnosticError) as caught:
        tvmscript.from_source("from typing import Any\n@T.prim_func\ndef f():\n    T.evaluate(0)\n")
    assert caught.value.code == "TS2024"


@pytest.mark.parametrize(
    ("annotation", "error", "message"),
    [
        ("Annotated[T.Buffer]", InvalidArguments, "a type and its arguments are needed"),
        ('Annotated["T.Buffer", (4,)]', InvalidArguments, "the first item is not a type of the script"),
        ('Annotated[T.Buffer, (4,), {1: "shared"}]', InvalidArguments, "argument names"),
        ('Annotated[T.Buffer, (4,), {"scop": "shared"}]', InvalidArguments, "scop"),
        ("Annotated[T.evaluate, 1]", InvalidAnnotation, "is not the type of a parameter"),
        ("Annotated", InvalidAnnotation, "is not the type of a parameter"),
    ],
)
def test_refused(annotation: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        tvmscript.from_source(f"@T.prim_func\ndef f(A: {annotation}):\n    T.evaluate(0)\n")
    assert isinstance(caught.value, tvmscript.DiagnosticError)
    assert (caught.value.line, caught.value.column) == (2, 10)


def test_printed_on_request() -> None:
    text = every_construct.script(annotated=True)
    assert text.startswith("# from typing import Annotated\n")
    assert 'A: Annotated[T.Buffer, (16, 16), "float32"], ' in text
    assert 'p: Annotated[T.handle, "float32", "shared"], ' in text
    assert ") -> None:" in text
    made = tvmscript.from_source(text)
    assert_structural_equal(every_construct, made)
    assert made.script(annotated=True) == text
    assert made.script() == every_construct.script()


def test_only_for_our_own_dialect() -> None:
    """The current TVM does not read this spelling."""
    with pytest.raises(InvalidOption, match="annotated"):
        every_construct.script(annotated=True, dialect="0.27")


def test_modules_are_printed_with_their_base() -> None:
    text = Kernels.script(annotated=True)
    assert "class Module(I.Module):" in text
    assert "def double(x: T.float32) -> T.float32:" in text
    assert_structural_equal(Kernels, tvmscript.from_source(text.replace("# from", "from")))
