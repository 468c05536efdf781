# pass: relax.distributed.LowerGlobalViewToLocalView
# raises: CannotDistribute
# differs from TVM: it adds up the roots of the parts
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @T.prim_func(private=True)
    def f(x: T.Buffer((T.int64(8),), "float32"), y: T.Buffer((T.int64(1),), "float32")):
        s = T.alloc_buffer((T.int64(1),))
        for k in range(T.int64(8)):
            with T.block("s"):
                vk = T.axis.reduce(T.int64(8), k)
                with T.init():
                    s[T.int64(0)] = T.float32(0)
                s[T.int64(0)] = s[T.int64(0)] + x[vk]
        for i in range(T.int64(1)):
            with T.block("y"):
                vi = T.axis.spatial(T.int64(1), i)
                y[vi] = T.sqrt(s[vi])
    @R.function
    def main(x: R.DTensor((8,), "float32", "mesh[0]", "S[0]")):
        cls = Module
        y = R.dist.call_tir(cls.f, (x,), out_sinfo=R.DTensor((1,), "float32", "mesh[0]", "R"))
        return y

# after
error[TS4243]: cannot distribute the reduction of block s: block y computes with the partial result
 --> <text>:8:18
  |
8 |             with T.block("s"):
  |                  ^^^^^^^^^^^^
