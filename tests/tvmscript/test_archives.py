"""Archives of constants: only what the text names is unpacked, and only as much as its size and header allow."""

from __future__ import annotations

import random
import tracemalloc
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import tvmscript
from tvmscript.files import NoConstants
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.values.constant_data import fingerprint
from tvmscript.parser.diagnostics.errors import ChangedConstant, MissingConstant

TEXT = """
@T.prim_func
def main():
    c = T.allocate_const({values}, "float32", [{count}])
    T.evaluate(c)
"""
MEGABYTE = 1 << 20


def saved(folder: Path) -> tuple[Path, Path]:
    """A program with a constant of 300 elements, and its archive."""
    tvmscript.save(tvmscript.from_source(TEXT.format(values=list(range(300)), count=300)), folder / "m.py")
    return folder / "m.py", folder / "m.npz"


def peak(path: Path) -> int:
    """Bytes that loading takes at most; what is refused counts too."""
    tracemalloc.start()
    try:
        tvmscript.load(path)
    except TVMScriptError:
        pass
    finally:
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return most


def zeros(archive: Path, name: str, size: int, mode: Literal["w", "a"] = "w") -> None:
    """Write an array of zeros without making it."""
    header = BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "|u1", "fortran_order": False, "shape": (size,)})
    with zipfile.ZipFile(archive, mode, zipfile.ZIP_DEFLATED) as file, file.open(f"{name}.npy", "w") as entry:
        entry.write(header.getvalue())
        for _ in range(size // MEGABYTE):
            entry.write(bytes(MEGABYTE))


def test_what_the_text_does_not_name_stays_packed(tmp_path: Path) -> None:
    path, archive = saved(tmp_path)
    plain = peak(path)
    zeros(archive, "another", 200 * MEGABYTE, "a")
    assert isinstance(tvmscript.load(path), tvmscript.PrimFunc)
    assert peak(path) < plain + 4 * MEGABYTE


def test_more_than_the_size_of_the_archive_allows(tmp_path: Path) -> None:
    path, archive = saved(tmp_path)
    (name,) = np.load(archive).files
    zeros(archive, name, 200 * MEGABYTE)
    with pytest.raises(NoConstants, match="unpacks"):
        tvmscript.load(path)
    assert peak(path) < 8 * MEGABYTE


def test_headers_that_lie(tmp_path: Path) -> None:
    path, archive = saved(tmp_path)
    (name,) = np.load(archive).files
    for descr, shape in (
        ("|u1", (1 << 60,)),
        ("<f4", (2,)),
        ("|O", (1,)),
        ("<f4", (-300,)),
        ("|u1", (1 << 40, 1 << 40)),
    ):
        header = BytesIO()
        np.lib.format.write_array_header_1_0(header, {"descr": descr, "fortran_order": False, "shape": shape})
        with zipfile.ZipFile(archive, "w") as file:
            file.writestr(f"{name}.npy", header.getvalue() + bytes(1200))
        with pytest.raises(NoConstants, match="cannot be read"):
            tvmscript.load(path)
        assert peak(path) < 8 * MEGABYTE


def test_compressed_archives_are_read(tmp_path: Path) -> None:
    path, archive = saved(tmp_path)
    arrays = dict(np.load(archive))
    before = tvmscript.load(path)
    np.savez_compressed(archive, **arrays)
    assert structural_equal(tvmscript.load(path), before)
    assert [fingerprint(array) for array in arrays.values()] == list(arrays)


def test_damaged_archives(tmp_path: Path) -> None:
    path, archive = saved(tmp_path)
    whole, before = archive.read_bytes(), tvmscript.load(path)
    rng = random.Random(0)
    codes: list[str] = []
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            place = rng.choice([rng.randrange(200), rng.randrange(len(data)), len(data) - 1 - rng.randrange(150)])
            data[place] = rng.randrange(256)
        archive.write_bytes(data[: rng.choice([len(data), len(data), rng.randrange(len(data))])])
        try:
            assert structural_equal(tvmscript.load(path), before)
        except TVMScriptError as error:
            codes.append(error.code)
    assert set(codes) <= {NoConstants.code, MissingConstant.code, ChangedConstant.code}
    assert len(codes) > 100
