# pass: relax.VMBuiltinLower
# differs from TVM: the oracle's build lacks these operators of 0.17
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        R.func_attr({"relax.force_pure": 1})
        y = R.memory.view(x, R.shape([2, 2]), R.dtype("int32"), R.prim_value(0))
        z = R.memory.ensure_zero_offset(y)
        return z

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((2, 2), dtype="int32"):
        R.func_attr({"relax.force_pure": 1})
        y: R.Tensor((2, 2), dtype="int32") = R.call_packed("runtime.TVMArrayCreateView", x, R.shape([2, 2]), R.dtype("int32"), R.prim_value(0), sinfo_args=(R.Tensor((2, 2), dtype="int32"),))
        z: R.Tensor((2, 2), dtype="int32") = R.call_packed("vm.builtin.ensure_zero_offset", y, sinfo_args=(R.Tensor((2, 2), dtype="int32"),))
        return z
