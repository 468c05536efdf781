"""Scalable vectors: SVE of AArch64 and V of RISC-V, in LLVM's text and, where qemu-user and a compiler are, run."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import pytest

import tvmscript
from tvmscript import tir
from tvmscript.backends.llvm.errors import NotSupportedByLLVM

#: architecture -> LLVM's features, an instruction of its vectors, processors of qemu with vectors of different length
MACHINES = {
    "aarch64": ("+v8.2a,+sve", ".s, p", ("max,sve128=on", "max,sve256=on", "max,sve512=on")),
    "riscv64": (
        "+m,+a,+f,+d,+c,+v",
        "vsetvli",
        ("rv64,v=true,vlen=128,vext_spec=v1.0", "rv64,v=true,vlen=256,vext_spec=v1.0"),
    ),
}

PROGRAM = """
@T.prim_func
def kernel(A: T.Buffer((128,), "float32"), B: T.Buffer((64,), "float32")):
    T.func_attr({{"target": T.target("{target}"), "global_symbol": "kernel"}})
    for i in range(T.ceildiv(61, 4 * T.vscale())):
        for j in T.vectorized(4 * T.vscale()):
            if i * 4 * T.vscale() + j < 61:
                B[i * 4 * T.vscale() + j] = {value}
"""
AT = "i * 4 * T.vscale() + j"
#: name -> value of an element, what it is
KERNELS: dict[str, tuple[str, Callable[[int], float]]] = {
    "arithmetic": (f"A[{AT}] * T.float32(2) + T.float32(1)", lambda i: 2 * i + 1),
    "ramp": (f'A[{AT}] + T.Cast("float32", ({AT}) * 3)', lambda i: 4 * i),
    "strided": (f"A[({AT}) * 2]", lambda i: 2 * i),
    "backward": (f"A[60 - ({AT})]", lambda i: 60 - i),
    "one element": ("A[3]", lambda i: 3),
    "select": (f"T.Select(A[{AT}] < T.float32(30), A[{AT}], T.float32(-1))", lambda i: i if i < 30 else -1),
    "division": (f'A[{AT}] + T.Cast("float32", ({AT}) // 7 * 10 + ({AT}) % 7)', lambda i: i + i // 7 * 10 + i % 7),
    "functions": (f"T.exp(A[{AT}] * T.float32(0.1)) + T.sqrt(A[{AT}])", lambda i: math.exp(i * 0.1) + math.sqrt(i)),
}


def target_of(machine: str) -> str:
    return f"llvm -mtriple={machine}-linux-gnu -mattr={MACHINES[machine][0]}"


def source_of(machine: str, value: str) -> str:
    target = target_of(machine)
    return tvmscript.build(
        tvmscript.from_source(PROGRAM.format(target=target, value=value)), target=target
    ).get_source()


def machine_of(machine: str) -> Any:
    """LLVM's machine; RISC-V passes floats in registers."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    abi = "lp64d" if machine == "riscv64" else ""
    target = llvm.Target.from_triple(f"{machine}-linux-gnu")
    return target.create_target_machine(features=MACHINES[machine][0], opt=3, reloc="pic", abiname=abi)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("kernel", ["arithmetic", "ramp", "select", "division", "functions"])
def test_code(machine: str, kernel: str) -> None:
    source = source_of(machine, KERNELS[kernel][0])
    assert "<vscale x 4 x " in source
    assembly = machine_of(machine).emit_assembly(llvm.parse_assembly(source))
    assert MACHINES[machine][1] in assembly


def test_a_schedule() -> None:
    sch = tvmscript.Schedule(tvmscript.from_source(SUM))
    (loop,) = sch.get_loops("B")
    _, lanes = sch.split(loop, [None, 4 * tir.vscale()])
    sch.vectorize(lanes)
    source = tvmscript.build(sch.mod, target=target_of("aarch64")).get_source()
    assert "@llvm.masked.store.nxv4f32.p0" in source


SUM = """
@T.prim_func
def main(A: T.Buffer((61,), "float32"), B: T.Buffer((61,), "float32")):
    for i in range(61):
        with T.block("B"):
            vi = T.axis.spatial(61, i)
            B[vi] = A[vi] + T.float32(1)
"""


def test_machines_without() -> None:
    program = tvmscript.from_source(PROGRAM.format(target=target_of("aarch64"), value="A[0]"))
    with pytest.raises(NotSupportedByLLVM, match="whose length is only known when the program runs"):
        tvmscript.build(program, target="llvm")


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("kernel", KERNELS)
def test_values(machine: str, kernel: str, tmp_path: Path) -> None:
    compiler, emulator = f"{machine}-linux-gnu-gcc", f"qemu-{machine}"
    if shutil.which(compiler) is None or shutil.which(emulator) is None:
        pytest.skip(
            f"no {emulator} and {compiler}: apt-get install qemu-user gcc-{machine.replace('_', '-')}-linux-gnu"
        )
    value, expected = KERNELS[kernel]
    source = source_of(machine, value)
    inner = re.search(r"define internal (fastcc void|i32) @(\S+?)\(", source)
    assert inner is not None
    kind, name = inner.groups()  # LLVM drops the status of kernels whose loops it vectorizes
    result = kind.removeprefix("fastcc ")
    source = source.replace(f"define internal {kind} @{name}(", f"define {result} @run(")
    source = source.replace(f"call {kind} @{name}(", f"call {result} @run(")
    (tmp_path / "kernel.o").write_bytes(machine_of(machine).emit_object(llvm.parse_assembly(source)))
    runtime = sorted(set(re.findall(r"@(tvmscript_\w+)\(", source)))  # of the wrapper, which is not called
    main = _MAIN if kind == "i32" else _MAIN.replace("int run(void *, ", "void run(").replace("run(0, a", "run(a")
    (tmp_path / "main.c").write_text(main + "".join(f"int {name}(void) {{ return 0; }}\n" for name in runtime))
    program = tmp_path / "program"
    subprocess.run([compiler, "-static", "-o", program, tmp_path / "main.c", tmp_path / "kernel.o", "-lm"], check=True)
    for processor in MACHINES[machine][2]:
        done = subprocess.run([emulator, "-cpu", processor, program], capture_output=True, text=True, check=True)
        values = [float(line) for line in done.stdout.split()]
        assert values == pytest.approx([*map(expected, range(61)), -9, -9, -9], rel=1e-5)


_MAIN = """
#include <stdio.h>
int run(void *, float *, float *);
int main(void) {
    static float a[128], b[64];
    for (int i = 0; i < 128; i++) a[i] = i;
    for (int i = 0; i < 64; i++) b[i] = -9;
    run(0, a, b);
    for (int i = 0; i < 64; i++) printf("%.9g\\n", b[i]);
    return 0;
}
"""
