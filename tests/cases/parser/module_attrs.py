@I.ir_module
class Module:
    I.module_attrs({"a": 1, "b": "x"})
    I.module_global_infos({"vdevice": [I.vdevice({"kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu"}), I.vdevice({"kind": "c", "keys": ["cpu"]}, 1, "shared")], "d": [I.dummy_global_info()]})
    @T.prim_func
    def main(A: T.Buffer((4,), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        Module.helper(A.data)
        T.evaluate(Module.add(1, 2))
    @T.prim_func(private=True)
    def helper(a: T.handle("float32")):
        T.evaluate(a)
    @T.prim_func
    def add(x: T.int32, y: T.int32) -> T.int32:
        return x + y


# output
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    I.module_attrs({"a": 1, "b": "x"})
    I.module_global_infos({"d": [I.dummy_global_info()], "vdevice": [I.vdevice({"keys": ["cpu"], "kind": "llvm", "mtriple": "x86_64-unknown-linux-gnu", "tag": ""}, 0, "global"), I.vdevice({"keys": ["cpu"], "kind": "c", "tag": ""}, 1, "shared")]})
    @T.prim_func
    def add(x: T.int32, y: T.int32) -> T.int32:
        return x + y

    @T.prim_func(private=True)
    def helper(a: T.handle("float32", "global")):
        T.evaluate(a)

    @T.prim_func
    def main(A: T.Buffer((4,), "float32")):
        T.func_attr({"tir.noalias": T.bool(True)})
        Module.helper(A.data)
        Module.add(1, 2)
