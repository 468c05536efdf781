# pass: relax.distributed.LowerGlobalViewToLocalView
# raises: CannotDistribute
# differs from TVM: it reverses each shard
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @T.prim_func(private=True)
    def f(x: T.Buffer((T.int64(8),), "float32"), y: T.Buffer((T.int64(8),), "float32")):
        for i in range(T.int64(8)):
            with T.block("y"):
                vi = T.axis.spatial(T.int64(8), i)
                y[vi] = x[T.int64(7) - vi]
    @R.function
    def main(x: R.DTensor((8,), "float32", "mesh[0]", "S[0]")):
        cls = Module
        y = R.dist.call_tir(cls.f, (x,), out_sinfo=R.DTensor((8,), "float32", "mesh[0]", "S[0]"))
        return y

# after
error[TS4243]: cannot distribute block y: it accesses other shards of axis 0 of x
 --> <text>:9:25
  |
9 |                 y[vi] = x[T.int64(7) - vi]
  |                         ^^^^^^^^^^^^^^^^^^
