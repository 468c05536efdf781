from tvm.script import relay as RR  # error: TS2024 "relay"

# output
error[TS2024]: a text cannot import tvm.script.relay: it is parsed, not executed
 --> <text>:1:24
  |
1 | from tvm.script import relay as RR  # error: TS2024 "relay"
  |                        ^^^^^^^^^^^
hint: import ir as I and tir as T from tvmscript.script
