"""Files of torch.export.save whose contents torch would run."""

from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tvmscript.cli import main
from tvmscript.cli.errors import FileFailed
from tvmscript.cli.exported_programs import read_exported_program


def _archive(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("m/data/aotinductor/model/a.so", "", "holds m/data/aotinductor/model/a.so, which torch would run"),
        ("m/data/constants/opaque_obj_0", "", "holds m/data/constants/opaque_obj_0, which torch would run"),
        ("m/models/model.json", "{", "it is no archive of torch.export.save"),
        ("m/models/model.json", '{"a": [{"expr_str": "exec(s0)"}]}', "'exec\\(s0\\)' is no expression of sizes"),
        ("m/models/model.json", '{"expr_str": "(exec)(s0)"}', "is no expression of sizes"),
        ("m/models/model.json", "{\"expr_str\": \"S('exec' '(s0)')\"}", "is no expression of sizes"),
        ("m/models/model.json", '{"expr_str": "S.a"}', "is no expression of sizes"),
        ("m/models/model.json", '{"expr_str": 1}', "1 is no expression of sizes"),
    ],
)
def test_members_that_torch_would_run(tmp_path: Path, name: str, content: str, message: str) -> None:
    with pytest.raises(FileFailed, match=message):
        read_exported_program(_archive(tmp_path / "m.pt2", {name: content.encode()}))


def test_files_that_are_no_archives(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.pt2"
    path.write_bytes(b"PK")
    for arguments in (["run", str(path)], ["convert", str(path), "-o", str(tmp_path / "m.py")]):
        assert main(arguments) == 2
        assert "it is no archive of torch.export.save" in capsys.readouterr().err


class _Opener:
    """What makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.path),)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("place", ["sample_inputs/model.pt", "weights/weight_0"])
def test_pickles_run_no_code(tmp_path: Path, place: str) -> None:
    torch: Any = pytest.importorskip("torch", reason="torch is an optional library")
    size = torch.export.Dim("n", min=2, max=8)
    program = torch.export.export(torch.nn.Linear(2, 3), (torch.ones(4, 2),), dynamic_shapes=[{0: size}])
    torch.export.save(program, tmp_path / "m.pt2")
    assert "T.int64()" in read_exported_program(tmp_path / "m.pt2").script()
    pickle = io.BytesIO()
    torch.save(((_Opener(tmp_path / "ran"),), {}), pickle)
    with zipfile.ZipFile(tmp_path / "m.pt2") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    for name in members:
        if name.endswith(place):
            members[name] = pickle.getvalue()
        elif name.endswith("weights_config.json"):
            config = json.loads(members[name])
            config["config"]["weight"]["use_pickle"] = place.startswith("weights")
            members[name] = json.dumps(config).encode()
    with pytest.raises(FileFailed, match="torch cannot load it: UnpicklingError"):
        read_exported_program(_archive(tmp_path / "m.pt2", members))
    assert not (tmp_path / "ran").exists()
