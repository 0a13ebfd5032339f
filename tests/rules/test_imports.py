"""The rules need only the standard library."""

import subprocess
import sys

import pytest

FOREIGN = ("numpy", "ml_dtypes", "mypy", "jax", "torch")
# Import every module of the rules, then print the foreign modules that came with them.
PROGRAM = """
import importlib, pkgutil, sys
{before}
import promo_mypy.rules
for module in pkgutil.walk_packages(promo_mypy.rules.__path__, "promo_mypy.rules."):
    importlib.import_module(module.name)
print(*sorted({foreign!r} & sys.modules.keys()))
"""


def foreign_modules(before: str = "") -> list[str]:
    program = PROGRAM.format(before=before, foreign=set(FOREIGN))
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()


def test_rules_import_no_array_library_and_no_mypy() -> None:
    assert foreign_modules() == []


@pytest.mark.parametrize("module", ["numpy", "mypy"])
def test_the_check_above_can_fail(module: str) -> None:
    assert module in foreign_modules(before=f"import {module}")
