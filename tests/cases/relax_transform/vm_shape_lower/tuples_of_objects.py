# pass: relax.VMShapeLower
# Items of tuples are bound where a check needs them; those of an object are results of a builtin.
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((4,), "float32"), t: R.Tuple(R.Tensor, R.Object)):
        n = T.int64()
        m = T.int64()
        c: R.Tuple(R.Tensor((n,)), R.Shape(ndim=-1), R.Tuple(R.Tensor((m, n), "float32"), R.Object)) = R.match_cast(R.call_packed("f", x, sinfo_args=(R.Object,)), R.Tuple(R.Tensor((n,)), R.Shape(ndim=-1), R.Tuple(R.Tensor((m, n), "float32"), R.Object)))
        s = R.split(x, 2)
        return (s, t, c)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor((4,), dtype="float32"), t: R.Tuple(R.Tensor, R.Object)) -> R.Tuple(R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32")), R.Tuple(R.Tensor, R.Object), R.Tuple(R.Tensor(ndim=1), R.Shape(ndim=-1), R.Tuple(R.Tensor(dtype="float32", ndim=2), R.Object))):
        n = T.int64()
        m = T.int64()
        shape_heap: R.Tensor(dtype="int64", ndim=1) = R.call_builtin_with_ctx("vm.builtin.alloc_shape_heap", (R.prim_value(2),), sinfo_args=(R.Tensor(dtype="int64", ndim=1),))
        R.call_packed("vm.builtin.check_tensor_info", x, R.prim_value(1), R.dtype("float32"), R.str("ErrorContext(fn=main, loc=param[0], param=x, annotation=R.Tensor((4,), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_tuple_info", t, R.prim_value(2), R.str("ErrorContext(fn=main, loc=param[1], param=t, annotation=R.Tuple(R.Tensor, R.Object)) "), sinfo_args=(R.Tuple,))
        gv: R.Tensor = t[0]
        R.call_packed("vm.builtin.check_tensor_info", gv, R.prim_value(-1), R.dtype("void"), R.str("ErrorContext(fn=main, loc=param[1], param=t, annotation=R.Tuple(R.Tensor, R.Object)) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", x, shape_heap, R.prim_value(1), R.prim_value(0), R.prim_value(4), R.str("ErrorContext(fn=main, loc=param[0], param=x, annotation=R.Tensor((4,), dtype=\"float32\")) "), sinfo_args=(R.Tuple,))
        gv1: R.Object = R.call_packed("f", x, sinfo_args=(R.Object,))
        R.call_packed("vm.builtin.check_tuple_info", gv1, R.prim_value(3), R.str("ErrorContext(match_cast, struct_info=R.Tuple(R.Tensor((n,)), R.Shape(ndim=-1), R.Tuple(R.Tensor((m, n), dtype=\"float32\"), R.Object))) "), sinfo_args=(R.Tuple,))
        gv2: R.Object = R.call_packed("vm.builtin.tuple_getitem", gv1, R.prim_value(0), sinfo_args=(R.Object,))
        R.call_packed("vm.builtin.check_tensor_info", gv2, R.prim_value(1), R.dtype("void"), R.str("ErrorContext(match_cast, struct_info=R.Tuple(R.Tensor((n,)), R.Shape(ndim=-1), R.Tuple(R.Tensor((m, n), dtype=\"float32\"), R.Object))) "), sinfo_args=(R.Tuple,))
        gv3: R.Object = R.call_packed("vm.builtin.tuple_getitem", gv1, R.prim_value(1), sinfo_args=(R.Object,))
        R.call_packed("vm.builtin.check_shape_info", gv3, R.prim_value(-1), R.str("ErrorContext(match_cast, struct_info=R.Tuple(R.Tensor((n,)), R.Shape(ndim=-1), R.Tuple(R.Tensor((m, n), dtype=\"float32\"), R.Object))) "), sinfo_args=(R.Tuple,))
        gv4: R.Object = R.call_packed("vm.builtin.tuple_getitem", gv1, R.prim_value(2), sinfo_args=(R.Object,))
        R.call_packed("vm.builtin.check_tuple_info", gv4, R.prim_value(2), R.str("ErrorContext(match_cast, struct_info=R.Tuple(R.Tensor((n,)), R.Shape(ndim=-1), R.Tuple(R.Tensor((m, n), dtype=\"float32\"), R.Object))) "), sinfo_args=(R.Tuple,))
        gv5: R.Object = R.call_packed("vm.builtin.tuple_getitem", gv4, R.prim_value(0), sinfo_args=(R.Object,))
        R.call_packed("vm.builtin.check_tensor_info", gv5, R.prim_value(2), R.dtype("float32"), R.str("ErrorContext(match_cast, struct_info=R.Tuple(R.Tensor((n,)), R.Shape(ndim=-1), R.Tuple(R.Tensor((m, n), dtype=\"float32\"), R.Object))) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", gv2, shape_heap, R.prim_value(1), R.prim_value(1), R.prim_value(0), R.str("ErrorContext(match_cast, struct_info=R.Tuple(R.Tensor((n,)), R.Shape(ndim=-1), R.Tuple(R.Tensor((m, n), dtype=\"float32\"), R.Object))) "), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", gv5, shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(1), R.prim_value(3), R.prim_value(0), R.str("ErrorContext(match_cast, struct_info=R.Tuple(R.Tensor((n,)), R.Shape(ndim=-1), R.Tuple(R.Tensor((m, n), dtype=\"float32\"), R.Object))) "), sinfo_args=(R.Tuple,))
        c: R.Tuple(R.Tensor((n,)), R.Shape(ndim=-1), R.Tuple(R.Tensor((m, n), dtype="float32"), R.Object)) = R.match_cast(gv1, R.Tuple(R.Tensor((n,)), R.Shape(ndim=-1), R.Tuple(R.Tensor((m, n), dtype="float32"), R.Object)))
        s: R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32")) = R.split(x, indices_or_sections=2, axis=0)
        return (s, t, c)
