# pass: relax.VMShapeLower(emit_err_ctx=False)
# differs from TVM: the order of the stores follows a hash table there
# Sizes are computed by the variable that completes them, then by their first use.
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n", "m"), "float32")) -> R.Shape(["m * 2"]):
        n = T.int64()
        m = T.int64()
        a = R.call_packed("f", R.shape([n * m, m * 3, n * 2]), sinfo_args=R.Object)
        return R.shape([m * 2])

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def shape_func(H: T.Buffer((T.int64(6),), "int64")):
        T.func_attr({"tir.is_host_func": 1})
        H[T.int64(4)] = H[T.int64(0)] * T.int64(2)
        H[T.int64(2)] = H[T.int64(0)] * H[T.int64(1)]
        H[T.int64(3)] = H[T.int64(1)] * T.int64(3)
        H[T.int64(5)] = H[T.int64(1)] * T.int64(2)

    @R.function(pure=False)
    def main(x: R.Tensor(("n", "m"), dtype="float32")) -> R.Shape(["m * 2"]):
        m = T.int64()
        n = T.int64()
        cls = Module
        shape_heap: R.Tensor(dtype="int64", ndim=1) = R.call_builtin_with_ctx("vm.builtin.alloc_shape_heap", (R.prim_value(6),), sinfo_args=(R.Tensor(dtype="int64", ndim=1),))
        R.call_packed("vm.builtin.check_tensor_info", x, R.prim_value(2), R.dtype("float32"), R.str(""), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", x, shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(0), R.prim_value(1), R.prim_value(1), R.str(""), sinfo_args=(R.Tuple,))
        cls.shape_func(shape_heap)
        gv: R.Shape(ndim=3) = R.call_packed("vm.builtin.make_shape", shape_heap, R.prim_value(3), R.prim_value(1), R.prim_value(2), R.prim_value(1), R.prim_value(3), R.prim_value(1), R.prim_value(4), sinfo_args=(R.Shape(ndim=3),))
        a: R.Object = R.call_packed("f", gv, sinfo_args=(R.Object,))
        gv1: R.Shape(ndim=1) = R.call_packed("vm.builtin.make_shape", shape_heap, R.prim_value(1), R.prim_value(1), R.prim_value(5), sinfo_args=(R.Shape(ndim=1),))
        R.call_packed("vm.builtin.match_shape", gv1, shape_heap, R.prim_value(1), R.prim_value(3), R.prim_value(5), R.str(""), sinfo_args=(R.Tuple,))
        return gv1
