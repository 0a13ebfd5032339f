"""mypy's options and sources for a check. mypy's own configuration is not read: it is about other errors."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from promo_mypy.checking import runs
from promo_mypy.checking.layout.placed import placed
from promo_mypy.checking.parsers import Files
from promo_mypy.config import Config
from promo_mypy.linting.request import LintRequest
from promo_mypy.linting.type_ignores import without_file_ignore
from promo_mypy.plugin.interface.runs import CODES, PARENT_CODE
from promo_mypy.program.syntax.written import Source
from promo_mypy.rules.wording import diagnostics

#: The newest Python whose syntax mypy reads. Older code is read alike, apart from tests of `sys.version_info`.
_NEWEST: Final = (3, 14)


def build_request(files: Sequence[Path], request: LintRequest, python: Path, file_system: Files) -> runs.Request:
    """The run of mypy over some files, with the packages in the environment of an interpreter."""
    version = max(_NEWEST, sys.version_info[:2])
    flags = [
        "--config-file=",
        f"--python-version={version[0]}.{version[1]}",
        f"--python-executable={python}",
        f"--cache-dir={request.cache if request.cache is not None else os.devnull}",
        "--check-untyped-defs",
        "--implicit-optional",
        "--no-error-summary",
        "--no-color-output",
    ]
    options = runs.options_of(flags, file_system)
    options.config_file = str(request.pyproject) if request.pyproject is not None else None
    options.export_types = True
    return runs.Request.of(placed(files, options, file_system), options, file_system)


def configure(build: runs.Request, request: LintRequest, config: Config) -> None:
    """Set mypy's options for the modules of a run, whose request is built."""
    for source in build.sources:
        codes = request.selection.in_module(source.module, config) - diagnostics.ONLY_CHECK
        wanted = [code.code for row, code in CODES.items() if not row.enabled and row.code in codes]
        changes = build.options.per_module_options.setdefault(source.module, {})
        changes |= {"preserve_asts": True, "enable_error_code": [*wanted, PARENT_CODE.code]}
        path = str(source.path)
        try:
            content = build.file_system.read(path)
        except OSError:  # mypy reports the reason
            continue
        readable = content if request.respect_type_ignore else without_file_ignore(content)
        if readable is not content:
            build.file_system.put(path, readable)
        if not content.isascii() and Source.of(path, content).has_wide_places:
            build.file_system.leave_to_ast(path, source.module, build.options)
    build.options.build_per_module_cache()
