# pass: relax.AllocateWorkspace
# The composite function in a function of a code generator takes the workspace too.
@I.ir_module
class Module:
    @R.function
    def fused(q: R.Tensor((32, 8), "float16"), k: R.Tensor((32, 8), "float16")) -> R.Tensor((32, 8), "float16"):
        R.func_attr({"Codegen": "cutlass", "WorkspaceSize": 65536})
        cls = Module
        @R.function
        def gv1(q_1: R.Tensor((32, 8), "float16"), k_1: R.Tensor((32, 8), "float16")) -> R.Tensor((32, 8), "float16"):
            R.func_attr({"Composite": "cutlass.attention", "Primitive": 1, "WorkspaceSize": 65536})
            with R.dataflow():
                gv = R.add(q_1, k_1)
                R.output(gv)
            return gv
        gv2: R.Tensor((32, 8), "float16") = gv1(q, k)
        return gv2
    @R.function
    def main(q: R.Tensor((32, 8), "float16"), k: R.Tensor((32, 8), "float16")) -> R.Tensor((32, 8), "float16"):
        cls = Module
        with R.dataflow():
            lv = R.add(q, k)
            lv1 = cls.fused(lv, k)
            gv = R.add(lv1, lv)
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def fused1(q: R.Tensor((32, 8), dtype="float16"), k: R.Tensor((32, 8), dtype="float16"), workspace: R.Tensor((65536,), dtype="uint8")) -> R.Tensor((32, 8), dtype="float16"):
        R.func_attr({"Codegen": "cutlass", "WorkspaceSize": 65536})
        # from tvm.script import relax as R
        
        @R.function
        def gv1(q_1: R.Tensor((32, 8), dtype="float16"), k_1: R.Tensor((32, 8), dtype="float16"), workspace_1: R.Tensor((65536,), dtype="uint8")) -> R.Tensor((32, 8), dtype="float16"):
            R.func_attr({"Composite": "cutlass.attention", "Primitive": 1, "WorkspaceSize": 65536})
            with R.dataflow():
                gv: R.Tensor((32, 8), dtype="float16") = R.add(q_1, k_1)
                R.output(gv)
            return gv

        gv2: R.Tensor((32, 8), dtype="float16") = gv1(q, k, workspace)
        return gv2

    @R.function
    def main(q: R.Tensor((32, 8), dtype="float16"), k: R.Tensor((32, 8), dtype="float16")) -> R.Tensor((32, 8), dtype="float16"):
        cls = Module
        with R.dataflow():
            lv: R.Object = R.vm.alloc_storage(R.shape([65536]), R.prim_value(0), R.dtype("uint8"), R.str("global"))
            workspace_main: R.Tensor((65536,), dtype="uint8") = R.vm.alloc_tensor(lv, R.prim_value(0), R.shape([65536]), R.dtype("uint8"))
            lv_1: R.Tensor((32, 8), dtype="float16") = R.add(q, k)
            lv1: R.Tensor((32, 8), dtype="float16") = cls.fused1(lv_1, k, workspace_main)
            gv: R.Tensor((32, 8), dtype="float16") = R.add(lv1, lv_1)
            R.output(gv)
        return gv
