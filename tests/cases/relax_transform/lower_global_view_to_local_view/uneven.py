# pass: relax.distributed.LowerGlobalViewToLocalView
# raises: NotDivisible
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @T.prim_func(private=True)
    def tir_exp(a: T.Buffer((T.int64(3), T.int64(7)), "float32"), compute: T.Buffer((T.int64(3), T.int64(7)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for i0, i1 in T.grid(T.int64(3), T.int64(7)):
            with T.block("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(a[v_i0, v_i1])
                T.writes(compute[v_i0, v_i1])
                compute[v_i0, v_i1] = T.exp(a[v_i0, v_i1])

    @R.function
    def main(x: R.DTensor((3, 7), "float32", "mesh[0]", "S[1]")) -> R.DTensor((3, 7), "float32", "mesh[0]", "S[1]"):
        cls = Module
        c = R.dist.call_tir(cls.tir_exp, (x,), out_sinfo=R.DTensor((3, 7), "float32", "mesh[0]", "S[1]"))
        return c

# after
error[TS4242]: cannot split v_i1 of extent T.int64(7) into 2 equal shards
 --> <text>:8:42
  |
8 |         for i0, i1 in T.grid(T.int64(3), T.int64(7)):
  |                                          ^^^^^^^^^^
hint: pad the tensor, or shard another axis
