"""Disagreements that random programs have shown, each by its name; the inferred dtypes are the executed ones."""

from pathlib import Path

import pytest

from tests.agreement.comparison import Report
from tests.agreement.containers import CONTAINERS
from tests.agreement.dialects import DIALECTS
from tests.agreement.execution import Execution
from tests.agreement.laboratory import Executions, compare, in_library
from tests.agreement.programs import Program
from tests.needed import needs

_NUMPY = "from typing import Any\nimport numpy as np\nimport numpy.typing as npt\n"
#: Functions read these numbers: `{many}` is an array of floats, `{few}` one of integers, `{ones}` one of them.
_NUMBERS = """
from typing import Any
def anything(x: Any) -> Any:
    return {many}
a, b, c = 2, 2, 2
d = 3
for i in range(3):
    d = d + i
for a in anything(1), anything(2):
    b = anything(b) - b
def bind() -> None:
    global c
    c = anything(1)
bind()
class Counter:
    n = 3
    last = 3
    def __init__(self, n: int) -> None:
        self.start = n
        self.total = 0
        self.calls = 0
        self.size = 0
    def add(self, loss: Any) -> None:
        self.total = self.total + loss
        self.last = loss
        self.calls += 1
        self.size = self.length() + self.start
        self.size = self.calls + len("text")
    def length(self) -> int:
        return 3
    def read(self, x: {few}) -> None:
        e = x * self.total
        e
        f = x * self.last
        f
        g = x * self.n + self.calls * x + x * self.size
        g
def read(x: {few}) -> None:
    e, f, g, h = x * a, x * b, x * c, x * d
    e
    f
    g
    h
def outer(x: {few}) -> None:
    k, m = 2, 2
    early = lambda p: p * k
    def inner(p: {few}) -> Any:
        e = p * k
        return e
    class Local:
        def read(self, p: {few}) -> Any:
            e = p * m
            return e
    for k in anything(1), anything(2):
        m = m + k
    e, f, g = inner(x), Local().read(x), early(x)
    e
    f
    g
outer({ones})
counter = Counter(3)
counter.add(anything(1))
counter.read({ones})
read({ones})
"""
_JAX = (
    "import functools\nimport jax\nimport jax.numpy as jnp\n"
    "from jaxtyping import Array, BFloat16, Bool, Float32, Float64, Int16, Int64, Num, UInt16\n"
)
_TORCH = (
    "import functools\nimport torch\nfrom torch import Tensor as Array\n"
    "from jaxtyping import Bool, Float16, Int16, Int32\n"
)
#: Library -> name -> program.
PROGRAMS = {
    "numpy": {
        # The attribute may hold a scalar, which the operation replaces. The type from before is no longer true.
        "scalars_in_attributes": """
a = np.nonzero(np.arange(3))[0]
class Held:
    def __init__(self) -> None:
        self.x = a[::-1]
        self.y = np.bitwise_and.reduce(a)
def replaced(held: Held) -> None:
    held.x = np.bitwise_and.reduce(a)
    held.x *= 1j
    held.x
    held.x += 0.5
    held.x
    held.y /= 2
    held.y
replaced(Held())
""",
        # An attribute that is bound outside its class, and then changed in place.
        "attributes_bound_outside": """
def f(x: npt.NDArray[np.float64], y: npt.NDArray[np.int64]) -> None:
    class A:
        def __init__(self):
            self.p = x
    a = A()
    a.p = y
    a.p *= -1
    b = a.p
    b
f(np.ones(3), np.arange(3))
""",
        # A sum begins with the int 0.
        "sums_of_marked": """
a = np.array([True, False, True])
b = sum([p > np.linspace(0.0, 1.0, 3) for p in np.ones(3)])
b
c = sum(e for e in a if e is not None) * np.ones(3, np.float32)
c
d = sum([e for e in np.ones(3, np.int8)])
d
e = sum(p * 2 for p in np.ones((3, 3), np.float32))
e
""",
        # A marked scalar beside an array fits every overload of the stubs.
        "real_of_marked": """
a = np.array([1, 2, 3])
b = a[0] - a
b
c = np.real_if_close(b)
c
d = np.real_if_close(max(a) - a)
d
""",
        # NumPy's overloads give complex for any inexact array beside an integer.
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
        # A marked scalar fits the operators that the stubs declare for ints.
        "powers_of_scalars_and_marked": """
a = np.array([1, 2, 3])
b = pow(np.int64(3), a.mean())
b
c = pow(np.float32(3), a.mean())
c
d = pow(np.int8(3), a[0])
d
e, f = divmod(np.int8(3), a[0])
e
f
g = pow(3, a.mean())
g
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
        # typeshed gives the sum the type of an item.
        "sums_of_scalars_and_numbers": """
def f(n: int) -> None:
    a = np.int64(3) if n else 1e30
    a
    b = sum([a, np.float16(2)])
    b
    c = sum([a, a])
    c
f(1)
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
        "numbers_bound_again_to_anything": _NUMBERS.format(
            many="np.full(3, 1.5)", few="npt.NDArray[np.uint8]", ones="np.ones(3, np.uint8)"
        ),
        "scalars_bound_again_to_anything": """
def anything() -> Any:
    return np.float64(1.5)
a = np.int64(3)
b = np.int64(3) or 100
for c in anything(), anything():
    a = c - a
    b = c
def f(x: npt.NDArray[np.uint8]) -> None:
    d = x * a
    d
    e = x * b
    e
f(np.ones(3, np.uint8))
""",
        "exchanged_with_anything": """
def anything() -> Any:
    return np.ones(3)
a, b = anything(), np.float32(2)
a, b = b, a
a
b
c, d = anything(), 2
c, d = d, c
e = np.ones(3, np.float32) * d
e
""",
        "truth_of_objects": """
import ml_dtypes
a = np.array([np.add.reduce(np.array([1, 0])), np.array(1, dtype=ml_dtypes.bfloat16)])
a
b = np.logical_and.accumulate(a)
b
c = np.logical_or.reduce(a)
c
d = np.logical_xor.accumulate(np.ones(3))
d
""",
        "quantile_at_a_bool": """
from typing import Literal
a = np.nanquantile(np.ones(3, np.float32), True, method="hazen")
a
b = np.quantile(np.ones(3, np.int8), [True, False], method="weibull")
b
c = np.quantile(np.ones(3, np.float16), len("a") > 0)
c
d = np.quantile(np.ones(3, np.float16), np.ones(2, np.int8), method="median_unbiased")
d
def f(method: Literal["lower", "hazen"]) -> None:
    e = np.quantile(np.ones(3, np.float32), True, method=method)
    e
f("lower")
f("hazen")
""",
        "percentile_at_a_bool": """
a = np.percentile(np.ones(3, np.float16), True)
a
b = np.nanpercentile(np.ones((3, 3), np.float32), len("a") > 0, axis=0)
b
c = np.percentile(np.ones(3, np.int8), True, method="nearest")
c
d = np.percentile(np.ones(3, np.float16), 1)
d
""",
        # typeshed's first overload of `sum` has items of type Any for bools, and gives an int.
        "sum_of_an_array": """
U = npt.NDArray[np.uint16] | npt.NDArray[np.float32]
def f(x: npt.NDArray[np.float64], y: npt.NDArray[np.float32], z: U) -> None:
    a = y * sum(x)
    a
    b = y * sum(x > 1)
    b
    c = y * sum(x.reshape(-1, 1))
    c
    d = y * sum(x.flat)
    d
    e = sum(z) * y
    e
    g = abs(z)
    g
f(np.ones(3), np.ones(3, np.float32), np.ones(3, np.uint16))
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
        # For a union of dtypes NumPy's overloads take the first one that fits one member.
        "dtypes_of_a_union": """
def f(x: npt.NDArray[np.number[Any]], y: npt.NDArray[np.float64]) -> None:
    a = np.asarray([x, y]) - np.float64(1)
    a
f(np.ones(3), np.ones(3))
""",
        "chosen_from_a_display_and_summed": """
a = np.ones(3, np.int16)
b = np.ones(3)
c = sorted([a, b], key=len)[1]
c
d = sum([a, b])
d
e = max([a, b], key=len)
e
f = sum([a.sum(), b.mean()])
f
g = sum((a, b), np.float32(1))
g
h = max(x.sum() for x in (a, b))
h
i = [a, b]
j = i[1]
j
""",
        # At a join of int32 and Any mypy keeps int32.
        "number_that_becomes_unknown": """
def f(x: npt.NDArray[Any], y: Any) -> None:
    a = np.int32(1)
    for i in x:
        a = a * i
        a
    a
    b = 1.0
    if len(x) > 1:
        b = y
    c = b * np.float16(1)
    c
    class A:
        def __init__(self) -> None:
            self.a = np.int32(1)
    class B(A):
        def __init__(self) -> None:
            super().__init__()
            self.a = y
    d = B().a
    d
f(np.ones(3), np.float64(1))
""",
        "matrix_of_a_decomposition": """
a = np.linalg.qr(np.ones((3, 3)), mode="r")
a
b = np.arange(3) + a
b
""",
        # Beside bools a Python int is an int64.
        "scaled_by_bools": """
a = np.array([True, False])
b = np.ldexp(0, a)
b
c = np.ldexp(2, np.ones(2, np.int8))
c
""",
    },
    "numpy with jax": {
        # The result is an array of JAX.
        "replaced_in_place": """
import jax.numpy as jnp
def f(x: Any) -> None:
    a = np.ones(3)
    a *= x
    a
    b = np.ones(3, np.float16)
    b += np.ones(3)
    b
f(jnp.ones(3, jnp.float32))
""",
    },
    "jax": {
        "numbers_bound_again_to_anything": _NUMBERS.format(
            many="jnp.full(3, 1.5)", few='UInt16[Array, "3"]', ones="jnp.ones(3, jnp.uint16)"
        ),
        # 0-d ones stay weak, or are computed again; a static exponent does not promote.
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
        # Of a weak and a strong array of one dtype mypy keeps only the strong one.
        "weak_or_strong": """
def f(x: UInt16[Array, "3"] | Float32[Array, "3"], y: BFloat16[Array, "3"]) -> None:
    a = jnp.asarray(0.5) * x
    a
    b = a * y
    b
f(jnp.ones(3, jnp.uint16), jnp.ones(3, jnp.bfloat16))
""",
        "weak_and_strong_arrays_that_meet": """
def f(s: Float64[Array, ""], h: BFloat16[Array, "3"]) -> None:
    w = jnp.asarray(1.5)
    a = (w if h.ndim == 1 else s) * h
    a
    b = w
    if h.ndim > 1:
        b = s
    c = b * h
    c
    d = [w, s]
    e = d[0] * h
    e
    for x in (w, s):
        y = x * h
        y
    i = {"a": s, "b": w}["b"] * h
    i
    j = [s]
    j.append(w)
    k = j[1] * h
    k
    l = s
    for _ in range(2):
        m = l * h
        m
        l = w
    n = sum([w, s]) * h
    n
f(jnp.ones((), jnp.float64), jnp.ones(3, jnp.bfloat16))
""",
        "unknown_array_beside_numpy": """
import numpy as np
def f(x: Array) -> None:
    a = np.array(1.5) + x
    a
    b = np.float64(1) * x
    b
f(jnp.ones(3, jnp.float32))
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
        # mypy keeps the dtype of a variable before an incompatible assignment, such as of `Literal[0]`.
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
        # A bool array may be weak, which its type does not show; then the positions are weak, too.
        "positions_of_weak_bools": """
a = 2 != jnp.broadcast_to(0.5, (3,))
b, c = jax.lax.top_k(a, 1)
b
c
d, e = jax.lax.top_k(jnp.ones(3, bool), 1)
e
f, g = jax.lax.top_k(jnp.broadcast_to(0.5, (3,)), 1)
g
""",
        # JAX traces the body with the weak dtype of the argument, and again with the promoted one.
        "loops_are_traced_twice": """
a = jnp.full(3, 2)
b, c = jax.lax.while_loop(lambda c: c[1] < 3, lambda c: (c[0] * 1e30, c[1] + 1), (a, 0))
b
c
""",
        "arrays_of_numpy_beside_a_union": """
import numpy as np
def f(x: Array, y: Bool[Array, "3"], n: int) -> None:
    a = None
    if n:
        a = x
    b = y if a is None else a
    c = np.ones(3, np.int16) - b
    c
    d = np.int16(1) * b
    d
f(jnp.ones(3, complex), jnp.ones(3, bool), 1)
""",
        # The stubs declare scalar types as Any, so that the items are Any to stock mypy.
        "tuples_put_into_a_dict": """
rows = {"a": (jnp.float16(3) >= jnp.float16(2), 1)}
rows["b"] = (jnp.ones(3, jnp.int32), 2)
a = rows["b"][0]
a
pairs = [(jnp.float16(3), 1)]
pairs.append((jnp.ones(3, jnp.int32), 2))
b = pairs[1][0]
b
""",
        "defaults_that_are_weak": """
def f(x: Float64[Array, "3"], y: Array) -> None:
    d = {"a": x}
    a = d.get("b", y)
    a
    b = d.pop("b", y * 0.5)
    b
    w = jnp.broadcast_to(0.5, (3,))
    c = {"a": x}.get("b", w)
    c
    e = ([x] + [w])[1]
    e
    g = ({"a": x} | {"b": w})["b"]
    g
    h = d.get("a", x)
    h
f(jnp.ones(3), jnp.ones(3))
""",
        # The tangent of an integer has a dtype of JAX that is not in the rules.
        "tangents_of_integers": """
def f(x: Num[Array, "..."], y: Num[Array, "..."]) -> None:
    a, pull = jax.vjp(lambda p: p + 1, x)
    (b,) = pull(a)
    b
    c, d = jax.jvp(lambda p: (p > 0) * y, (x * 1.5,), (x * 1.5,))
    d
    (e,) = jax.vjp(lambda p: p * 2, x * 0.5)[1](x * 0.5)
    e
f(jnp.arange(3), jnp.arange(3))
""",
        **CONTAINERS,
    },
    "torch": {
        "numbers_bound_again_to_anything": _NUMBERS.format(
            many="torch.full((3,), 1.5)", few='Int16[Array, "3"]', ones="torch.ones(3, dtype=torch.int16)"
        ),
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
        "numbers_beside_tensors_in_a_display": """
a, h = torch.tensor(1, dtype=torch.int16), torch.tensor(1.5, dtype=torch.float16)
v, d = torch.ones(1, dtype=torch.int16), torch.tensor(1.5, dtype=torch.float64)
b = torch.tensor([a, 0])
b
c = torch.tensor([[a, a], [a, 0.5]])
c
e = torch.as_tensor([h, 0.5])
e
f = torch.asarray([h, 0])
f
g = torch.tensor([a, True])
g
i = torch.tensor([h, 1j])
i
j = torch.tensor([v, b[0]])
j
k = torch.tensor([d, 0.5])
k
l = torch.tensor([h, a])
l
m = torch.tensor([torch.tensor(True), 2])
m
""",
        # Arrays of one dtype differ in rank, which decides the dtype of a 0-d array with their items.
        "ranks_in_containers": """
z = torch.tensor(1.5, dtype=torch.float64)
m, v = torch.ones(2, 3), torch.ones(3)
a, b, c, d, e = [m], [m], {"a": m}, {"a": m}, [m]
a.append(v)
b += [v]
f = c
f["b"] = v
d.update({"b": v})
e[0] = v
g = []
for h in (m, v):
    g.append(h)
for xs in (a, b, c.values(), d.values(), e, g, [m] + [v], ({"a": m} | {"b": v}).values()):
    for x in xs:
        y = z + x[0]
        y
"""
        + "".join(
            f"for x in {each}:\n    y = z + x[0]\n    y\n"
            for each in (
                *("a", "b", "c.values()", "d.values()", "e + g", "g", "[m] + [v]"),
                '({"a": m} | {"b": v}).values()',
            )
        ),
        # For a union mypy asks the right operand, as a whole.
        "unions_in_place": """
def f(x: Int32[torch.Tensor, "3"] | Float16[torch.Tensor, "3"], y: Int32[torch.Tensor, "3"] | float) -> None:
    a = x
    a -= torch.arange(3)
    a
    b = y
    b += torch.arange(3)
    b
    for _ in torch.ones(2):
        a = torch.ones(3, dtype=torch.float64)
    a *= torch.arange(3)
    a
f(torch.ones(3, dtype=torch.int32), torch.ones(3, dtype=torch.int32))
f(torch.ones(3, dtype=torch.float16), 0.5)
""",
        # NumPy's array replaces a tensor of another dtype.
        "replaced_in_place": """
import numpy as np
from typing import Any
def f(x: Any) -> None:
    a = torch.ones(3)
    a *= x
    a
    b = torch.ones(3, dtype=torch.float16)
    for i, _ in zip(x, x):
        b *= i
        b
    b
    c = torch.ones(3, dtype=torch.float16)
    c *= np.ones(3)[0]
    c
f(np.ones((3, 3)))
""",
        # Stock mypy infers Any for NumPy's comparison, so that the dict takes arrays of any library.
        "tensors_beside_what_is_anything": """
import numpy as np
def f(n: int) -> None:
    a = np.ones(3, np.bool_) != 2 + 0j
    d = {}
    d["a"] = a
    d["b"] = torch.ones((), dtype=torch.int16)
    b = d["b"]
    b
    c = [e * 1 for e in d.values()][1]
    c
f(1)
""",
        # PyTorch accepts a flag in place of a dtype.
        "flags_for_dtypes": """
a = torch.ones(3).to(False)
a
b = torch.ones(3).to("cpu", torch.float16, True)
b
""",
        **{name: text.replace("jnp.ones(3, jnp.", "torch.ones(3, dtype=torch.") for name, text in CONTAINERS.items()},
    },
}  # fmt: skip
HEADERS = {"numpy": _NUMPY, "jax": _JAX, "torch": _TORCH}


@pytest.fixture(scope="module", params=PROGRAMS)
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, plugin_cache: Path) -> Report:
    library, _, other = request.param.partition(" with ")
    needs(library, *filter(None, [other]))
    if library != "numpy":
        needs("jaxtyping")
    programs: Executions = {}

    def work() -> None:
        for name, text in PROGRAMS[request.param].items():
            program = Program(name, HEADERS[library] + text, ())
            programs[name] = program, Execution(program)

    in_library(DIALECTS[library], work)
    return compare(DIALECTS[library], programs, tmp_path_factory.mktemp("programs"), plugin_cache)


def test_they_agree(report: Report) -> None:
    assert [str(each) for each in report.disagreements] == []
    assert report.cut == 0
    assert report.locals.total() > 0
