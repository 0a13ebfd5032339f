"""The casts that findings propose are inserted and executed: the dtype is the declared one, and the finding is gone."""

from pathlib import Path
from typing import Any

import pytest

from promo_mypy.linting.lint import lint
from promo_mypy.linting.request import LintRequest
from promo_mypy.linting.selection import Selection
from tests.needed import imported

cst = imported("libcst")
imported("torch")
imported("jax")

PROGRAM = """\
from typing import TypeAlias

import jax.numpy as jnp
import numpy as np
import torch
from jaxtyping import Array, BFloat16, Float32, Float64
from numpy.typing import NDArray

F32: TypeAlias = NDArray[np.float32]


def result(x: NDArray[np.float64]) -> NDArray[np.float32]:
    return x * 2


def alias(x: NDArray[np.float64]) -> F32:
    return x


def operand(x: NDArray[np.float32], y: NDArray[np.float64]) -> NDArray[np.float32]:
    return x * y


def inner(x: NDArray[np.float32], y: NDArray[np.int32]) -> NDArray[np.float32]:
    return x * (1 + -y * np.float32(0.1))


def elsewhere(x: NDArray[np.float32], y: NDArray[np.int32]) -> NDArray[np.float32]:
    gain = 1 + y * np.float32(0.1)
    return x * gain


def used_twice(x: NDArray[np.float32], y: NDArray[np.int32]) -> NDArray[np.float32]:
    gain = 1 + y * np.float32(0.1)
    return x * gain + gain


def written(x: NDArray[np.float32]) -> NDArray[np.float32]:
    return x.astype(np.float64)


def scalar(x: NDArray[np.float32], y: np.float64) -> NDArray[np.float32]:
    return x * y


def wrapping(x: NDArray[np.uint8], y: NDArray[np.uint8]) -> NDArray[np.int16]:
    return x - y


def overflow(x: NDArray[np.uint8]) -> NDArray[np.uint16]:
    return x + 300


def product(x: Float32[torch.Tensor, "n"], y: Float64[torch.Tensor, "n"]) -> Float64[torch.Tensor, ""]:
    return x @ y


def on_a_cast(x: Float32[torch.Tensor, "n"], y: Float32[torch.Tensor, "n"]) -> Float32[torch.Tensor, ""]:
    return x.to(torch.bfloat16) @ y


def narrow(x: BFloat16[torch.Tensor, "n"], y: Float32[torch.Tensor, "n"]) -> BFloat16[torch.Tensor, "n"]:
    return x * y


def of_jax(x: BFloat16[Array, "n"], y: Float32[Array, "n"]) -> BFloat16[Array, "n"]:
    return x - y * 0.1


def only_numbers(x: Float32[Array, "n"]) -> BFloat16[Array, "n"]:
    return x * 2
"""

N64, N32, N8, I32 = "np.ones(3)", "np.ones(3, np.float32)", "np.ones(3, np.uint8)", "np.ones(3, np.int32)"
T64, T32, T16 = (f"torch.ones(3, dtype=torch.{dtype})" for dtype in ("float64", "float32", "bfloat16"))
J32, J16 = "jnp.ones(3, jnp.float32)", "jnp.ones(3, jnp.bfloat16)"

#: Function -> what it returns with the cast, the arguments of a call, and the dtype of the result.
MENDED = {
    "result": ("(x * 2).astype(np.float32)", (N64,), "float32"),
    "alias": ("x.astype(np.float32)", (N64,), "float32"),
    "operand": ("x * y.astype(np.float32)", (N32, N64), "float32"),
    "inner": ("x * (1 + (-y).astype(np.float32) * np.float32(0.1))", (N32, I32), "float32"),
    "elsewhere": ("x * gain", (N32, I32), "float32"),
    "used_twice": ("(x * gain + gain).astype(np.float32)", (N32, I32), "float32"),
    "written": ("x.astype(np.float32)", (N32,), "float32"),
    "scalar": ("x * np.float32(y)", (N32, "np.float64(2)"), "float32"),
    "wrapping": ("x.astype(np.int16) - y", (N8, N8), "int16"),
    "overflow": ("x.astype(np.uint16) + 300", (N8,), "uint16"),
    "product": ("x.to(torch.float64) @ y", (T32, T64), "float64"),
    "on_a_cast": ("x.to(torch.float32) @ y", (T32, T32), "float32"),
    "narrow": ("x * y.to(torch.bfloat16)", (T16, T32), "bfloat16"),
    "of_jax": ("x - y.astype(jnp.bfloat16) * 0.1", (J16, J32), "bfloat16"),
    "only_numbers": ("(x * 2).astype(jnp.bfloat16)", (J32,), "bfloat16"),
}


def test_the_inserted_casts_give_the_declared_dtypes(tmp_path: Path, check_cache: Path) -> None:
    from promo_mypy.fixing.mended_files import mended, write

    file = tmp_path / "program.py"
    file.write_text(PROGRAM, encoding="utf-8")
    request = LintRequest((file,), cache=check_cache, selection=Selection(("all",)))
    before = lint(request).findings
    write(mended(before))
    text = file.read_text(encoding="utf-8")
    parts = {part.partition("(")[0]: part for part in text.split("\n\n\ndef ")[1:]}
    returned = {name: part.rstrip().rpartition("return ")[2] for name, part in parts.items()}
    assert returned == {name: code for name, (code, _, _) in MENDED.items()}
    assert "gain = 1 + y.astype(np.float32) * np.float32(0.1)" in parts["elsewhere"]

    namespace: dict[str, Any] = {}
    exec(compile(text, str(file), "exec"), namespace)
    calls = {name: f"{name}({', '.join(arguments)}).dtype" for name, (_, arguments, _) in MENDED.items()}
    found = {name: str(eval(call, namespace)).removeprefix("torch.") for name, call in calls.items()}
    assert found == {name: dtype for name, (_, _, dtype) in MENDED.items()}
    assert [each.text for each in lint(request).findings if each.cast is not None] == []


def test_a_policy_proposes_the_cast_in_the_library_of_the_operands(
    tmp_path: Path, check_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = "import numpy as np\nfrom numpy.typing import NDArray\n\n"
    (tmp_path / "narrow.py").write_text(f"{head}def f(x: NDArray[np.uint8]) -> None:\n    x / 255\n", encoding="utf-8")
    program = f"{head}def f(x: NDArray[np.int32], y: NDArray[np.float32]) -> None:\n    x * y\n"
    (tmp_path / "portable.py").write_text(program, encoding="utf-8")
    options = (("narrow", 'forbid = ["float64"]'), ("portable", 'portable_to = ["torch"]'))
    tables = (f'[[tool.promo-mypy.overrides]]\nmodule = "{name}"\n{option}\n' for name, option in options)
    (tmp_path / "pyproject.toml").write_text("".join(tables), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    found = lint(LintRequest((Path(),), cache=check_cache, pyproject=tmp_path / "pyproject.toml")).findings
    casts = {each.code: each.cast.template for each in found if each.cast is not None}
    assert casts == {"promo-forbidden": "{}.astype(np.float32)", "promo-portability": "{}.astype(np.float64)"}
