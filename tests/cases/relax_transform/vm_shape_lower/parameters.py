# pass: relax.VMShapeLower
# Parameters of every kind; a size that another parameter defines is compared after it is computed.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), s: R.Shape(["m", "n*2"]), p: R.Prim("int32"), t: R.Tuple(R.Tensor((3,), "float32"), R.Tensor(("m",))), q: R.Prim(value="k"), o: R.Object, f: R.Callable((R.Object,), R.Object), a: R.Shape(ndim=2), e: R.Tensor((), "bool")):
        return x

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def shape_func(H: T.Buffer((T.int64(4),), "int64")):
        T.func_attr({"tir.is_host_func": 1})
        H[T.int64(2)] = H[T.int64(0)] * T.int64(2)

    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), s: R.Shape(["m", "n * 2"]), p: R.Prim("int32"), t: R.Tuple(R.Tensor((3,), dtype="float32"), R.Tensor(("m",))), q: R.Prim(value="k"), o: R.Object, f: R.Callable((R.Object,), R.Object, True), a: R.Shape(ndim=2), e: R.Tensor((), dtype="bool")) -> R.Tensor(("n", 4), dtype="float32"):
        n = T.int64()
        m = T.int64()
        k = T.int64()
        cls = Module
        shape_heap: R.Tensor(dtype="int64", ndim=1) = R.call_builtin_with_ctx("vm.builtin.alloc_shape_heap", (R.prim_value(4),), sinfo_args=(R.Tensor(dtype="int64", ndim=1),))
        R.call_packed("vm.builtin.check_tensor_info", x, R.prim_value(2), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[0], param=x, annotation=R.Tensor((n, 4), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_shape_info", s, R.prim_value(2), R.str("ErrorContext(fn=main, loc=param[1], param=s, annotation=R.Shape([m, n * 2])) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_prim_value_info", p, R.dtype("int32"), R.str("ErrorContext(fn=main, loc=param[2], param=p, annotation=R.Prim(\"int32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_tuple_info", t, R.prim_value(2), R.str("ErrorContext(fn=main, loc=param[3], param=t, annotation=R.Tuple(R.Tensor((3,), dtype=\"float32\"), R.Tensor((m,)))) "), sinfo_args=(R.Tuple,))
        gv: R.Tensor((3,), dtype="float32") = t[0]
        R.call_packed("vm.builtin.check_tensor_info", gv, R.prim_value(1), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[3], param=t, annotation=R.Tuple(R.Tensor((3,), dtype=\"float32\"), R.Tensor((m,)))) "), sinfo_args=(R.Tuple,))
        gv1: R.Tensor((m,)) = t[1]
        R.call_packed("vm.builtin.check_tensor_info", gv1, R.prim_value(1), R.dtype("void"), R.str("ErrorContext(fn=main, loc=param[3], param=t, annotation=R.Tuple(R.Tensor((3,), dtype=\"float32\"), R.Tensor((m,)))) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_prim_value_info", q, R.dtype("int64"), R.str("ErrorContext(fn=main, loc=param[4], param=q, annotation=R.Prim(value=k)) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_func_info", f, R.str("ErrorContext(fn=main, loc=param[6], param=f, annotation=R.Callable((R.Object,), R.Object, True)) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_shape_info", a, R.prim_value(2), R.str("ErrorContext(fn=main, loc=param[7], param=a, annotation=R.Shape(ndim=2)) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_tensor_info", e, R.prim_value(0), R.dtype("bool"), R.str("ErrorContext(fn=main, loc=param[8], param=e, annotation=R.Tensor((), dtype=\"bool\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", x, shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(0), R.prim_value(0), R.prim_value(4), R.str("ErrorContext(fn=main, loc=param[0], param=x, annotation=R.Tensor((n, 4), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", s, shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(1), R.prim_value(2), R.prim_value(0), R.str("ErrorContext(fn=main, loc=param[1], param=s, annotation=R.Shape([m, n * 2])) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", gv, shape_heap, R.prim_value(1), R.prim_value(0), R.prim_value(3), R.str("ErrorContext(fn=main, loc=param[3], param=t, annotation=R.Tuple(R.Tensor((3,), dtype=\"float32\"), R.Tensor((m,)))) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", gv1, shape_heap, R.prim_value(1), R.prim_value(3), R.prim_value(1), R.str("ErrorContext(fn=main, loc=param[3], param=t, annotation=R.Tuple(R.Tensor((3,), dtype=\"float32\"), R.Tensor((m,)))) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_prim_value", q, shape_heap, R.prim_value(1), R.prim_value(3), R.str("ErrorContext(fn=main, loc=param[4], param=q, annotation=R.Prim(value=k)) "), sinfo_args=(R.Tuple,))
        cls.shape_func(shape_heap)
        R.call_packed("vm.builtin.match_shape", s, shape_heap, R.prim_value(2), R.prim_value(3), R.prim_value(1), R.prim_value(3), R.prim_value(2), R.str("ErrorContext(fn=main, loc=param[1], param=s, annotation=R.Shape([m, n * 2])) "), sinfo_args=(R.Tuple,))
        return x
