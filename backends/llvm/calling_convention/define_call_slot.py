"""The code of the native slot `tp_call` of compiled functions, in the runtime module."""

from __future__ import annotations

from tvmscript.backends.llvm.assembly import ModuleText
from tvmscript.backends.llvm.calling_convention import abi, numpy_layout
from tvmscript.backends.llvm.calling_convention.call_slot import BASE, OUTCOME, OUTCOME_FUNCTION, RECOVER, SYMBOL
from tvmscript.backends.llvm.calling_convention.runtime_function import RuntimeFunction

#: arrays of a call that hands their memory over, and their dimensions: at most
_MOST_ARRAYS, _MOST_DIMENSIONS = 8, 8


def define_call_slot(module: ModuleText) -> None:
    """`tvmscript_call_slot(self, args, kwargs)`: call the function, then `recover`."""
    _define_outcome(module)
    _define_array_call(module)
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
    result = slot.value("call ptr @call_arrays(ptr %self, ptr %args)")
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


def _define_array_call(module: ModuleText) -> None:
    """`call_arrays(self, args)`: the result of a call, null with an exception.

    Memory of NumPy arrays is handed over without tensor objects; other arguments go to tvm-ffi's slot.
    """
    call = RuntimeFunction(module)
    base = module.declare(BASE, "ptr {}(ptr, ptr, ptr)")
    size = call.value(f"call i64 {module.declare('PyTuple_Size', 'i64 {}(ptr)')}(ptr %args)")
    with call.unless(f"icmp ult i64 {call.value(f'add i64 {size}, -1')}, {_MOST_ARRAYS}"):
        call.do(f"ret ptr {call.value(f'call ptr {base}(ptr %self, ptr %args, ptr null)')}")
    parts = (abi.ANY_BYTES, abi.TENSOR_BYTES, 8 * _MOST_DIMENSIONS)
    anys, tensors, strides = (call.slot(f"[{_MOST_ARRAYS * size} x i8], align 8") for size in parts)
    count = call.value(f"trunc i64 {size} to i32")
    with call.count_up(count) as number:
        wide = call.value(f"zext i32 {number} to i64")
        argument = call.value(
            f"call ptr {module.declare('PyTuple_GetItem', 'ptr {}(ptr, i64)')}(ptr %args, i64 {wide})"
        )
        array_type = module.declare(numpy_layout.ARRAY_TYPE, "void {}()")
        with call.unless(f"icmp eq ptr {call.load('ptr', argument, numpy_layout.TYPE)}, {array_type}"):
            call.do(f"ret ptr {call.value(f'call ptr {base}(ptr %self, ptr %args, ptr null)')}")
        tensor = call.element(f"[{abi.TENSOR_BYTES} x i8]", tensors, number)
        with call.unless(
            _describe(call, argument, tensor, call.element(f"[{_MOST_DIMENSIONS} x i64]", strides, number))
        ):
            call.do(f"ret ptr {call.value(f'call ptr {base}(ptr %self, ptr %args, ptr null)')}")
        any_ = call.element(f"[{abi.ANY_BYTES} x i8]", anys, number)
        call.store("i64", str(abi.ARRAY), any_)
        call.store("ptr", tensor, any_, abi.ANY_VALUE)
    # a result, and the status
    outcome = call.slot(f"[{abi.ANY_BYTES + 8} x i8], align 8")
    call.store("i64", str(abi.NONE), outcome)
    call.store("i64", "0", outcome, abi.ANY_VALUE)
    state = call.value(f"call ptr {module.declare('PyEval_SaveThread', 'ptr {}()')}()")
    invoke = module.declare("TVMFFIFunctionCall", "i32 {}(ptr, ptr, i32, ptr)")
    handle = call.load("ptr", "%self", numpy_layout.HANDLE)
    status = call.value(f"call i32 {invoke}(ptr {handle}, ptr {anys}, i32 {count}, ptr {outcome})")
    call.do(f"call void {module.declare('PyEval_RestoreThread', 'void {}(ptr)')}(ptr {state})")
    is_none = call.value(f"icmp eq i32 {call.load('i32', outcome)}, {abi.NONE}")
    is_good = call.value(f"icmp eq i32 {status}, 0")
    with call.unless(f"and i1 {is_none}, {is_good}"):
        # tvm-ffi makes an object of the result, or an exception of the error
        call.store("i32", status, outcome, abi.ANY_BYTES)
        place = module.declare("PyLong_FromVoidPtr", "ptr {}(ptr)")
        number = call.value(f"call ptr {place}(ptr {outcome})")
        pack = module.declare("PyTuple_Pack", "ptr {}(i64, ...)")
        listed = call.value(f"call ptr (i64, ...) {pack}(i64 1, ptr {number})")
        function = call.load("ptr", module.declare(OUTCOME_FUNCTION, "void {}()"))
        result = call.value(f"call ptr {base}(ptr {function}, ptr {listed}, ptr null)")
        for each in (number, listed):
            call.do(f"call void {module.declare('Py_DecRef', 'void {}(ptr)')}(ptr {each})")
        call.do(f"ret ptr {result}")
    none = module.declare("_Py_NoneStruct", "void {}()")
    call.do(f"call void {module.declare('Py_IncRef', 'void {}(ptr)')}(ptr {none})")
    call.do(f"ret ptr {none}")
    call.define("internal ptr @call_arrays(ptr %self, ptr %args)")


def _describe(call: RuntimeFunction, array: str, tensor: str, strides: str) -> str:
    """Write the DLTensor of an array; return the condition under which it is one: compact, and free to write to."""
    dtype = call.load("ptr", array, numpy_layout.DTYPE)
    number = call.load("i32", dtype, numpy_layout.NUMBER)
    is_known = call.value(f"icmp ult i32 {number}, {numpy_layout.NUMBERS}")
    table = call.module.declare(numpy_layout.DTYPES, "void {}()")
    word = call.load("i32", call.element("i32", table, call.value(f"select i1 {is_known}, i32 {number}, i32 0")))
    order = call.load("i8", dtype, numpy_layout.BYTE_ORDER)
    rank = call.load("i32", array, numpy_layout.RANK)
    flags = call.load("i32", array, numpy_layout.FLAGS)
    needed = numpy_layout.COMPACT | numpy_layout.WRITABLE
    call.store("ptr", call.load("ptr", array, numpy_layout.DATA), tensor)
    call.store("i32", str(abi.CPU), tensor, abi.DEVICE_TYPE)
    call.store("i32", "0", tensor, abi.DEVICE_ID)
    call.store("i32", rank, tensor, abi.NDIM)
    call.store("i32", word, tensor, abi.DTYPE)
    call.store("ptr", call.load("ptr", array, numpy_layout.SHAPE), tensor, abi.SHAPE)
    call.store("ptr", strides, tensor, abi.STRIDES)
    call.store("i64", "0", tensor, abi.BYTE_OFFSET)
    has_few = call.value(f"icmp ult i32 {call.value(f'add i32 {rank}, -1')}, {_MOST_DIMENSIONS}")
    # elements have powers of two bytes
    bits = call.value(f"and i32 {call.value(f'lshr i32 {word}, 8')}, 255")
    zeros = call.value(f"call i32 {call.module.declare('llvm.cttz.i32', 'i32 {}(i32, i1)')}(i32 {bits}, i1 false)")
    shift = call.value(f"zext i32 {call.value(f'add i32 {zeros}, -3')} to i64")
    of_array = call.load("ptr", array, numpy_layout.STRIDES)
    with call.count_up(call.value(f"select i1 {has_few}, i32 {rank}, i32 0")) as axis:
        stride = call.load("i64", call.element("i64", of_array, axis))
        call.store("i64", call.value(f"ashr i64 {stride}, {shift}"), call.element("i64", strides, axis))
    is_own = [call.value(f"icmp eq i8 {order}, {ord(mark)}") for mark in "=|"]
    conditions = (
        is_known,
        call.value(f"icmp ne i32 {word}, 0"),
        call.value(f"or i1 {is_own[0]}, {is_own[1]}"),
        has_few,
        call.value(f"icmp eq i32 {call.value(f'and i32 {flags}, {needed}')}, {needed}"),
    )
    last = conditions[0]
    for condition in conditions[1:-1]:
        last = call.value(f"and i1 {last}, {condition}")
    return f"and i1 {last}, {conditions[-1]}"


def _define_outcome(module: ModuleText) -> None:
    """`tvmscript_outcome(outcome)`, as tvm-ffi calls it: return the result and the status of another call."""
    function = RuntimeFunction(module)
    outcome = function.load("ptr", "%args", abi.ANY_VALUE)
    for offset in (0, abi.ANY_VALUE):
        function.store("i64", function.load("i64", outcome, offset), "%result", offset)
    function.do(f"ret i32 {function.load('i32', outcome, abi.ANY_BYTES)}")
    function.define(f"i32 @{OUTCOME}(ptr %self, ptr %args, i32 %count, ptr %result)")
