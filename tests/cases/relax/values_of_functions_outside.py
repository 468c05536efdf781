@I.ir_module
class Module:
    @R.function(private=True)
    def captured(x: R.Tensor((4,), "float32"), y: R.Object) -> R.Tuple(R.Tensor((4,), "float32")):
        z = R.exp(x)
        return (z,)

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor("float32", ndim=1):
        R.func_attr({"relax.force_pure": True})
        cls = Module
        made = R.call_builtin_with_ctx("run", (cls.captured, (x, cls.captured), R.prim_value(0)), sinfo_args=(R.Tuple(R.Tensor),))
        first = R.call_pure_packed("first", (cls.captured, made), sinfo_args=R.Tensor("float32", ndim=1))
        if first:
            gone = R.call_pure_packed("gone", first, sinfo_args=R.Tensor("float32", ndim=1))
        else:
            gone = first
        return gone
