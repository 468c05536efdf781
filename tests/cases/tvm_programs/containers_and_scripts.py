"""Checks in the style of TVM's own tests, which pass on TVM 0.17 too: run by tests/tvmscript/test_tvm_programs.py."""

import numpy as np, pytest, pickle, json, copy
import tvm, tvm.testing
from tvm import tir, ir
from tvm.ir import IRModule, assert_structural_equal, structural_equal
from tvm.script import tir as T, ir as I
from tvm.arith import Analyzer


def test_array():
    a = tvm.runtime.convert([1, 2, 3])
    assert len(a) == 3
    assert a[-1] == 3 and a[-3] == 1
    assert list(a[-3:-1]) == [1, 2]
    with pytest.raises(IndexError):
        a[3]
    with pytest.raises(IndexError):
        a[-4]


def test_array_iter():
    assert sum(int(x) for x in tvm.runtime.convert([1, 2, 3])) == 6


def test_map():
    a = tir.Var("a", "int32")
    b = tir.Var("b", "int32")
    m = tvm.runtime.convert({a: 2, b: 3})
    assert a in m and len(m) == 2
    assert {x[0]: x[1] for x in m.items()}[a] == 2
    assert m.get(tir.Var("c", "int32")) is None
    assert sorted(int(v) for v in m.values()) == [2, 3]
    assert a in m.keys()


def test_saveload_var():
    x = tir.Var("x", "int32")
    y = ir.load_json(ir.save_json(x))
    assert y.name == "x" and y.dtype == "int32"


def test_saveload_module():
    @I.ir_module
    class M:
        @T.prim_func
        def main(A: T.Buffer((4,), "float32")):
            A[0] = T.float32(1)

    assert_structural_equal(ir.load_json(ir.save_json(M)), M)


def test_pickle():
    x = tir.Var("x", "int32") + 1
    y = pickle.loads(pickle.dumps(x))
    assert_structural_equal(x, y, map_free_vars=True)


def test_pickle_func():
    @T.prim_func
    def f(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(1)

    assert_structural_equal(pickle.loads(pickle.dumps(f)), f)
    assert_structural_equal(copy.deepcopy(f), f)


def test_dir_attrs():
    x = tir.Var("x", "int32")
    assert "name" in dir(x) and "dtype" in dir(x)
    assert hasattr(x + 1, "a")


def test_same_as():
    x = tir.Var("x", "int32")
    e = x + 1
    assert e.same_as(e) and not e.same_as(x + 1)
    assert e.a.same_as(x)


def test_op_registry():
    assert ir.Op.get("tir.exp").name == "tir.exp"
    with pytest.raises(Exception):
        ir.Op.get("no.such.op")


def test_prim_type():
    t = ir.PrimType("int32")
    assert t.dtype == "int32"
    assert str(t) == "T.int32"


def test_tuple_type():
    t = ir.TupleType([ir.PrimType("int32"), ir.PrimType("float32")])
    assert len(t.fields) == 2 and t.fields[1].dtype == "float32"


def test_pointer():
    t = ir.PointerType(ir.PrimType("float32"), "shared")
    assert t.element_type.dtype == "float32" and t.storage_scope == "shared"


def test_equal_loops():
    def mk(n):
        i = tir.Var(n, "int32")
        return tir.For(i, 0, 4, tir.ForKind.SERIAL, tir.Evaluate(i))

    assert structural_equal(mk("i"), mk("j"))
    assert ir.structural_hash(mk("i")) == ir.structural_hash(mk("k"))
    assert not structural_equal(mk("i"), tir.Evaluate(0))


def test_equal_free():
    x, y = tir.Var("x", "int32"), tir.Var("y", "int32")
    assert not structural_equal(x + y, y + x)
    assert structural_equal(x, y, map_free_vars=True)
    assert not structural_equal(x + x, x + y, map_free_vars=True)


def test_equal_attrs():
    f = tir.PrimFunc([], tir.Evaluate(0))
    assert not structural_equal(f.with_attr("a", 1), f.with_attr("a", 2))
    assert structural_equal(f.with_attr("a", 1), f.with_attr("a", 1))


def test_equal_message():
    @T.prim_func
    def f(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(1)

    @T.prim_func
    def g(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(2)

    with pytest.raises(ValueError) as e:
        assert_structural_equal(f.with_attr("global_symbol", "x"), g.with_attr("global_symbol", "x"))
    assert "StructuralEqual" in str(e.value) or "differ" in str(e.value)


def test_hash_fixed():
    assert isinstance(ir.structural_hash(tir.const(1)), int)


def test_module_len_contains():
    f = tir.PrimFunc([], tir.Evaluate(0))
    m = IRModule({"a": f, "b": f})
    assert len(m.functions) == 2
    assert set(g.name_hint for g in m.functions.keys()) == {"a", "b"}
    assert_structural_equal(m["a"], f)
    gv = m.get_global_var("a")
    assert m[gv] is not None


def test_module_from_expr():
    f = tir.PrimFunc([], tir.Evaluate(0))
    m = IRModule.from_expr(f.with_attr("global_symbol", "main"))
    assert m["main"] is not None


def test_pass_info():
    @tvm.transform.module_pass(opt_level=2, name="foo", required=["a"])
    def p(m, c):
        return m

    assert p.info.name == "foo" and p.info.opt_level == 2 and list(p.info.required) == ["a"]


def test_pass_ctx_nesting():
    with tvm.transform.PassContext(opt_level=1):
        assert tvm.transform.PassContext.current().opt_level == 1
        with tvm.transform.PassContext(opt_level=3):
            assert tvm.transform.PassContext.current().opt_level == 3
        assert tvm.transform.PassContext.current().opt_level == 1


def test_instrument_order():
    ev = []

    def mk(n):
        @tvm.instrument.pass_instrument
        class P:
            def enter_pass_ctx(self):
                ev.append(n + "enter")

            def exit_pass_ctx(self):
                ev.append(n + "exit")

            def run_before_pass(self, m, i):
                ev.append(n + "before")

            def run_after_pass(self, m, i):
                ev.append(n + "after")

        return P()

    with tvm.transform.PassContext(instruments=[mk("1"), mk("2")]):
        tir.transform.Simplify()(IRModule({}))
    assert ev == ["1enter", "2enter", "1before", "2before", "1after", "2after", "1exit", "2exit"]


def test_instrument_override():
    ev = []

    @tvm.instrument.pass_instrument
    class P:
        def enter_pass_ctx(self):
            ev.append("e")

        def exit_pass_ctx(self):
            ev.append("x")

    c = tvm.transform.PassContext()
    with c:
        c.override_instruments([P()])
        assert ev == ["e"]
        c.override_instruments(None)
        assert ev == ["e", "x"]


def test_instrument_error():
    @tvm.instrument.pass_instrument
    class P:
        def enter_pass_ctx(self):
            raise RuntimeError("boom")

    with pytest.raises(Exception):
        with tvm.transform.PassContext(instruments=[P()]):
            pass


def test_dump_and_render():
    t = tvm.instrument.PassTimingInstrument()
    with tvm.transform.PassContext(instruments=[t]):
        tir.transform.Simplify()(IRModule({}))
        s = t.render()
    assert "tir.Simplify" in s
    assert "tir.Simplify" not in t.render()


def test_scalars_params():
    @T.prim_func
    def f(a: T.int8, b: T.uint16, c: T.float64, d: T.bool, h: T.handle):
        T.evaluate(0)

    assert [p.dtype for p in f.params] == ["int8", "uint16", "float64", "bool", "handle"]


def test_buffer_params():
    @T.prim_func
    def f(
        A: T.Buffer((4,), "float32", strides=(2,), elem_offset=0, scope="global", align=128, offset_factor=1),
        b: T.handle,
    ):
        B = T.match_buffer(b, (8,), "int8", scope="shared", strides=[1], align=16)
        B[0] = T.int8(1)

    assert f.buffer_map[f.params[0]].strides[0] == 2 and f.buffer_map[f.params[0]].data_alignment == 128
    assert f.buffer_map[f.params[1]].scope() == "shared"


def test_loops_kinds():
    @T.prim_func
    def f(A: T.Buffer((64,), "int32")):
        for a in T.serial(2):
            for b in T.parallel(2):
                for c in T.vectorized(2):
                    for d in T.unroll(2):
                        for e in T.thread_binding(4, thread="threadIdx.x"):
                            A[a * 32 + b * 16 + c * 8 + d * 4 + e] = e

    l = f.body
    k = []
    while isinstance(l, tir.For):
        k.append(int(l.kind))
        l = l.body
    assert k == [0, 1, 2, 3, 4]


def test_loop_start_stop():
    @T.prim_func
    def f(A: T.Buffer((64,), "int32")):
        for a in range(3, 10):
            A[a] = a

    assert f.body.min == 3 and f.body.extent == 7


def test_grid_nested_tuple():
    @T.prim_func
    def f(A: T.Buffer((8, 8), "int32")):
        for i, j in T.grid(8, 8):
            with T.block("b"):
                vi = T.axis.spatial(8, i)
                vj = T.axis.S(8, j)
                A[vi, vj] = vi + vj

    assert f.body.block.body.loop_var.name == "i"


def test_reads_inferred():
    @T.prim_func
    def f(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        for i in range(8):
            with T.block("b"):
                v = T.axis.spatial(8, i)
                B[v] = A[v] * A[7 - v]

    b = f.body.block.body.body.block
    assert len(b.reads) == 1 or len(b.reads) == 2
    assert b.writes[0].region[0].extent == 1


def test_augmented():
    @T.prim_func
    def f(A: T.Buffer((8,), "int32")):
        for i in range(8):
            A[i] += 1
            A[i] *= 2
            A[i] -= 3

    assert len(f.body.body) == 3


def test_assert_attr():
    @T.prim_func
    def f(A: T.Buffer((8,), "int32"), n: T.int32):
        T.func_attr({"k": [1, "a", 2.5]})
        assert n < 3, "bad"
        T.evaluate(n)

    assert isinstance(f.body, tir.AssertStmt) and f.attrs["k"][1] == "a"


def test_type_annotation_let():
    @T.prim_func
    def f(n: T.int32):
        x: T.int64 = T.Cast("int64", n)
        with T.LetStmt(T.float32(1)) as y:
            T.evaluate(y)
        T.evaluate(x)

    assert isinstance(f.body, tir.LetStmt) and f.body.var.dtype == "int64"


def test_env_threads():
    @T.prim_func
    def f(A: T.Buffer((64,), "int32")):
        bx = T.env_thread("blockIdx.x")
        tx = T.env_thread("threadIdx.x")
        T.launch_thread(bx, 4)
        T.launch_thread(tx, 16)
        A[bx * 16 + tx] = 1

    assert f.body.attr_key == "thread_extent" and f.body.value == 4


def test_pointer_let():
    @T.prim_func
    def f(A: T.Buffer((64,), "int32")):
        p: T.handle("int32") = T.address_of(A[0])
        B = T.decl_buffer((64,), "int32", data=p)
        B[0] = 1

    assert isinstance(f.body, tir.LetStmt)


def test_ir_module_call():
    @I.ir_module
    class M:
        @T.prim_func
        def main(A: T.Buffer((4,), "float32")):
            M.sub(A.data)

        @T.prim_func(private=True)
        def sub(p: T.handle("float32")):
            A = T.Buffer((4,), "float32", data=p)
            A[0] = T.float32(1)

    assert isinstance(M["main"].body.value.op, ir.GlobalVar)


def test_intrinsic_script():
    @T.prim_func
    def f(A: T.Buffer((8,), "float32")):
        A[0] = T.exp(A[0]) + T.sqrt(A[1]) * T.max(A[2], T.float32(0)) - T.if_then_else(A[3] > 0.0, A[4], T.float32(1))
        A[1] = T.call_intrin("float32", "tir.tanh", A[1])
        T.evaluate(T.call_extern("int32", "f", T.tvm_access_ptr(T.type_annotation("float32"), A.data, 0, 8, 1)))

    assert_structural_equal(tvm.script.from_source(f.script()), f)


def test_large_ints():
    @T.prim_func
    def f(A: T.Buffer((T.int64(4294967296),), "int8")):
        A[T.int64(4294967295)] = T.int8(1)

    assert f.buffer_map[f.params[0]].shape[0].value == 4294967296


def test_print_float_specials():
    for v in [float("inf"), float("-inf"), float("nan"), 1e-20, 1e20, -0.5]:
        assert str(tir.const(v, "float32")).startswith("T.float32(")


def test_print_underline():
    f = tir.PrimFunc([], tir.SeqStmt([tir.Evaluate(0), tir.Evaluate(1)])).with_attr("global_symbol", "f")
    assert "^" in f.script(obj_to_underline=[f.body[1]])


def test_print_annotate():
    f = tir.PrimFunc([], tir.SeqStmt([tir.Evaluate(0), tir.Evaluate(1)])).with_attr("global_symbol", "f")
    s = f.script(obj_to_annotate={f.body[1]: "here"})
    assert "here" in s


def test_syntax_sugar_off():
    @T.prim_func
    def f(A: T.Buffer((8, 8), "int32")):
        for i, j in T.grid(8, 8):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                A[vi, vj] = 1

    s = f.script(syntax_sugar=False)
    assert "T.grid" not in s and "T.axis.spatial" in s
    assert_structural_equal(tvm.script.from_source(s), f)


def test_dtype_options():
    f = tir.PrimFunc([], tir.Evaluate(tir.const(1, "int64")))
    assert "T.evaluate(1)" in f.script(int_dtype="int64")


def test_analyzer_ctx():
    a = Analyzer()
    n = tir.Var("n", "int32")
    with a.constraint_scope(n % 4 == 0):
        assert_structural_equal(a.simplify(n % 4), tir.const(0))
        assert a.can_prove(n // 4 * 4 == n)
    assert not a.can_prove(n // 4 * 4 == n)


def test_analyzer_enable_target_bits():
    n = tir.SizeVar("n", "int32")
    assert Analyzer().can_prove(n >= 0)


def test_vscale():
    assert str(tir.vscale() * 4) == "T.vscale() * 4"
    assert tir.Ramp(0, 1, 4 * tir.vscale()).dtype == "int32xvscalex4"


def test_target_errors():
    for bad in ["nope", "llvm -zzz=3", {"kind": "llvm", "zzz": 1}]:
        with pytest.raises(Exception):
            tvm.target.Target(bad)


def test_target_json():
    t = tvm.target.Target('{"kind":"llvm","mcpu":"znver3"}')
    assert t.mcpu == "znver3"
    assert tvm.target.Target(t.export()).mcpu == "znver3"
    assert json.loads(json.dumps({k: v for k, v in t.export().items() if k in ("kind", "mcpu")}))["kind"] == "llvm"


def test_nd_ops():
    a = tvm.nd.array(np.ones((2, 2), "float32"))
    a[:] = np.zeros((2, 2), "float32")
    assert a.numpy().sum() == 0
    b = tvm.nd.empty((2,), "int32", tvm.cpu())
    assert b.device.device_type == 1
    assert a.same_as(a)
    assert a.copyto(tvm.cpu()).shape == (2, 2)
    with pytest.raises(Exception):
        a.copyto(tvm.nd.empty((3,), "float32"))


def test_device_str():
    assert str(tvm.cpu(0)) == "cpu(0)" and str(tvm.cuda(2)) == "cuda(2)"
    assert tvm.device("llvm", 0) == tvm.cpu(0)
    assert tvm.cpu(0).exist


def test_register():
    @tvm.register_func("third.f", override=True)
    def f(a, b):
        return a + b

    assert tvm.get_global_func("third.f")(1, 2) == 3
    assert tvm.get_global_func("third.f")("a", "b") == "ab"
    with pytest.raises(Exception):
        tvm.register_func("third.f", lambda: 1)


def test_convert_func():
    f = tvm.runtime.convert(lambda x: x * 2)
    assert f(4) == 8
