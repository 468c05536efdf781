"""Functions that tir.MakePackedAPI and tir.LowerTVMBuiltin made: they do what the backend's own wrapper does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import tvm_ffi

import tvmscript
from tests.backends.llvm.kernels import Array
from tvmscript.backends import llvm
from tvmscript.backends.llvm.errors import NoNativeCode, NotSupportedByLLVM, UnknownPackedFunction
from tvmscript.backends.runtime.errors import KernelAssertion, ReadOnlyArray, UnknownSymbol, WrongArrayDType
from tvmscript.backends.runtime.module import Module
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.targets.target import Target
from tvmscript.transform import get_pass

PASSES = ("tir.MakePackedAPI", "tir.LowerTVMBuiltin")


def packed(text: str, passes: Sequence[str] = PASSES, **options: Any) -> IRModule:
    """The program, lowered, in the packed convention."""
    module: IRModule = tvmscript.lower(tvmscript.from_source(text), "llvm")
    module = get_pass("tir.BindTarget", Target.make("llvm", host="llvm"))(module)
    for name in passes:
        module = get_pass(name, **options)(module)
    return module


def through_passes(text: str) -> Module:
    return llvm.build(packed(text))


def assert_same(text: str, *args: Any, name: str = "main") -> tuple[Any, list[Array]]:
    """Both forms of a program return the same and leave the same in the arrays; what that is."""
    found: list[tuple[Any, list[Array]]] = []
    # as written, so that products are fused with the same sums
    plain = llvm.build(tvmscript.lower(tvmscript.from_source(text), "llvm"))
    for module in (plain, through_passes(text)):
        given = [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args]
        found.append((module[name](*given), [arg for arg in given if isinstance(arg, np.ndarray)]))
    (want, wanted), (got, arrays) = found
    assert got == want
    assert type(got) is type(want)
    for mine, other in zip(arrays, wanted, strict=True):
        np.testing.assert_array_equal(mine, other)
    return got, arrays


MATMUL = """
@T.prim_func
def matmul(a: T.handle, b: T.handle, c: T.handle):
    T.func_attr({"tir.noalias": True})
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n, 4), "float32")
    B = T.match_buffer(b, (4, m), "float32")
    C = T.match_buffer(c, (n, m), "float32")
    for i, j, k in T.grid(n, m, 4):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
"""


def operands() -> list[Array]:
    rng = np.random.default_rng(0)
    return [rng.random((3, 4), np.float32), rng.random((4, 5), np.float32), np.zeros((3, 5), np.float32)]


@pytest.fixture(scope="module")
def matmul() -> Module:
    return through_passes(MATMUL)


def test_matmul() -> None:
    a, b, c = operands()
    _, (_, _, got) = assert_same(MATMUL, a, b, c, name="matmul")
    np.testing.assert_allclose(got, a @ b, rtol=1e-6)
    assert_same(MATMUL, np.zeros((0, 4), "float32"), b, np.zeros((0, 5), "float32"), name="matmul")


def test_the_function_is_native(matmul: Module) -> None:
    """It is exported by its symbol, without another function around it, and its kernel knows of the memory."""
    text = matmul.get_source("input")
    assert "define i32 @__tvm_ffi_matmul(ptr %self, ptr %args, i32 %count, ptr %result)" in text
    assert text.count("define ") == 2
    assert text.count("noalias align 4 %c") == 3
    assert list(matmul.functions) == ["matmul"]
    assert matmul["matmul"].__doc__ == "matmul(a, b, c), compiled."


def test_other_arrays(matmul: Module) -> None:
    a, b, c = operands()
    matmul["matmul"](*[tvm_ffi.from_dlpack(x) for x in (a, b, c)])
    np.testing.assert_allclose(c, a @ b, rtol=1e-6)


def floats(*shape: int) -> Array:
    return np.zeros(shape, "float32")


MISTAKES: list[tuple[str, Any]] = [
    (r"matmul takes 3 arguments", lambda a, b, c: (a, b)),
    (r"matmul takes 3 arguments", lambda a, b, c: ()),
    (r"matmul takes 3 arguments", lambda a, b, c: (a, b, c, c)),
    (r"matmul\.b\.shape\[0\] must be 4", lambda a, b, c: (a, floats(6, 5), c)),
    (r"matmul\.c\.shape\[1\] must be m", lambda a, b, c: (a, b, floats(3, 7))),
    (r"matmul\.a must have the dtype float32", lambda a, b, c: (a.astype("float64"), b, c)),
    (r"matmul\.a must have the dtype float32", lambda a, b, c: (a.astype("int32"), b, c)),
    (r"matmul\.a must have 2 dimensions", lambda a, b, c: (a[None], b, c)),
    (r"matmul\.b must be compact", lambda a, b, c: (a, np.asfortranarray(b), c)),
    (r"argument 1 \(b\) must be a pointer or an array", lambda a, b, c: (a, 3, c)),
    (r"argument 1 \(b\) must be a pointer or an array", lambda a, b, c: (a, "no", c)),
    (r"matmul\.b must be an array, not nothing", lambda a, b, c: (a, None, c)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "change"), MISTAKES)
def test_mistakes(matmul: Module, text: str, change: Any) -> None:
    """The assertions of the pass raise errors that name the function and the argument."""
    with pytest.raises(KernelAssertion, match=text):
        matmul["matmul"](*change(*operands()))


def test_read_only_arrays(matmul: Module) -> None:
    """They may be read; writing to one is refused by name."""
    a, b, c = operands()
    for array in (a, c):
        array.flags.writeable = False
    with pytest.raises(ReadOnlyArray, match="the array C"):
        matmul["matmul"](a, b, c)
    writable = np.zeros_like(c)
    matmul["matmul"](a, b, writable)
    np.testing.assert_allclose(writable, a @ b, rtol=1e-6)


COPY = """
@T.prim_func
def main(A: T.Buffer((8,), "{dtype}"), B: T.Buffer((8,), "{dtype}")):
    for i in range(8):
        B[i] = A[i]
"""
NUMPY_DTYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32",
                "float64"]  # fmt: skip


@pytest.mark.parametrize("dtype", NUMPY_DTYPES)
def test_arrays_of_each_dtype(dtype: str) -> None:
    source = np.arange(8).astype(dtype)
    _, (_, got) = assert_same(COPY.format(dtype=dtype), source, np.zeros(8, dtype))
    np.testing.assert_array_equal(got, source)


@pytest.mark.parametrize(
    ("dtype", "numpy_name"),
    [("bfloat16", "bfloat16"), ("e4m3_float8", "float8_e4m3fn"), ("e5m2_float8", "float8_e5m2"), ("int4", "int4")],
)
def test_arrays_of_ml_dtypes(dtype: str, numpy_name: str) -> None:
    kind = getattr(ml_dtypes, numpy_name)
    source, target = np.arange(8).astype(kind), np.zeros(8, kind)
    copy = through_passes(COPY.format(dtype=dtype))["main"]
    copy(source, target)
    assert (source == target).all()
    with pytest.raises(WrongArrayDType, match=f"the array B takes {dtype}, but got float8_e3m4"):
        copy(source, np.zeros(8, ml_dtypes.float8_e3m4))


SCALAR = """
@T.prim_func
def main(A: T.Buffer((2,), "float64"), x: T.{dtype}) -> T.{dtype}:
    A[0] = T.Cast("float64", x)
    if x == T.Cast("{dtype}", 1):
        A[1] = T.float64(5)
        T.evaluate(T.ret(x))
    T.evaluate(T.ret(T.Cast("{dtype}", A[0])))
"""


@pytest.mark.parametrize("dtype", [*NUMPY_DTYPES, "bfloat16"])
def test_scalars_of_each_dtype(dtype: str) -> None:
    """They come as Python numbers and go back as such."""
    text = SCALAR.format(dtype=dtype)
    values: list[Any] = [0, 1, 3, 100, -2 if dtype.startswith(("int", "float")) else 7]
    if dtype.startswith(("float", "bfloat")):
        values += [0.1, -1.5, float("inf")]
    for value in [True, False] if dtype == "bool" else values:
        got, (array,) = assert_same(text, np.zeros(2), value)
        assert got == array[0]
        assert array[1] == (5 if value == 1 else 0)
    with pytest.raises(KernelAssertion, match=r"argument 1 \(x\) must be a"):
        through_passes(text)["main"](np.zeros(2), "1")
    if not dtype.startswith(("float", "bfloat")):
        with pytest.raises(KernelAssertion, match=r"argument 1 \(x\) must be a"):
            through_passes(text)["main"](np.zeros(2), 0.5)


SIZES = """
@T.prim_func
def main(a: T.handle, b: T.handle, n: T.int64):
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (n * T.int64(2),), "int32")
    for i in range(n):
        B[i * T.int64(2)] = A[i]
        B[i * T.int64(2) + T.int64(1)] = A[i]
"""


def test_sizes_as_expressions_and_parameters() -> None:
    assert_same(SIZES, np.array([1, 2, 3], "int32"), np.zeros(6, "int32"), 3)
    main = through_passes(SIZES)["main"]
    with pytest.raises(KernelAssertion, match=r"main\.b\.shape\[0\] must be n \* T.int64\(2\)"):
        main(np.zeros(3, "int32"), np.zeros(5, "int32"), 3)
    with pytest.raises(KernelAssertion, match=r"main\.a\.shape\[0\] must be n"):
        main(np.zeros(3, "int32"), np.zeros(6, "int32"), 4)


STRIDED = """
@T.prim_func
def main(a: T.handle, b: T.handle):
    s = T.int32()
    o = T.int32()
    A = T.match_buffer(a, (3, 4), "float32", strides=(s, 1), elem_offset=o)
    B = T.match_buffer(b, (3, 4), "float32")
    for i, j in T.grid(3, 4):
        B[i, j] = A[i, j]
"""


def test_strides_and_offsets() -> None:
    base = np.arange(60, dtype="float32").reshape(6, 10)
    main = through_passes(STRIDED)["main"]
    for view in (base[::2, 3:7], base[:3, :4], np.ascontiguousarray(base[:3, :4]), base[3::-1, 2:6][:3]):
        out = np.zeros((3, 4), "float32")
        main(view, out)
        np.testing.assert_array_equal(out, view)
    with pytest.raises(KernelAssertion, match=r"main\.a\.strides\[1\] must be 1"):
        main(base[:3, :8:2], out)


def test_negative_distances() -> None:
    text = """
@T.prim_func
def main(a: T.handle, B: T.Buffer((1,), "int32")):
    s = T.int32()
    A = T.match_buffer(a, (3,), "float32", strides=(s,))
    B[0] = s // 2 * 100 + T.Cast("int32", A[2])
"""
    view = np.arange(12, dtype="float32")[11::-3][:3]
    # as written, so that products are fused with the same sums
    plain = llvm.build(tvmscript.lower(tvmscript.from_source(text), "llvm"))
    for module in (plain, through_passes(text)):
        out = np.zeros(1, "int32")
        module["main"](view, out)
        assert out[0] == -195


def test_broadcast_arrays() -> None:
    """An extent of 1 where a size is asked for is read again and again."""
    text = """
@T.prim_func
def main(a: T.handle, b: T.handle):
    n = T.int32()
    m = T.int32()
    s = T.int32()
    t = T.int32()
    A = T.match_buffer(a, (n, m), "float32", strides=(s, t), buffer_type="auto")
    B = T.match_buffer(b, (3, 4), "float32")
    for i, j in T.grid(3, 4):
        B[i, j] = A[i, j]
"""
    main = through_passes(text)["main"]
    for source in (np.arange(12), np.arange(4), np.arange(1)):
        source = source.astype("float32").reshape({12: (3, 4), 4: (1, 4), 1: (1, 1)}[len(source)])
        out = floats(3, 4)
        main(source, out)
        np.testing.assert_array_equal(out, np.broadcast_to(source, (3, 4)))


def test_results_of_a_branch() -> None:
    """A return inside of a loop leaves the whole function."""
    text = """
@T.prim_func
def main(A: T.Buffer((8,), "int32"), n: T.int32) -> T.int32:
    for i in range(8):
        if A[i] == n:
            T.evaluate(T.ret(i))
        A[i] = 0
    T.evaluate(T.ret(-1))
"""
    for wanted in (5, 50):
        got, (array,) = assert_same(text, np.arange(8, dtype="int32"), wanted)
        assert got == (wanted if wanted < 8 else -1)
        assert not array[:got].any()


MODULE = """
@I.ir_module
class Module:
    @T.prim_func
    def main(a: T.handle, x: T.float32):
        T.func_attr({"global_symbol": "main"})
        A = T.match_buffer(a, (4,), "float32")
        Module.add(a, 1)
        Module.scale(A.data, x)
        Module.double(a)
        A[0] = T.Cast("float32", Module.square(T.Cast("int32", A[1])))

    @T.prim_func
    def add(a: T.handle, n: T.int32):
        T.func_attr({"global_symbol": "add"})
        m = T.int32()
        A = T.match_buffer(a, (m,), "float32")
        for i in range(m):
            A[i] = A[i] + T.Cast("float32", n)

    @T.prim_func
    def scale(a: T.handle("float32"), x: T.float32):
        T.func_attr({"global_symbol": "scale"})
        A = T.decl_buffer((4,), data=a)
        for i in range(4):
            A[i] = A[i] * x

    @T.prim_func(private=True)
    def double(a: T.handle):
        A = T.match_buffer(a, (SIZE,), "float32")
        for i in range(SIZE):
            A[i] = A[i] * T.float32(2)

    @T.prim_func
    def square(n: T.int32) -> T.int32:
        T.func_attr({"global_symbol": "square"})
        T.evaluate(T.ret(n * n))
"""


def test_calls_between_functions() -> None:
    """Packed functions call each other by their symbols, with arrays, pointers and numbers; private ones directly."""
    text = MODULE.replace("SIZE", "4")
    _, (got,) = assert_same(text, np.arange(4, dtype="float32"), 1.5)
    np.testing.assert_array_equal(got, [36, 6, 9, 12])
    built = through_passes(text)
    assert sorted(built.functions) == ["add", "main", "scale", "square"]
    assert built["square"](7) == 49
    wide = np.arange(9, dtype="float32")
    built["add"](wide, 1)
    np.testing.assert_array_equal(wide, np.arange(1, 10))


def test_errors_pass_through_calls() -> None:
    with pytest.raises(Exception, match=r"double: .*5.*4"):
        through_passes(MODULE.replace("SIZE", "5"))["main"](np.zeros(4, "float32"), 1.0)
    text = """
@I.ir_module
class Module:
    @T.prim_func
    def main(n: T.int32):
        T.func_attr({"global_symbol": "main"})
        Module.positive(n)

    @T.prim_func
    def positive(n: T.int32):
        T.func_attr({"global_symbol": "positive"})
        assert n > 0, "n must be positive"
        T.evaluate(0)
"""
    main = through_passes(text)["main"]
    main(1)
    with pytest.raises(KernelAssertion, match="n must be positive"):
        main(0)


CALLS = """
@T.prim_func
def main(A: T.Buffer((2, 3), "float32"), n: T.int32):
    T.evaluate(T.call_packed("tvmscript.test.packed.record", A, n, T.float32(0.5), "text"))
    for i in T.parallel(2):
        A[i, 2] = T.Cast(
            "float32", T.call_packed("tvmscript.test.packed.add", n, T.call_packed("tvmscript.test.packed.add", n, i))
        )
    T.evaluate(T.call_packed("tvmscript.test.packed.fail", n))
"""


def test_registered_functions() -> None:
    """They get arrays and numbers from the stack, within each other and in threads; what they raise passes through."""
    seen: list[Any] = []

    def record(array: Any, *rest: Any) -> list[int]:
        view = np.from_dlpack(array)
        view[1] = 7
        seen.append((view.shape, *rest))
        return [1, 2]

    def fail(number: int) -> None:
        if number == 8:
            raise ZeroDivisionError("on purpose")

    for name, function in (("record", record), ("add", lambda a, b: a + b), ("fail", fail)):
        tvm_ffi.register_global_func(f"tvmscript.test.packed.{name}", function, override=True)
    for _ in range(3):
        _, (got,) = assert_same(CALLS, floats(2, 3), 41)
        np.testing.assert_array_equal(got, [[0, 0, 82], [7, 7, 83]])
    assert seen == [((2, 3), 41, 0.5, "text")] * 6
    with pytest.raises(Exception, match="on purpose"):
        through_passes(CALLS)["main"](floats(2, 3), 8)
    missing = "@T.prim_func\ndef main():\n    T.evaluate(T.call_packed('tvmscript.test.nobody'))"
    with pytest.raises(UnknownPackedFunction, match=r"tvmscript\.test\.nobody"):
        through_passes(missing)["main"]()


def test_strided_arrays_for_registered_functions() -> None:
    """They come with strides and offset, as the buffer has them."""
    text = """
@T.prim_func
def main(a: T.handle):
    s = T.int32()
    o = T.int32()
    A = T.match_buffer(a, (3, 4), "float32", strides=(s, 1), elem_offset=o)
    T.evaluate(T.call_packed("tvmscript.test.packed.sum", A))
"""
    sums: list[float] = []
    tvm_ffi.register_global_func(
        "tvmscript.test.packed.sum", lambda array: sums.append(np.from_dlpack(array).sum()), override=True
    )
    base = np.arange(60, dtype="float32").reshape(6, 10)
    for view in (base[::2, 3:7], np.ascontiguousarray(base[:3, :4])):
        through_passes(text)["main"](view)
        assert sums.pop() == view.sum()


HAND = """
@T.prim_func
def f(self_handle: T.handle, args: T.handle, num_args: T.int32, result: T.handle("void")) -> T.int32:
    T.func_attr({"calling_conv": 1, "global_symbol": "__tvm_ffi_f"})
    assert num_args == 2, "f takes two"
    a: T.int64 = T.tvm_struct_get(args, 0, 15, "int64")
    for i in range(4):
        if a == T.Cast("int64", i):
            T.tvm_struct_set(result, 0, 13, 3)
            T.tvm_struct_set(result, 0, 15, T.float64(2.5))
            return 0
    T.tvm_struct_set(result, 0, 13, 1)
    T.tvm_struct_set(result, 0, 15, T.tvm_struct_get(args, T.Cast("int32", a) - 8, 15, "int64"))
    return 0
"""


def test_a_packed_function_written_by_hand() -> None:
    f = llvm.build(IRModule.from_expr(tvmscript.from_source(HAND)))["f"]
    assert f(3, None) == 2.5
    assert f(9, 7) == 7
    with pytest.raises(KernelAssertion, match="f takes two") as raised:
        f(1)
    assert raised.value.line == 5


@pytest.mark.parametrize("options", [{"opt_level": 0}, {"has_debug_info": True}], ids=str)
def test_other_options(options: dict[str, Any]) -> None:
    got = np.arange(4, dtype="float32")
    llvm.build(packed(MODULE.replace("SIZE", "4")), **options)["main"](got, 1.5)
    np.testing.assert_array_equal(got, [36, 6, 9, 12])


def test_another_machine() -> None:
    """Its code can be looked at."""
    built = llvm.build(packed(MATMUL), target="llvm -mtriple=aarch64-linux-gnu")
    assert "__tvm_ffi_matmul:" in built.get_source("asm")
    with pytest.raises(NoNativeCode):
        built["matmul"](*operands())


WORKSPACE = """
@T.prim_func
def main(a: T.handle, b: T.handle, n: T.int64, bad: T.int32):
    A = T.match_buffer(a, (512,), "float32")
    B = T.match_buffer(b, (512,), "float32")
    C_data = T.allocate([n * T.int64(512)], "float32", "global")
    C = T.Buffer((n * T.int64(512),), "float32", data=C_data)
    for i in range(n):
        C[i] = T.float32(3)
    for i in range(512):
        C[i] = A[i] * T.float32(2)
    D_data = T.allocate([1024], "float32", "global")
    D = T.Buffer((1024,), "float32", data=D_data)
    for i in range(512):
        D[i] = C[i] + T.float32(1)
    assert bad == 0, "stop"
    for i in range(512):
        B[i] = D[511 - i]
"""


def test_workspaces() -> None:
    """Memory of the runtime; it is freed on each way out."""
    a = np.arange(512, dtype="float32")
    assert_same(WORKSPACE, a, floats(512), 3, 0)
    built = through_passes(WORKSPACE)
    with pytest.raises(KernelAssertion, match="stop"):
        built["main"](a, floats(512), 3, 1)
    assert built.get_source("input").count("call void @tvmscript_free") == 4
    with pytest.raises(Exception, match="out of memory for the buffer C"):
        built["main"](a, floats(512), 2**50, 0)


def test_lines_of_packed_functions() -> None:
    """Debug information of the kernel."""
    built = llvm.build(packed(MATMUL), has_debug_info=True)
    assert '!DISubprogram(name: "matmul"' in built.get_source()
    a, b, c = operands()
    built["matmul"](a, b, c)
    np.testing.assert_allclose(c, a @ b, rtol=1e-6)


def test_without_the_second_pass() -> None:
    """Calls that are not lowered yet are those of a packed function, too."""
    built = llvm.build(packed(MODULE.replace("SIZE", "4"), PASSES[:1]))
    got = np.arange(4, dtype="float32")
    built["main"](got, 1.5)
    np.testing.assert_array_equal(got, [36, 6, 9, 12])


REFUSED = [
    ("T.evaluate(T.ret(T.float32(1)))", "returns float32, which is no status"),
    ("T.tvm_struct_set(result, 0, 15, T.Broadcast(1, 4))", "a field of a structure as int32x4"),
    ("T.tvm_struct_set(result, 0, 12, 4)", "the field 12 of a structure"),
    ('T.evaluate(T.tvm_stack_alloca("arg_value", 4))', "4 places for .*arg_value"),
    ('T.evaluate(T.Call("int32", "tir.tvm_call_packed_lowered", ["f", args, args, 0, 0]))', "another convention"),
    ('T.evaluate(T.TVMBackendFreeWorkspace(1, 0, args))', "something else than the workspace"),
    ('w: T.handle = T.TVMBackendAllocWorkspace(2, 0, T.uint64(64), 2, 32)', "another device than the CPU"),
    ('w: T.handle = T.TVMBackendAllocWorkspace(1, 0, T.uint64(64), 2, 32)', "is not freed"),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "text"), REFUSED)
def test_statements_that_are_refused(statement: str, text: str) -> None:
    program = f"""
@I.ir_module
class Module:
    @T.prim_func
    def f(self_handle: T.handle, args: T.handle, num_args: T.int32, result: T.handle("void")) -> T.int32:
        T.func_attr({{"calling_conv": 1, "global_symbol": "__tvm_ffi_f"}})
        {statement}
        return 0
"""
    with pytest.raises(NotSupportedByLLVM, match=text):
        llvm.build(tvmscript.from_source(program, check_well_formed=False))


def test_a_call_from_a_function_that_is_not_packed() -> None:
    text = """
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4,), "float32")):
        T.func_attr({"global_symbol": "main"})
        A[0] = T.Cast("float32", Module.f(3, 7))

    @T.prim_func
    def f(self_handle: T.handle, args: T.handle, num_args: T.int32, result: T.handle("void")) -> T.int32:
        T.func_attr({"calling_conv": 1, "global_symbol": "__tvm_ffi_f"})
        T.tvm_struct_set(result, 0, 13, 1)
        T.tvm_struct_set(result, 0, 15, T.tvm_struct_get(args, 1, 15, "int64"))
        return 0
"""
    got = floats(4)
    llvm.build(tvmscript.from_source(text, check_well_formed=False))["main"](got)
    np.testing.assert_array_equal(got, [7, 0, 0, 0])


def test_what_is_refused() -> None:
    """The convention before tvm-ffi, C functions that are nowhere, a name twice."""
    text = "@T.prim_func\ndef main(n: T.int32):\n    T.evaluate(T.call_packed('f', n))"
    with pytest.raises(NotSupportedByLLVM, match="parameters are not those of tvm-ffi"):
        llvm.build(packed(text, convention="tvm-0.17"))
    with pytest.raises(NotSupportedByLLVM, match=r"on the stack|the field 12"):
        llvm.build(get_pass("tir.LowerTVMBuiltin", convention="tvm-0.17")(packed(text, ())))
    unknown = "@T.prim_func\ndef main(n: T.int32):\n    T.evaluate(T.call_cpacked('no_such_function', n))"
    with pytest.raises(UnknownSymbol, match="no_such_function"):
        through_passes(unknown)
    twice = """
@I.ir_module
class Module:
    @T.prim_func
    def a():
        T.func_attr({"global_symbol": "f"})
        T.evaluate(0)

    @T.prim_func
    def b(self_handle: T.handle, args: T.handle, num_args: T.int32, result: T.handle("void")) -> T.int32:
        T.func_attr({"calling_conv": 1, "global_symbol": "__tvm_ffi_f"})
        return 0
"""
    with pytest.raises(NotSupportedByLLVM, match="two functions that are called f"):
        llvm.build(tvmscript.from_source(twice))
