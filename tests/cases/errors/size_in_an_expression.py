@T.prim_func
def f(a: T.handle):
    n = T.int32()  # error: TS1101 "T.int32()"
    A = T.match_buffer(a, (n * 2,), "float64")
    for i in range(n):
        A[i] = T.float64(0)

# output
error[TS1101]: the variable n is used where it is not defined
 --> <text>:3:9
  |
3 |     n = T.int32()  # error: TS1101 "T.int32()"
  |         ^^^^^^^^^
hint: a size is read from an argument where it is a whole extent (or stride); otherwise make it a parameter
