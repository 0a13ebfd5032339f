"""Run `promo-mypy infer` on packages in a separate process."""

import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from importlib.machinery import PathFinder
from pathlib import Path

from promo_runtime.validation.inferred_expressions import InferenceError


def inference_of(packages: Sequence[str], folders: Sequence[Path]) -> str:
    """The path of a new file with the JSON for the sources. The caller removes it. Raises InferenceError."""
    sources = [str(source_of(package, folders)) for package in packages]
    with tempfile.NamedTemporaryFile(prefix="promo-infer-", suffix=".json", delete=False) as file:
        output = file.name
    command = [sys.executable, "-m", "promo_mypy.cli", "infer", *sources, "--format", "json", "--output", output]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if not Path(output).stat().st_size:
        Path(output).unlink()
        said = (run.stderr or run.stdout).strip()
        raise InferenceError(f"promo-mypy infer ended with status {run.returncode}: {said}")
    return output


def source_of(package: str, folders: Sequence[Path]) -> Path:
    """The folder of a package, or the file of a module, on Python's path or in a folder, without importing it.

    Raises InferenceError.
    """
    top, *rest = package.split(".")
    spec = PathFinder.find_spec(top) or PathFinder.find_spec(top, [str(folder) for folder in folders])
    inside = spec.submodule_search_locations if spec is not None else None
    source = Path(next(iter(inside)) if inside else (spec and spec.origin) or "")
    for part in rest:
        source = source / part if (source / part).is_dir() else source / f"{part}.py"
    if spec is None or not source.exists():
        raise InferenceError(f"{package} cannot be found: install it, or name its folder in pytest's option pythonpath")
    if source.is_relative_to(sysconfig.get_path("purelib")):
        raise InferenceError(
            f"{package} is installed in {source.parent}, which mypy does not check: install it with pip install "
            "--editable, or name the folder of its sources in pytest's option pythonpath"
        )
    return source
