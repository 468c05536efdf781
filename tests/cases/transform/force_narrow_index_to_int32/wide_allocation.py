# pass: tir.ForceNarrowIndexToInt32
# raises: WideBuffer
@T.prim_func
def main(A: T.Buffer((T.int64(128),), "int32")):
    W = T.alloc_buffer((T.int64(128),), "int64")
    for i in range(T.int64(128)):
        with T.block("b"):
            vi = T.axis.spatial(T.int64(128), i)
            T.reads()
            T.writes(W[vi])
            W[vi] = vi

# after
error[TS4072]: buffer W holds int64, which cannot be narrowed to int32
 --> <text>:3:9
  |
3 |     W = T.alloc_buffer((T.int64(128),), "int64")
  |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
