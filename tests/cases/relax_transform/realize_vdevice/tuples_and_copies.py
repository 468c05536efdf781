# pass: relax.RealizeVDevice
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice({"keys": ["cpu"], "kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "tag": ""}, 0, "global"), I.vdevice({"arch": "sm_50", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}, 0, "global")]})
    @R.function
    def main(x: R.Tensor(("n", 3), "float32", "llvm"), y: R.Tensor(("n", 3), "float32")):
        with R.dataflow():
            lv1 = R.add(x, y)
            t = (lv1, x)
            t0 = t[0]
            lv2 = R.to_vdevice(t0, "cuda")
            lv3 = R.exp(lv2)
            R.output(lv3)
        lv4 = R.add(lv3, lv3)
        return lv4

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice({"keys": ["cpu"], "kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "tag": ""}, 0, "global"), I.vdevice({"arch": "sm_50", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}, 0, "global")]})
    @R.function
    def main(x: R.Tensor(("n", 3), dtype="float32", vdevice="llvm:0"), y: R.Tensor(("n", 3), dtype="float32", vdevice="llvm:0")) -> R.Tensor(("n", 3), dtype="float32", vdevice="cuda:0"):
        n = T.int64()
        with R.dataflow():
            lv1: R.Tensor((n, 3), dtype="float32", vdevice="llvm:0") = R.add(x, y)
            t: R.Tuple(R.Tensor((n, 3), dtype="float32", vdevice="llvm:0"), R.Tensor((n, 3), dtype="float32", vdevice="llvm:0")) = lv1, x
            t0: R.Tensor((n, 3), dtype="float32", vdevice="llvm:0") = t[0]
            lv2: R.Tensor((n, 3), dtype="float32", vdevice="cuda:0") = R.to_vdevice(t0, dst_vdevice="cuda:0")
            lv3: R.Tensor((n, 3), dtype="float32", vdevice="cuda:0") = R.exp(lv2)
            R.output(lv3)
        lv4: R.Tensor((n, 3), dtype="float32", vdevice="cuda:0") = R.add(lv3, lv3)
        return lv4
