"""Passes over modules, and the pipelines that order them.

    base.py                `Pass` and `PrimFuncPass`                 context.py         `PassContext`, `PassInstrument`
    registry.py            passes by name                            options.py         keys of `PassContext.config`
    pass_text.py           parse `tir.UnrollLoop{auto_max_step=16}`   instruments.py     printing, timing, dumping
    sequential.py          `Sequential`                              pass_record.py     a record of the passes that ran
    decorators.py          `@module_pass`, `@prim_func_pass`         pipeline.py        the passes of a compilation
    function_features.py   node classes and keys of a function       errors.py          errors that passes raise
    function_attributes.py target, symbol and calling convention

A pass is a file of its family: `blocks/`, `loops/`, `expressions/`, `memory/`, `dtypes/`, `threads/`, `tensor_cores/`,
`functions/`, `host_device/`, `calling_convention/`, `checks/`. A pass with helpers of its own is a folder
`<family>/<pass>/`. `<family>/common/` and `rewriters/` hold helpers of several passes. The public names of this package
are loaded on first use.
"""

from __future__ import annotations

from tvmscript.ir.core.lazy import lazy_names

# public name -> module that has it
_EXPORTS: dict[str, str] = {
    "ApplyPassToFunction": "functions.apply_pass_to_function",
    "ModulePass": "decorators",
    "Pass": "base",
    "PassContext": "context",
    "PassInfo": "context",
    "PrintIR": "checks.print_ir",
    "Sequential": "sequential",
    "module_pass": "decorators",
}

__getattr__, __dir__ = lazy_names(__name__, {name: f"{__name__}.{home}" for name, home in _EXPORTS.items()})
