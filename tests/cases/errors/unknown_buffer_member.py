@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[A.size] = 1.0  # error: TS2004 "A.size"

# output
error[TS2004]: the buffer A has no size
 --> <text>:3:7
  |
3 |     A[A.size] = 1.0  # error: TS2004 "A.size"
  |       ^^^^^^
hint: it has data, shape, strides, elem_offset, name, data_alignment, offset_factor, axis_separators, dtype, scope, vload, vstore, access_ptr, offset_of, byte_offset, elem_offset_of, byte_offset_of, is_scalar, layout, allocated_addr, view, permute, local, rearrange, sub, tile, chunk, ptr_to
