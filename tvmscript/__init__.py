"""TVMScript: kernels and models as decorated Python, IR as text that reads back.

    language  parser  printer     text to IR and back
    ir        backends            the program, its analyses and transformations; how it runs
    differ    driver  files       compare, build, save and load programs
    testing   fuzz                test programs; test this package
    cli       explorer  snapshots the command `tvmscript`; pages of what passes changed
    benchmark                     time kernels beside those of other libraries

Modules with TVM's names re-export these: arith, dlight, error, instrument, nd, relax, runtime, schedule, script,
target, tir, transform; `tvm_names` lists TVM's other paths and what is absent, `as_tvm` lets `import tvm` mean this
package. Names are loaded on first use: `import tvmscript` loads neither NumPy nor LLVM.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any

from tvmscript.ir.core.hooks import wire
from tvmscript.ir.core.lazy import lazy_names
from tvmscript.tvm_names import ABSENT, install
from tvmscript.wiring import WIRING

if TYPE_CHECKING:  # the names of `_EXPORTS` and `_MODULES`, for type checkers and editors
    from tvmscript import arith as arith
    from tvmscript import collectives as collectives
    from tvmscript import dlight as dlight
    from tvmscript import driver as driver
    from tvmscript import error as error
    from tvmscript import instrument as instrument
    from tvmscript import ir as ir
    from tvmscript import nd as nd
    from tvmscript import relax as relax
    from tvmscript import relay as relay
    from tvmscript import runtime as runtime
    from tvmscript import script as script
    from tvmscript import target as target
    from tvmscript import te as te
    from tvmscript import testing as testing
    from tvmscript import tir as tir
    from tvmscript import topi as topi
    from tvmscript import transform as transform
    from tvmscript.backends.runtime.device import cpu as cpu
    from tvmscript.differ import Diff as Diff
    from tvmscript.differ import diff as diff
    from tvmscript.driver import build as build
    from tvmscript.driver import lower as lower
    from tvmscript.error import TVMError as TVMError
    from tvmscript.files import load as load
    from tvmscript.files import save as save
    from tvmscript.graph_build import compile as compile
    from tvmscript.ir.core.dtype import DType as DType
    from tvmscript.ir.core.errors import DiagnosticError as DiagnosticError
    from tvmscript.ir.core.errors import TVMScriptError as TVMScriptError
    from tvmscript.ir.core.module import GlobalVar as GlobalVar
    from tvmscript.ir.core.module import IRModule as IRModule
    from tvmscript.ir.tir.function import PrimFunc as PrimFunc
    from tvmscript.language import I as I
    from tvmscript.language import R as R
    from tvmscript.language import T as T
    from tvmscript.language import ir_module as ir_module
    from tvmscript.language import prim_func as prim_func
    from tvmscript.parser import from_source as from_source
    from tvmscript.runtime import DataType as DataType
    from tvmscript.runtime import DataTypeCode as DataTypeCode
    from tvmscript.runtime import Device as Device
    from tvmscript.runtime import Object as Object
    from tvmscript.runtime import cl as cl
    from tvmscript.runtime import cuda as cuda
    from tvmscript.runtime import device as device
    from tvmscript.runtime import get_global_func as get_global_func
    from tvmscript.runtime import gpu as gpu
    from tvmscript.runtime import metal as metal
    from tvmscript.runtime import opencl as opencl
    from tvmscript.runtime import register_func as register_func
    from tvmscript.runtime import rocm as rocm
    from tvmscript.runtime import threads as threads
    from tvmscript.runtime import vulkan as vulkan
    from tvmscript.schedule import Schedule as Schedule
    from tvmscript.schedule import Trace as Trace
    from tvmscript.tvm_names import as_tvm as as_tvm

__version__ = "0.1.0"

# public name -> module that has it
_EXPORTS: dict[str, str] = {
    "from_source": "tvmscript.parser",
    "I": "tvmscript.language",
    "R": "tvmscript.language",
    "T": "tvmscript.language",
    "ir_module": "tvmscript.language",
    "prim_func": "tvmscript.language",
    "IRModule": "tvmscript.ir.core.module",
    "GlobalVar": "tvmscript.ir.core.module",
    "PrimFunc": "tvmscript.ir.tir.function",
    "DType": "tvmscript.ir.core.dtype",
    "TVMScriptError": "tvmscript.ir.core.errors",
    "TVMError": "tvmscript.error",
    "DiagnosticError": "tvmscript.ir.core.errors",
    "build": "tvmscript.driver",
    "compile": "tvmscript.graph_build",
    "lower": "tvmscript.driver",
    "diff": "tvmscript.differ",
    "Diff": "tvmscript.differ",
    "save": "tvmscript.files",
    "load": "tvmscript.files",
    "cpu": "tvmscript.backends.runtime.device",
    "as_tvm": "tvmscript.tvm_names",
    "DataType": "tvmscript.runtime",
    "DataTypeCode": "tvmscript.runtime",
    "Device": "tvmscript.runtime",
    "Object": "tvmscript.runtime",
    "cl": "tvmscript.runtime",
    "cuda": "tvmscript.runtime",
    "device": "tvmscript.runtime",
    "get_global_func": "tvmscript.runtime",
    "gpu": "tvmscript.runtime",
    "metal": "tvmscript.runtime",
    "opencl": "tvmscript.runtime",
    "register_func": "tvmscript.runtime",
    "rocm": "tvmscript.runtime",
    "threads": "tvmscript.runtime",
    "vulkan": "tvmscript.runtime",
    "Schedule": "tvmscript.schedule",
    "Trace": "tvmscript.schedule",
}
# public modules
_MODULES = (
    "arith", "collectives", "dlight", "driver", "error", "instrument", "ir", "nd", "relax", "relay", "runtime",
    "script", "target", "te", "testing", "tir", "topi", "transform",
)  # fmt: skip

__getattr__, __dir__ = lazy_names(__name__, {**_EXPORTS, **{name: f"tvmscript.{name}:" for name in _MODULES}}, ABSENT)


wire(WIRING)
install()


def _checks() -> Any:
    """Return the instruments that TVMSCRIPT_VERIFY names; called when the first pass runs."""
    return importlib.import_module("tvmscript.testing.verify").instruments(os.environ["TVMSCRIPT_VERIFY"])


if os.environ.get("TVMSCRIPT_VERIFY"):
    _context = importlib.import_module("tvmscript.ir.transform.context")
    _context.GLOBAL_INSTRUMENTS.append(_context.LazyInstruments(_checks))
