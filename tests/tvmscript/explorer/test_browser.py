"""The page in a real browser: what a person sees, clicks and types."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tvmscript
from tests.tvmscript.explorer.programs import DOUBLED, SCRIPT, SUM
from tvmscript.driver import as_module
from tvmscript.explorer import page, record

pytestmark = pytest.mark.browser

_FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--window-size=1400,900",
)  # fmt: skip


# keys as the WebDriver protocol names them
LEFT, RIGHT, ENTER, ESCAPE = "\ue012", "\ue014", "\ue007", "\ue00c"


class Browser:
    """The page, by what is on it."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def all(self, selector: str) -> list[Any]:
        result: list[Any] = self.driver.find_elements("css selector", selector)
        return result

    def one(self, selector: str) -> Any:
        (result,) = self.all(selector)
        return result

    def press(self, *keys: str) -> None:
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def current(self) -> str:
        return str(self.one("#timeline [aria-current=true] .name").text)

    def texts(self, selector: str) -> list[str]:
        """What is written there, hidden or not."""
        return [str(each.get_attribute("textContent")) for each in self.all(selector)]

    def go(self, stage: str) -> None:
        next(each for each in self.all("#timeline button") if each.text.startswith(stage)).click()


#: the first pass that changes the program
_FIRST = "tir.LowerInitBlock{runs_without_steps=True}"


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="no selenium: pip install 'tvmscript[test]'")
    programs = [shutil.which(name) for name in ("chromium", "chromedriver")]
    if None in programs:
        pytest.skip("no browser: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = programs[0]
    for flag in (*_FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    result = webdriver.Chrome(options=options, service=webdriver.ChromeService(programs[1]))
    yield result
    result.quit()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    result = tmp_path_factory.mktemp("page") / "page.html"
    result.write_text(page(record(as_module(tvmscript.from_source(SCRIPT)), title="kernel.py: main")), "utf-8")
    return result


@pytest.fixture
def browser(driver: Any, file: Path) -> Browser:
    driver.get("about:blank")
    driver.get(file.as_uri())
    return Browser(driver)


def test_opens_at_the_first_change(browser: Browser) -> None:
    assert browser.one("h1").text == "kernel.py: main"
    assert browser.current() == _FIRST
    assert browser.texts("td.gone") == ["                with T.init():"]
    assert [text.strip() for text in browser.texts("td.came")] == ["if vk == 0:"]
    assert browser.driver.get_log("browser") == []


def test_nothing_is_fetched(browser: Browser) -> None:
    """The page itself is all that the browser loads."""
    count = "return performance.getEntriesByType('resource').length"
    assert browser.driver.execute_script(count) == 0


def test_keys_go_through_the_stages(browser: Browser) -> None:
    browser.press("c")
    names = [text.split("\n")[0] for text in (each.text for each in browser.all("#timeline button"))]
    at = names.index(browser.current())
    browser.press(RIGHT)
    assert browser.current() == names[at + 1]
    browser.press(LEFT, LEFT)
    assert browser.current() == names[at - 1]
    browser.press("]", "]")
    changed = [each.text.split("\n")[0] for each in browser.all("#timeline .changed button")]
    assert browser.current() == changed[changed.index(_FIRST) + 1]
    browser.press("[")
    assert browser.current() == _FIRST


def test_clicked_line_is_shown_in_every_stage(browser: Browser) -> None:
    """From the script down to assembly, each of the lines comes from the same line of the script."""
    browser.go("parsed")
    next(cell for cell in browser.all("#view td[data-line]") if "+ A[" in cell.text).click()
    assert browser.one("#trail h2").text == f"line {SUM} of the script, in every stage"
    shown = {each.text.split("\n")[0]: each.text for each in browser.all("#trail button") if each.text.strip()}
    for stage, words in [
        ("script", "S[vi] + A[vi, vk]"),
        ("tir.FlattenBuffer", "A_1["),
        ("LLVM IR", ""),
        ("assembly", ""),
    ]:
        assert words in next(text for name, text in shown.items() if name.startswith(stage))
    next(each for each in browser.all("#trail button") if each.text.startswith("assembly")).click()
    assert browser.current() == "assembly"
    assert browser.all("#view td.linked")
    assert browser.all("#view td.selected")


def test_lines_are_selected_by_keys(browser: Browser) -> None:
    browser.go("script")
    browser.press(*"j" * DOUBLED)
    assert f"line {DOUBLED} " in browser.one("#trail h2").text
    browser.press("k")
    assert f"line {DOUBLED - 1} " in browser.one("#trail h2").text
    browser.press(ESCAPE)
    assert not browser.one("#trail").is_displayed()


def test_search_counts_and_finds(browser: Browser) -> None:
    browser.press("/", "ramp_never_there")
    assert browser.one("#hits").text == "0 lines"
    browser.press(ESCAPE, "/", "t.broadcast(")
    stages = [each for each in browser.all("#timeline button") if each.find_elements("css selector", ".found")]
    assert stages
    assert all("T.Broadcast(" not in text for text in browser.texts("#view td[data-line]"))
    browser.press(ENTER)
    assert browser.current() == stages[0].text.split("\n")[0]
    assert "T.Broadcast(" in browser.one("#view td.selected").text
    assert browser.texts("mark.hit")[0] == "T.Broadcast("
    browser.press(ESCAPE)
    assert browser.one("#hits").text == ""


def test_folding_and_filter(browser: Browser) -> None:
    count = len([cell for cell in browser.all("#view td[data-line]") if cell.is_displayed()])
    browser.press("f")
    assert len([cell for cell in browser.all("#view td[data-line]") if cell.is_displayed()]) > count
    first, *left = [each for each in browser.all("#timeline li") if each.is_displayed()]
    assert first.text.startswith("script")
    assert all(each.get_attribute("class") == "changed" for each in left)
    browser.press("c")
    every = [each for each in browser.all("#timeline li") if each.is_displayed()]
    assert 0 < len(left) < len(every) - 1


def test_light_and_dark(browser: Browser) -> None:
    def back() -> str:
        return str(browser.one("body").value_of_css_property("background-color"))

    light = back()
    browser.press("t")
    dark = back()
    assert {light, dark} == {"rgba(255, 255, 255, 1)", "rgba(13, 17, 23, 1)"}
    browser.one("#theme").click()
    assert back() == light


def test_text_of_the_program_is_no_markup(browser: Browser) -> None:
    """A comment with tags in it is shown as it was written."""
    browser.go("script")
    assert any("# </script> & <b>" in text for text in browser.texts("#view td[data-line]"))
    assert not browser.all("#view b:not(.summary b)")


def test_keys_are_told(browser: Browser) -> None:
    assert not browser.one("#keys").is_displayed()
    browser.press("?")
    assert browser.one("#keys").is_displayed()
    assert browser.one("#help").get_attribute("aria-expanded") == "true"
