# pass: relax.distributed.LowerGlobalViewToLocalView
# differs from TVM: it reads no call of a kernel with a distributed result
# A kernel of tensors that are on every device, one of a sharded tensor with an axis that is not, and a call of no kernel.
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @T.prim_func(private=True)
    def double(A: T.Buffer((T.int64(8), T.int64(6)), "float32"), C: T.Buffer((T.int64(8), T.int64(6)), "float32")):
        for i, j in T.grid(8, 6):
            with T.block("c"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] * T.float32(2)

    @R.function
    def main(x: R.DTensor((8, 6), "float32", "mesh[0]", "S[0]"), y: R.Tensor((8, 6), "float32")):
        cls = Module
        a = R.call_tir(cls.double, (y,), out_sinfo=R.Tensor((8, 6), "float32"))
        b = R.exp(a)
        c = R.call_tir(cls.double, (x,), out_sinfo=R.DTensor((8, 6), "float32", "mesh[0]", "S[0]"))
        return (b, c)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @T.prim_func(private=True)
    def double(A: T.Buffer((T.int64(8), T.int64(6)), "float32"), C: T.Buffer((T.int64(8), T.int64(6)), "float32")):
        # with T.block("root"):
        for i, j in T.grid(8, 6):
            with T.block("c"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj])
                T.writes(C[vi, vj])
                C[vi, vj] = A[vi, vj] * T.float32(2)

    @T.prim_func(private=True)
    def double1(A: T.Buffer((T.int64(4), T.int64(6)), "float32"), C: T.Buffer((T.int64(4), T.int64(6)), "float32")):
        # with T.block("root"):
        for i, j in T.grid(4, 6):
            with T.block("c"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj])
                T.writes(C[vi, vj])
                C[vi, vj] = A[vi, vj] * T.float32(2)

    @R.function
    def main(x: R.DTensor((8, 6), "float32", "mesh[0]", "S[0]"), y: R.Tensor((8, 6), dtype="float32")) -> R.Tuple(R.Tensor((8, 6), dtype="float32"), R.DTensor((8, 6), "float32", "mesh[0]", "S[0]")):
        cls = Module
        a = R.call_tir(cls.double, (y,), out_sinfo=R.Tensor((8, 6), dtype="float32"))
        b: R.Tensor((8, 6), dtype="float32") = R.exp(a)
        c: R.DTensor((8, 6), "float32", "mesh[0]", "S[0]") = R.dist.call_tir_local_view(cls.double1, (x,), out_sinfo=R.DTensor((8, 6), "float32", "mesh[0]", "S[0]"))
        return (b, c)
