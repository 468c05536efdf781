# pass: relax.VMBuiltinLower
# differs from TVM: the call keeps the attributes of the operator there
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("cuda", 1)]})
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        R.func_attr({"relax.force_pure": 1})
        y: R.Tensor((4,), "float32", "cuda:0") = R.to_vdevice(x, I.vdevice("cuda", 1))
        return y

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice({"keys": ["cpu"], "kind": "llvm", "tag": ""}, 0, "global"), I.vdevice({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}, 1, "global")]})
    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32", vdevice="cuda:0"):
        R.func_attr({"relax.force_pure": 1})
        y: R.Tensor((4,), dtype="float32", vdevice="cuda:0") = R.call_packed("vm.builtin.to_device", x, R.prim_value(2), R.prim_value(1), sinfo_args=(R.Tensor((4,), dtype="float32", vdevice=I.vdevice({"keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": T.int32(1024), "tag": "", "thread_warp_size": T.int32(32)}, 1, "global")),))
        return y
