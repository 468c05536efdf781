# pass: relax.PackWeights(target="llvm -mcpu=x86-64-v4")
# differs from TVM: it has no such pass
# The weights of `other` are no constant in one of its calls.
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def matmul(x: T.Buffer((4, 3), "float32"), w: T.Buffer((8, 3), "float32"), y: T.Buffer((4, 8), "float32")):
        for i, j, k in T.grid(4, 8, 3):
            with T.block("y"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    y[vi, vj] = T.float32(0)
                y[vi, vj] = y[vi, vj] + x[vi, vk] * w[vj, vk]

    @T.prim_func(private=True)
    def other(x: T.Buffer((8, 4), "float32"), w: T.Buffer((8, 4), "float32"), y: T.Buffer((8, 8), "float32")):
        for i, j, k in T.grid(8, 8, 4):
            with T.block("y"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    y[vi, vj] = T.float32(0)
                y[vi, vj] = y[vi, vj] + x[vi, vk] * w[vj, vk]

    @R.function
    def main(x: R.Tensor((4, 3), "float32"), z: R.Tensor((8, 4), "float32")):
        cls = Module
        y = R.call_tir(cls.matmul, (x, R.const([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [0.5, 1.5, 2.5], [3.5, 4.5, 5.5], [6.5, 7.5, 8.5], [9.5, 0.25, 1.25], [2.25, 3.25, 4.25]], "float32")), out_sinfo=R.Tensor((4, 8), "float32"))
        a = R.call_tir(cls.other, (z, z), out_sinfo=R.Tensor((8, 8), "float32"))
        return (y, a)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def matmul(x: T.Buffer((4, 3), "float32"), w_packed: T.Buffer((1, 3, 16), "float32"), y: T.Buffer((4, 8), "float32")):
        T.func_attr({"tir.packed_weights": [1]})
        # with T.block("root"):
        w = T.alloc_buffer((8, 3))
        for i0, i1 in T.grid(8, 3):
            with T.block("w_unpack"):
                v0, v1 = T.axis.remap("SS", [i0, i1])
                T.reads(w_packed[v0 // 16, v1, v0 % 16])
                T.writes(w[v0, v1])
                w[v0, v1] = w_packed[v0 // 16, v1, v0 % 16]
        for i, j, k in T.grid(4, 8, 3):
            with T.block("y"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(x[vi, vk], w[vj, vk])
                T.writes(y[vi, vj])
                with T.init():
                    y[vi, vj] = T.float32(0)
                y[vi, vj] = y[vi, vj] + x[vi, vk] * w[vj, vk]

    @T.prim_func(private=True)
    def other(x: T.Buffer((8, 4), "float32"), w: T.Buffer((8, 4), "float32"), y: T.Buffer((8, 8), "float32")):
        # with T.block("root"):
        for i, j, k in T.grid(8, 8, 4):
            with T.block("y"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                T.reads(x[vi, vk], w[vj, vk])
                T.writes(y[vi, vj])
                with T.init():
                    y[vi, vj] = T.float32(0)
                y[vi, vj] = y[vi, vj] + x[vi, vk] * w[vj, vk]

    @R.function
    def main(x: R.Tensor((4, 3), dtype="float32"), z: R.Tensor((8, 4), dtype="float32")) -> R.Tuple(R.Tensor((4, 8), dtype="float32"), R.Tensor((8, 8), dtype="float32")):
        cls = Module
        y = R.call_tir(cls.matmul, (x, metadata["relax.expr.Constant"][0]), out_sinfo=R.Tensor((4, 8), dtype="float32"))
        a = R.call_tir(cls.other, (z, z), out_sinfo=R.Tensor((8, 8), dtype="float32"))
        return (y, a)

metadata = {
    "relax.expr.Constant": [
        R.const(T.data("float32", [1, 3, 16], """
AACAPwAAgEAAAOBAAAAAPwAAYEAAANBAAAAYQQAAEEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEAAAKBAAAAA
QQAAwD8AAJBAAADwQAAAgD4AAFBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAEBAAADAQAAAEEEAACBAAACwQAAA
CEEAAKA/AACIQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
""")),
    ],
}
