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
                keys = T.allocate([T.int64(4)], "float32", "global")
                order_1 = T.Buffer((T.int64(4),), "int64", data=order)
                for i in range(T.int64(4)):
                    order_1[i] = i
                keys_1 = T.Buffer((T.int64(4),), data=keys)
                for j in range(T.int64(4)):
                    keys_1[j] = x[j]
                place = T.allocate([T.int64(1)], "int64", "local")
                for run in range(T.int64(1)):
                    begin: T.int64 = run * T.int64(8)
                    for k in range(begin + T.int64(1), begin + T.int64(1) + (T.min(begin + T.int64(8), T.int64(4)) - (begin + T.int64(1)))):
                        item: T.float32 = keys_1[k]
                        place_1 = T.Buffer((1,), "int64", data=place, scope="local")
                        place_1[T.int64(0)] = k
                        while place_1[T.int64(0)] > begin and (keys_1[T.max(place_1[T.int64(0)] - T.int64(1), T.int64(0))] < item or T.isnan(item) and not T.isnan(keys_1[T.max(place_1[T.int64(0)] - T.int64(1), T.int64(0))])):
                            keys_1[place_1[T.int64(0)]] = keys_1[T.max(place_1[T.int64(0)] - T.int64(1), T.int64(0))]
                            order_1[place_1[T.int64(0)]] = order_1[T.max(place_1[T.int64(0)] - T.int64(1), T.int64(0))]
                            place_1[T.int64(0)] = T.max(place_1[T.int64(0)] - T.int64(1), T.int64(0))
                        keys_1[place_1[T.int64(0)]] = item
                        order_1[place_1[T.int64(0)]] = k
                for k in range(T.int64(4)):
                    sort_cpu[k] = x[order_1[k]]

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.sort, (x,), out_sinfo=R.Tensor((4,), dtype="float32"))
            R.output(gv)
        return gv
