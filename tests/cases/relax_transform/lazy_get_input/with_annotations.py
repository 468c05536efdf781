# pass: relax.LazyGetInput
# The annotation of the result keeps its device.
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice({"keys": ["cpu"], "kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "tag": ""}, 0, "global"), I.vdevice({"arch": "sm_50", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}, 0, "global")]})
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32", "cuda"):
        with R.dataflow():
            lv1 = R.add(x, y)
            lv2 = R.exp(lv1)
            R.output(lv2)
        return lv2

    @R.function
    def items(t: R.Tuple(R.Tensor, R.Tensor)):
        n = T.int64()
        a = R.match_cast(t[0], R.Tensor((n, 4), dtype="float32"))
        return a

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice({"keys": ["cpu"], "kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "tag": ""}, 0, "global"), I.vdevice({"arch": "sm_50", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}, 0, "global")]})
    @R.function
    def items(fget_param: R.Callable((R.Prim("int64"), R.Object), R.Object, True)) -> R.Tensor(dtype="float32", ndim=2):
        R.func_attr({"num_input": 1})
        n = T.int64()
        t_untyped: R.Object = fget_param(R.prim_value(0), R.str("t"))
        t: R.Tuple(R.Tensor, R.Tensor) = R.match_cast(t_untyped, R.Tuple(R.Tensor, R.Tensor))
        gv: R.Tensor = t[0]
        a: R.Tensor((n, 4), dtype="float32") = R.match_cast(gv, R.Tensor((n, 4), dtype="float32"))
        return a

    @R.function
    def main(fget_param: R.Callable((R.Prim("int64"), R.Object), R.Object, True)) -> R.Tensor((2, 3), dtype="float32", vdevice="cuda:0"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            x_untyped: R.Object = fget_param(R.prim_value(0), R.str("x"))
            x: R.Tensor((2, 3), dtype="float32") = R.match_cast(x_untyped, R.Tensor((2, 3), dtype="float32"))
            y_untyped: R.Object = fget_param(R.prim_value(1), R.str("y"))
            y: R.Tensor((2, 3), dtype="float32") = R.match_cast(y_untyped, R.Tensor((2, 3), dtype="float32"))
            lv1: R.Tensor((2, 3), dtype="float32") = R.add(x, y)
            lv2: R.Tensor((2, 3), dtype="float32") = R.exp(lv1)
            R.output(lv2)
        return lv2
