"""A program for each library: every inferred dtype is that of the execution at the same place."""

from pathlib import Path

import pytest

from tests.examples.agreement import executed, inferred, instrumented
from tests.mypy_runs import run_mypy
from tests.needed import needs

FOLDER = Path(__file__).parent / "programs"

# program -> the modules it needs, how many expressions must agree, and how often it may have to be started
PROGRAMS = {
    "dask_program.py": (("dask", "jaxtyping"), 29, 1),
    "array_api_program.py": (("array_api_strict", "jaxtyping"), 20, 1),
    "paddle_program.py": (("paddle", "jaxtyping"), 27, 1),
    # "Check failed: !PyErr_Occurred()" aborts about half of TensorFlow's processes.
    "tensorflow_program.py": (("tensorflow", "tensorflow-stubs", "jaxtyping"), 22, 20),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_mypy_and_execution_agree(name: str, tmp_path: Path, plugin_cache: Path) -> None:
    modules, least, attempts = PROGRAMS[name]
    needs(*modules)
    source = instrumented((FOLDER / name).read_text(encoding="utf-8"))
    (tmp_path / "program.py").write_text(source, encoding="utf-8")
    settings = 'disable_error_code = ["no-untyped-call", "arg-type", "attr-defined"]'
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache, settings=settings)
    assert run.errors() == [], run.output
    types, values = inferred(run), executed(tmp_path / "program.py", attempts)
    both = types.keys() & values.keys()
    assert {line: types[line] for line in both} == {line: values[line] for line in both}
    assert len(both) >= least, (len(both), types, values)


def test_every_program_is_listed() -> None:
    assert {file.name for file in FOLDER.iterdir() if file.suffix == ".py"} == set(PROGRAMS)
