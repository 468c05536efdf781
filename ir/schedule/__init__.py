"""Schedules: a program is changed step by step, each step keeps its meaning, and every step is written down.

What a schedule is
- `tree`: the loops and blocks of a function, followed through changes; `state`: the functions of a module;
  `consistency`: whether both still say the same
- `base`: what primitives stand on: random variables, recording, undoing; `primitive/`: one file for each family of
  them; `schedule`: all of them as one class; `asking`: `sch.can`; `errors`: what several families refuse
- `instruction`, `trace`: what was done, to be done again; `trace_json`, `node_graph`, `trace_python`: how it is written
- `random_variables`: what stands for loops, blocks and numbers; `random_engine`: the numbers that TVM draws

What primitives ask
- `scope`: which blocks depend on which; `facts`: kinds of blocks, and what holds from when it was found; `cover`:
  whether what is read was written; `inside`: whether accesses stay in their buffer; `mentions`: where a buffer is used;
  `overlaps`: whether several iterations compute the same element
- `regions`, `axis_domains`, `relaxed`: what is accessed while loops run, and over what axes run to compute it
- `matching`: whether a block does what an intrinsic does; `intrinsics/`: those that TVM registers

How primitives change programs
- `bindings`: other loops, and what becomes of the axes of blocks; `removal`: a block leaves its scope
- `buffers`: another buffer in the place of one; `copying`: blocks that copy one; `block_rewriter`: one that goes away
- `index_context`, `index_dtypes`, `layout_padding`: indices where they stand, their width, elements beyond the buffer
"""
