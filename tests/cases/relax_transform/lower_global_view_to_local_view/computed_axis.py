# pass: relax.distributed.LowerGlobalViewToLocalView
# raises: CannotDistribute
# differs from TVM: it reads no call of a kernel with a distributed result
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @T.prim_func(private=True)
    def double(A: T.Buffer((T.int64(8),), "float32"), C: T.Buffer((T.int64(8),), "float32")):
        for i, j in T.grid(T.int64(4), T.int64(2)):
            with T.block("c"):
                vi = T.axis.spatial(T.int64(8), i * T.int64(2) + j)
                C[vi] = A[vi] * T.float32(2)

    @R.function
    def main(x: R.DTensor((8,), "float32", "mesh[0]", "S[0]")):
        cls = Module
        y = R.call_tir(cls.double, (x,), out_sinfo=R.DTensor((8,), "float32", "mesh[0]", "S[0]"))
        return y

# after
error[TS4243]: cannot distribute the block c: vi is no loop variable
 --> <text>:7:18
  |
7 |             with T.block("c"):
  |                  ^^^^^^^^^^^^
