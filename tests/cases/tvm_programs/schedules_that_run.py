"""Checks in the style of TVM's own tests, which pass on TVM 0.17 too: run by tests/tvmscript/test_tvm_programs.py."""

import numpy as np, pytest
import tvm, tvm.testing
from tvm import tir, ir
from tvm.ir import IRModule, assert_structural_equal
from tvm.script import tir as T, ir as I
from tvm.arith import Analyzer
from tvm.tir import Schedule
from tvm.tir.schedule.testing import verify_trace_roundtrip, assert_structural_equal_ignore_global_symbol


@T.prim_func
def add1(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    for i in range(128):
        with T.block("B"):
            vi = T.axis.spatial(128, i)
            B[vi] = A[vi] + 1.0


@T.prim_func
def rowsum(A: T.Buffer((128, 128), "float32"), B: T.Buffer((128,), "float32")):
    for i, k in T.grid(128, 128):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = 0.0
            B[vi] = B[vi] + A[vi, vk]


@T.prim_func
def chain(A: T.Buffer((64, 64), "float32"), D: T.Buffer((64, 64), "float32")):
    B = T.alloc_buffer((64, 64), "float32")
    C = T.alloc_buffer((64, 64), "float32")
    for i, j in T.grid(64, 64):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * 2.0
    for i, j in T.grid(64, 64):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = T.max(B[vi, vj], 0.0)
    for i, j in T.grid(64, 64):
        with T.block("D"):
            vi, vj = T.axis.remap("SS", [i, j])
            D[vi, vj] = C[vi, vj] + A[vi, vj]


def run(mod, *shapes):
    rng = np.random.default_rng(0)
    arrs = [tvm.nd.array(rng.uniform(-1, 1, s).astype("float32")) for s in shapes]
    tvm.build(mod, target="llvm")(*arrs)
    return [a.numpy() for a in arrs]


def same(f, s, *shapes):
    for x, y in zip(run(f, *shapes), run(s.mod, *shapes)):
        np.testing.assert_allclose(x, y, rtol=1e-5, atol=1e-5)


def test_vectorize_run():
    s = Schedule(add1)
    (i,) = s.get_loops("B")
    o, ii = s.split(i, [None, 8])
    s.vectorize(ii)
    s.parallel(o)
    same(add1, s, (128,), (128,))
    verify_trace_roundtrip(s, mod=add1)


def test_rowsum_decompose_run():
    s = Schedule(rowsum)
    i, k = s.get_loops("B")
    s.decompose_reduction("B", k)
    same(rowsum, s, (128, 128), (128,))


def test_chain_inline_all():
    s = Schedule(chain)
    s.compute_inline("B")
    s.compute_inline("C")
    assert len(s.get_child_blocks(s.get_block("root"))) == 1
    same(chain, s, (64, 64), (64, 64))
    verify_trace_roundtrip(s, mod=chain)


def test_chain_compute_at():
    s = Schedule(chain)
    i, j = s.get_loops("D")
    s.compute_at("C", i)
    s.compute_at("B", s.get_loops("D")[0])
    s.set_scope("B", 0, "local")
    same(chain, s, (64, 64), (64, 64))
    verify_trace_roundtrip(s, mod=chain)


def test_chain_reverse_compute_at():
    s = Schedule(chain)
    i, j = s.get_loops("B")
    s.reverse_compute_at("C", i)
    s.reverse_compute_at("D", s.get_loops("B")[0])
    same(chain, s, (64, 64), (64, 64))


def test_chain_cache():
    s = Schedule(chain)
    r = s.cache_read("D", 1, "local")
    w = s.cache_write("D", 0, "local")
    assert [s.get(b).name_hint for b in (r, w)] == ["A_local", "D_local"]
    same(chain, s, (64, 64), (64, 64))
    verify_trace_roundtrip(s, mod=chain)


def test_fuse_split_run():
    s = Schedule(chain)
    f = s.fuse(*s.get_loops("D"))
    a, b, c = s.split(f, [None, 3, 5])
    same(chain, s, (64, 64), (64, 64))
    assert "T.where" in s.mod.script()


def test_transform_block_layout():
    s = Schedule(add1)
    s.transform_block_layout("B", lambda i: [i // 16, i % 16])
    assert len(s.get_loops("B")) == 2
    same(add1, s, (128,), (128,))
    verify_trace_roundtrip(s, mod=add1)


def test_transform_layout_run():
    s = Schedule(chain)
    s.transform_layout("B", ("write", 0), lambda i, j: [j, i])
    same(chain, s, (64, 64), (64, 64))
    verify_trace_roundtrip(s, mod=chain)


def test_set_axis_separator():
    s = Schedule(chain)
    s.set_axis_separator("B", ("write", 0), [1])
    assert "axis_separators" in s.mod.script()
    verify_trace_roundtrip(s, mod=chain)


def test_pad_einsum():
    @T.prim_func
    def mm(A: T.Buffer((127, 127), "float32"), B: T.Buffer((127, 127), "float32"), C: T.Buffer((127, 127), "float32")):
        for i, j, k in T.grid(127, 127, 127):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]

    s = Schedule(mm)
    s.pad_einsum("C", [32, 32, 32])
    assert "128" in s.mod.script()
    verify_trace_roundtrip(s, mod=mm)
    same(mm, s, (127, 127), (127, 127), (127, 127))


def test_sample_compute_location():
    s = Schedule(chain, seed=3)
    l = s.sample_compute_location("B")
    s.compute_at("B", l)
    verify_trace_roundtrip(s, mod=chain)


def test_error_render():
    for level in ["none", "fast", "detail"]:
        s = Schedule(chain, error_render_level=level)
        with pytest.raises(tir.ScheduleError):
            s.compute_inline("D")


def test_get_loops_order():
    s = Schedule(chain)
    assert [s.get(l).loop_var.name for l in s.get_loops("B")] == ["i", "j"]


def test_work_on():
    m = IRModule({"a": add1, "b": chain})
    s = Schedule(m)
    s.work_on("b")
    assert len(s.get_loops("C")) == 2
    b = s.get_block("B", func_name="a")
    assert len(s.get_loops(b)) == 1


def test_module_schedule_error():
    m = IRModule({"a": add1, "b": chain})
    with pytest.raises(Exception):
        Schedule(m).get_block("zzz")


def lower_to(mod, *names):
    for n in names:
        mod = getattr(tir.transform, n)()(mod)
    return mod


def test_compact_buffer():
    @T.prim_func
    def f(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
        for i in range(16):
            with T.block():
                T.reads(A[i, 0:16])
                T.writes(C[i, 0:16])
                B = T.alloc_buffer((16, 16), "float32")
                for j in range(16):
                    with T.block():
                        T.reads(A[i, j])
                        T.writes(B[i, j])
                        B[i, j] = A[i, j] + 1.0
                for j in range(16):
                    with T.block():
                        T.reads(B[i, j])
                        T.writes(C[i, j])
                        C[i, j] = B[i, j] * 2.0

    m = lower_to(IRModule({"main": f}), "CompactBufferAllocation")
    assert "alloc_buffer((1, 16))" in m.script()


def test_plan_alloc():
    m = lower_to(IRModule({"main": chain}), "LowerInitBlock", "PlanAndUpdateBufferAllocationLocation")
    assert m.script().count("alloc_buffer") == 2


def test_opaque():
    m = lower_to(IRModule({"main": add1}), "ConvertBlocksToOpaque")
    assert "T.axis" not in m.script()
    m = lower_to(m, "LowerOpaqueBlock")
    assert "T.block" not in m.script()


def test_full_lower():
    m = tvm.lower(IRModule({"main": chain}))
    assert "T.block" not in m.script()
    assert "T.allocate" in m.script() or "decl_buffer" in m.script()


def test_unroll_config():
    @T.prim_func
    def f(A: T.Buffer((8,), "int32")):
        for i in range(8):
            A[i] = i

    with tvm.transform.PassContext(config={"tir.UnrollLoop": {"auto_max_step": 16}}):
        m = tir.transform.UnrollLoop()(IRModule({"main": f}))
    assert isinstance(m["main"].body, tir.SeqStmt) or m["main"].body.kind == tir.ForKind.UNROLLED


def test_loop_partition_pass():
    @T.prim_func
    def f(A: T.Buffer((17,), "int32")):
        for i in range(5):
            for j in range(4):
                if T.likely(i * 4 + j < 17):
                    A[i * 4 + j] = 1

    with tvm.transform.PassContext(config={"tir.LoopPartition": {"partition_const_loop": True}}):
        m = tir.transform.LoopPartition()(IRModule({"main": f}))
    m = tir.transform.Simplify()(m)
    assert m.script().count("for ") > 2 or "if" not in m.script()


def test_inject_software_pipeline():
    @T.prim_func
    def f(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
        for i in T.serial(16, annotations={"software_pipeline_stage": [0, 1], "software_pipeline_order": [0, 1]}):
            with T.block():
                T.reads(A[i, 0:16])
                T.writes(C[i, 0:16])
                B = T.alloc_buffer((1, 16), "float32", scope="shared")
                with T.block():
                    T.reads(A[i, 0:16])
                    T.writes(B[0, 0:16])
                    for j in range(16):
                        B[0, j] = A[i, j] * 2.0
                with T.block():
                    T.reads(B[0, 0:16])
                    T.writes(C[i, 0:16])
                    for j in range(16):
                        C[i, j] = B[0, j] + 1.0

    m = tir.transform.InjectSoftwarePipeline()(IRModule({"main": f}))
    assert "alloc_buffer((2, 1, 16)" in m.script()


def test_thread_sync():
    @T.prim_func
    def f(A: T.Buffer((4,), "float32")):
        T.func_attr({"target": T.target("cuda", host="llvm")})
        tx = T.launch_thread("threadIdx.x", 4)
        s = T.allocate([4], "float32", "shared")
        S = T.Buffer((4,), "float32", data=s, scope="shared")
        S[tx] = A[tx]
        A[tx] = S[(tx + 1) % 4]

    m = tir.transform.ThreadSync("shared")(IRModule({"main": f}))
    assert "tvm_storage_sync" in m.script()


def test_split_host_device():
    @I.ir_module
    class M:
        @T.prim_func
        def main(A: T.Buffer((4,), "float32")):
            T.func_attr({"target": T.target("cuda", host="llvm"), "global_symbol": "main"})
            tx = T.launch_thread("threadIdx.x", 4)
            A[tx] = T.float32(0)

    m = tir.transform.SplitHostDevice()(tir.transform.AnnotateDeviceRegions()(M))
    assert len(m.functions) == 2


def test_merge_shared():
    assert tir.transform.MergeSharedMemoryAllocations().info.name == "tir.MergeSharedMemoryAllocations"


def test_lower_intrin():
    @T.prim_func
    def f(A: T.Buffer((4,), "int32"), n: T.int32):
        T.func_attr({"target": T.target("llvm")})
        A[0] = T.floordiv(n, 4)
        A[1] = T.floormod(n, 3)

    m = tir.transform.LowerIntrin()(IRModule({"main": f}))
    assert "shift_right" in m.script()


def test_renormalize_decorate():
    m = tir.transform.DecorateDeviceScope()(IRModule({"main": add1}))
    assert "device_scope" in m.script()


def test_remove_assert():
    @T.prim_func
    def f(A: T.Buffer((1,), "int32"), n: T.int32):
        assert n > 3, "msg"
        A[0] = n

    m = tir.transform.RemoveAssume()(tir.transform.SkipAssert()(IRModule({"main": f})))
    assert "assert" not in m.script()


def test_bound_checkers():
    @T.prim_func
    def f(A: T.Buffer((4,), "int32")):
        for i in range(4):
            A[i] = i

    m = tir.transform.Simplify()(IRModule({"main": f}))
    assert_structural_equal_ignore_global_symbol(m["main"], f)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64", "float32", "float64"])
def test_run_dtypes(dtype):
    @T.prim_func
    def f(A: T.Buffer((16,), dtype), B: T.Buffer((16,), dtype)):
        for i in range(16):
            B[i] = A[i] + A[i]

    a = tvm.nd.array(np.arange(16).astype(dtype))
    b = tvm.nd.array(np.zeros(16, dtype))
    tvm.build(f, target="llvm")(a, b)
    np.testing.assert_array_equal(b.numpy(), a.numpy() * 2)


@pytest.mark.parametrize(
    "name,ref",
    [
        ("exp", np.exp),
        ("sqrt", np.sqrt),
        ("tanh", np.tanh),
        ("floor", np.floor),
        ("abs", np.abs),
        ("sin", np.sin),
        ("log", np.log),
        ("erf", None),
        ("sigmoid", lambda x: 1 / (1 + np.exp(-x))),
    ],
)
def test_run_intrinsics(name, ref):
    op = getattr(tir, name)
    A = tir.decl_buffer((16,), "float32", name="A")
    B = tir.decl_buffer((16,), "float32", name="B")
    i = tir.Var("i", "int32")
    f = tir.PrimFunc(
        [A, B], tir.For(i, 0, 16, tir.ForKind.SERIAL, tir.BufferStore(B, op(tir.BufferLoad(A, [i])), [i]))
    ).with_attr("global_symbol", "main")
    a = np.linspace(0.1, 2, 16).astype("float32")
    b = tvm.nd.array(np.zeros(16, "float32"))
    tvm.build(f, target="llvm")(tvm.nd.array(a), b)
    if ref is not None:
        np.testing.assert_allclose(b.numpy(), ref(a), rtol=1e-4, atol=1e-5)


def test_symbolic_shapes():
    @T.prim_func
    def f(a: T.handle, b: T.handle):
        n = T.int32()
        A = T.match_buffer(a, (n,), "float32")
        B = T.match_buffer(b, (n,), "float32")
        for i in range(n):
            B[i] = A[i] * 3.0

    m = tvm.build(f, target="llvm")
    for n in (1, 5, 16):
        x = np.arange(n, dtype="float32")
        y = tvm.nd.array(np.zeros(n, "float32"))
        m(tvm.nd.array(x), y)
        np.testing.assert_allclose(y.numpy(), x * 3)


def test_arg_errors():
    m = tvm.build(add1, target="llvm")
    a = tvm.nd.array(np.zeros(128, "float32"))
    for bad in [
        (a,),
        (a, tvm.nd.array(np.zeros(64, "float32"))),
        (a, tvm.nd.array(np.zeros(128, "int32"))),
        (a, tvm.nd.array(np.zeros((128, 1), "float32"))),
    ]:
        with pytest.raises(Exception):
            m(*bad)


def test_call_extern_print():
    f = tir.PrimFunc([], tir.Evaluate(tir.call_extern("int32", "foo", 1, tir.StringImm("s"))))
    assert 'T.call_extern("int32", "foo", 1, "s")' in f.script()


def test_let_while_run():
    @T.prim_func
    def f(A: T.Buffer((1,), "int32")):
        i = T.decl_buffer((1,), "int32", scope="local")
        i[0] = 0
        A[0] = 0
        while i[0] < 10:
            x: T.int32 = i[0]
            A[0] = A[0] + x
            i[0] = i[0] + 1

    a = tvm.nd.array(np.zeros(1, "int32"))
    tvm.build(f, target="llvm")(a)
    assert a.numpy()[0] == 45


def test_if_else_select_run():
    @T.prim_func
    def f(A: T.Buffer((8,), "int32")):
        for i in range(8):
            if i % 2 == 0:
                A[i] = T.Select(i > 3, 1, 2)
            else:
                A[i] = T.if_then_else(i > 3, 3, 4)

    a = tvm.nd.array(np.zeros(8, "int32"))
    tvm.build(f, target="llvm")(a)
    assert a.numpy().tolist() == [2, 4, 2, 4, 1, 3, 1, 3]


def test_print_dtypes():
    for v, t in [
        (tir.const(1, "int64"), "T.int64(1)"),
        (tir.const(1.0, "float16"), "T.float16(1)"),
        (tir.const(True), "T.bool(True)"),
        (tir.const(3), "3"),
        (tir.const(1.5, "float64"), "T.float64(1.5)"),
        (tir.StringImm("a"), '"a"'),
    ]:
        assert str(v) == t


def test_block_attrs_script():
    @T.prim_func
    def f(A: T.Buffer((16,), "float32")):
        for i in T.serial(16, annotations={"k": 1}):
            with T.block("b"):
                T.block_attr({"x": [1, 2], "y": "z"})
                v = T.axis.spatial(16, i)
                T.where(i < 8)
                A[v] = 1.0

    t = f.script()
    assert 'annotations={"k": 1}' in t and 'T.block_attr({"x": [1, 2], "y": "z"})' in t and "T.where(i < 8)" in t
    assert_structural_equal(tvm.script.from_source(t), f)


def test_nested_functions_module():
    @I.ir_module
    class M:
        I.module_attrs({"a": 1})

        @T.prim_func
        def f(A: T.Buffer((4,), "int32")):
            A[0] = 1

        @T.prim_func(private=True)
        def g(x: T.int32) -> T.int32:
            T.ret(x + 1)

    assert M.attrs["a"] == 1
    assert "private=True" in M.script()
    assert "global_symbol" not in M["g"].attrs


def test_meta_programming():
    dims = [3, 4]

    @T.prim_func
    def f(A: T.Buffer(dims, "int32")):
        for i, j in T.grid(*dims):
            A[i, j] = sum([1, 2])

    assert [int(v) for v in f.buffer_map[f.params[0]].shape] == [3, 4]


def test_hash_eq_containers():
    x, y = tir.Var("x", "int32"), tir.Var("x", "int32")
    d = {x: 1, y: 2}
    assert d[x] == 1 and d[y] == 2 and len(d) == 2
    assert x in [y, x]
    assert tir.const(1) == 1 and not (tir.const(1) == 2)


def test_map_array_convert():
    a = tvm.runtime.convert([1, 2, 3])
    assert len(a) == 3 and a[1] == 2
    m = tvm.runtime.convert({"a": [1]})
    assert m["a"][0] == 1
    assert "a" in m


def test_instrument_timing():
    t = tvm.instrument.PassTimingInstrument()
    with tvm.transform.PassContext(instruments=[t]):
        tvm.lower(IRModule({"main": add1}))
        r = t.render()
    assert "tir.Simplify" in r


def test_required_disabled():
    with tvm.transform.PassContext(opt_level=1, required_pass=["tir.Simplify"], disabled_pass=["tir.RemoveNoOp"]) as c:
        assert list(c.required_pass) == ["tir.Simplify"]


def test_undefined_vars_wellformed():
    x = tir.Var("x", "int32")
    f = tir.PrimFunc([], tir.Evaluate(x))
    assert len(tir.analysis.undefined_vars(f.body, [])) == 1
    assert tir.analysis.verify_well_formed(add1)


def test_flops():
    assert tir.analysis.estimate_tir_flops(IRModule({"main": rowsum})) == 128 * 128


def test_verify_gpu():
    s = Schedule(add1)
    (i,) = s.get_loops("B")
    a, b = s.split(i, [None, 64])
    s.bind(a, "blockIdx.x")
    s.bind(b, "threadIdx.x")
    m = tvm.lower(s.mod)
    assert tir.analysis.verify_gpu_code(m["main"], {"max_threads_per_block": 64})
    assert not tir.analysis.verify_gpu_code(m["main"], {"max_threads_per_block": 32})


def test_buffer_slices():
    @T.prim_func
    def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
        B[0:8] = A[8:16]

    a = np.arange(16, dtype="float32")
    b = tvm.nd.array(np.zeros(16, "float32"))
    tvm.build(f, target="llvm")(tvm.nd.array(a), b)
    assert b.numpy()[:8].tolist() == a[8:].tolist()
