from tvmscript import I, T

LIMIT = 10


@I.ir_module
class program:
    # Python runs the body of the class before it is read
    I.module_attrs({"limit": LIMIT})
    I.module_global_infos({"mesh": [I.dummy_global_info()]})

    @T.prim_func
    def main(A: T.Buffer((4,), "float32")):
        A[0] = 1.0


EXPECTED = """
@I.ir_module
class Module:
    I.module_attrs({"limit": 10})
    I.module_global_infos({"mesh": [I.dummy_global_info()]})
    @T.prim_func
    def main(A: T.Buffer((4,), "float32")):
        A[0] = T.float32(1)
"""
