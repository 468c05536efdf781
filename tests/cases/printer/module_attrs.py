# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    I.module_attrs({"a": 1, "b": "x", "l": [1, 2]})
    I.module_global_infos({"dummy": [I.dummy_global_info()]})
    @T.prim_func
    def main(x: T.int32):
        T.evaluate(x)
