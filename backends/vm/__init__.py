"""The virtual machine: executables of graph modules.

executable.py        functions of a module that is built, with their texts and statistics
virtual_machine.py   `VirtualMachine`: calls, inputs and outputs, timing, profiles
graph_function.py    a graph function that is compiled to a host function: memory, results
memory.py            arrays and blocks of aligned memory; cuda_memory.py: those of a CUDA device
cuda_graphs.py       launches that are captured once
errors.py
"""
