# pass: relax.VMShapeLower(emit_err_ctx=False)
# Sizes of variables have places, those inside the struct info of functions none; casts check whole shapes.
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n", 3)), s: R.Shape(["n", 5]), y: R.Tensor((4, 3)), o: R.Tuple(R.Tensor((4, 3)), R.Tensor((7,)))):
        n = T.int64()
        a = R.match_cast(x, R.Tensor((n, 3), "float32"))
        b = R.match_cast(y, R.Tensor((4, 3), "float32"))
        c = R.match_cast(s, R.Shape([n, 5]))
        d = R.match_cast(o, R.Tuple(R.Tensor((4, 3), "float32"), R.Tensor((7,))))
        lv = R.concat((a, a), axis=0)
        f = R.call_packed("f", lv, sinfo_args=R.Callable((R.Tensor((n * 3,)),), R.Tensor((n * 4,))))
        return a

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def shape_func(H: T.Buffer((T.int64(2),), "int64")):
        T.func_attr({"tir.is_host_func": 1})
        H[T.int64(1)] = H[T.int64(0)] * T.int64(2)

    @R.function(pure=False)
    def main(x: R.Tensor(("n", 3)), s: R.Shape(["n", 5]), y: R.Tensor((4, 3)), o: R.Tuple(R.Tensor((4, 3)), R.Tensor((7,)))) -> R.Tensor(("n", 3), dtype="float32"):
        n = T.int64()
        cls = Module
        shape_heap: R.Tensor(dtype="int64", ndim=1) = R.call_builtin_with_ctx("vm.builtin.alloc_shape_heap", (R.prim_value(2),), sinfo_args=(R.Tensor(dtype="int64", ndim=1),))
        R.call_packed("vm.builtin.check_tensor_info", x, R.prim_value(2), R.dtype("void"), R.str(""), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_shape_info", s, R.prim_value(2), R.str(""), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_tensor_info", y, R.prim_value(2), R.dtype("void"), R.str(""), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_tuple_info", o, R.prim_value(2), R.str(""), sinfo_args=(R.Tuple,))
        gv: R.Tensor((4, 3)) = o[0]
        R.call_packed("vm.builtin.check_tensor_info", gv, R.prim_value(2), R.dtype("void"), R.str(""), sinfo_args=(R.Tuple,))
        gv1: R.Tensor((7,)) = o[1]
        R.call_packed("vm.builtin.check_tensor_info", gv1, R.prim_value(1), R.dtype("void"), R.str(""), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", x, shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(0), R.prim_value(0), R.prim_value(3), R.str(""), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", s, shape_heap, R.prim_value(2), R.prim_value(3), R.prim_value(0), R.prim_value(0), R.prim_value(5), R.str(""), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", y, shape_heap, R.prim_value(2), R.prim_value(0), R.prim_value(4), R.prim_value(0), R.prim_value(3), R.str(""), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", gv, shape_heap, R.prim_value(2), R.prim_value(0), R.prim_value(4), R.prim_value(0), R.prim_value(3), R.str(""), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", gv1, shape_heap, R.prim_value(1), R.prim_value(0), R.prim_value(7), R.str(""), sinfo_args=(R.Tuple,))
        cls.shape_func(shape_heap)
        R.call_packed("vm.builtin.check_tensor_info", x, R.prim_value(2), R.dtype("float32"), R.str(""), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", x, shape_heap, R.prim_value(2), R.prim_value(3), R.prim_value(0), R.prim_value(0), R.prim_value(3), R.str(""), sinfo_args=(R.Tuple,))
        a: R.Tensor((n, 3), dtype="float32") = R.match_cast(x, R.Tensor((n, 3), dtype="float32"))
        R.call_packed("vm.builtin.check_tensor_info", y, R.prim_value(2), R.dtype("float32"), R.str(""), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", y, shape_heap, R.prim_value(2), R.prim_value(0), R.prim_value(4), R.prim_value(0), R.prim_value(3), R.str(""), sinfo_args=(R.Tuple,))
        b: R.Tensor((4, 3), dtype="float32") = R.match_cast(y, R.Tensor((4, 3), dtype="float32"))
        c: R.Shape([n, 5]) = R.match_cast(s, R.Shape([n, 5]))
        gv2: R.Tensor((4, 3)) = o[0]
        R.call_packed("vm.builtin.check_tensor_info", gv2, R.prim_value(2), R.dtype("float32"), R.str(""), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", gv2, shape_heap, R.prim_value(2), R.prim_value(0), R.prim_value(4), R.prim_value(0), R.prim_value(3), R.str(""), sinfo_args=(R.Tuple,))
        d: R.Tuple(R.Tensor((4, 3), dtype="float32"), R.Tensor((7,))) = R.match_cast(o, R.Tuple(R.Tensor((4, 3), dtype="float32"), R.Tensor((7,))))
        lv: R.Tensor((n * 2, 3), dtype="float32") = R.concat((a, a), axis=0)
        f: R.Callable((R.Tensor((n * 3,)),), R.Tensor((n * 4,)), True) = R.call_packed("f", lv, sinfo_args=(R.Callable((R.Tensor((n * 3,)),), R.Tensor((n * 4,)), True),))
        return a
