# pass: tir.LowerOpaqueBlock
# from tvm.script import tir as T

@T.prim_func
def main(n: T.int32):
    with T.block(""):
        T.where(n < 3)
        T.reads()
        T.writes()
        T.block_attr({"pragma_1": 1, "pragma_2": "str_value"})
        B = T.alloc_buffer((4, 4))
        C = T.alloc_buffer((4, 4), scope="shared")
        C[0, 0] = T.float32(1)
        B[0, 0] = C[0, 0]

# after
# from tvm.script import tir as T

@T.prim_func
def main(n: T.int32):
    T.attr(0, "pragma_1", 1)
    T.attr(0, "pragma_2", "str_value")
    B = T.decl_buffer((4, 4))
    C = T.decl_buffer((4, 4), scope="shared")
    if n < 3:
        C[0, 0] = T.float32(1)
        B[0, 0] = C[0, 0]
