# pass: relax.DispatchSortScan
# differs from TVM: its kernels call tvm.contrib.sort
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        with R.dataflow():
            gv = R.sort(x, descending=True)
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def sort(var_x: T.handle, var_sort_cpu: T.handle):
        T.func_attr({"tir.noalias": T.bool(True)})
        x = T.match_buffer(var_x, (T.int64(4),), offset_factor=1)
        sort_cpu = T.match_buffer(var_sort_cpu, (T.int64(4),), offset_factor=1)
        with T.block("sort_cpu"):
            T.reads()
            T.writes()
            for row in T.parallel(T.int64(1)):
                order = T.allocate([T.int64(4)], "int64", "global")
                rank = T.allocate([T.int64(4)], "int32", "local")
                members = T.allocate([T.int64(4)], "float32", "local")
                members_1 = T.Buffer((4,), data=members, scope="local")
                for i in range(T.int64(4)):
                    members_1[i] = x[T.min(i, T.int64(3))]
                rank_1 = T.Buffer((4,), "int32", data=rank, scope="local")
                for j in T.unroll(T.int64(4)):
                    rank_1[j] = 0
                for j in T.unroll(T.int64(4)):
                    other: T.float32 = members_1[j]
                    for k in T.unroll(T.int64(4)):
                        rank_1[k] = rank_1[k] + T.Cast("int32", members_1[k] < other or other != other and members_1[k] == members_1[k] or T.Cast("int64", T.Cast("int32", j)) < k and not (other < members_1[k] or members_1[k] != members_1[k] and other == other))
                order_1 = T.Buffer((T.int64(4),), "int64", data=order)
                for i_0 in range(T.int64(4)):
                    order_1[rank_1[i_0]] = T.Cast("int64", i_0)
                for k in range(T.int64(4)):
                    sort_cpu[k] = x[order_1[k]]

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.sort, (x,), out_sinfo=R.Tensor((4,), dtype="float32"))
            R.output(gv)
        return gv
