"""Arrays of other libraries are found from the arguments, never mixed by accident, and never imported unasked."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import promo_runtime as pr
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.operations import IN_PLACE
from promo_mypy.rules.systems import get_system
from promo_runtime.backends import backend_of, common_backend
from promo_runtime.backends.base import Backend
from promo_runtime.backends.finding import _LIBRARIES, _require_gpu
from promo_runtime.backends.numpy_backend import NUMPY
from promo_runtime.context.backend_in_use import of_environment
from tests.needed import imported, installed, needs
from tests.runtime.functions.function_samples import arity, offered, ours, parts, shape
from tests.runtime.samples import BINARY, PYTHON, RIGHT, UNARY, own, values

ROOT = Path(__file__).parents[3]
SYSTEMS = ["numpy", "jax", "torch", "array-api", "jax-lax"]

pytestmark = pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")


def same(result: Any, expected: Any) -> bool:
    return bool(np.array_equal(np.asarray(result, complex), np.asarray(expected, complex), equal_nan=True))


@pytest.mark.parametrize("system", SYSTEMS)
def test_dask_declares_and_computes_what_numpy_computes(system: str) -> None:
    da = imported("dask.array")
    rules, space = get_system(system), pr.namespace(system)
    dtypes = [dtype for dtype in own(rules) if not dtype.weak]
    graphs, expected = [], []
    for place, (operation, one) in enumerate(product([*BINARY, *UNARY], dtypes)):
        if operation not in space.operations:
            continue
        left, right = values(one), values(dtypes[place % len(dtypes)], RIGHT)
        pairs: list[tuple[Any, Any]] = [(left, da.from_array(left, chunks=(1, 2)))]
        if operation in BINARY:
            number = list(PYTHON.values())[place % len(PYTHON)]
            other = (number, number) if place % 3 else (right, da.from_array(right, chunks=(2, 1)))
            pairs.append(other)
        try:
            numpy = space.operations[operation](*(each for each, _ in pairs))
        except TypeError:
            with pytest.raises(TypeError):
                space.operations[operation](*(each for _, each in pairs))
            continue
        graph = space.operations[operation](*(each for _, each in pairs))
        for made, result in zip(
            *(each if isinstance(each, tuple) else (each,) for each in (graph, numpy)), strict=True
        ):
            assert isinstance(made, da.Array)
            assert made.dtype == result.dtype
            graphs.append(made)
            expected.append(result)
    assert len(graphs) > 60
    dask = imported("dask")
    for computed, result in zip(dask.compute(*graphs, scheduler="threads"), expected, strict=True):
        assert computed.dtype == result.dtype
        assert same(computed, result)


def test_arrays_of_dask_are_wrapped_lazily() -> None:
    da = imported("dask.array")
    computed: list[int] = []

    def block(x: Any) -> Any:
        computed.append(1)
        return x

    lazy = da.ones((4, 4), chunks=2, dtype="int32").map_blocks(block, dtype="int32", meta=np.ones((0, 0), "int32"))
    a = pr.asarray(lazy, system="jax")
    b = (a + np.float32(1)) * a[0, 0] @ a - 1.5
    b += a
    c = pr.namespace("jax").where(b > 1, b, a)
    assert computed == []
    assert (c.backend, c.dtype, c.shape) == ("dask", pr.float32, (4, 4))
    assert "dask.array" in repr(c)
    assert np.asarray(c).tolist() == [[7.5] * 4] * 4
    assert computed
    assert (np.ones((4, 4), np.float32) + a).backend == "dask"
    assert (lazy + a).backend == "dask"
    with pytest.raises(TypeError, match="an array of dask cannot be stored in one of"):
        pr.asarray(np.ones((4, 4))).__iadd__(lazy)
    d = pr.asarray(lazy, system="torch")
    d += pr.asarray(2.0, system="torch").astype(pr.int8)
    assert (d.dtype, d.backend) == (pr.int32, "dask")


def test_functions_of_the_standard_build_graphs_of_dask() -> None:
    needs("scipy")  # of Dask's linear algebra
    da = imported("dask.array")
    computed, lacking = 0, set()
    for name, function in offered("jax"):
        plain = values(pr.float32, shape(name))
        graphs = [da.from_array(plain, chunks=-1)] * arity(function)
        try:
            made = ours("jax", name, graphs)
        except NotImplementedError:
            lacking.add(name)
            continue
        except TypeError:  # rejected, or no rule: as for NumPy
            with pytest.raises(TypeError):
                ours("jax", name, [plain] * arity(function))
            continue
        for graph, expected in zip(parts(made), parts(ours("jax", name, [plain] * arity(function))), strict=True):
            assert isinstance(graph, da.Array), name
            found = graph.compute(scheduler="synchronous")
            assert found.dtype == graph.dtype == expected.dtype, name
            assert same(found, expected) or np.allclose(found, expected, 1e-5, 1e-5), name
            computed += 1
    assert (computed, len(lacking)) == (178, 88)
    x = da.ones((4, 2), chunks=2)
    assert pr.namespace("numpy").std(x, axis=0, correction=1).compute().tolist() == [0, 0]
    with pytest.raises(NotImplementedError, match=r"Dask has no linalg\.qr except with mode='reduced'"):
        pr.namespace("numpy").linalg.qr(x, mode="complete")


def test_functions_of_dask_arrays() -> None:
    da = imported("dask.array")
    x = da.arange(6, chunks=2, dtype="int8")
    space = pr.namespace("torch")
    assert space.concat([x, np.array([1], np.float32)]).compute().dtype == np.float32
    assert space.stack([x, x]).dtype == np.int8
    assert space.reshape(x, (2, 3)).shape == space.permute_dims(space.reshape(x, (3, 2)), (1, 0)).shape == (2, 3)
    assert space.zeros_like(x).compute().tolist() == [0] * 6
    assert space.astype(x, pr.bfloat16).dtype == "bfloat16"
    with pytest.raises(NotImplementedError, match="Dask has no take_along_axis"):
        space.take_along_axis(x, x, axis=0)
    with pr.backend("dask"):
        made = pr.asarray([1, 2], dtype=pr.bfloat16, system="torch")
        assert isinstance(space.ones(3), da.Array)
    assert made.backend == "dask"
    assert (made + 1).tolist() == [2, 3]


@pytest.mark.parametrize("system", ["array-api", "jax", "torch"])
def test_the_strict_library_computes_what_numpy_computes(system: str) -> None:
    strict = imported("array_api_strict")
    rules, space = get_system(system), pr.namespace(system)
    dtypes = [dtype for dtype in own(rules) if not dtype.weak and hasattr(strict, dtype.name)]
    compared, missing = 0, set()
    others: list[Any] = [*dtypes[::3], *PYTHON]
    for operation, one, other in product(BINARY, dtypes, others):
        if operation not in space.operations:
            continue
        left = values(one)
        right = PYTHON[other] if isinstance(other, str) else values(other, RIGHT)
        operand = Operand.of(other) if isinstance(other, str) else Operand(other)
        if isinstance(rules.verdict(operation, (Operand(one), operand)), str):
            continue
        function: Any = space.operations[operation]
        numpy = function(left, right)
        native = right if isinstance(other, str) else strict.asarray(right)
        try:
            result = function(strict.asarray(left), native)
        except (TypeError, NotImplementedError) as error:  # the standard leaves out operations that others define
            missing.add(str(error).split()[0])
            continue
        for made, expected in zip(
            *(each if isinstance(each, tuple) else (each,) for each in (result, numpy)), strict=True
        ):
            assert isinstance(made, type(strict.asarray(left)))
            assert str(made.dtype).rpartition(".")[2] == expected.dtype.name
            assert same(made, expected)
        compared += 1
    assert compared > (400 if system == "array-api" else 700)
    assert (system == "array-api") is (missing == set())


def test_arrays_of_the_strict_library_are_wrapped() -> None:
    strict = imported("array_api_strict")
    x = strict.asarray([1, 2, 3], dtype=strict.int32)
    a = pr.asarray(x, system="jax")
    assert (a.backend, (a + 1.5).dtype, (-a).backend) == ("array_api_strict", pr.float64, "array_api_strict")
    assert isinstance((a * a)._data, type(x))
    b = pr.asarray(x, system="torch")
    b += 2
    assert strict.all(b._data == strict.asarray([3, 4, 5]))
    space = pr.namespace("jax")
    assert space.flip(a).backend == "array_api_strict"
    assert space.where(a > 1, a, strict.asarray([0.5, 0.5, 0.5])).dtype is pr.float64
    assert space.concat([x, x]).shape == (6,)
    assert space.zeros_like(a).dtype is pr.int32
    with pytest.raises(TypeError, match="array_api_strict has no arrays of bfloat16"):
        a.astype(pr.bfloat16)
    with pytest.raises(TypeError, match=r"arrays of numpy \(CPU\) and array_api_strict \(CPU\) do not mix"):
        space.add(np.ones(3), x)


class Elsewhere:
    """A backend with another name and device; the test checks that it is kept separate."""

    def __init__(self, name: str, device: str) -> None:
        self.name, self.device = name, device


def test_cpu_and_gpu_do_not_mix() -> None:
    gpu: Any = Elsewhere("cupy", "GPU")
    message = r"arrays of numpy \(CPU\) and cupy \(GPU\) do not mix; move one first: cupy.asarray\(x\) to the GPU"
    with pytest.raises(TypeError, match=message):
        common_backend([NUMPY, gpu])
    dask: Any = Elsewhere("dask", "CPU")
    assert common_backend([dask, NUMPY]) is dask
    with pytest.raises(TypeError, match="do not mix"):
        common_backend([dask, gpu])
    assert common_backend([gpu, gpu]) is gpu
    assert _LIBRARIES["cupy"] == ("cupy", "GPU")
    assert issubclass(type(NUMPY), Backend)


def test_without_cupy_the_error_says_what_to_install() -> None:
    if installed("cupy"):
        pytest.skip("CuPy is installed")
    with pytest.raises(pr.BackendError, match="needs CuPy, which is not installed: pip install cupy-cuda13x"):
        pr.backend("cupy")


def test_without_a_gpu_the_error_names_the_missing_device(monkeypatch: pytest.MonkeyPatch) -> None:
    class Runtime:
        @staticmethod
        def getDeviceCount() -> int:  # noqa: N802 (CUDA's name)
            raise OSError("cudaErrorNoDevice: no CUDA-capable device is detected")

    cupy: Any = ModuleType("cupy")
    cupy.cuda = ModuleType("cupy.cuda")
    cupy.cuda.runtime = Runtime
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    with pytest.raises(
        pr.BackendError, match="CuPy is installed, but finds no CUDA device: OSError: cudaErrorNoDevice"
    ):
        _require_gpu()
    Runtime.getDeviceCount = staticmethod(lambda: 0)  # type: ignore[method-assign] # another machine
    cupy.__version__ = "14.2.0"
    with pytest.raises(pr.BackendError, match=r"CuPy 14\.2\.0 is installed, but finds no CUDA device"):
        _require_gpu()


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Sets PROMO_BACKEND for code that has not read it yet."""

    def choose(name: str) -> None:
        monkeypatch.setenv("PROMO_BACKEND", name)
        of_environment.cache_clear()

    yield choose
    monkeypatch.undo()
    of_environment.cache_clear()


def test_the_environment_chooses_the_backend(environment: Callable[[str], None]) -> None:
    environment("abacus")
    with pytest.raises(pr.BackendError, match="no backend is called 'abacus'; choose one of numpy, cupy, dask"):
        pr.asarray([1])
    with pr.backend("numpy"):
        assert pr.asarray([1]).backend == "numpy"
    environment("")
    assert pr.asarray([1]).backend == "numpy"
    needs("dask")
    environment("dask")
    assert pr.asarray([1]).backend == "dask"


def test_arrays_of_a_library_without_a_backend_are_rejected() -> None:
    torch = imported("torch")
    assert backend_of(torch.ones(2)) is None
    with pytest.raises(TypeError, match="expected an array or a number, not Tensor"):
        pr.namespace("torch").add(torch.ones(2), np.ones(2))


def test_no_backend_is_imported_unasked() -> None:
    script = (
        "import sys, numpy as np, promo_runtime as pr\n"
        "a = pr.asarray([1, 2], system='jax') + np.ones(2, np.float16)\n"
        "pr.namespace('dask').add(np.ones(2), 1), pr.asarray(1, system='cupy') * 2, repr(a), a == 'x'\n"
        "print([name for name in ('dask', 'cupy', 'mypy', 'jax', 'torch') if name in sys.modules])"
    )
    path = f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'runtime')!r}]\n"
    run = subprocess.run([sys.executable, "-c", path + script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_the_namespace_has_every_in_place_operation() -> None:
    assert set(pr.namespace("numpy").in_place) == set(IN_PLACE)
