"""Packages to the dtypes that `promo-mypy infer` knows of their expressions, by running it in a process of its own."""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from promo_runtime.validation.inferred_expressions import InferenceError


def inference_of(packages: Sequence[str]) -> str:
    """The path of a new file, the caller's to remove, with the JSON for the sources. Raises InferenceError."""
    sources = [str(source_of(package)) for package in packages]
    with tempfile.NamedTemporaryFile(prefix="promo-infer-", suffix=".json", delete=False) as file:
        output = file.name
    command = [sys.executable, "-m", "promo_mypy.cli", "infer", *sources, "--format", "json", "--output", output]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if not Path(output).stat().st_size:
        Path(output).unlink()
        said = (run.stderr or run.stdout).strip()
        raise InferenceError(f"promo-mypy infer ended with status {run.returncode}: {said}")
    return output


def source_of(package: str) -> Path:
    """The folder of a package, or the file of a module. Raises InferenceError."""
    try:
        spec = find_spec(package)
    except ImportError as error:
        raise InferenceError(f"{package} cannot be found: {error}") from error
    if spec is None:
        raise InferenceError(f"{package} cannot be found: install it, or name its folder in pytest's option pythonpath")
    if spec.submodule_search_locations:
        return Path(next(iter(spec.submodule_search_locations)))
    if spec.origin is None or not spec.origin.endswith(".py"):
        raise InferenceError(f"{package} has no Python source")
    return Path(spec.origin)
