# pass: relax.distributed.LowerGlobalViewToLocalView
# raises: NotDivisible
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @T.prim_func(private=True)
    def tir_exp(var_a: T.handle, var_compute: T.handle):
        T.func_attr({"tir.noalias": T.bool(True)})
        n = T.int64()
        a = T.match_buffer(var_a, (n, T.int64(8)))
        compute = T.match_buffer(var_compute, (n, T.int64(8)))
        # with T.block("root"):
        for i0, i1 in T.grid(n, T.int64(8)):
            with T.block("compute"):
                v_i0, v_i1 = T.axis.remap("SS", [i0, i1])
                T.reads(a[v_i0, v_i1])
                T.writes(compute[v_i0, v_i1])
                compute[v_i0, v_i1] = T.exp(a[v_i0, v_i1])

    @R.function
    def main(x: R.DTensor(("n", 8), "float32", "mesh[0]", "S[0]")) -> R.DTensor(("n", 8), "float32", "mesh[0]", "S[0]"):
        n = T.int64()
        cls = Module
        c = R.dist.call_tir(cls.tir_exp, (x,), out_sinfo=R.DTensor((n, 8), "float32", "mesh[0]", "S[0]"))
        return c

# after
error[TS4242]: cannot split v_i0 of extent n into 2 equal shards
 --> <text>:7:13
  |
7 |         n = T.int64()
  |             ^^^^^^^^^
hint: pad the tensor, or shard another axis
