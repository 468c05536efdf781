# pass: relax.AllocateWorkspace
# differs from TVM: a function that needs no workspace allocates one there; a body without dataflow blocks is refused
@I.ir_module
class Module:
    @R.function
    def first(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"Codegen": "blas", "WorkspaceSize": 128})
        return x

    @R.function(private=True)
    def second(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        R.func_attr({"Codegen": "blas", "WorkspaceSize": 256})
        return x

    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        y = cls.first(x)
        z = cls.second(y)
        return z

    @R.function
    def other(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        y = R.add(x, x)
        return y

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def first1(x: R.Tensor((4,), dtype="float32"), workspace: R.Tensor((256,), dtype="uint8")) -> R.Tensor((4,), dtype="float32"):
        R.func_attr({"Codegen": "blas", "WorkspaceSize": 128})
        return x

    @R.function
    def other(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        y: R.Tensor((4,), dtype="float32") = R.add(x, x)
        return y

    @R.function(private=True)
    def second1(x: R.Tensor((4,), dtype="float32"), workspace: R.Tensor((256,), dtype="uint8")) -> R.Tensor((4,), dtype="float32"):
        R.func_attr({"Codegen": "blas", "WorkspaceSize": 256})
        return x

    @R.function
    def main(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        gv: R.Object = R.vm.alloc_storage(R.shape([256]), R.prim_value(0), R.dtype("uint8"), R.str("global"))
        workspace_main: R.Tensor((256,), dtype="uint8") = R.vm.alloc_tensor(gv, R.prim_value(0), R.shape([256]), R.dtype("uint8"))
        y: R.Tensor((4,), dtype="float32") = cls.first1(x, workspace_main)
        z: R.Tensor((4,), dtype="float32") = cls.second1(y, workspace_main)
        return z
