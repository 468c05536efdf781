# pass: relax.RealizeVDevice
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice({"keys": ["cpu"], "kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "tag": ""}, 0, "global"), I.vdevice({"arch": "sm_50", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}, 0, "global")]})
    @R.function
    def helper(x: R.Tensor((2, 3), "float32")) -> R.Tensor((2, 3), "float32"):
        y = R.exp(x)
        return y
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), c: R.Tensor((), "bool")):
        cls = Module
        y: R.Tensor((2, 3), "float32") = cls.helper(x)
        if c:
            a = R.hint_on_device(y, R.device("cuda"))
            b = R.exp(a)
            r = b
        else:
            r = R.exp(y)
        return r

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice({"keys": ["cpu"], "kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "tag": ""}, 0, "global"), I.vdevice({"arch": "sm_50", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}, 0, "global")]})
    @R.function
    def helper(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
        y: R.Tensor((2, 3), dtype="float32") = R.exp(x)
        return y

    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32", vdevice="cuda:0"), c: R.Tensor((), dtype="bool")) -> R.Tensor((2, 3), dtype="float32", vdevice="cuda:0"):
        cls = Module
        y: R.Tensor((2, 3), dtype="float32", vdevice="cuda:0") = cls.helper(x)
        if c:
            a: R.Tensor((2, 3), dtype="float32", vdevice="cuda:0") = y
            b: R.Tensor((2, 3), dtype="float32", vdevice="cuda:0") = R.exp(a)
            r: R.Tensor((2, 3), dtype="float32", vdevice="cuda:0") = b
        else:
            r_else: R.Tensor((2, 3), dtype="float32", vdevice="cuda:0") = R.exp(y)
            r: R.Tensor((2, 3), dtype="float32", vdevice="cuda:0") = r_else
        return r
