"""Graph functions as host functions: PrimFuncs that call kernels in order over one planned block of memory.

graph_values.py      values of a graph function at compile time: tensors in storage, sizes, tuples of them
kernel_calls.py      a graph function as a list of calls over such values
memory_plan.py       offsets of temporary storage by lifetime
host_function.py     the list of calls as a PrimFunc
"""
