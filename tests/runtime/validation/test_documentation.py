"""The page "Validation in tests": its program and its tests print the output that it shows."""

import re
from typing import TYPE_CHECKING, Any

import pytest

import promo_runtime as pr
from tests.docs.pages import blocks, page
from tests.slow_tests import slow_but

if TYPE_CHECKING:  # the class is in conftest.py, which cannot be imported
    from tests.runtime.validation.conftest import Project
else:
    Project = Any

PAGE = page("docs/validation.md")
_SECONDS = re.compile(r"\d+\.\d+ s\b")


@pytest.mark.parametrize("run", slow_but({0}, [0, 1]), ids=["check", "confirm"])
def test_the_commands_print_what_is_shown(project: Project, run: int) -> None:
    program, tests = blocks(PAGE, "python")
    project.write("camera.py", program)
    project.write("test_camera.py", tests)
    name, *options = blocks(PAGE, "bash")[run].split()
    assert name == "pytest"
    result = project.pytest(*options, "-W", "error")
    assert result.returncode == 1, result.stdout + result.stderr
    lines = [re.sub(r"^E +(?=promo)", "E   ", line) for line in result.stdout.splitlines()]
    printed = {_SECONDS.sub("", line.replace(f"{project.folder}/", "")) for line in lines}
    shown = [_SECONDS.sub("", line) for line in blocks(PAGE, "text")[run].splitlines()]
    assert [line for line in shown if line not in printed] == []


def test_the_assertions_hold() -> None:
    (promotes,) = re.findall(r"`(pr\.testing\.assert_promotes\(.*?\))`", PAGE)
    exec(promotes, {"pr": pr})
    with pytest.raises(AssertionError, match="no array in list"):
        pr.testing.assert_dtype([], "float32")


def test_the_names_on_the_page_exist() -> None:
    assert {"checked", "testing", "DtypeError"} <= set(pr.__all__)
