"""Comprehensions, `list(xs)`, `tuple(xs)` and `[*xs]` as arguments: the inferred dtype is the executed one."""

from pathlib import Path

import pytest

from promo_mypy.rules.dtypes import parse
from tests.mypy_runs import run_mypy
from tests.needed import needs
from tests.plugin.operators.test_operator_cells import NUMPY_SPELLINGS

#: Functions that make one array of their argument; `xs` is a list of arrays, `x` one of them.
SEQUENCES = (
    "[2 * x for x in xs]", "[x[1:] for x in xs if x.shape]", "[x for x in xs]", "list(xs)", "tuple(xs)", "[*xs, x]",
    "list(x + x for x in xs)", "tuple(x[:1] for x in xs)", "[each[0][:] for each in (xs, xs)]", "(*xs, *xs)",
    "[xs[i] for i in range(2)]", "[a + b for a, b in zip(xs, reversed(xs))]",
)  # fmt: skip
OF_NUMBERS = (
    "[float(n) for n in (1, 2)]",
    "[n + 1 for n in (1, 2)]",
    "[[n > 1, True] for n in (1, 2)]",
    "list(range(2))",
)
#: Library -> its import, the annotation of an array, its dtype, a vector, and the functions.
LIBRARIES = {
    "numpy": (
        "import numpy as np\nimport numpy.typing as npt\n",
        "npt.NDArray[np.float32]",
        'np.ones(3, "float32")',
        ("np.stack", "np.concatenate", "np.array", "np.asarray", "np.vstack"),
    ),
    "jax": (
        "import jax.numpy as jnp\nfrom jaxtyping import Array, Float16\n",
        'Float16[Array, "..."]',
        'jnp.ones(3, "float16")',
        ("jnp.stack", "jnp.concatenate", "jnp.array", "jnp.hstack"),
    ),
    "torch": (
        "import torch\nfrom jaxtyping import Float16\n",
        'Float16[torch.Tensor, "..."]',
        "torch.ones(3, dtype=torch.float16)",
        ("torch.stack", "torch.cat", "torch.hstack"),
    ),
}
MAKING = {"numpy": ("np.array", "np.asarray"), "jax": ("jnp.array",), "torch": ("torch.tensor",)}


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_inferred_dtype_is_the_executed_one(library: str, tmp_path: Path, plugin_cache: Path) -> None:
    needs(library)
    if library != "numpy":
        needs("jaxtyping")
    header, annotation, made, functions = LIBRARIES[library]
    namespace: dict[str, object] = {}
    exec(f"{header}xs = [{made}, {made}]\nx = {made}", namespace)
    cells = [f"{function}({items})" for function in functions for items in SEQUENCES]
    cells += [f"{function}({items})" for function in MAKING[library] for items in OF_NUMBERS]
    executed = {}
    for cell in cells:
        try:
            executed[cell] = str(eval(f"{cell}.dtype", namespace)).removeprefix("torch.")
        except (RuntimeError, ValueError):  # no axis to join
            continue
    assert len(executed) > len(cells) * 3 // 4
    first = header.count("\n") + 2
    source = f"{header}def f(xs: list[{annotation}], x: {annotation}) -> None:\n"
    (tmp_path / "sequences.py").write_text(source + "".join(f"    reveal_type({cell})\n" for cell in executed))
    run = run_mypy(tmp_path, "sequences.py", cache=plugin_cache)
    revealed = run.revealed()
    assert run.errors() == [], run.output
    wrong = [
        f"{cell}: {dtype}, mypy says {revealed[line]}"
        for line, (cell, dtype) in enumerate(executed.items(), first)
        if not revealed[line].endswith(_shown(library, dtype))
    ]
    assert wrong == []


def _shown(library: str, dtype: str) -> str:
    """The end of the type of an array."""
    cls = parse(dtype).__name__
    return f"dtype[{NUMPY_SPELLINGS[cls]}]]" if library == "numpy" else f"[{cls}]"
