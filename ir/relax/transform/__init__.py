"""Passes over graphs.

    base.py                `RelaxFunctionPass`: one graph function after the other
    pipeline.py            `get_pipeline("zero")`, `register_pipeline`

A pass is a file of its family, as in `ir.transform`; `ir.transform.registry` finds it by the name of the file:

    normal_form/     A-normal form, dataflow blocks, order of bindings, cleaning
    parameters/      parameters and results of functions
    operators/       operators: legalization, constants, layouts, precision, gradients
    fusion/          operators that become one kernel or one call of a library
    memory/          memory of results
    vm/              calls of the virtual machine
    distributed/     R.dist and R.ccl
"""
