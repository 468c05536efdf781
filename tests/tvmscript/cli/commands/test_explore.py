"""`tvmscript explore`: the page that it writes, and what it refuses."""

from __future__ import annotations

import json
import tempfile
import webbrowser
from pathlib import Path

import pytest

from tvmscript.cli import main
from tvmscript.cli.commands import explore

PROGRAM = """\
@T.prim_func
def {name}(A: T.Buffer((16,), "float32")):
    for i in range(16):
        A[i] = A[i] * T.float32(2)
"""


def test_page_and_facts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = tmp_path / "twice.py", tmp_path / "twice.html"
    file.write_text(PROGRAM.format(name="twice"))
    assert main(["explore", str(file), "-o", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["page"] == str(out)
    assert 0 < told["changed"] < told["stages"]
    text = out.read_text("utf-8")
    assert "<h1>twice.py: twice</h1>" in text
    assert f"{told['stages']} stages" in text


@pytest.mark.parametrize("has_browser", [True, False])
@pytest.mark.parametrize("out", ["page.html", None])
def test_open(has_browser: bool, out: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
              capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    opened: list[str] = []

    def open_page(url: str) -> bool:
        opened.append(url)
        return has_browser

    monkeypatch.setattr(webbrowser, "open", open_page)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    Path("twice.py").write_text(PROGRAM.format(name="twice"))
    assert main(["explore", "twice.py", "--open", *([] if out is None else ["-o", out])]) == 0
    (url,) = opened
    assert url.startswith("file://")
    assert url.endswith("page.html") == (out is not None)
    assert "<h1>twice.py: twice</h1>" in Path(url.removeprefix("file://")).read_text()
    assert (explore.NoBrowser.code in capsys.readouterr().err) != has_browser
    assert main(["explore", "twice.py"]) == 2
    assert "--open" in capsys.readouterr().err


def test_which_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = tmp_path / "two.py", tmp_path / "two.html"
    file.write_text(PROGRAM.format(name="one") + "\n" + PROGRAM.format(name="two"))
    assert main(["explore", str(file), "-o", str(out)]) == 2
    assert "one, two" in capsys.readouterr().err
    assert not out.exists()
    assert main(["explore", f"{file}:two", "-o", str(out)]) == 0
    assert "<h1>two.py: two</h1>" in out.read_text()


def test_target_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "twice.py"
    file.write_text(PROGRAM.format(name="twice"))
    assert main(["explore", str(file), "-o", str(tmp_path / "x.html"), "--target", "abacus"]) == 2
    assert "abacus" in capsys.readouterr().err
