# pass: relax.VMShapeLower(emit_err_ctx=False)
# Shapes and scalars as values; casts define sizes, in branches too; what struct info says is not checked again.
@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n", 4), "float32"), c: R.Tensor((), "bool")) -> R.Tensor(ndim=2, dtype="float32"):
        n = T.int64()
        k = T.int64()
        a = R.call_packed("f", x, R.shape([n, 4]), R.shape([2, 3]), R.prim_value(n), R.prim_value(3), sinfo_args=R.Tensor(ndim=2))
        b = R.match_cast(a, R.Tensor((k, n), "float32"))
        d = R.match_cast(b, R.Tensor((k, n), "float32"))
        if c:
            e = R.call_packed("f", d, R.shape([n + 1]), sinfo_args=R.Tensor(ndim=2, dtype="float32"))
        else:
            e = R.call_packed("f", d, R.shape([k, 1]), sinfo_args=R.Tensor(ndim=2, dtype="float32"))
        return e

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def shape_func(H: T.Buffer((T.int64(3),), "int64")):
        T.func_attr({"tir.is_host_func": 1})
        H[T.int64(2)] = H[T.int64(0)] + T.int64(1)

    @R.function(pure=False)
    def main(x: R.Tensor(("n", 4), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor(dtype="float32", ndim=2):
        n = T.int64()
        cls = Module
        k = T.int64()
        shape_heap: R.Tensor(dtype="int64", ndim=1) = R.call_builtin_with_ctx("vm.builtin.alloc_shape_heap", (R.prim_value(3),), sinfo_args=(R.Tensor(dtype="int64", ndim=1),))
        R.call_packed("vm.builtin.check_tensor_info", x, R.prim_value(2), R.dtype("float32"), R.str(""), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.check_tensor_info", c, R.prim_value(0), R.dtype("bool"), R.str(""), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", x, shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(0), R.prim_value(0), R.prim_value(4), R.str(""), sinfo_args=(R.Tuple,))
        cls.shape_func(shape_heap)
        gv: R.Shape(ndim=2) = R.call_packed("vm.builtin.make_shape", shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(0), R.prim_value(0), R.prim_value(4), sinfo_args=(R.Shape(ndim=2),))
        gv1: R.Prim(value=n) = R.call_packed("vm.builtin.make_prim_value", shape_heap, R.prim_value(1), R.prim_value(0), sinfo_args=(R.Prim(value=n),))
        a: R.Tensor(ndim=2) = R.call_packed("f", x, gv, R.shape([2, 3]), gv1, R.prim_value(3), sinfo_args=(R.Tensor(ndim=2),))
        R.call_packed("vm.builtin.check_tensor_info", a, R.prim_value(2), R.dtype("float32"), R.str(""), sinfo_args=(R.Tuple,))
        R.call_packed("vm.builtin.match_shape", a, shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(1), R.prim_value(3), R.prim_value(0), R.str(""), sinfo_args=(R.Tuple,))
        b: R.Tensor((k, n), dtype="float32") = R.match_cast(a, R.Tensor((k, n), dtype="float32"))
        d: R.Tensor((k, n), dtype="float32") = R.match_cast(b, R.Tensor((k, n), dtype="float32"))
        if c:
            gv2: R.Shape(ndim=1) = R.call_packed("vm.builtin.make_shape", shape_heap, R.prim_value(1), R.prim_value(1), R.prim_value(2), sinfo_args=(R.Shape(ndim=1),))
            e_then: R.Tensor(dtype="float32", ndim=2) = R.call_packed("f", d, gv2, sinfo_args=(R.Tensor(dtype="float32", ndim=2),))
            e: R.Tensor(dtype="float32", ndim=2) = e_then
        else:
            gv3: R.Shape(ndim=2) = R.call_packed("vm.builtin.make_shape", shape_heap, R.prim_value(2), R.prim_value(1), R.prim_value(1), R.prim_value(0), R.prim_value(1), sinfo_args=(R.Shape(ndim=2),))
            e_else: R.Tensor(dtype="float32", ndim=2) = R.call_packed("f", d, gv3, sinfo_args=(R.Tensor(dtype="float32", ndim=2),))
            e: R.Tensor(dtype="float32", ndim=2) = e_else
        return e
