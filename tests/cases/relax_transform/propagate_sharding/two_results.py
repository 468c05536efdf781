# pass: relax.distributed.PropagateSharding
# differs from TVM: it renames the variable of the tuple
@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @T.prim_func(private=True)
    def add(b: T.Buffer((T.int64(8), T.int64(8)), "float32"), c: T.Buffer((T.int64(8), T.int64(8)), "float32"), T_add: T.Buffer((T.int64(8), T.int64(8)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0, ax1 in T.grid(T.int64(8), T.int64(8)):
            with T.block("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(b[v_ax0, v_ax1], c[v_ax0, v_ax1])
                T.writes(T_add[v_ax0, v_ax1])
                T_add[v_ax0, v_ax1] = b[v_ax0, v_ax1] + c[v_ax0, v_ax1]

    @T.prim_func(private=True)
    def split(a: T.Buffer((T.int64(8), T.int64(16)), "float32"), T_split_sections: T.Buffer((T.int64(8), T.int64(8)), "float32"), T_split_sections_1: T.Buffer((T.int64(8), T.int64(8)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0, ax1 in T.grid(T.int64(8), T.int64(8)):
            with T.block("T_split_sections"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(a[v_ax0, v_ax1])
                T.writes(T_split_sections[v_ax0, v_ax1])
                T_split_sections[v_ax0, v_ax1] = a[v_ax0, v_ax1]
        for ax0, ax1 in T.grid(T.int64(8), T.int64(8)):
            with T.block("T_split_sections_1"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(a[v_ax0, v_ax1 + T.int64(8)])
                T.writes(T_split_sections_1[v_ax0, v_ax1])
                T_split_sections_1[v_ax0, v_ax1] = a[v_ax0, v_ax1 + T.int64(8)]

    @R.function
    def main(x: R.Tensor((8, 16), dtype="float32")) -> R.Tensor((8, 8), dtype="float32"):
        cls = Module
        with R.dataflow():
            a: R.Tensor((8, 16), dtype="float32") = R.dist.annotate_sharding(x, device_mesh="mesh[0]", placement="S[0]")
            t = R.call_tir(cls.split, (a,), out_sinfo=[R.Tensor((8, 8), dtype="float32"), R.Tensor((8, 8), dtype="float32")])
            b: R.Tensor((8, 8), dtype="float32") = t[0]
            c: R.Tensor((8, 8), dtype="float32") = t[1]
            y = R.call_tir(cls.add, (b, c), out_sinfo=R.Tensor((8, 8), dtype="float32"))
            R.output(y)
        return y

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"mesh": [R.device_mesh((2,), I.Range(0, 2))]})
    @T.prim_func(private=True)
    def add(b: T.Buffer((T.int64(8), T.int64(8)), "float32"), c: T.Buffer((T.int64(8), T.int64(8)), "float32"), T_add: T.Buffer((T.int64(8), T.int64(8)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0, ax1 in T.grid(T.int64(8), T.int64(8)):
            with T.block("T_add"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(b[v_ax0, v_ax1], c[v_ax0, v_ax1])
                T.writes(T_add[v_ax0, v_ax1])
                T_add[v_ax0, v_ax1] = b[v_ax0, v_ax1] + c[v_ax0, v_ax1]

    @T.prim_func(private=True)
    def split(a: T.Buffer((T.int64(8), T.int64(16)), "float32"), T_split_sections: T.Buffer((T.int64(8), T.int64(8)), "float32"), T_split_sections_1: T.Buffer((T.int64(8), T.int64(8)), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        # with T.block("root"):
        for ax0, ax1 in T.grid(T.int64(8), T.int64(8)):
            with T.block("T_split_sections"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(a[v_ax0, v_ax1])
                T.writes(T_split_sections[v_ax0, v_ax1])
                T_split_sections[v_ax0, v_ax1] = a[v_ax0, v_ax1]
        for ax0, ax1 in T.grid(T.int64(8), T.int64(8)):
            with T.block("T_split_sections_1"):
                v_ax0, v_ax1 = T.axis.remap("SS", [ax0, ax1])
                T.reads(a[v_ax0, v_ax1 + T.int64(8)])
                T.writes(T_split_sections_1[v_ax0, v_ax1])
                T_split_sections_1[v_ax0, v_ax1] = a[v_ax0, v_ax1 + T.int64(8)]

    @R.function
    def main(x: R.DTensor((8, 16), "float32", "mesh[0]", "S[0]")) -> R.DTensor((8, 8), "float32", "mesh[0]", "S[0]"):
        cls = Module
        with R.dataflow():
            t = R.dist.call_tir(cls.split, (x,), out_sinfo=[R.DTensor((8, 8), "float32", "mesh[0]", "S[0]"), R.DTensor((8, 8), "float32", "mesh[0]", "S[0]")])
            b: R.DTensor((8, 8), "float32", "mesh[0]", "S[0]") = t[0]
            c: R.DTensor((8, 8), "float32", "mesh[0]", "S[0]") = t[1]
            y = R.dist.call_tir(cls.add, (b, c), out_sinfo=R.DTensor((8, 8), "float32", "mesh[0]", "S[0]"))
            R.output(y)
        return y
