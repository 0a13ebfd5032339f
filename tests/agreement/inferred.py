"""The types that one run of mypy infers in all programs."""

import pickle
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from promo_mypy.program.expressions import InferredExpression
from promo_runtime.validation.inferred_expressions import Span
from tests.agreement.dialects import Dialect
from tests.agreement.programs import Program
from tests.mypy_runs import configuration, environment, override

_RUN = """\
import pickle, sys
from pathlib import Path
from promo_mypy.program.infer import infer
if __name__ == "__main__":
    found = infer([Path(".")])
    with open("inference.pickle", "wb") as file:
        pickle.dump(found, file)
"""
_PACKAGE = "programs"
_ERROR = re.compile(
    r"^(?P<path>[^:]+):(?P<line>\d+):(?:(?P<column>\d+):)? error: (?P<text>.*?)(?:  \[(?P<code>[\w-]+)\])?$"
)


@dataclass(frozen=True)
class Error:
    """One error of mypy in a program."""

    line: int
    column: int
    code: str
    text: str


@dataclass
class Inferred:
    """mypy's output for one program."""

    expressions: dict[Span, InferredExpression] = field(default_factory=dict)
    errors: list[Error] = field(default_factory=list)


def infer(dialect: Dialect, programs: Sequence[Program], folder: Path, cache: Path) -> dict[str, Inferred]:
    """The output by program name. Programs are written to `folder`, which mypy checks."""
    package = folder / _PACKAGE
    package.mkdir()
    (package / "__init__.py").touch()
    for program in programs:
        (package / f"{program.name}.py").write_text(program.source())
    settings = configuration(cache, "check_untyped_defs = true", f"{_PACKAGE}.*") + "show_column_numbers = true\n"
    (folder / "pyproject.toml").write_text(settings + override(f"{_PACKAGE}.*", dialect.options))
    command = [sys.executable, "-c", _RUN]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    inference = pickle.loads((folder / "inference.pickle").read_bytes())
    found = {program.name: Inferred() for program in programs}
    for each in inference.expressions:
        place = each.place
        span = Span(place.line, place.column, place.end_line, place.end_column)
        found[Path(each.path).stem].expressions[span] = each
    for message in inference.errors:
        match = _ERROR.match(message)
        assert match is not None, message
        error = Error(int(match["line"]), int(match["column"] or 0), match["code"] or "", match["text"])
        found[Path(match["path"]).stem].errors.append(error)
    return found
