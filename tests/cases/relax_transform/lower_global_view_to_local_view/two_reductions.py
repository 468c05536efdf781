# pass: relax.distributed.LowerGlobalViewToLocalView
# raises: CannotDistribute
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @T.prim_func(private=True)
    def softmax(a: T.Buffer((T.int64(8), T.int64(8)), "float32"), T_softmax_norm: T.Buffer((T.int64(8), T.int64(8)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        T_softmax_maxelem = T.alloc_buffer((T.int64(8),))
        T_softmax_exp = T.alloc_buffer((T.int64(8), T.int64(8)))
        T_softmax_expsum = T.alloc_buffer((T.int64(8),))
        for i0, k in T.grid(T.int64(8), T.int64(8)):
            with T.block("T_softmax_maxelem"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(a[v_i0, v_k])
                T.writes(T_softmax_maxelem[v_i0])
                with T.init():
                    T_softmax_maxelem[v_i0] = T.float32(-3.4028234663852886e+38)
                T_softmax_maxelem[v_i0] = T.max(T_softmax_maxelem[v_i0], a[v_i0, v_k])
        for i0, i1 in T.grid(T.int64(8), T.int64(8)):
            with T.block("T_softmax_exp"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(a[v_i0, v_i1], T_softmax_maxelem[v_i0])
                T.writes(T_softmax_exp[v_i0, v_i1])
                T_softmax_exp[v_i0, v_i1] = T.exp(a[v_i0, v_i1] - T_softmax_maxelem[v_i0])
        for i0, k in T.grid(T.int64(8), T.int64(8)):
            with T.block("T_softmax_expsum"):
                v_i0, v_k = T.axis.remap("SR", [i0, k])
                T.reads(T_softmax_exp[v_i0, v_k])
                T.writes(T_softmax_expsum[v_i0])
                with T.init():
                    T_softmax_expsum[v_i0] = T.float32(0)
                T_softmax_expsum[v_i0] = T_softmax_expsum[v_i0] + T_softmax_exp[v_i0, v_k]
        for i0, i1 in T.grid(T.int64(8), T.int64(8)):
            with T.block("T_softmax_norm"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(T_softmax_exp[v_i0, v_i1], T_softmax_expsum[v_i0])
                T.writes(T_softmax_norm[v_i0, v_i1])
                T.block_attr({"axis": 1})
                T_softmax_norm[v_i0, v_i1] = T_softmax_exp[v_i0, v_i1] / T_softmax_expsum[v_i0]

    @R.function
    def main(x: R.DTensor((8, 8), "float32", "mesh[0]", "S[1]")) -> R.DTensor((8, 8), "float32", "mesh[0]", "S[1]"):
        cls = Module
        c = R.dist.call_tir(cls.softmax, (x,), out_sinfo=R.DTensor((8, 8), "float32", "mesh[0]", "S[1]"))
        return c

# after
error[TS4243]: cannot distribute the reduction of block T_softmax_maxelem: the kernel uses its result for another reduction or result
  --> <text>:12:18
   |
12 |             with T.block("T_softmax_maxelem"):
   |                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
