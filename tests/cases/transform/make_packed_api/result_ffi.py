# pass: tir.MakePackedAPI(convention="tvm-ffi")
# differs from TVM: it has no tvm-ffi
# values: not compared: the interpreter has no packed functions
@T.prim_func
def main(n: T.int32) -> T.int32:
    T.func_attr({"target": T.target("c", host="c")})
    T.ret(n + 1)

# after
# from tvm.script import tir as T

@T.prim_func
def __tvm_ffi_main(self_handle: T.handle, args: T.handle, num_args: T.int32, result: T.handle("void")) -> T.int32:
    T.func_attr({"calling_conv": 1, "target": T.target({"keys": ["cpu"], "kind": "c", "tag": ""})})
    assert num_args == 1, "main takes 1 arguments"
    assert not T.isnullptr(args), "main is called without arguments"
    n_type_index: T.int32 = T.tvm_struct_get(args, 0, 13, "int32")
    assert n_type_index == 1 or n_type_index == 2, "main: argument 0 (n) must be an integer"
    n: T.int32 = T.Cast("int32", T.tvm_struct_get(args, 0, 15, "int64"))
    with T.attr(0, "compute_scope", "main_compute_"):
        T.tvm_struct_set(result, 0, 13, 1)
        T.tvm_struct_set(result, 0, 14, 0)
        T.tvm_struct_set(result, 0, 15, T.Cast("int64", n + 1))
        return 0
    return 0
