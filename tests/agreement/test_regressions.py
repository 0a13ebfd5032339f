"""Disagreements that random programs have shown, each by its name; what mypy infers in them is what is executed."""

from pathlib import Path

import pytest

from tests.agreement.comparison import Report
from tests.agreement.dialects import DIALECTS
from tests.agreement.execution import Execution
from tests.agreement.laboratory import Executions, compare, in_library
from tests.agreement.programs import Program

_NUMPY = "from typing import Any\nimport numpy as np\nimport numpy.typing as npt\n"
_JAX = (
    "import functools\nimport jax\nimport jax.numpy as jnp\n"
    "from jaxtyping import Array, BFloat16, Bool, Float32, Float64, Int64, UInt16\n"
)
_TORCH = "import functools\nimport torch\nfrom jaxtyping import Bool, Float16, Int32\n"
#: What is put into a container later need not have the dtype of what is in it; in JAX and in PyTorch.
CONTAINERS = {
    "a_function_that_is_applied_over_and_over": """
a = jnp.ones(3, jnp.int16)
b = jnp.ones(3, jnp.float16)
c = functools.reduce(lambda p, q: p / q, [a, a])
c
d = functools.reduce(lambda p, q: p * q, [a for _ in range(2)], b)
d
e = [a, a]
f = functools.reduce(lambda p, q: p * 0.5 + q, e)
f
g = functools.reduce(lambda p, q: (p[0] * q, p[1]), e, (b, 1))[0]
g
""",
    "a_lambda_that_is_called_later": """
a = jnp.ones(3, jnp.int16)
later = lambda p: a * p
a = jnp.ones(3, jnp.float16)
b = later(1)
b
""",
    "attributes_of_base_classes": """
class A:
    table = jnp.ones(3, jnp.int16)
    def __init__(self) -> None:
        self.values = jnp.ones(3, jnp.float16)
class B(A):
    table = jnp.ones(3, jnp.float16)
    def __init__(self) -> None:
        super().__init__()
        self.values = jnp.ones(3, jnp.int16)
a = A().values
a
b = B().values
b
c = A().table
c
d = B().table
d
""",
    "containers_that_are_filled": """
a = jnp.ones(3, jnp.int16)
b = jnp.ones(3, jnp.float16)
c = [a]
c.append(b)
d = c[1]
d
e = []
for i in range(3):
    e.append(a)
    a = a * 0.5
d = e[2]
d
f = {"a": b}
f["b"] = a
f.update(c=a > 0)
d = f["b"]
d
g = [b, b]
g[0], g[1] = a, g[0]
d = g[0]
d
""",
    "containers_that_are_bound_again": """
a = jnp.ones(3, jnp.int16)
b = (a, a)
for i in range(2):
    b = (b[1] * 0.5, b[0])
    c, d = b
    c
    d
e = {"a": a}
e = {k: v * 0.5 for k, v in e.items()}
c = e["a"]
c
f = [a, a]
f += [a * 0.5]
f = [x > 0 for x in f]
c = f[2]
c
""",
    "variables_of_several_functions": """
total = jnp.ones(3, jnp.int16)
def step():
    global total
    total = total * 0.5
def outer():
    count = jnp.ones(3, jnp.int16)
    def inner():
        nonlocal count
        count = count > 0
    inner()
    count
    return count
step()
total
a = total + 1
a
outer()
""",
    "assignment_in_a_loop_that_is_checked_again": """
a = jnp.ones(3, jnp.float16)
b = []
for i, c in enumerate([a, a]):
    c = c > 0
    c
    b.append(c)
d = []
for i in range(2):
    e, f = a, a
    e = e > 0
    e
    d.append(e)
g = a
if (g := g.sum() > 5) is not None:
    g
g
""",
}  # fmt: skip
#: Library -> name -> program.
PROGRAMS = {
    "numpy": {
        # NumPy's overloads say complex of any inexact array beside an integer.
        "category_of_two_kinds": """
def f(x: npt.NDArray[np.inexact[Any]], y: npt.NDArray[np.number[Any]], i: npt.NDArray[np.int64]) -> None:
    a = x - i
    a
    b = i + y
    b
f(np.ones(3), np.ones(3), np.arange(3))
""",
        # They take the first dtype that fits an unknown one.
        "unknown_dtype_beside_an_operator": """
def f(x: npt.NDArray[Any], i: npt.NDArray[np.int16], s: np.int16) -> None:
    a = x * 2.5
    a
    b = x * i
    b
    c = s + x
    c
    d = -x
    d
f(np.ones(3, np.float32), np.ones(3, np.int16), np.int16(1))
""",
        # NumPy squares an array of bools as int8; any other power is int64.
        "powers_of_bools": """
def f(x: npt.NDArray[np.bool], n: int) -> None:
    a = x ** 2
    a
    b = x ** 3
    b
    c = x ** n
    c
f(np.array([True]), 2)
""",
        "scalars_and_numbers": """
a = np.fft.fftn(np.float32(1))
a
b = np.add.outer(np.ones(3, np.uint8), 1)
b
c = np.union1d(np.ones(3, np.uint8), 1)
c
d = np.random.choice(np.uint8(3), size=2)
d
""",
        # mypy asks the members of a union for `a - b`.
        "in_place_operator_of_a_union": """
a = np.eye(3, dtype=np.float16)
for i in (1, np.float32(2)):
    a = a / i
a -= np.ones(3)
a
""",
        "unknown_dtype_in_a_lambda": """
a = np.ones((3, 3))
b = np.ones(3, np.int16)
c = (lambda p: p * a)(b)
c
a = np.astype(a, np.int64)
""",
        "any_beside_a_scalar": """
def f(x: npt.NDArray[np.float64 | np.uint32], z: Any) -> None:
    a = np.int16(1) - np.clip(x, z, z)
    a
    b = np.int16(1) - z
    b
f(np.ones(3), np.float64(1))
""",
        "unknown_dtype_in_a_call": """
def f(x, weights):
    return np.fft.fft(x), np.bincount([0, 1, 2], weights=weights)
a, b = f(np.ones(3, np.float32), np.ones(3))
a
b
""",
        "scalar_class_of_an_array": """
def f(x: npt.NDArray[np.float64], n: npt.NDArray[np.number[Any]]) -> None:
    a = np.uint64(x)
    a
    b = a @ x
    b
    c = np.int16(n)
    c
    d = c if len(c.shape) > 0 else b
    d
f(np.ones(3), np.ones(3))
""",
        "matrix_of_a_decomposition": """
a = np.linalg.qr(np.ones((3, 3)), mode="r")
a
b = np.arange(3) + a
b
""",
    },
    "jax": {
        # Without dimensions they stay weak, or are computed anew; a static exponent does not promote.
        "functions_of_scalars": """
a = jnp.angle(jnp.float16(1))
a
b = jnp.hypot(jnp.asarray(2.0), jnp.asarray(1.0)) * jnp.float16(1)
b
c = jnp.hypot(2, 1.5) * jnp.float16(1)
c
d = jnp.asarray(1.5) ** jnp.uint8(2) * jnp.float16(1)
d
e = jnp.power(jnp.ones(3, jnp.uint16), jnp.int32(2))
e
f = jnp.fft.rfftn(jnp.float32(1))
f
g = jnp.union1d(jnp.asarray(0.5), jnp.asarray(2)) if f.ndim else a
g
""",
        "dtype_of_indices": """
a = jnp.argsort(jnp.ones(3), dtype=jnp.uint16)
a
""",
        "transforms_of_narrow_dtypes": """
a = jnp.fft.fft(jnp.ones(3, jnp.float8_e5m2))
a
b = jnp.fft.irfft(jnp.ones(3, jnp.float8_e4m3fn))
b
c = jnp.fft.fft(jnp.ones(3, jnp.uint2))
c
d = jnp.fft.irfft(jnp.ones(3, jnp.int2))
d
""",
        # mypy keeps only the strong one of a weak and a strong array of one dtype.
        "weak_or_strong": """
def f(x: UInt16[Array, "3"] | Float32[Array, "3"], y: BFloat16[Array, "3"]) -> None:
    a = jnp.asarray(0.5) * x
    a
    b = a * y
    b
f(jnp.ones(3, jnp.uint16), jnp.ones(3, jnp.bfloat16))
""",
        "sum_of_bools": """
def f(x: Bool[Array, "3"], y: BFloat16[Array, "3"]) -> None:
    a = sum([x, x])
    a
    b = y * a
    b
f(jnp.ones(3, bool), jnp.ones(3, jnp.bfloat16))
""",
        # A function with `keepdims` and no `axis`.
        "matrix_norm": """
a = jnp.linalg.matrix_norm(jnp.ones((3, 3), jnp.float32))
a
""",
        # mypy keeps the dtype that a variable had before a value that it refuses, such as `Literal[0]`.
        "sum_of_a_comprehension_in_a_loop": """
def f(x: Int64[Array, "3 3"], y: Float64[Array, "3 3"]) -> None:
    a = jax.lax.map(lambda p: p * 2, x)
    for i in range(2):
        a = a * i
        a = [sum([p * 0.5 for p in y]) for p in a][0]
        a
    a
    b = sum(p * 2 for p in y)
    b = sum((p * 2 for p in y), jnp.float32(1))
    b
f(jnp.ones((3, 3), jnp.int64), jnp.ones((3, 3), jnp.float64))
""",
        **CONTAINERS,
    },
    "torch": {
        "scalars_of_any_dtype": """
a = torch.tensor(1j)
b, c = torch.cummin(a, 0)
b
d, c = torch.kthvalue(a.real > 0, 1)
d
e = torch.inner(torch.tensor(True), torch.ones(3, dtype=torch.int8))
e
f = torch.cumsum(torch.tensor(1.5), 0, dtype=torch.bool)
f
""",
        "sum_of_bools": """
def f(x: Bool[torch.Tensor, "3"]) -> None:
    a = sum([~p for p in x])
    a
    b = sum([x, x])
    b
f(torch.ones(3, dtype=torch.bool))
""",
        "sum_from_a_start": """
def f(x: Bool[torch.Tensor, "3"], y: Float16[torch.Tensor, "3"], z: Int32[torch.Tensor, "3"]) -> None:
    a = sum([z, z], y)
    a
    b = sum([y, z])
    b
    c = sum([x], 1.5)
    c
f(torch.ones(3, dtype=torch.bool), torch.ones(3, dtype=torch.float16), torch.ones(3, dtype=torch.int32))
""",
        **{name: text.replace("jnp.ones(3, jnp.", "torch.ones(3, dtype=torch.") for name, text in CONTAINERS.items()},
    },
}  # fmt: skip
HEADERS = {"numpy": _NUMPY, "jax": _JAX, "torch": _TORCH}


@pytest.fixture(scope="module", params=PROGRAMS)
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Report:
    library: str = request.param
    pytest.importorskip(library)
    programs: Executions = {}

    def work() -> None:
        for name, text in PROGRAMS[library].items():
            program = Program(name, HEADERS[library] + text, ())
            programs[name] = program, Execution(program)

    in_library(DIALECTS[library], work)
    return compare(DIALECTS[library], programs, tmp_path_factory.mktemp(library), plugin_cache)


def test_they_agree(report: Report) -> None:
    assert [str(each) for each in report.disagreements] == []
    assert report.cut == 0
    assert report.locals.total() > 0
