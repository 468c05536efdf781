@T.prim_func
def main():
    c = T.allocate_const(T.metadata("sha256:00"), "float32", [4])  # error: TS2050 "T.metadata"
    T.evaluate(c)

# output
error[TS2050]: the constant sha256:00 is not in the text
 --> <text>:3:26
  |
3 |     c = T.allocate_const(T.metadata("sha256:00"), "float32", [4])  # error: TS2050 "T.metadata"
  |                          ^^^^^^^^^^^^^^^^^^^^^^^
hint: print with show_meta=True, read with tvmscript.load, or pass extra_vars={'metadata': {...}}
