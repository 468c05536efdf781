# pass: relax.RewriteDataflowReshape
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def reshape(A: T.Buffer((T.int64(8), T.int64(3)), "float32"), B: T.Buffer((T.int64(2), T.int64(4), T.int64(3)), "float32")):
        for i, j, k in T.grid(T.int64(2), T.int64(4), T.int64(3)):
            with T.block("b"):
                vi, vj, vk = T.axis.remap("SSS", [i, j, k])
                B[vi, vj, vk] = A[vi * T.int64(4) + vj, vk]

    @T.prim_func(private=True)
    def transpose(A: T.Buffer((T.int64(3), T.int64(8)), "float32"), B: T.Buffer((T.int64(8), T.int64(3)), "float32")):
        for i, j in T.grid(T.int64(8), T.int64(3)):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vj, vi]

    @R.function
    def main(x: R.Tensor((8, 3), "float32"), t: R.Tensor((3, 8), "float32")):
        cls = Module
        with R.dataflow():
            y = R.call_tir(cls.reshape, (x,), R.Tensor((2, 4, 3), "float32"))
            z = R.add(y, y)
            u = R.call_tir(cls.transpose, (t,), R.Tensor((8, 3), "float32"))
            v = R.call_tir(cls.reshape, (u,), R.Tensor((2, 4, 3), "float32"))
            w = R.add(z, v)
            o = R.call_tir(cls.reshape, (x,), R.Tensor((2, 4, 3), "float32"))
            R.output(w, o)
        return (w, o)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def reshape(A: T.Buffer((T.int64(8), T.int64(3)), "float32"), B: T.Buffer((T.int64(2), T.int64(4), T.int64(3)), "float32")):
        # with T.block("root"):
        for i, j, k in T.grid(T.int64(2), T.int64(4), T.int64(3)):
            with T.block("b"):
                vi, vj, vk = T.axis.remap("SSS", [i, j, k])
                T.reads(A[vi * T.int64(4) + vj, vk])
                T.writes(B[vi, vj, vk])
                B[vi, vj, vk] = A[vi * T.int64(4) + vj, vk]

    @T.prim_func(private=True)
    def transpose(A: T.Buffer((T.int64(3), T.int64(8)), "float32"), B: T.Buffer((T.int64(8), T.int64(3)), "float32")):
        # with T.block("root"):
        for i, j in T.grid(T.int64(8), T.int64(3)):
            with T.block("b"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vj, vi])
                T.writes(B[vi, vj])
                B[vi, vj] = A[vj, vi]

    @R.function
    def main(x: R.Tensor((8, 3), dtype="float32"), t: R.Tensor((3, 8), dtype="float32")) -> R.Tuple(R.Tensor((2, 4, 3), dtype="float32"), R.Tensor((2, 4, 3), dtype="float32")):
        cls = Module
        with R.dataflow():
            y: R.Tensor((2, 4, 3), dtype="float32") = R.reshape(x, R.shape([2, 4, 3]))
            z: R.Tensor((2, 4, 3), dtype="float32") = R.add(y, y)
            u = R.call_tir(cls.transpose, (t,), out_sinfo=R.Tensor((8, 3), dtype="float32"))
            v: R.Tensor((2, 4, 3), dtype="float32") = R.reshape(u, R.shape([2, 4, 3]))
            w: R.Tensor((2, 4, 3), dtype="float32") = R.add(z, v)
            o = R.call_tir(cls.reshape, (x,), out_sinfo=R.Tensor((2, 4, 3), dtype="float32"))
            R.output(w, o)
        return (w, o)
