"""The output for `Annotated` of other libraries is the same as without the plugin, errors included."""

from pathlib import Path

import pytest

from tests.mypy_runs import run_mypy
from tests.plugin.annotations.miniature import write_libraries
from tests.plugin.annotations.programs import source
from tests.slow_tests import slow_but

PROGRAMS = ("stock_annotated", "stock_models")


@pytest.mark.parametrize("version", slow_but(["3.11"], ["3.11", "3.14"]))
def test_the_plugin_changes_nothing(version: str, tmp_path: Path) -> None:
    write_libraries(tmp_path)
    outputs = []
    for plugin in (True, False):
        for name in PROGRAMS:
            (tmp_path / f"{name}.py").write_text(source(name))
        files = [f"{name}.py" for name in PROGRAMS]
        cache = tmp_path / f"cache-{plugin}"
        run = run_mypy(tmp_path, *files, "--python-version", version, cache=cache, plugin=plugin)
        # The second run reads the cache of the first.
        (tmp_path / files[0]).write_text(source(PROGRAMS[0]) + "# touched\n")
        again = run_mypy(tmp_path, *files, "--python-version", version, cache=cache, plugin=plugin)
        assert sorted(again.output.splitlines()) == sorted(run.output.splitlines())
        outputs.append(run.output)
    assert outputs[0] == outputs[1]
    # The programs hold enough mistakes for a difference to show.
    assert outputs[0].count("error:") > 40
    assert outputs[0].count("Annotated[...] must have") == 6
