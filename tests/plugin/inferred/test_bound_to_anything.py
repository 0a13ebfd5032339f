"""A variable of an array, bound again to everything that is made of arrays: only the errors of stock mypy.

For many of these values stock mypy infers Any, so that any variable accepts them. Each pair of a first and a second
value is a function of its own. The programs are only checked, and much in them would fail.
"""

import re
from pathlib import Path
from typing import Final

import pytest

from tests.mypy_runs import run_mypy
from tests.needed import needs

HEADERS: Final = {
    "numpy": (
        "import numpy as np\n",
        "p: np.ndarray[tuple[int, int], np.dtype[np.float64]]",
    ),
    "jax": (
        "import jax\nimport jax.numpy as jnp\nimport numpy as np\nfrom jaxtyping import Array, Float32\n",
        'p: Float32[Array, "n m"]',
    ),
    "torch": (
        "import torch\nfrom jaxtyping import Float32\nfrom torch import Tensor\n",
        'p: Float32[Tensor, "n m"]',
    ),
}
FIRST: Final = {
    "numpy": (
        "np.zeros((3, 4))", "np.zeros(3)", "np.ones((2, 3, 4), dtype=np.float32)", "np.array([[1.0, 2.0]])",
        "np.arange(5)", "np.float32(2)", "p",
    ),
    "jax": (
        "jnp.zeros((3, 4))", "p", "p.sum()", "jnp.float32(3)", "[p]", '{"k": p}', "jax.random.key(0)",
    ),
    "torch": ("torch.zeros(3, 4)", "p", "p.sum()", "[p]", '{"k": p}', "(p, p)", "p.max(dim=0)"),
}  # fmt: skip
SECOND: Final = {
    "numpy": (
        "x[0]", "x[0, 0]", "x[:, 0]", "x[None]", "x[..., None]", "x[x > 0]", "x[[0, 1]]", "x[1:]", "x[-1]",
        "x.sum(axis=0)", "x.sum()", "x.mean(0)", "x.mean()", "x.max()", "x.std(axis=0)", "x.argmax(axis=0)",
        "x.reshape(-1)", "x.ravel()", "x.T", "x.squeeze()", "x.flatten()", "x.copy()", "x.real",
        "np.squeeze(x)", "np.expand_dims(x, 0)", "x @ x", "np.dot(x, x[0])", "x + x[:, None]", "np.stack([x, x])",
        "np.add(x, 1)", "np.where(x > 0, x, 0)", "np.where(x)", "np.sum(x, axis=1)", "np.mean(x)", "-x", "x * 2.0",
        "np.linalg.norm(x, axis=0)", "np.linalg.norm(x)", "np.einsum('ij->i', x)", "np.unique(x)", "np.outer(x, x)",
        "np.array([x, x])", "np.array(x)", "np.asarray(x)[0]", "np.split(x, 3)[0]", "x.tolist()", "x.item()",
        "x.flat[0]", "np.linalg.svd(x)[0]", "np.linalg.det(x)", "np.percentile(x, 5)", "np.exp(x)",
        "np.maximum(x, x[0])", "np.median(x, axis=0)", "x.any()", "x.all(axis=0)", "x > 0", "(x > 0)[0]", "x == 1",
        "x.shape", "x.shape[0]", "x.size", "len(x)", "x[0].sum()", "x[0] + 1", "x[0] * x[1]", "x if x.size else x[0]",
        "None", "'text'", "3.5", "x[0].T", "np.interp(x[0], x[0], x[0])", "list(x)", "sum(x)", "next(iter(x))",
        "float(x[0, 0])", "np.float32(x[0, 0])", "np.average(x, axis=0)", "np.zeros_like(x)", "np.arange(3)",
        "np.float64(3)",
    ),
    "jax": (
        "x[0]", "x.sum()", "x.tolist()", "x.item()", "float(x[0])", "x.shape", "x.shape[0]", "x.size", "len(x)",
        "x.reshape(-1)", "x > 0", "x == 1", "x.astype(jnp.int32)", "jnp.sum(x)", "jnp.linalg.svd(x)", "jnp.where(x)",
        "jnp.split(x, 3)", "jnp.unique(x, return_counts=True)", "jnp.meshgrid(x, x)", "np.asarray(x)",
        "np.array(x)[0]", "x.at[0].set(1.0)", "jax.lax.scan(lambda c, a: (c, a), x, x)",
        "jax.lax.cond(True, lambda a: a, lambda a: a, x)", "jax.lax.fori_loop(0, 3, lambda i, a: a, x)",
        "jax.vmap(lambda a: a * 2)(x)", "jax.value_and_grad(lambda a: 1.0)(x)", 'jax.tree.map(lambda a: a, {"a": x})',
        "jax.random.key(0)", "jnp.stack([x, x])", "jax.nn.one_hot(x, 3)", "x + 1", "[x, x]", '{"a": x}', "(x, 1)",
        "None", "'text'", "3.5", "list(x)", "jnp.float32(3)", "jnp.array([1, 2])", "jnp.argmax(x)", "jnp.frexp(x)",
        "divmod(x, 2)", "jax.lax.top_k(x, 2)", "jax.jit(lambda a: a)(x)", "jax.jvp(lambda a: a, (x,), (x,))",
        "jax.vjp(lambda a: a, x)", "jax.lax.map(lambda a: a, x)", "jax.lax.while_loop(lambda c: True, lambda c: c, x)",
        "x if x.size else 3", "jax.eval_shape(lambda a: a, x)", "jax.block_until_ready(x)", "jnp.result_type(x)",
        "x.sharding",
    ),
    "torch": (
        "x[0]", "x.sum()", "x.max(dim=0)", "x.max(dim=0).values", "x.max(dim=0)[0]", "x.tolist()", "x.item()", "len(x)",
        "x.shape", "x.size(0)", "x.numel()", "x.dtype", "x > 0", "x == 1", "x.float()", "x.numpy()", "torch.sum(x)",
        "torch.linalg.svd(x)", "torch.where(x > 0)", "torch.split(x, 3)", "x.split(2)", "x.unbind()", "torch.sort(x)",
        "torch.unique(x, return_counts=True)", "torch.topk(x, 2)", "torch.stack([x, x])", "torch.nn.Linear(3, 3)(x)",
        "torch.nn.Parameter(x)", "torch.nn.LSTM(3, 3)(x)", "[x, x]", '{"a": x}', "(x, 1)", "None", "'text'", "list(x)",
        "x.grad", "x.backward()", "x.argmax().item()", "divmod(x, 2)", "torch.vmap(lambda a: a)(x)", "x.stride()",
        "torch.autograd.grad(x, x)", "torch.aminmax(x)", "torch.nn.Sequential(torch.nn.ReLU())(x)", "x.data",
        "torch.nn.utils.clip_grad_norm_([x], 1.0)", "torch.distributions.Normal(x, x).sample()", "torch.arange(3)",
        "x if x.numel() else 3", "torch.func.grad(lambda a: 1.0)(x)",
    ),
}  # fmt: skip
#: For these values stock mypy infers more than an array: its errors stay.
REFUSED: Final = {
    "numpy": {"np.zeros((3, 4))": ("x.shape", "x.size", "len(x)", "x.tolist()", "'text'", "None", "list(x)")},
    "jax": {"p": ("x.shape", "x.size", "len(x)", "'text'", "None", "[x, x]", "jnp.linalg.svd(x)")},
    "torch": {"p": ("x.shape", "x.size(0)", "x.dtype", "'text'", "None", "[x, x]", "torch.sort(x)")},
}


@pytest.mark.parametrize("library", FIRST)
def test_assignments_that_stock_mypy_accepts_are_accepted(
    library: str, tmp_path: Path, plugin_cache: Path, stock_cache: Path
) -> None:
    if library != "numpy":
        needs(library, "jaxtyping")
    header, parameter = HEADERS[library]
    pairs = [(first, second) for first in FIRST[library] for second in SECOND[library]]
    functions = [
        f"def f{number}({parameter}) -> None:\n    x = {first}\n    x = {second}\n"
        for number, (first, second) in enumerate(pairs)
    ]
    (tmp_path / "program.py").write_text(header + "".join(functions), encoding="utf-8")
    skipped = header.count("\n")
    found = {}
    for plugin, cache in ((True, plugin_cache), (False, stock_cache)):
        run = run_mypy(tmp_path, "program.py", cache=cache, plugin=plugin)
        assert "INTERNAL ERROR" not in run.output
        refused = (error for error in run.errors() if error.code == "assignment" or error.code == "promo-failure")
        found[plugin] = {pairs[(error.line - skipped - 1) // 3]: error.text for error in refused}
    assert [(pair, text) for pair, text in found[True].items() if pair not in found[False]] == []
    for first, values in REFUSED[library].items():
        assert [value for value in values if (first, value) not in found[True]] == []
        assert [value for value in values if (first, value) not in found[False]] == []


def test_the_type_of_a_rebound_variable_is_inferred(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import numpy as np\n\n\ndef f(flag: bool) -> None:\n"
        "    x = np.zeros((3, 4))\n    x = x[0]\n    reveal_type(x)\n    x = x.sum()\n    reveal_type(x)\n"
        "    x = np.ones((3, 1), np.float32)\n    reveal_type(x)\n"
        "    y = np.zeros(3)\n    if flag:\n        y = y.mean()\n    reveal_type(y)\n"
        "    a, b = 0.0, 0.0\n    a, b = np.ones(3, np.float32).max(), np.ones(3, np.float16).max()\n"
        "    reveal_type(a)\n    reveal_type(b)\n",
        encoding="utf-8",
    )
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    assert run.errors() == []
    revealed = {line: re.sub(r"numpy\.|_typing\._nbit_base\.", "", text) for line, text in run.revealed().items()}
    assert revealed == {
        7: "ndarray[tuple[int], dtype[float64]]",
        9: "float64",
        11: "ndarray[tuple[int, int], dtype[floating[_32Bit]]]",
        15: "float64 | ndarray[tuple[int], dtype[float64]]",
        18: "floating[_32Bit]",
        19: "floating[_16Bit]",
    }


#: NumPy's stubs return no width for these operations, or another one: for scalars made of them stock mypy infers Any.
OPERATIONS: Final = (
    "w * v", "w - v", "w / v", "w ** v", "w @ v", "w * 2.0", "w / 2", "w + np.float32(1)", "np.float32(1) + w", "i * i",
    "i << 2", "i & i", "u // u", "i * w", "e * e", "(e / w - 1) ** 2", "c * c", "-(w * v)", "(w * v)[1:]", "(w * v).T",
    "(w * v).reshape(-1)", "2 * (w + v)", "np.dot(w, v)", "np.dot(e, e) * 2", "np.kron(w, v)",
)  # fmt: skip
REDUCTIONS: Final = ("np.sum", "np.max", "np.min")
#: For these the stubs keep the dtype: mypy's errors stay.
KEPT_DTYPES: Final = ("w * 2", "w + True", "2**w", "w * (w > 0)", "-w * 2", "(w * 2)[1:]", "(w * 2).T", "i % 2")


def test_scalars_that_stock_mypy_accepts_are_accepted(tmp_path: Path, plugin_cache: Path, stock_cache: Path) -> None:
    header = "import numpy as np\nfrom numpy.typing import NDArray\n\nE = np.float16 | np.float32 | np.float64\n"
    parameters = "w: NDArray[np.float32], v: NDArray[np.float32], i: NDArray[np.int32], u: NDArray[np.uint8]"
    parameters += ", c: NDArray[np.complex64], e: NDArray[E]"
    values = [f"{reduce}({operation})" for operation in (*OPERATIONS, *KEPT_DTYPES) for reduce in REDUCTIONS]
    values += ["np.dot(w, v)", "np.dot(e, e)"]
    functions = [
        f"def f{number}({parameters}) -> None:\n    x = 0.0\n    x = {value}\n" for number, value in enumerate(values)
    ]
    (tmp_path / "program.py").write_text(header + "".join(functions), encoding="utf-8")
    skipped = header.count("\n")
    found = {}
    for plugin, cache in ((True, plugin_cache), (False, stock_cache)):
        run = run_mypy(tmp_path, "program.py", cache=cache, plugin=plugin)
        assert {error.code for error in run.errors()} <= {"assignment"}
        found[plugin] = {values[(error.line - skipped - 1) // 3] for error in run.errors()}
    assert found[True] - found[False] == set()
    kept = {f"{reduce}({operation})" for operation in KEPT_DTYPES for reduce in REDUCTIONS}
    assert kept & found[False] == kept & found[True] == kept


NUMBERS: Final = """\
import numpy as np
import numpy.typing as npt


class Best:
    def __init__(self) -> None:
        self.best = 0.0
        self.items = np.zeros(3)

    def update(self, x: npt.NDArray[np.float32]) -> None:
        self.best = x.mean()
        self.items = x[0]


def f(x: npt.NDArray[np.float32]) -> None:
    best = 0.0
    best = x.mean()
    total = 0.0
    total += x.sum()
    total = total + x.sum()
    product = 1.0
    product *= x.sum()
    largest = -np.inf
    largest = max(largest, x.max())
    low, high = 0.0, 1.0
    low, high = x.min(), x.max()
    named: float = x.mean()
    names: dict[str, float] = {}
    names["a"] = x.mean()
"""


def test_numbers_may_become_scalars(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "program.py").write_text(NUMBERS, encoding="utf-8")
    assert run_mypy(tmp_path, "program.py", cache=plugin_cache).errors() == []


def test_an_inner_function_gets_only_the_certain_type(tmp_path: Path, plugin_cache: Path) -> None:
    (tmp_path / "program.py").write_text(
        "import numpy as np\nimport numpy.typing as npt\n\n\n"
        "def f(x: npt.NDArray[np.float32], h: npt.NDArray[np.float16]) -> None:\n"
        "    total = 0.0\n    total = x.sum()\n    reveal_type(h * total)\n\n"
        "    def inside() -> None:\n        reveal_type(h * total)\n",
        encoding="utf-8",
    )
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache)
    assert run.errors() == []
    straight, inside = run.revealed().values()
    assert "_32Bit" in straight
    assert "_16Bit" not in inside or "Any" in inside.partition(" | ")[2]


COUNTED: Final = """\
import numpy as np


def outer(limit: int, rate: float) -> list[int]:
    def steps() -> list[int]:
        found, step = [], 1
        for i in range(limit):
            found.append(step)
            step += rate ** (i + 1)  # error
        return found

    return steps()
"""


def test_a_counter_of_a_loop_is_a_number_before_its_assignment(
    tmp_path: Path, plugin_cache: Path, stock_cache: Path
) -> None:
    (tmp_path / "program.py").write_text(COUNTED, encoding="utf-8")
    expected = [number for number, line in enumerate(COUNTED.splitlines(), 1) if line.endswith("# error")]
    for plugin, cache in ((True, plugin_cache), (False, stock_cache)):
        errors = run_mypy(tmp_path, "program.py", cache=cache, plugin=plugin).errors()
        assert [error.line for error in errors] == expected


#: First a scalar or an array whose overload depends on an inferred dtype, then a value that stock mypy accepts, too.
OVERLOADED: Final = """\
import itertools

import numpy as np


def f(lengths, given, flag):
    rates = np.array([60.0 * len(each) for each in given])
    if flag:
        rate = np.median(rates[rates > 1])
    else:
        rate = 80.0
    counts = np.arange(3)
    if flag:
        total = np.sum(counts * counts)
    else:
        total = 0
    low, high = np.percentile(given[:, 0], [10, 90])
    ranges = np.empty(shape=(0, 3))
    ranges = np.append(ranges, high - low)
    table = np.empty((26, np.prod(lengths)), int)
    table = table.ravel()
    return rate, total, ranges, table


def g(flag):
    known = np.empty((2, 3))
    known = known.ravel()  # error
    total = np.sum(np.arange(3))
    total = 0  # error
    pairs = np.append(flag, flag[0])
    pairs = itertools.pairwise(pairs)  # error
"""


def test_overloads_with_unknown_arguments_bind_no_variable(
    tmp_path: Path, plugin_cache: Path, stock_cache: Path
) -> None:
    (tmp_path / "program.py").write_text(OVERLOADED, encoding="utf-8")
    expected = [number for number, line in enumerate(OVERLOADED.splitlines(), 1) if line.endswith("# error")]
    for plugin, cache in ((True, plugin_cache), (False, stock_cache)):
        run = run_mypy(tmp_path, "program.py", cache=cache, plugin=plugin, settings="allow_untyped_defs = true")
        assert [error.line for error in run.errors()] == expected, run.output


FORGOTTEN: Final = """\
import numpy as np


def f(y, ks):
    zeros = np.zeros(3)
    total = 0
    for k in ks:
        total = y.mul(k + total)
    total.mul_(2)  # error
    total = y.mul(total)
    total.mul_(3)
    mean = total / 3
    return mean.size, total + zeros


def g(n: int, text: str):
    n.size  # error
    count = 0
    count += n
    count.size  # error
    return count + text  # error
"""


def test_a_number_that_may_be_any_has_every_attribute(tmp_path: Path, plugin_cache: Path) -> None:
    """Where the first value is gone, stock mypy still infers a number, and reports false positives."""
    (tmp_path / "program.py").write_text(FORGOTTEN, encoding="utf-8")
    expected = [number for number, line in enumerate(FORGOTTEN.splitlines(), 1) if line.endswith("# error")]
    settings = "allow_untyped_defs = true\nallow_incomplete_defs = true"
    run = run_mypy(tmp_path, "program.py", cache=plugin_cache, settings=settings)
    assert [error.line for error in run.errors()] == expected, run.output
