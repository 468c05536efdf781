# pass: relax.VMShapeLower
# values: not compared: tensors behind the inputs are given by the build
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 3), "float32"), w: R.Tensor((3, "m"), "float32"), u: R.Tensor((3, 4), "float32"), t: R.Tuple(R.Tensor((3,), "float32"), R.Tensor((4,), "float32")), q: R.Tuple(R.Tensor((3,), "float32"), R.Tensor(("j",), "float32"))) -> R.Tensor(("n", 3), "float32"):
        R.func_attr({"num_input": 1, "relax.force_pure": 1})
        return x

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 3), dtype="float32"), w: R.Tensor((3, "m"), dtype="float32"), u: R.Tensor((3, 4), dtype="float32"), t: R.Tuple(R.Tensor((3,), dtype="float32"), R.Tensor((4,), dtype="float32")), q: R.Tuple(R.Tensor((3,), dtype="float32"), R.Tensor(("j",), dtype="float32"))) -> R.Tensor(("n", 3), dtype="float32"):
        n = T.int64()
        m = T.int64()
        j = T.int64()
        R.func_attr({"num_input": 1, "relax.force_pure": 1})
        shape_heap: R.Tensor(dtype="int64", ndim=1) = R.call_builtin_with_ctx("vm.builtin.alloc_shape_heap", (R.prim_value(3),), sinfo_args=(R.Tensor(dtype="int64", ndim=1),))
        R.call_packed("vm.builtin.check_tensor_info", x, R.prim_value(2), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[0], param=x, annotation=R.Tensor((n, 3), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_tensor_info", w, R.prim_value(2), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[1], param=w, annotation=R.Tensor((3, m), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_tuple_info", t, R.prim_value(2), R.str("ErrorContext(fn=main, loc=param[3], param=t, annotation=R.Tuple(R.Tensor((3,), dtype=\"float32\"), R.Tensor((4,), dtype=\"float32\"))) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_tuple_info", q, R.prim_value(2), R.str("ErrorContext(fn=main, loc=param[4], param=q, annotation=R.Tuple(R.Tensor((3,), dtype=\"float32\"), R.Tensor((j,), dtype=\"float32\"))) "), sinfo_args=(R.Tuple,))
        gv: R.Tensor((j,), dtype="float32") = q[1]
        R.call_packed("vm.builtin.check_tensor_info", gv, R.prim_value(1), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[4], param=q, annotation=R.Tuple(R.Tensor((3,), dtype=\"float32\"), R.Tensor((j,), dtype=\"float32\"))) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", x, shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(0), R.prim_value(0), R.prim_value(3), R.str("ErrorContext(fn=main, loc=param[0], param=x, annotation=R.Tensor((n, 3), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", w, shape_heap, R.prim_value(2), R.prim_value(0), R.prim_value(3), R.prim_value(1), R.prim_value(1), R.str("ErrorContext(fn=main, loc=param[1], param=w, annotation=R.Tensor((3, m), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", gv, shape_heap, R.prim_value(1), R.prim_value(1), R.prim_value(2), R.str("ErrorContext(fn=main, loc=param[4], param=q, annotation=R.Tuple(R.Tensor((3,), dtype=\"float32\"), R.Tensor((j,), dtype=\"float32\"))) "), sinfo_args=(R.Tuple,))
        return x
