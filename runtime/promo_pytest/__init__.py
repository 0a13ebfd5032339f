"""The pytest plugin: `--promo-check`, `--promo-confirm` and `--promo-record`.

Without these options it does nothing and imports neither NumPy nor promo_runtime.
"""

from pathlib import Path
from typing import Final

import pytest

#: Option that names packages -> its help.
_OF_PACKAGES: Final = {
    "--promo-check": ("while tests run, compare the dtypes of annotated arrays in these packages with the actual ones"),
    "--promo-confirm": (
        "while tests run, compare the dtype that promo-mypy infers for each expression with that of its value"
    ),
    "--promo-record": (
        "while tests run, record the dtypes of values in these packages, for promo-mypy's option `profile`"
    ),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    group = parser.getgroup("promo", "dtypes of arrays (promo-mypy)")
    for option, what in _OF_PACKAGES.items():
        group.addoption(option, action="extend", default=[], metavar="PACKAGES", type=_packages, help=what)
    group.addoption(
        "--promo-record-to",
        default="promo-profile.json",
        metavar="FILE",
        help="with --promo-record: the file to write (default: promo-profile.json)",
    )
    group.addoption(
        "--promo-confirm-from",
        default=None,
        metavar="FILE",
        type=_absolute,
        help="with --promo-confirm: the output of `promo-mypy infer --format json` to use instead of running it",
    )


def _packages(text: str) -> list[str]:
    return [name for name in text.replace(",", " ").split() if name]


def _absolute(text: str) -> str:
    return str(Path(text).absolute())


def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Instrument the packages before any conftest.py imports them. Raises pytest.UsageError."""
    given = early_config.known_args_namespace
    if given.promo_check or given.promo_confirm or given.promo_record:
        from promo_pytest.validation import start  # only on demand: it imports NumPy

        start(early_config)
