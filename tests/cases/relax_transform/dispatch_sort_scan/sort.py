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
                merged = T.allocate([T.int64(4)], "int64", "global")
                merged_keys = T.allocate([T.int64(4)], "float32", "global")
                width = T.allocate([T.int64(1)], "int64", "local")
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
                width_1 = T.Buffer((1,), "int64", data=width, scope="local")
                width_1[T.int64(0)] = T.int64(8)
                while width_1[T.int64(0)] < T.int64(4):
                    second = T.allocate([T.int64(1)], "int64", "local")
                    last_first = T.allocate([T.int64(1)], "int64", "local")
                    merged_keys_1 = T.Buffer((T.int64(4),), data=merged_keys)
                    merged_1 = T.Buffer((T.int64(4),), "int64", data=merged)
                    for pair in range((T.int64(4) + width_1[T.int64(0)] * T.int64(2) - T.int64(1)) // (width_1[T.int64(0)] * T.int64(2))):
                        begin: T.int64 = pair * (width_1[T.int64(0)] * T.int64(2))
                        middle: T.int64 = T.min(begin + width_1[T.int64(0)], T.int64(4))
                        end: T.int64 = T.min(middle + width_1[T.int64(0)], T.int64(4))
                        both: T.int64 = end - middle
                        second_1 = T.Buffer((1,), "int64", data=second, scope="local")
                        second_1[T.int64(0)] = middle
                        last_first_1 = T.Buffer((1,), "int64", data=last_first, scope="local")
                        last_first_1[T.int64(0)] = middle - T.int64(1)
                        for k in range(both):
                            first: T.int64 = begin + k - (second_1[T.int64(0)] - middle)
                            last: T.int64 = end - T.int64(1) - k + (middle - T.int64(1) - last_first_1[T.int64(0)])
                            element: T.float32 = keys_1[first]
                            element_1: T.int64 = order_1[first]
                            element_2: T.float32 = keys_1[second_1[T.int64(0)]]
                            element_3: T.int64 = order_1[second_1[T.int64(0)]]
                            takes: T.bool = element < element_2 or T.isnan(element_2) and not T.isnan(element)
                            merged_keys_1[begin + k] = T.Select(takes, element_2, element)
                            merged_1[begin + k] = T.Select(takes, element_3, element_1)
                            element_4: T.float32 = keys_1[last]
                            element_5: T.int64 = order_1[last]
                            element_6: T.float32 = keys_1[last_first_1[T.int64(0)]]
                            element_7: T.int64 = order_1[last_first_1[T.int64(0)]]
                            takes_1: T.bool = element_6 < element_4 or T.isnan(element_4) and not T.isnan(element_6)
                            merged_keys_1[end - T.int64(1) - k] = T.Select(takes_1, element_6, element_4)
                            merged_1[end - T.int64(1) - k] = T.Select(takes_1, element_7, element_5)
                            second_1[T.int64(0)] = second_1[T.int64(0)] + T.Cast("int64", takes)
                            last_first_1[T.int64(0)] = last_first_1[T.int64(0)] - T.Cast("int64", takes_1)
                        stop: T.int64 = end - both + (middle - T.int64(1) - last_first_1[T.int64(0)])
                        for k in range(begin + both, begin + both + (end - both - (begin + both))):
                            first: T.int64 = k - (second_1[T.int64(0)] - middle)
                            element: T.float32 = keys_1[T.min(first, T.int64(3))]
                            element_1: T.int64 = order_1[T.min(first, T.int64(3))]
                            element_2: T.float32 = keys_1[T.min(second_1[T.int64(0)], T.int64(3))]
                            element_3: T.int64 = order_1[T.min(second_1[T.int64(0)], T.int64(3))]
                            takes: T.bool = second_1[T.int64(0)] < stop and (first > last_first_1[T.int64(0)] or (element < element_2 or T.isnan(element_2) and not T.isnan(element)))
                            merged_keys_1[k] = T.Select(takes, element_2, element)
                            merged_1[k] = T.Select(takes, element_3, element_1)
                            second_1[T.int64(0)] = second_1[T.int64(0)] + T.Cast("int64", takes)
                    second_1 = T.allocate([T.int64(1)], "int64", "local")
                    last_first_1 = T.allocate([T.int64(1)], "int64", "local")
                    for pair in range((T.int64(4) + width_1[T.int64(0)] * T.int64(2) * T.int64(2) - T.int64(1)) // (width_1[T.int64(0)] * T.int64(2) * T.int64(2))):
                        begin: T.int64 = pair * (width_1[T.int64(0)] * T.int64(2) * T.int64(2))
                        middle: T.int64 = T.min(begin + width_1[T.int64(0)] * T.int64(2), T.int64(4))
                        end: T.int64 = T.min(middle + width_1[T.int64(0)] * T.int64(2), T.int64(4))
                        both: T.int64 = end - middle
                        second_2 = T.Buffer((1,), "int64", data=second_1, scope="local")
                        second_2[T.int64(0)] = middle
                        last_first_2 = T.Buffer((1,), "int64", data=last_first_1, scope="local")
                        last_first_2[T.int64(0)] = middle - T.int64(1)
                        for k in range(both):
                            first: T.int64 = begin + k - (second_2[T.int64(0)] - middle)
                            last: T.int64 = end - T.int64(1) - k + (middle - T.int64(1) - last_first_2[T.int64(0)])
                            element: T.float32 = merged_keys_1[first]
                            element_1: T.int64 = merged_1[first]
                            element_2: T.float32 = merged_keys_1[second_2[T.int64(0)]]
                            element_3: T.int64 = merged_1[second_2[T.int64(0)]]
                            takes: T.bool = element < element_2 or T.isnan(element_2) and not T.isnan(element)
                            keys_1[begin + k] = T.Select(takes, element_2, element)
                            order_1[begin + k] = T.Select(takes, element_3, element_1)
                            element_4: T.float32 = merged_keys_1[last]
                            element_5: T.int64 = merged_1[last]
                            element_6: T.float32 = merged_keys_1[last_first_2[T.int64(0)]]
                            element_7: T.int64 = merged_1[last_first_2[T.int64(0)]]
                            takes_1: T.bool = element_6 < element_4 or T.isnan(element_4) and not T.isnan(element_6)
                            keys_1[end - T.int64(1) - k] = T.Select(takes_1, element_6, element_4)
                            order_1[end - T.int64(1) - k] = T.Select(takes_1, element_7, element_5)
                            second_2[T.int64(0)] = second_2[T.int64(0)] + T.Cast("int64", takes)
                            last_first_2[T.int64(0)] = last_first_2[T.int64(0)] - T.Cast("int64", takes_1)
                        stop: T.int64 = end - both + (middle - T.int64(1) - last_first_2[T.int64(0)])
                        for k in range(begin + both, begin + both + (end - both - (begin + both))):
                            first: T.int64 = k - (second_2[T.int64(0)] - middle)
                            element: T.float32 = merged_keys_1[T.min(first, T.int64(3))]
                            element_1: T.int64 = merged_1[T.min(first, T.int64(3))]
                            element_2: T.float32 = merged_keys_1[T.min(second_2[T.int64(0)], T.int64(3))]
                            element_3: T.int64 = merged_1[T.min(second_2[T.int64(0)], T.int64(3))]
                            takes: T.bool = second_2[T.int64(0)] < stop and (first > last_first_2[T.int64(0)] or (element < element_2 or T.isnan(element_2) and not T.isnan(element)))
                            keys_1[k] = T.Select(takes, element_2, element)
                            order_1[k] = T.Select(takes, element_3, element_1)
                            second_2[T.int64(0)] = second_2[T.int64(0)] + T.Cast("int64", takes)
                    width_1[T.int64(0)] = width_1[T.int64(0)] * T.int64(4)
                for k in range(T.int64(4)):
                    sort_cpu[k] = x[order_1[k]]

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.sort, (x,), out_sinfo=R.Tensor((4,), dtype="float32"))
            R.output(gv)
        return gv
