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
                merged = T.allocate([T.int64(4)], "int64", "global")
                width = T.allocate([T.int64(1)], "int64", "local")
                left = T.allocate([T.int64(1)], "int64", "local")
                right = T.allocate([T.int64(1)], "int64", "local")
                order_1 = T.Buffer((T.int64(4),), "int64", data=order)
                for i in range(T.int64(4)):
                    order_1[i] = i
                width_1 = T.Buffer((1,), "int64", data=width, scope="local")
                width_1[T.int64(0)] = T.int64(1)
                while width_1[T.int64(0)] < T.int64(4):
                    merged_1 = T.Buffer((T.int64(4),), "int64", data=merged)
                    for pair in range((T.int64(4) + width_1[T.int64(0)] * T.int64(2) - T.int64(1)) // (width_1[T.int64(0)] * T.int64(2))):
                        begin: T.int64 = pair * (width_1[T.int64(0)] * T.int64(2))
                        middle: T.int64 = T.min(begin + width_1[T.int64(0)], T.int64(4))
                        end: T.int64 = T.min(middle + width_1[T.int64(0)], T.int64(4))
                        left_1 = T.Buffer((1,), "int64", data=left, scope="local")
                        left_1[T.int64(0)] = begin
                        right_1 = T.Buffer((1,), "int64", data=right, scope="local")
                        right_1[T.int64(0)] = middle
                        for k in range(begin, begin + (end - begin)):
                            if right_1[T.int64(0)] < end and (left_1[T.int64(0)] >= middle or (x[order_1[T.min(left_1[T.int64(0)], T.int64(3))]] < x[order_1[T.min(right_1[T.int64(0)], T.int64(3))]] or T.isnan(x[order_1[T.min(right_1[T.int64(0)], T.int64(3))]]) and not T.isnan(x[order_1[T.min(left_1[T.int64(0)], T.int64(3))]]))):
                                merged_1[k] = order_1[T.min(right_1[T.int64(0)], T.int64(3))]
                                right_1[T.int64(0)] = right_1[T.int64(0)] + T.int64(1)
                            else:
                                merged_1[k] = order_1[T.min(left_1[T.int64(0)], T.int64(3))]
                                left_1[T.int64(0)] = left_1[T.int64(0)] + T.int64(1)
                    for k in range(T.int64(4)):
                        order_1[k] = merged_1[k]
                    width_1[T.int64(0)] = width_1[T.int64(0)] * T.int64(2)
                for k in range(T.int64(4)):
                    sort_cpu[k] = x[order_1[k]]

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.sort, (x,), out_sinfo=R.Tensor((4,), dtype="float32"))
            R.output(gv)
        return gv
