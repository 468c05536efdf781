"""Answers questions about texts inside of apache-tvm 0.27: one JSON object a line, in and out. Imports nothing of ours.

{"op": "print", "text": ...} -> {"text": ...}     what it prints of a text
{"op": "graphs", "families": [...]} -> {"texts": {name: ...}}     its own texts of the graph level
{"op": "run", "text": ..., "inputs": [...]} -> {"outputs": [...]}     compiled for the CPU and called
"""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import tvm  # pyright: ignore[reportMissingImports]
from tvm.script import ir as I  # pyright: ignore[reportMissingImports]
from tvm.script import relax as R  # pyright: ignore[reportMissingImports]
from tvm.script import tirx as T  # pyright: ignore[reportMissingImports]
from tvm.tirx.layout import Axis  # pyright: ignore[reportMissingImports]

sys.path.insert(0, str(Path(__file__).parents[1] / "corpus"))
import tvm27  # type: ignore[import-not-found]  # the generators of the corpus stand in a folder of scripts
import tvm27_relax  # type: ignore[import-not-found]

NAMES = {"I": I, "R": R, "T": T, "tvm": tvm, "TypeVar": TypeVar, "Axis": Axis}


def read(text: str) -> Any:
    return tvm.script.from_source(text, extra_vars=NAMES)


def array_of(item: dict[str, Any]) -> Any:
    data = np.frombuffer(base64.b64decode(item["data"]), dtype=item["storage"]).reshape(item["shape"])
    made = tvm.runtime.empty(item["shape"], item["dtype"])
    made.copyfrom(data.view(made.numpy().dtype) if made.numpy().dtype != data.dtype else data)
    return made


def run(text: str, inputs: list[dict[str, Any]]) -> list[str]:
    program = read(text)
    mod = program if isinstance(program, tvm.IRModule) else tvm.IRModule({"main": program})
    arguments = [array_of(item) if "data" in item else item["value"] for item in inputs]
    tvm.compile(mod, target="llvm")["main"](*arguments)
    return [
        base64.b64encode(arguments[i].numpy().tobytes()).decode() for i, item in enumerate(inputs) if "data" in item
    ]  # fmt: skip


class Kept:
    """What the generator of the corpus writes, in memory."""

    def __init__(self, show_meta: bool = True) -> None:
        self.show_meta = show_meta
        self.texts: dict[str, str] = {}
        self.skipped: list[str] = []

    def __call__(self, name: str, program: Any) -> None:
        self.texts[name] = program.script(show_meta=self.show_meta)


def corpus(names: list[str]) -> dict[str, str]:
    """Texts of the corpus whose operator is one of these."""
    kept: Any = Kept()
    tvm27.fill(kept, set(names))
    return dict(kept.texts)


def graphs(families: list[str]) -> dict[str, str]:
    """Texts of these families of the corpus of the graph level, as far as they have no arrays."""
    kept: Any = Kept(show_meta=False)
    tvm27_relax.fill(kept, set(families))
    return {name: text for name, text in kept.texts.items() if "metadata[" not in text}


def answer(question: dict[str, Any]) -> dict[str, Any]:
    if question["op"] == "corpus":
        return {"texts": corpus(question["names"])}
    if question["op"] == "graphs":
        return {"texts": graphs(question["families"])}
    if question["op"] == "print":
        return {"text": read(question["text"]).script()}
    return {"outputs": run(question["text"], question["inputs"])}


def main() -> None:
    for line in sys.stdin:
        try:
            found = answer(json.loads(line))
        except Exception as error:  # noqa: BLE001  # whatever TVM raises is the answer
            found = {"error": f"{type(error).__name__}: {error}"}
        print("@@" + json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
