"""Graph-level programs as people write them for apache-tvm 0.27: name -> text."""

from __future__ import annotations

SOURCES = {
    "branch": """
@I.ir_module
class M:
    @R.function
    def main(c: R.Tensor((), "bool"), x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        if c:
            y: R.Tensor((n,), "float32") = R.add(x, x)
        else:
            w = R.exp(x)
            y: R.Tensor((n,), "float32") = R.multiply(w, w)
        return y
""",
    "match_cast": """
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor("float32"), y: R.Tensor(dtype="float32", ndim=2), z: R.Any, s: R.Shape(["a", "b"])):
        k = T.int64()
        m = T.int64()
        x1 = R.match_cast(x, R.Tensor((k, m), "float32"))
        y1 = R.match_cast(y, R.Tensor((m, k * 2), "float32"))
        q = R.match_cast(z, R.Tensor((m + 1,)))
        with R.dataflow():
            cast = R.match_cast(z, R.Tensor((T.max(m, 3),), "int32"))
            gv = R.add(x1, x1)
            R.output(gv, cast)
        return (gv, y1, q, R.shape([m, k + 1]))
""",
    "closure": """
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        @R.function
        def inner(a: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
            s = R.add(a, x)
            return s
        r = inner(y)
        return r
""",
    "recursion": """
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor((), "int32")) -> R.Tensor((), "int32"):
        cls = M
        if R.less(x, R.const(1, "int32")):
            y: R.Tensor((), "int32") = x
        else:
            y: R.Tensor((), "int32") = cls.main(R.subtract(x, R.const(1, "int32")))
        return y
""",
    "levels": """
@I.ir_module
class M:
    I.module_attrs({"note": 1})

    @T.prim_func(private=True, s_tir=True)
    def scale(a: T.handle, b: T.handle, factor: T.int64):
        n = T.int64()
        A = T.match_buffer(a, (n,))
        B = T.match_buffer(b, (n,))
        for i in range(n):
            with T.sblock("scale"):
                vi = T.axis.spatial(n, i)
                B[vi] = A[vi] * T.Cast("float32", factor)

    @T.prim_func(private=True, s_tir=True)
    def twice(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("twice"):
                vi = T.axis.spatial(4, i)
                B[vi] = A[vi]
                C[vi] = A[vi] * T.float32(2)

    @R.function
    def main(x: R.Tensor(("n",), "float32"), y: R.Tensor((4,), "float32")):
        n = T.int64()
        cls = M
        with R.dataflow():
            a = R.call_tir(cls.scale, (x, n), out_ty=R.Tensor((n,), "float32"))
            b = R.call_tir(cls.twice, (y,), out_ty=[R.Tensor((4,), "float32"), R.Tensor((4,), "float32")])
            c = b[0]
            d = cls.helper(c)
            R.output(a, d)
        return (a, d)

    @R.function(private=True)
    def helper(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"Primitive": True, "list": [1, 2.5, "x"], "tirx.noalias": True})
        return R.nn.relu(x)
""",
    "inplace": """
@I.ir_module
class M:
    @T.prim_func(private=True, s_tir=True)
    def change(A: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("change"):
                vi = T.axis.spatial(4, i)
                A[vi] = A[vi] + T.float32(1)

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = M
        y = R.call_tir_inplace(cls.change, (x,), inplace_indices=[0], out_ty=[R.Tensor((4,), "float32")])
        return y
""",
    "with_grad": """
@I.ir_module
class M:
    @T.prim_func(private=True, s_tir=True)
    def copy(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("copy"):
                vi = T.axis.spatial(4, i)
                B[vi] = A[vi]

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = M
        y = R.call_tir_with_grad(cls.copy, (x,), out_ty=R.Tensor((4,), "float32"), te_grad_name="g",
                                 te_grad_kwargs={"k": 1.0, "x": "a"})
        return y
""",
    "impure": """
@I.ir_module
class M:
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32"), f: R.Callable((R.Tensor((4,), "float32"),), R.Any, False)):
        R.print(x, format="{}")
        R.assert_op(R.const(True, "bool"), x, format="bad {}")
        a = R.call_packed("f", x, ty_args=R.Tensor((4,), "float32"))
        b = R.call_packed("g", x, a, ty_args=[R.Any])
        c = f(x)
        e = R.call_pure_packed("h", x, ty_args=R.Tensor((4,), "float32"))
        d = R.call_inplace_packed("i", x, inplace_indices=[0], ty_args=R.Tensor((4,), "float32"))
        return (a, b, c, d, e)
""",
    "memory": """
@I.ir_module
class M:
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")):
        s = R.memory.alloc_storage(R.shape([16]), 0, "global", "uint8")
        a = R.memory.alloc_tensor(s, 0, R.shape([4]), "float32")
        z = R.memory.ensure_zero_offset(a)
        b = R.builtin.alloc_tensor(R.shape([4]), "float32", 0)
        R.memory.kill_tensor(a)
        R.memory.kill_storage(s)
        v = R.vm.alloc_storage(R.shape([16]), 0, "uint8")
        t = R.vm.alloc_tensor(v, 0, R.shape([4]), "float32")
        R.vm.kill_object(t)
        n = R.null_value()
        return b
""",
    "devices": """
@I.ir_module
class M:
    I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("cuda", 0), I.vdevice("cuda", 1, "shared")]})

    @R.function
    def main(x: R.Tensor((4,), "float32", "cuda:0"), y: R.Tensor(("n",), "float32", "cuda:1")):
        a = R.to_vdevice(x, "llvm:0")
        b = R.add(x, x)
        c = R.hint_on_device(a, R.device("cuda", 0))
        return (a, b, c, y)
""",
    "types": """
@I.ir_module
class M:
    @R.function
    def main(a: R.Tensor, b: R.Tensor("int8"), c: R.Tensor(ndim=3), d: R.Shape, e: R.Shape(ndim=2), f: R.Shape([2, 3]),
             g: R.Tuple, h: R.Tuple(R.Any, R.Tuple(R.Tensor)), i: R.Callable, k: R.Callable((R.Any,), R.Tensor),
             o: R.Any, p: R.Object, q: T.int64, r: T.float32, s: R.Prim("bool"),
             u: R.Callable(ret=R.Tensor, purity=True)):
        return (a, b, c, d, e, f, g, h)
""",
    "scalars": """
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor((4,), "float32"), n: T.int64):
        m = n + 1
        k: T.int64 = 3
        y = R.zeros(R.shape([n, 4]), "float32")
        z = R.full(R.shape([n * 2]), R.const(1.0, "float32"), "float32")
        w = R.call_pure_packed("f", x, n, m, k, ty_args=R.Tensor((n,), "float32"))
        return (y, z, w, m)
""",
    "used_scalars": """
@I.ir_module
class M:
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")):
        n: T.int64 = R.call_packed("size", x, ty_args=T.int64)
        y = R.zeros(R.shape([n, 4]), "float32")
        return y
""",
    "values": """
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        a = R.const(1, "int32")
        b = R.const(1.5, "float16")
        c = R.const(True, "bool")
        d = R.str("text")
        e = R.dtype("float32")
        f = R.shape([1, 2])
        g = R.prim_value(3)
        h = R.tuple()
        i = (a, b)
        j = (a,)
        k = i[0]
        return (x, c, d, e, f, g, h, j, k)
""",
    "operators": """
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor((4, 4), "float32"), y: R.Tensor((4, 4), "float32")):
        with R.dataflow():
            a = x + y
            b = a - x * y
            c = b / x
            d = -c
            e = d < x
            f = R.where(e, x, y)
            R.output(f)
        return f
""",
    "nested_calls": """
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor((4, 4), "float32")):
        return R.nn.softmax(R.add(R.nn.relu(R.matmul(x, R.permute_dims(x))), R.const(1.0, "float32")))
""",
    "chain": """
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor(("n", 784), "float32"), w: R.Tensor((10, 784), "float32"), b: R.Tensor((10,), "float32")):
        with R.dataflow():
            a = R.matmul(x, R.permute_dims(w))
            c = R.nn.relu(R.add(a, b))
            d = R.nn.softmax(c, axis=-1)
            e = R.reshape(d, (x.shape[0] * 2, 5)) if False else R.sum(d, axis=[1])
            R.output(e)
        return e
""",
    "sizes": """
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor(("n", "m"), "float32"), y: R.Tensor(("n * m",), "float32")) -> R.Tensor(("n * m + 1",), "float32"):
        n = T.int64()
        m = T.int64()
        z = R.concat([y, R.ones((1,), "float32")])
        u = R.reshape(x, (m * n,))
        v = R.strided_slice(x, axes=[0], begin=[1], end=[n - 1])
        return z
""",
    "private": """
@I.ir_module
class M:
    @R.function(private=True)
    def f(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"Composite": "a.b", "relax.force_pure": True})
        return x

    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")) -> R.Tuple(R.Tensor((4,), "float32"), R.Any):
        cls = M
        a = cls.f(x)
        c = R.make_closure(cls.f, ())
        d = R.invoke_closure(c, (x,), ty_args=R.Tensor((4,), "float32"))
        e = R.invoke_pure_closure(c, (x,), ty_args=R.Tensor((4,), "float32"))
        return (a, c)
""",
    "alone": """
@R.function
def f(x: R.Tensor(("n", 4), "float32"), s: R.Shape(["n", "k"])) -> R.Tensor(("n", 4), "float32"):
    n = T.int64()
    y = R.add(x, x)
    return y
""",
    "alone_private": """
@R.function(private=True)
def f(x: R.Tensor((4,), "float32")):
    gv = R.exp(x)
    return gv
""",
    "external": """
@I.ir_module
class M:
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32")):
        f = R.ExternFunc("outer")
        y = f(x)
        z = R.call_packed("g", x, note="n", count=2, ty_args=R.Tensor)
        return (y, z)
""",
    "py_func": """
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = R.call_py_func("work", (x,), out_ty=R.Tensor((4,), "float32"))
        return y
""",
    "workers": """
@I.ir_module
class M:
    @R.function
    def main(x: R.Tensor((4, 4), "float32")):
        a = R.ccl.allreduce(x, "sum")
        b = R.ccl.allgather(a, 2)
        c = R.ccl.broadcast_from_worker0(b)
        d = R.ccl.scatter_from_worker0(c, 2)
        return d
""",
}
