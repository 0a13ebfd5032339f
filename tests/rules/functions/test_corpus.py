"""How many of the calls in real programs have a row.

corpus.json counts the calls of functions in 37 public repositories, by the module that they are called on:
"name=count". A star marks what is not an array function (devices, files, processes, tests of dtypes), a caret a
transform of functions or trees, which has no row.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from promo_mypy.rules.functions import find

CORPUS: dict[str, list[str]] = json.loads(Path(__file__).with_name("corpus.json").read_text(encoding="utf-8"))
MODULES = {
    "jnp": "jax.numpy", "np": "numpy", "torch": "torch", "lax": "jax.lax", "jax.nn": "jax.nn",
    "jax.random": "jax.random", "jax": "jax", "torch.nn.functional": "torch.nn.functional",
    "einops": "einops", "scipy": "scipy",
}  # fmt: skip


def calls() -> Iterator[tuple[str, str, int]]:
    """Module, name with its mark, calls."""
    for module, lines in CORPUS.items():
        for entry in " ".join(lines).split():
            name, _, count = entry.partition("=")
            yield module, name, int(count)


def known(module: str, name: str) -> bool:
    of_jax = name.startswith("jax:")
    full_name = f"jax.scipy.{name.removeprefix('jax:')}" if of_jax else f"{MODULES[module]}.{name}"
    return find(full_name) is not None


def test_most_calls_have_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    counted = [(module, name, count) for module, name, count in calls() if not name.endswith("*")]
    functions = [(module, name, count) for module, name, count in counted if not name.endswith("^")]
    have = sum(count for module, name, count in functions if known(module, name))
    of_functions, of_all = sum(count for *_, count in functions), sum(count for *_, count in counted)
    missing = sorted((-count, f"{module}.{name}") for module, name, count in functions if not known(module, name))
    with capsys.disabled():
        sys.stdout.write(
            f"\n{have} of {of_functions} calls of array functions have a row ({have / of_functions:.1%}; with "
            f"transforms {have / of_all:.1%} of {of_all}). Most missed: {', '.join(name for _, name in missing[:5])}\n"
        )
    assert of_all > 25_000
    assert have / of_all >= 0.92
    assert have / of_functions >= 0.98


def test_marked_names_have_no_row() -> None:
    assert [name for module, name, _ in calls() if name[-1] in "*^" and known(module, name[:-1])] == []
