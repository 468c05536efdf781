# from tvm.script import tirx as T


@T.prim_func
def f(A: T.Buffer((16,), "float32")):
    T.ptx.nope(A.data)  # error: TS2004 "T.ptx"


@T.call_kernel  # error: TS2040 "T.call_kernel"
def g(n: T.int32):
    T.evaluate(n)


@T.prim_func
def h(A: T.Buffer((16,), "float32", layout=T.SwizzleLayout(3, 3, 3))):  # error: TS2040 "T.SwizzleLayout"
    A[0] = 1.0

# output
error[TS2004]: T.ptx has no nope
 --> <text>:6:5
  |
6 |     T.ptx.nope(A.data)  # error: TS2004 "T.ptx"
  |     ^^^^^^^^^^
hint: it has SINK, pred, addr, abs, activemask, add, and, applypriority, atom, bar, barrier, bfe, bfi, bfind, bmsk, brev, clmad, clusterlaunchcontrol, clz, cnot, copysign, cos, cp, createpolicy, cvt, cvt_pack, cvta, discard, div, dp2a, dp4a, elect_sync, ex2, fabric, fence, fma, fns, getctarank, griddepcontrol, isspacep, ld, ldmatrix, ldu, lg2, lop3, mad, mad24, mapa, match, max, mbarrier, min, mma, mov, ... hf, shfl_sync, shl, shr, sin, slct, spcompress, spdecompress, sqrt, st, st_async, st_bulk, stmatrix, sub, szext, tanh, tcgen05, tensormap_cp_fenceproxy, tensormap_replace, testp, vote_sync, wgmma, xor

error[TS2040]: T.call_kernel is part of TVM's compilation of kernels of other languages, which is not supported
 --> <text>:9:2
  |
9 | @T.call_kernel  # error: TS2040 "T.call_kernel"
  |  ^^^^^^^^^^^^^
hint: write T.call_packed, or the kernel in a script

error[TS2040]: T.SwizzleLayout is part of TVM before 0.27, which is not supported
  --> <text>:15:44
   |
15 | def h(A: T.Buffer((16,), "float32", layout=T.SwizzleLayout(3, 3, 3))):  # error: TS2040 "T.SwizzleLayout"
   |                                            ^^^^^^^^^^^^^^^
hint: write T.ComposeLayout(per_element, swizzle_len, atom_len, T.TileLayout(...))

3 errors
