# pass: relax.RealizeVDevice
# differs from TVM: TVM keeps a hint
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice({"keys": ["cpu"], "kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "tag": ""}, 0, "global"), I.vdevice({"arch": "sm_50", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}, 0, "global"), I.vdevice({"arch": "sm_50", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}, 1, "global")]})
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor(("n", 3), "float32")):
        n = T.int64()
        with R.dataflow():
            lv1 = R.hint_on_device(x, R.device("cuda", 1))
            lv2 = R.exp(lv1)
            lv3 = R.hint_on_device(lv2, R.device("cuda", 1))
            lv4 = R.hint_on_device(lv3, R.cpu(0))
            lv5 = R.hint_on_device(y, R.cpu(0))
            lv6 = R.exp(lv5)
            lv7 = R.to_vdevice(lv6, "cuda:1")
            lv8 = R.exp(lv7)
            R.output(lv4, lv8)
        return (lv4, lv8)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice({"keys": ["cpu"], "kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "tag": ""}, 0, "global"), I.vdevice({"arch": "sm_50", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}, 0, "global"), I.vdevice({"arch": "sm_50", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}, 1, "global")]})
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32", vdevice="cuda:1"), y: R.Tensor(("n", 3), dtype="float32", vdevice="llvm:0")) -> R.Tuple(R.Tensor((2, 3), dtype="float32", vdevice="llvm:0"), R.Tensor(("n", 3), dtype="float32", vdevice="cuda:1")):
        n = T.int64()
        with R.dataflow():
            lv1: R.Tensor((2, 3), dtype="float32", vdevice="cuda:1") = x
            lv2: R.Tensor((2, 3), dtype="float32", vdevice="cuda:1") = R.exp(lv1)
            lv3: R.Tensor((2, 3), dtype="float32", vdevice="cuda:1") = lv2
            lv4: R.Tensor((2, 3), dtype="float32", vdevice="llvm:0") = R.to_vdevice(lv3, dst_vdevice="llvm:0")
            lv5: R.Tensor((n, 3), dtype="float32", vdevice="llvm:0") = y
            lv6: R.Tensor((n, 3), dtype="float32", vdevice="llvm:0") = R.exp(lv5)
            lv7: R.Tensor((n, 3), dtype="float32", vdevice="cuda:1") = R.to_vdevice(lv6, dst_vdevice="cuda:1")
            lv8: R.Tensor((n, 3), dtype="float32", vdevice="cuda:1") = R.exp(lv7)
            R.output(lv4, lv8)
        return (lv4, lv8)
