"""The code of the native slot `tp_call` of compiled functions, in the runtime module."""

from __future__ import annotations

from tvmscript.backends.llvm.assembly import ModuleText
from tvmscript.backends.llvm.calling_convention.call_slot import BASE, RECOVER, SYMBOL
from tvmscript.backends.llvm.calling_convention.runtime_function import RuntimeFunction


def define_call_slot(module: ModuleText) -> None:
    """`tvmscript_call_slot(self, args, kwargs)`: call tvm-ffi's slot, then `recover`."""
    slot = RuntimeFunction(module)
    exception = [slot.slot("ptr") for _ in ("type", "value", "traceback")]
    for part in exception:
        slot.store("ptr", "null", part)
    names = ("counted", "native", "returned", "failed", "recover")
    counted, native, returned, failed, recover = (slot.label(hint) for hint in names)
    slot.branch(slot.value("icmp eq ptr %kwargs, null"), native, counted)
    slot.place(counted)
    count = module.declare("PyDict_Size", "i64 {}(ptr)")
    slot.branch(slot.value(f"icmp eq i64 {slot.value(f'call i64 {count}(ptr %kwargs)')}, 0"), native, recover)
    slot.place(native)
    base = module.declare(BASE, "ptr {}(ptr, ptr, ptr)")
    result = slot.value(f"call ptr {base}(ptr %self, ptr %args, ptr null)")
    slot.branch_likely(slot.value(f"icmp ne ptr {result}, null"), returned, failed)
    slot.place(returned)
    slot.do(f"ret ptr {result}")
    slot.place(failed)
    listed = ", ".join(f"ptr {part}" for part in exception)
    for name in ("PyErr_Fetch", "PyErr_NormalizeException"):
        slot.do(f"call void {module.declare(name, 'void {}(ptr, ptr, ptr)')}({listed})")
    slot.jump(recover)
    slot.place(recover)
    none, function = (module.declare(name, "void {}()") for name in ("_Py_NoneStruct", RECOVER))
    error = slot.load("ptr", exception[1])
    values = ["%self", "%args"]
    for value in ("%kwargs", error):
        is_given = slot.value(f"icmp ne ptr {value}, null")
        values.append(slot.value(f"select i1 {is_given}, ptr {value}, ptr {none}"))
    call = module.declare("PyObject_CallFunctionObjArgs", "ptr {}(ptr, ...)")
    given = ", ".join(f"ptr {value}" for value in (function, *values, "null"))
    outcome = slot.value(f"call ptr (ptr, ...) {call}({given})")
    for part in exception:
        slot.do(f"call void {module.declare('Py_DecRef', 'void {}(ptr)')}(ptr {slot.load('ptr', part)})")
    slot.do(f"ret ptr {outcome}")
    slot.define(f"ptr @{SYMBOL}(ptr %self, ptr %args, ptr %kwargs)")
