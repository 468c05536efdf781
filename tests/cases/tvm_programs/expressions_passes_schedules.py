"""Checks in the style of TVM's own tests, which pass on TVM 0.17 too: run by tests/tvmscript/test_tvm_programs.py."""

import numpy as np, pytest
import tvm, tvm.testing
from tvm import tir, ir
from tvm.ir import IRModule, assert_structural_equal
from tvm.script import tir as T, ir as I
from tvm.arith import Analyzer, IntervalSet
from tvm.tir import Schedule


@pytest.mark.parametrize(
    "pair",
    [
        ("x+0", "x"),
        ("x-x", "0"),
        ("x*0", "0"),
        ("(x*4+y)//4 if y in 0..4", "x"),
        ("min(x,x+1)", "x"),
        ("max(x,x-3)", "x"),
        ("(x+y)-y", "x"),
        ("x*2//2", "x"),
        ("(x*6)%3", "0"),
        ("x//1", "x"),
    ],
)
def test_simplify(pair):
    x, y = tir.Var("x", "int32"), tir.Var("y", "int32")
    a = Analyzer()
    a.bind(y, ir.Range(0, 4))
    e = {
        "x+0": x + 0,
        "x-x": x - x,
        "x*0": x * 0,
        "(x*4+y)//4 if y in 0..4": (x * 4 + y) // 4,
        "min(x,x+1)": tir.min(x, x + 1),
        "max(x,x-3)": tir.max(x, x - 3),
        "(x+y)-y": (x + y) - y,
        "x*2//2": x * 2 // 2,
        "(x*6)%3": (x * 6) % 3,
        "x//1": x // 1,
    }[pair[0]]
    exp = {"x": x, "0": tir.const(0)}[pair[1]]
    assert_structural_equal(a.simplify(e), exp)


def test_const_int_bound():
    a = Analyzer()
    x = tir.Var("x", "int32")
    y = tir.Var("y", "int32")
    a.update(x, tvm.arith.ConstIntBound(0, 4))
    a.update(y, tvm.arith.ConstIntBound(1, 10))
    b = a.const_int_bound(x + y)
    assert (b.min_value, b.max_value) == (1, 14)
    b = a.const_int_bound(x * y)
    assert (b.min_value, b.max_value) == (0, 40)
    b = a.const_int_bound(x // y)
    assert b.min_value == 0
    b = a.const_int_bound(tir.max(x, y))
    assert (b.min_value, b.max_value) == (1, 10)
    b = a.const_int_bound(x - y)
    assert (b.min_value, b.max_value) == (-10, 3)


def test_modular():
    a = Analyzer()
    x = tir.Var("x", "int32")
    m = a.modular_set(x * 8 + 4)
    assert (m.coeff, m.base) == (8, 4)
    m = a.modular_set(x * 8 // 4)
    assert m.coeff == 2


def test_canonical():
    a = Analyzer()
    x = tir.Var("x", "int32")
    assert_structural_equal(a.canonical_simplify(x * 3 + x), x * 4)


def test_rewrite_compare():
    a = Analyzer()
    x = tir.Var("x", "int32")
    a.bind(x, ir.Range(0, 10))
    assert a.can_prove(x < 10)
    assert not a.can_prove(x < 9)
    assert a.can_prove(x >= 0)
    assert a.can_prove(tir.all(x >= 0, x < 10))
    assert a.can_prove(tir.any(x < 5, x >= 5))


def test_intset():
    s = IntervalSet(0, 10)
    a = Analyzer()
    x = tir.Var("x", "int32")
    r = a.int_set(x * 2, {x: s})
    assert r.min_value.value == 0 and r.max_value.value == 20
    r = a.int_set(tir.max(x, 5), {x: s})
    assert r.min_value.value == 5
    r = a.int_set(x // 3, {x: s})
    assert r.max_value.value == 3


def test_deduce():
    x, y = tir.Var("x", "int32"), tir.Var("y", "int32")
    r = tvm.arith.deduce_bound(x, x + y < 10, {y: IntervalSet(0, 3)}, {y: IntervalSet(0, 3)})
    assert_structural_equal(Analyzer().simplify(r.max_value), tir.const(6))
    assert str(r.min_value) == "neg_inf"
    r = tvm.arith.deduce_bound(x, (x * 4) > 17, {}, {})
    assert_structural_equal(Analyzer().simplify(r.min_value), tir.const(5))
    assert tvm.arith.deduce_bound(x, x * y < 10, {}, {}).is_nothing()


def test_linear_eq():
    x, y = tir.Var("x", "int32"), tir.Var("y", "int32")
    m = tvm.arith.detect_linear_equation(x * 4 + y + 6, [x, y])
    assert m[0].value == 4 and m[1].value == 1 and m[2].value == 6
    assert len(tvm.arith.detect_linear_equation(x * y, [x, y])) == 0


def test_iter_map_simplify():
    x = tir.Var("x", "int32")
    r = tvm.arith.iter_map_simplify([x // 4 * 4 + x % 4], {x: ir.Range(0, 16)})
    assert_structural_equal(r[0], x)


def test_inverse_affine():
    x = tir.Var("x", "int32")
    y = tir.Var("y", "int32")
    r = tvm.arith.detect_iter_map([x // 4, x % 4], {x: ir.Range(0, 16)})
    inv = tvm.arith.inverse_affine_iter_map(r.indices, [y, tir.Var("z", "int32")])
    assert x in inv


def test_solve_eq_unique():
    from tvm.arith import solve_linear_equations

    x, y = tir.Var("x", "int32"), tir.Var("y", "int32")
    s = solve_linear_equations([tir.EQ(x + y, 20), tir.EQ(x - y, 10)], [x, y])
    assert list(s.dst.variables) == []
    assert_structural_equal(s.src_to_dst[x], tir.const(15))
    assert_structural_equal(s.src_to_dst[y], tir.const(5))


def test_solve_eq_low_rank():
    from tvm.arith import solve_linear_equations

    x, y, z = [tir.Var(c, "int32") for c in "xyz"]
    s = solve_linear_equations([tir.EQ(x + y + z, 15), tir.EQ(x + y, 10)], [x, y, z], {})
    [n0] = s.dst.variables
    assert_structural_equal(s.src_to_dst[x], n0 + 10)
    assert_structural_equal(Analyzer().simplify(s.src_to_dst[y] + n0), tir.const(0))
    assert_structural_equal(s.src_to_dst[z], tir.const(5))


def test_solve_eq_infer_range():
    from tvm.arith import solve_linear_equations

    x, y = tir.Var("x", "int32"), tir.Var("y", "int32")
    s = solve_linear_equations([tir.EQ(x + y, 0)], [x, y], {x: ir.Range(-5, 6), y: ir.Range(0, 11)})
    [n0] = s.dst.variables
    assert s.dst.ranges[n0].min.value == -10
    assert s.dst.ranges[n0].extent.value == 11
    assert len(s.dst.relations) >= 1


def test_solve_eq_no_solution():
    from tvm.arith import solve_linear_equations

    x = tir.Var("x", "int32")
    s = solve_linear_equations([tir.EQ(x, 4), tir.EQ(x, 5)], [x])
    [r] = s.dst.relations
    assert_structural_equal(r, tir.const(False, "bool"))
    assert len(s.src_to_dst) == 0 and len(s.dst_to_src) == 0


def test_solve_ineq_dual():
    from tvm.arith import solve_linear_inequalities

    x, y = tir.Var("x", "int32"), tir.Var("y", "int32")
    s = solve_linear_inequalities(
        [tir.LE(x + y, 20), tir.GE(x - y, 10)], [x, y], {x: ir.Range(0, 100), y: ir.Range(0, 100)}, deskew_range=True
    )
    [xn, yn] = s.dst.variables
    assert len(s.dst.ranges) == 2
    assert s.dst.ranges[xn].extent.value == 11 and s.dst.ranges[yn].extent.value == 6
    s = solve_linear_inequalities(
        [tir.LE(x + y, 20), tir.GE(x - y, 10)], [x, y], {x: ir.Range(0, 100), y: ir.Range(0, 100)}
    )
    assert_structural_equal(s.ranges[x].min, y + 10)
    assert s.ranges[x].extent.value == 11
    assert s.ranges[y].min.value == 0


def test_solve_ineq_multi_equal():
    from tvm.arith import solve_linear_inequalities

    x, y, z = [tir.Var(c, "int32") for c in "xyz"]
    s = solve_linear_inequalities(
        [tir.LE(x, 6), tir.GE(x, 6), tir.GE(x - z * y, 0), tir.LE(x - z * y, 0)], [x, y, z], {}
    )
    assert s.ranges[x].min.value == 6 and s.ranges[x].extent.value == 1
    assert len(s.relations) == 3


def test_expr_constructor():
    x = tir.Var("xx", "float32")
    assert x.name == "xx"
    s = tir.SizeVar("n", "int64")
    assert isinstance(s, tir.SizeVar)
    c = tir.Cast("float32", tir.const(1))
    assert c.dtype == "float32"
    a = tir.const(1, "int32")
    b = tir.Var("b", "int32")
    for cls in [tir.Add, tir.Sub, tir.Mul, tir.Div, tir.Mod, tir.Min, tir.Max, tir.LT, tir.LE, tir.GT, tir.GE]:
        e = cls(a, b)
        assert isinstance(e, cls) and e.a == a and e.b.same_as(b)
    e = tir.And(b > a, tir.const(True))
    assert e.a.dtype == "bool"
    assert isinstance(tir.Not(b > a), tir.Not)
    r = tir.Ramp(1, 2, 4)
    assert r.stride.value == 2
    assert tir.Broadcast(a, 10).lanes == 10
    assert isinstance(tir.Shuffle([tir.Broadcast(a, 2)], [tir.const(0)]).vectors[0], tir.Broadcast)
    assert isinstance(tir.Call("float32", "tir.call_extern", [tir.StringImm("f"), b]).op, ir.Op)


def test_stmt_constructor():
    v = tir.Var("aa", "int32")
    nop = tir.Evaluate(1)
    assert isinstance(tir.LetStmt(v, tir.const(1), nop).body, tir.Evaluate)
    f = tir.For(v, 0, 10, tir.ForKind.SERIAL, nop)
    assert f.min.value == 0 and f.loop_var.same_as(v)
    b = tir.decl_buffer([16])
    assert tir.BufferStore(b, tir.const(1.0), [v]).indices[0].same_as(v)
    x = tir.IfThenElse(tir.const(1) > v, nop, nop)
    assert x.then_case is not None
    assert tir.AttrStmt(v, "xx", tir.const(1), nop).attr_key == "xx"
    assert tir.Allocate(b.data, "float32", [10], tir.const(True), nop).dtype == "float32"
    assert isinstance(tir.SeqStmt([nop, nop])[1], tir.Evaluate)
    assert isinstance(tir.AssertStmt(tir.const(True), tir.StringImm("h"), nop), tir.AssertStmt)


def test_type_promotion():
    i, l, f, h, u = [tir.Var("v", d) for d in ["int32", "int64", "float32", "float16", "uint32"]]
    assert (i + l).dtype == "int64"
    assert (i + f).dtype == "float32"
    assert (f + h).dtype == "float32"
    assert (i + 1).dtype == "int32"
    assert (f + 1).dtype == "float32"
    assert (l * 2).dtype == "int64"
    assert (i < l).dtype == "bool"
    assert (i + u).dtype == "uint32"


def test_const_fold():
    for a in [7, -7, 12]:
        for b in [3, 5]:
            assert tir.floordiv(tir.const(a), tir.const(b)).value == a // b
            assert tir.floormod(tir.const(a), tir.const(b)).value == a % b
            assert tir.truncdiv(tir.const(a), tir.const(b)).value == int(a / b)
            assert (tir.const(a) * tir.const(b)).value == a * b
    assert isinstance(tir.const(1.5) + tir.const(2.5), tir.FloatImm)
    x = tir.Var("x", "int32")
    assert tir.max(tir.const(1), tir.const(2)).value == 2
    assert (tir.const(1) > tir.const(2)).value == 0


def test_div_error():
    x = tir.Var("x", "int32")
    with pytest.raises(RuntimeError):
        x / 3


def test_bit_ops():
    x = tir.Var("x", "int32")
    assert (x << 2).dtype == "int32"
    assert (tir.const(1) << 3).value == 8
    assert (tir.const(6) & 3).value == 2
    assert (tir.const(6) | 1).value == 7
    assert (tir.const(6) ^ 3).value == 5
    assert str(~x) == "T.bitwise_not(x)"


def test_buffer():
    m, n, l = [tir.SizeVar(c, "int32") for c in "mnl"]
    B = tir.decl_buffer((m, n), "float32")
    assert B.dtype == "float32" and tuple(B.shape) == (m, n)
    C = tir.decl_buffer((n, l), "float32")
    p = B.access_ptr("rw")
    assert isinstance(p, tir.Call)
    assert p.args[4].value == 3
    assert_structural_equal(B.access_ptr("w", offset=n).args[2], n)
    v = B.vload([2, 3], "float32x4")
    assert v.dtype == "float32x4"
    with pytest.raises(Exception):
        B.vload([1])


def test_buffer_offset():
    n = tir.Var("n", "int32")
    B = tir.decl_buffer((4, n))
    assert_structural_equal(B.offset_of([1, 2])[0], n + 2)


def test_buffer_flatten():
    B = tir.decl_buffer([16, 32])
    f = B.get_flattened_buffer()
    assert len(f.shape) == 1 and f.shape[0].value == 512


def test_prim_func():
    x = tir.Var("x", "int32")
    y = tir.Var("y", "int32")
    b = tir.decl_buffer((x,), "float32")
    s = tir.LetStmt(x, tir.const(10), tir.Evaluate(x + 1))
    f = tir.PrimFunc([x, y, b], s)
    assert f.buffer_map[f.params[2]].same_as(b)
    assert len(f.buffer_map) == 1
    f2 = f.with_attr({"calling_conv": 1, "tir.noalias": True})
    assert f2.attrs["calling_conv"] == 1
    assert not f.attrs if f.attrs is None else True


def test_call_reduce_style():
    x = tir.Var("x", "int32")
    assert tir.all(x < 1, x > 0).a.dtype == "bool"
    assert str(tir.any(x < 1, x > 2)) == "x < 1 or x > 2"
    with pytest.raises(ValueError):
        tir.any()
    with pytest.raises(ValueError):
        tir.all()


def test_infinity():
    assert tir.infinity("float32").dtype == "float32"
    assert tir.min_value("int8").value == -128
    assert tir.max_value("int32").value == 2147483647
    assert tir.max_value("uint8").value == 255


def test_int_imm_errors():
    with pytest.raises(Exception):
        tir.IntImm("int8", 300)
    with pytest.raises(Exception):
        tir.IntImm("uint8", -1)
    assert tir.const(255, "uint8").value == 255


def test_index_map_basic():
    m = tir.IndexMap.from_func(lambda i, j: [j, i])
    r = m.map_indices([3, 4])
    assert [int(v) for v in r] == [4, 3]
    assert [int(v) for v in m.map_shape([3, 4])] == [4, 3]
    inv = m.inverse([3, 4])
    assert inv.is_equivalent_to(tir.IndexMap.from_func(lambda i, j: [j, i]))
    m2, pad = tir.IndexMap.from_func(lambda i: [i // 4, i % 4]).non_surjective_inverse([14])
    assert str(pad) != ""


def test_layout():
    l = tir.layout("NCHW16c")
    assert l is not None
    assert l.index_of("N") == 0 and l.index_of("c") == 4 and l.factor_of("c") == 16 and l.factor_of("N") == -1
    assert "c" in l and "O" not in l
    assert l[4] == "c" and l[-1] == "c"
    b = tir.bijective_layout("NCHW", "NCHW16c")
    assert [int(v) for v in b.forward_shape([1, 32, 7, 7])] == [1, 2, 7, 7, 16]
    assert [int(v) for v in b.backward_index([0, 1, 2, 3, 4])] == [0, 20, 2, 3]


class TestRemoveNoOp(tvm.testing.CompareBeforeAfter):
    transform = tir.transform.RemoveNoOp()

    def before(A: T.Buffer((16,), "int32")):
        for i in T.serial(16):
            T.evaluate(0)
        for i in T.serial(16):
            A[i] = i

    def expected(A: T.Buffer((16,), "int32")):
        for i in T.serial(16):
            A[i] = i


class TestSimplifyPred(tvm.testing.CompareBeforeAfter):
    transform = tir.transform.Simplify()

    def before(A: T.Buffer((16,), "int32")):
        for i in T.serial(16):
            if i < 16:
                A[i] = i * 1

    def expected(A: T.Buffer((16,), "int32")):
        for i in T.serial(16):
            A[i] = i


class TestUnroll(tvm.testing.CompareBeforeAfter):
    transform = tir.transform.UnrollLoop()

    def before(A: T.Buffer((4,), "int32")):
        for i in T.unroll(2):
            A[i] = i

    def expected(A: T.Buffer((4,), "int32")):
        A[0] = 0
        A[1] = 1


class TestVectorize(tvm.testing.CompareBeforeAfter):
    transform = tir.transform.VectorizeLoop()

    def before(A: T.Buffer((16,), "float32")):
        for j in T.vectorized(16):
            A[j] = T.float32(1)

    def expected(A: T.Buffer((16,), "float32")):
        A[T.Ramp(0, 1, 16)] = T.Broadcast(T.float32(1), 16)


class TestLowerInit(tvm.testing.CompareBeforeAfter):
    transform = tir.transform.LowerInitBlock()

    def before(a: T.handle, b: T.handle):
        A = T.match_buffer(a, [64, 64])
        B = T.match_buffer(b, [64])
        for i0, j0 in T.grid(64, 64):
            with T.block():
                i, j = T.axis.remap("SR", [i0, j0])
                with T.init():
                    B[i] = T.float32(0)
                B[i] += A[i, j]

    def expected(a: T.handle, b: T.handle):
        A = T.match_buffer(a, [64, 64])
        B = T.match_buffer(b, [64])
        for i0, j0 in T.grid(64, 64):
            with T.block():
                i, j = T.axis.remap("SR", [i0, j0])
                T.reads(A[i, j])
                T.writes(B[i])
                if j == 0:
                    B[i] = T.float32(0)
                B[i] += A[i, j]


class TestFlatten(tvm.testing.CompareBeforeAfter):
    transform = tir.transform.FlattenBuffer()

    def before(A: T.Buffer((4, 8), "float32")):
        for i, j in T.grid(4, 8):
            A[i, j] = A[i, j] + T.float32(1)

    def expected(input_A: T.Buffer((4, 8), "float32")):
        A = T.Buffer(32, dtype="float32", data=input_A.data)
        for i, j in T.grid(4, 8):
            A[i * 8 + j] = A[i * 8 + j] + T.float32(1)


class TestHoist(tvm.testing.CompareBeforeAfter):
    transform = tir.transform.HoistIfThenElse()

    def before(A: T.Buffer((16,), "int32"), n: T.int32):
        for i in T.serial(16):
            if n < 3:
                A[i] = i

    def expected(A: T.Buffer((16,), "int32"), n: T.int32):
        if n < 3:
            for i in T.serial(16):
                A[i] = i


def test_narrow():
    @T.prim_func
    def f(A: T.Buffer((16,), "float32")):
        for i in T.serial(T.int64(16)):
            A[i] = A[i] + T.float32(1)

    g = tir.transform.NarrowDataType(32)(IRModule({"main": f}))["main"]
    assert g.body.loop_var.dtype == "int32"


def test_cse():
    @T.prim_func
    def f(A: T.Buffer((16,), "int32"), x: T.int32, y: T.int32):
        A[0] = (x + y) * (x + y)
        A[1] = (x + y) + 3

    g = tir.transform.CommonSubexprElimTIR()(IRModule({"main": f}))["main"]
    assert isinstance(g.body, tir.LetStmt)


def test_pass_context_errors():
    with pytest.raises(Exception):
        tvm.transform.PassContext(config={"no.such.option": 1}).__enter__()


def test_sequential_order():
    seen = []

    @tvm.transform.module_pass(opt_level=0)
    def a(m, c):
        seen.append("a")
        return m

    @tvm.transform.module_pass(opt_level=0)
    def b(m, c):
        seen.append("b")
        return m

    tvm.transform.Sequential([a, b, a])(IRModule({}))
    assert seen == ["a", "b", "a"]


@T.prim_func
def elementwise(a: T.handle, b: T.handle) -> None:
    A = T.match_buffer(a, (128, 128, 128))
    B = T.match_buffer(b, (128, 128, 128))
    for i, j, k in T.grid(128, 128, 128):
        with T.block("B"):
            vi, vj, vk = T.axis.remap("SSS", [i, j, k])
            B[vi, vj, vk] = A[vi, vj, vk] * 2.0


@T.prim_func
def two_elementwise(a: T.handle, c: T.handle) -> None:
    A = T.match_buffer(a, (128, 128), "float32")
    B = T.alloc_buffer((128, 128), "float32")
    C = T.match_buffer(c, (128, 128), "float32")
    for i, j in T.grid(128, 128):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * 2.0
    for i, j in T.grid(128, 128):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + 1.0


@T.prim_func
def matmul(a: T.handle, b: T.handle, c: T.handle) -> None:
    A = T.match_buffer(a, [128, 128])
    B = T.match_buffer(b, [128, 128])
    C = T.match_buffer(c, [128, 128])
    for i, j, k in T.grid(128, 128, 128):
        with T.block("update"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = 0.0
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vj, vk]


from tvm.tir.schedule.testing import verify_trace_roundtrip


def test_fuse():
    s = Schedule(elementwise, debug_mask="all")
    b = s.get_block("B")
    l = s.fuse(*s.get_loops(b))
    assert s.get(l).extent.value == 128**3
    verify_trace_roundtrip(s, mod=elementwise)


def test_split_reorder():
    s = Schedule(elementwise, debug_mask="all")
    b = s.get_block("B")
    i, j, k = s.get_loops(b)
    a, c, d = s.split(i, factors=[2, 1, 64])
    s.reorder(k, j)
    verify_trace_roundtrip(s, mod=elementwise)
    with pytest.raises(tvm.tir.ScheduleError):
        s.reorder(j, j)


def test_split_symbolic():
    @T.prim_func
    def f(a: T.handle, n: T.int32):
        A = T.match_buffer(a, (n,))
        for i in range(n):
            with T.block("a"):
                v = T.axis.spatial(n, i)
                A[v] = A[v] + 1.0

    s = Schedule(f)
    (i,) = s.get_loops("a")
    s.split(i, [None, 16])
    assert "T.where" in s.mod.script()
    verify_trace_roundtrip(s, mod=f)


def test_compute_inline():
    s = Schedule(two_elementwise, debug_mask="all")
    s.compute_inline(s.get_block("B"))

    @T.prim_func
    def expected(a: T.handle, c: T.handle) -> None:
        A = T.match_buffer(a, (128, 128), "float32")
        C = T.match_buffer(c, (128, 128), "float32")
        for i, j in T.grid(128, 128):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] * 2.0 + 1.0

    assert_structural_equal(s.mod["main"], expected.with_attr("global_symbol", "two_elementwise"))
    verify_trace_roundtrip(s, mod=two_elementwise)


def test_reverse_compute_inline():
    s = Schedule(two_elementwise)
    s.reverse_compute_inline(s.get_block("C"))
    assert len(s.get_loops("B")) == 2
    verify_trace_roundtrip(s, mod=two_elementwise)


def test_compute_at():
    s = Schedule(two_elementwise, debug_mask="all")
    s.compute_at(s.get_block("B"), s.get_loops("C")[0])
    assert len(s.get_loops("B")) == 2
    assert s.get(s.get_loops("B")[1]).extent.value == 128
    verify_trace_roundtrip(s, mod=two_elementwise)


def test_cache():
    s = Schedule(two_elementwise)
    c = s.cache_read("C", 0, "shared")
    assert s.get(c).name_hint == "B_shared"
    w = s.cache_write("C", 0, "local")
    assert s.get(w).name_hint == "C_local"
    verify_trace_roundtrip(s, mod=two_elementwise)


def test_decompose_reduction():
    s = Schedule(matmul, debug_mask="all")
    i, j, k = s.get_loops("update")
    init = s.decompose_reduction("update", i)
    assert s.get(init).name_hint == "update_init"
    verify_trace_roundtrip(s, mod=matmul)


def test_rfactor():
    s = Schedule(matmul, debug_mask="all")
    i, j, k = s.get_loops("update")
    ko, ki = s.split(k, [None, 16])
    rf = s.rfactor(ki, 0)
    assert s.get(rf).name_hint == "update_rf"
    verify_trace_roundtrip(s, mod=matmul)


def test_blockize_tensorize():
    s = Schedule(elementwise)
    i, j, k = s.get_loops("B")
    b = s.blockize(k)
    assert s.get(b).name_hint == "B_o"
    verify_trace_roundtrip(s, mod=elementwise)


def test_bind_annotate():
    s = Schedule(elementwise)
    i, j, k = s.get_loops("B")
    s.bind(i, "blockIdx.x")
    s.bind(j, "threadIdx.x")
    s.annotate(k, "pragma_x", 1)
    s.unannotate(k, "pragma_x")
    s.vectorize(k)
    assert s.get(i).kind == tir.ForKind.THREAD_BINDING
    verify_trace_roundtrip(s, mod=elementwise)


def test_set_scope_storage_align():
    s = Schedule(two_elementwise)
    s.set_scope("B", 0, "shared")
    s.storage_align("B", 0, axis=0, factor=128, offset=1)
    assert "buffer_dim_align" in s.mod.script()
    verify_trace_roundtrip(s, mod=two_elementwise)


def test_transform_layout():
    s = Schedule(two_elementwise, debug_mask="all")
    s.transform_layout(s.get_block("B"), ("write", 0), lambda m, n: (m // 16, n // 16, m % 16, n % 16))
    assert "(8, 8, 16, 16)" in s.mod.script()
    verify_trace_roundtrip(s, mod=two_elementwise)


def test_sampling_seed():
    s = Schedule(elementwise, seed=42)
    i, _, _ = s.get_loops("B")
    f = s.sample_perfect_tile(i, n=4)
    import math

    assert math.prod(int(s.get(v)) for v in f) == 128
    s2 = Schedule(elementwise, seed=42)
    f2 = s2.sample_perfect_tile(s2.get_loops("B")[0], n=4)
    assert [int(s.get(v)) for v in f] == [int(s2.get(v)) for v in f2]
    verify_trace_roundtrip(s, mod=elementwise)


def test_schedule_errors():
    s = Schedule(elementwise)
    with pytest.raises(tir.ScheduleError):
        s.compute_inline("B")
    with pytest.raises(tir.ScheduleError):
        s.get_block("nope")
    with pytest.raises(tir.ScheduleError):
        s.rfactor(s.get_loops("B")[0], 0)
    with pytest.raises(tir.ScheduleError):
        s.decompose_reduction("B", s.get_loops("B")[0])


def test_trace_api():
    s = Schedule(elementwise)
    i, j, k = s.get_loops("B")
    s.fuse(i, j)
    t = s.trace
    assert len(t.insts) >= 2
    assert t.insts[-1].kind.name == "Fuse"
    t2 = tvm.tir.schedule.Trace(t.insts, {})
    s2 = Schedule(elementwise)
    t2.apply_to_schedule(s2, remove_postproc=False)
    assert_structural_equal(s.mod, s2.mod)
    assert t.simplified(remove_postproc=True) is not None


def test_roundtrip():
    for f in [elementwise, two_elementwise, matmul]:
        assert_structural_equal(tvm.script.from_source(f.script()), f)


def test_script_errors():
    for bad in [
        "for i in range(3): A[i] = undefined",
        "A[0] = A[0",
        "with T.block('x'): T.axis.remap('SX',[0,1])",
        "x = T.nope(3)",
    ]:
        with pytest.raises(Exception):
            tvm.script.from_source(
                "# from tvm.script import tir as T\n@T.prim_func\ndef f(A: T.Buffer((4,),'float32')):\n    "
                + bad
                + "\n"
            )


def test_module_script():
    @I.ir_module
    class M:
        @T.prim_func
        def f(A: T.Buffer((4,), "float32")):
            A[0] = T.float32(0)

    assert "class Module" in M.script()
    assert_structural_equal(tvm.script.from_source(M.script()), M)
    assert "Foo" in M.script(name="Foo")


def test_script_options():
    f = tir.PrimFunc([], tir.Evaluate(0))
    assert "import tir as TT" in f.with_attr("global_symbol", "g").script(tir_prefix="TT")
    assert str(tir.Var("x", "int32") + 1) == "x + 1" or "x + 1" in str(tir.Var("x", "int32") + 1)


def test_ir_module_api():
    m = IRModule()
    gv = ir.GlobalVar("f")
    m[gv] = tir.PrimFunc([], tir.Evaluate(0))
    assert m[gv].same_as(m["f"])
    assert [v.name_hint for v in m.get_global_vars()] == ["f"]
    with pytest.raises(Exception):
        m.get_global_var("zz")
    m.update_func(gv, tir.PrimFunc([], tir.Evaluate(1)))
    assert m["f"].body.value.value == 1
    c = m.clone()
    assert_structural_equal(c, m)


def test_structural_errors():
    with pytest.raises(ValueError) as e:
        assert_structural_equal(tir.Evaluate(0), tir.Evaluate(1))
    assert "value" in str(e.value)


def test_save_load():
    m = IRModule({"main": matmul})
    assert_structural_equal(ir.load_json(ir.save_json(m)), m)


def test_range_equal():
    assert_structural_equal(ir.Range(0, 3), ir.Range.from_min_extent(0, 3))
    assert ir.Range(2, 5).extent.value == 3


def test_types():
    assert ir.PrimType("int32") == ir.PrimType("int32")
    assert ir.PrimType("int32") != ir.PrimType("int8")
    assert ir.PointerType(ir.PrimType("int8"), "shared").storage_scope == "shared"


def test_attrs():
    f = matmul.with_attr("k", {"a": [1, 2]})
    assert f.attrs["k"]["a"][1] == 2
    assert "k" in f.attrs
    assert "k" not in f.without_attr("k").attrs


def test_nested_macro():
    @T.macro
    def store(A, i, v):
        A[i] = v

    @T.prim_func
    def f(A: T.Buffer((4,), "int32")):
        for i in range(4):
            store(A, i, i * 2)

    @T.prim_func
    def g(A: T.Buffer((4,), "int32")):
        for i in range(4):
            A[i] = i * 2

    assert_structural_equal(f.without_attr("global_symbol"), g.without_attr("global_symbol"))


def test_closure_capture():
    n = 8
    dt = "float16"

    @T.prim_func
    def f(A: T.Buffer((n,), dt)):
        for i in range(n):
            A[i] = T.Cast(dt, i)

    assert f.buffer_map[f.params[0]].shape[0].value == 8


def test_stmt_functor():
    seen = []
    tir.stmt_functor.post_order_visit(matmul.body, lambda n: seen.append(n) if isinstance(n, tir.BufferStore) else None)
    assert len(seen) == 2
    x = tir.Var("x", "int32")
    assert_structural_equal(
        tir.stmt_functor.substitute(x * 2, {x: tir.const(4)})
        if 0
        else Analyzer().simplify(tir.stmt_functor.substitute(x * 2, {x: tir.const(4)})),
        tir.const(8),
    )


def test_build_and_run():
    m = tvm.build(matmul, target="llvm")
    a, b = [np.random.rand(128, 128).astype("float32") for _ in range(2)]
    c = tvm.nd.array(np.zeros((128, 128), "float32"))
    m(tvm.nd.array(a), tvm.nd.array(b), c)
    tvm.testing.assert_allclose(c.numpy(), a @ b.T, rtol=1e-4)
