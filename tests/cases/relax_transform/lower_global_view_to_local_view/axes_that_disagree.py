# pass: relax.distributed.LowerGlobalViewToLocalView
# raises: CannotDistribute
# differs from TVM: it reads no call of a kernel with a distributed result
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @T.prim_func(private=True)
    def add(A: T.Buffer((T.int64(8), T.int64(6)), "float32"), B: T.Buffer((T.int64(8), T.int64(6)), "float32"), C: T.Buffer((T.int64(8), T.int64(6)), "float32")):
        for i, j in T.grid(8, 6):
            with T.block("c"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] + B[vi, vj]

    @R.function
    def main(x: R.DTensor((8, 6), "float32", "mesh[0]", "S[0]"), y: R.DTensor((8, 6), "float32", "mesh[0]", "R")):
        cls = Module
        z = R.call_tir(cls.add, (x, y), out_sinfo=R.DTensor((8, 6), "float32", "mesh[0]", "S[0]"))
        return z

# after
error[TS4243]: cannot distribute axis 0 of B: it is not sharded as the axes that it is computed with
 --> <text>:5:66
  |
5 |     def add(A: T.Buffer((T.int64(8), T.int64(6)), "float32"), B: T.Buffer((T.int64(8), T.int64(6)), "float32"), C: T.Buffer((T.int64(8), T.int64(6)), "float32")
  |                                                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
