"""Graph-level programs for the two to agree on, beyond the corpus: name -> text of 0.17."""

from __future__ import annotations

GRAPHS = {
    "values": """
@R.function
def main(x: R.Tensor((4,), "float32"), n: R.Prim("int64")):
    a = R.const([[1, 2], [3, 4]], "int8")
    b = R.const("inf", "float32")
    c = R.prim_value(3)
    d = R.const([True, False], "bool")
    e = R.str("text")
    return (x, a, b, c, d, e, n)
""",
    "scalars": """
@R.function
def main(k: R.Prim(value="n"), x: R.Tensor(("n", 4), "float32")) -> R.Tensor(("n * 4",), "float32"):
    n = T.int64()
    return R.reshape(x, (n * 4,))
""",
    "casts": """
@R.function
def main(x: R.Tensor(ndim=2), y: R.Object):
    n = T.int64()
    m = T.int64()
    z = R.match_cast(x, R.Tensor((n, 4), "float32"))
    s = R.match_cast(y, R.Prim(value=m))
    return (z, R.shape([n, m]), s)
""",
    "external": """
@R.function(pure=False)
def main(x: R.Tensor((4,), "float32")):
    a = R.call_packed("f", x, sinfo_args=R.Tensor((4,), "float32"))
    b = R.call_pure_packed("g", x, sinfo_args=(R.Object,))
    c = R.call_inplace_packed("h", x, inplace_indices=0, sinfo_args=R.Tensor((4,), "float32"))
    d = R.call_dps_packed("i", (x,), [R.Tensor((2,), "float32"), R.Tensor((3,), "int32")])
    e = R.call_builtin_with_ctx("j", (x,), sinfo_args=R.Prim("int64"))
    R.print(x, format="{}")
    return (a, b, c, d, e)
""",
    "memory": """
@R.function(pure=False)
def main(x: R.Tensor((4,), "float32")):
    s = R.memory.alloc_storage(R.shape([16]), 0, "global", "uint8")
    a = R.memory.alloc_tensor(s, 0, R.shape([4]), "float32")
    t = R.vm.alloc_storage(R.shape([16]), 0, "uint8")
    b = R.vm.alloc_tensor(t, 0, R.shape([4]), "float32")
    c = R.hint_on_device(x, R.cuda(1))
    R.memory.kill_tensor(a)
    return (b, c)
""",
    "renamed": """
@R.function
def main(x: R.Tensor((4, 4), "float32"), i: R.Tensor((2,), "int64")):
    a = R.nn.pad(x, (1, 1, 0, 0), 1.5)
    b = R.cumsum(x, axis=1)
    c = R.ccl.allgather(x, 2)
    d = R.unique(x, axis=0)
    e = R.take(x, i, axis=0)
    f = R.matmul(x, x, out_dtype="float16")
    return (a, b, c, d, e, f)
""",
    "levels": """
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def copy(a: T.handle, b: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n,))
        B = T.match_buffer(b, (n,))
        for i in range(n):
            with T.block("copy"):
                vi = T.axis.spatial(n, i)
                B[vi] = A[vi]

    @R.function
    def main(x: R.Tensor(("n",), "float32"), c: R.Tensor((), "bool")):
        n = T.int64()
        R.func_attr({"num_input": 1})
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.copy, (x,), R.Tensor((n,), "float32"))
            z = R.exp(y)
            R.output(z)
        w = cls.twice(z)
        return w

    @R.function(private=True)
    def twice(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        @R.function
        def inner(y: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
            return R.add(y, y)
        if R.const(True, "bool"):
            z = R.add(x, x)
        else:
            z = R.multiply(x, R.const(2.0, "float32"))
        return z
""",
}
