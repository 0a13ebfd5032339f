"""Compare the check aside with a real run of mypy without the plugin, by file, line and code."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from tests.mypy_runs import run_mypy

Place = tuple[str, int, str | None]
Row = tuple[str, int, str | None, str]

#: What a run writes into its working directory: one error a line.
WRITTEN: Final = "aside.jsonl"
#: The module that a process of mypy imports.
RECORDING: Final = "tests.plugin.inferred.aside.recording"
#: Only a checker makes the errors that are compared. These are of mypy's semantic analysis.
_OF_DEFINITIONS: Final = ("Class cannot subclass ",)
#: A check aside ignores no error, and declared dtypes stay in it.
_APART: Final = ("# type: ignore", "# declared")


def differences(
    folder: Path, files: Mapping[str, str], *, plugin_cache: Path, stock_cache: Path, settings: str = ""
) -> Iterable[str]:
    """A line for each error that mypy makes only aside, or only in a run without the plugin."""
    stock = _stock_errors(folder, files, stock_cache, settings)
    aside = _errors_aside(folder, files, plugin_cache, settings)
    found = {kind: Counter(row[:3] for row in rows) for kind, rows in (("aside", aside), ("stock", stock))}
    for kind, rows, other in (("aside", aside, "stock"), ("stock", stock, "aside")):
        only = found[kind] - found[other]
        for file, line, code, text in sorted(rows, key=str):
            if (file, line, code) in only and not any(word in files[file].splitlines()[line - 1] for word in _APART):
                yield f"only {kind}: {file}:{line}: {text}  [{code}]"


def _stock_errors(folder: Path, files: Mapping[str, str], cache: Path, settings: str) -> set[Row]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    run = run_mypy(folder, *files, cache=cache, plugin=False, settings=settings)
    return {
        (each.file, each.line, each.code, each.text)
        for each in run.errors()
        if not each.text.startswith(_OF_DEFINITIONS)
    }


def _errors_aside(folder: Path, files: Mapping[str, str], cache: Path, settings: str) -> set[Row]:
    for name, text in files.items():
        # With other texts, mypy takes nothing from a cache.
        (folder / name).write_text(f"{text}# {folder}\n", encoding="utf-8")
    run = run_mypy(folder, *files, cache=cache, imported=(RECORDING,), settings=settings)
    written = folder / WRITTEN
    assert written.exists(), run.output
    assert "INTERNAL ERROR" not in run.output, run.output
    rows = [json.loads(line) for line in written.read_text(encoding="utf-8").splitlines()]
    return {(file, line, code, text) for file, line, severity, code, text in rows if severity == "error"}
