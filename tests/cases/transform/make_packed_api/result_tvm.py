# pass: tir.MakePackedAPI(convention="tvm-0.17")
# differs from TVM: its messages are others
# values: not compared: the interpreter has no packed functions
@T.prim_func
def main(n: T.int32) -> T.int32:
    T.func_attr({"target": T.target("c", host="c")})
    T.ret(n + 1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(args: T.handle, arg_type_ids: T.handle("int32", "global"), num_args: T.int32, out_ret_value: T.handle("void"), out_ret_tcode: T.handle("int32"), resource_handle: T.handle) -> T.int32:
    T.func_attr({"calling_conv": 1, "target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    assert num_args == 1, "main takes 1 arguments"
    assert not T.isnullptr(args), "main is called without arguments"
    assert not T.isnullptr(arg_type_ids), "main is called without type codes"
    arg_type_ids_1 = T.decl_buffer((1,), "int32", data=arg_type_ids)
    n_code: T.int32 = arg_type_ids_1[0]
    assert n_code == 0, "main: argument 0 (n) must be an integer"
    n: T.int32 = T.Cast("int32", T.tvm_struct_get(args, 0, 12, "int64"))
    with T.attr(0, "compute_scope", "main_compute_"):
        out_ret_value_1 = T.Buffer((1,), "int64", data=out_ret_value, strides=(1,))
        out_ret_value_1[0] = T.Cast("int64", n + 1)
        out_ret_tcode_1 = T.Buffer((1,), "int32", data=out_ret_tcode, strides=(1,))
        out_ret_tcode_1[0] = 0
        return 0
    return 0
