# pass: relax.RealizeVDevice
# differs from TVM: TVM does not place results of kernels, and uses them before their calls
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice({"keys": ["cpu"], "kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "tag": ""}, 0, "global"), I.vdevice({"arch": "sm_50", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}, 0, "global")]})
    @T.prim_func(private=True)
    def k(A: T.Buffer((T.int64(2), T.int64(3)), "float32"), B: T.Buffer((T.int64(2), T.int64(3)), "float32")):
        T.evaluate(0)
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((2, 3), "float32")):
        cls = Module
        with R.dataflow():
            lv0 = R.hint_on_device(x, R.device("cuda"))
            z = R.zeros((2, 3), "float32")
            lv1 = R.add(lv0, z)
            lv2 = R.call_tir(cls.k, (lv1,), R.Tensor((2, 3), "float32"))
            lv3 = R.match_cast(lv2, R.Tensor((2, 3), "float32"))
            lv4 = R.add(lv3, R.const(1, "float32"))
            t = (lv4, lv1)
            t1 = t[1]
            lv5 = R.call_pure_packed("foo", t1, sinfo_args=R.Tensor((2, 3), "float32"))
            R.output(lv5, lv4)
        return (lv5, lv4)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice({"keys": ["cpu"], "kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "tag": ""}, 0, "global"), I.vdevice({"arch": "sm_50", "keys": ["cuda", "gpu"], "kind": "cuda", "max_num_threads": 1024, "tag": "", "thread_warp_size": 32}, 0, "global")]})
    @T.prim_func(private=True)
    def k(A: T.Buffer((T.int64(2), T.int64(3)), "float32"), B: T.Buffer((T.int64(2), T.int64(3)), "float32")):
        T.evaluate(0)

    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32", vdevice="cuda:0"), y: R.Tensor((2, 3), dtype="float32")) -> R.Tuple(R.Tensor((2, 3), dtype="float32", vdevice="cuda:0"), R.Tensor((2, 3), dtype="float32", vdevice="cuda:0")):
        cls = Module
        with R.dataflow():
            lv0: R.Tensor((2, 3), dtype="float32", vdevice="cuda:0") = x
            z: R.Tensor((2, 3), dtype="float32", vdevice="cuda:0") = R.zeros(R.shape([2, 3]), dtype="float32")
            lv1: R.Tensor((2, 3), dtype="float32", vdevice="cuda:0") = R.add(lv0, z)
            lv2 = R.call_tir(cls.k, (lv1,), out_sinfo=R.Tensor((2, 3), dtype="float32", vdevice="cuda:0"))
            lv3: R.Tensor((2, 3), dtype="float32", vdevice="cuda:0") = R.match_cast(lv2, R.Tensor((2, 3), dtype="float32", vdevice="cuda:0"))
            lv4: R.Tensor((2, 3), dtype="float32", vdevice="cuda:0") = R.add(lv3, R.const(1, "float32"))
            t: R.Tuple(R.Tensor((2, 3), dtype="float32", vdevice="cuda:0"), R.Tensor((2, 3), dtype="float32", vdevice="cuda:0")) = lv4, lv1
            t1: R.Tensor((2, 3), dtype="float32", vdevice="cuda:0") = t[1]
            lv5: R.Tensor((2, 3), dtype="float32", vdevice="cuda:0") = R.call_pure_packed("foo", t1, sinfo_args=(R.Tensor((2, 3), dtype="float32", vdevice="cuda:0"),))
            R.output(lv4, lv5)
        return (lv5, lv4)
