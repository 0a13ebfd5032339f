"""`@checked` on functions, methods, dataclasses, generators and coroutines, and the text of its error."""

# These tests return and pass wrong dtypes on purpose, and use values as types.
# mypy: ignore-errors

import asyncio
import contextlib
import functools
import inspect
import pickle
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt
import pytest

import promo_runtime as pr
from tests.needed import imported

Single = npt.NDArray[np.float32]
A = TypeVar("A", bound=np.generic)
B = TypeVar("B", bound=np.generic)

single: Any = np.ones(2, np.float32)
double: Any = np.ones(2)


def refused(call: Callable[[], object]) -> str:
    with pytest.raises(pr.DtypeError) as caught:
        call()
    error = caught.value
    return f"{error.subject} of {error.function.rpartition('.')[2]}: {error.expected}, {error.actual}"


@pr.checked
def scaled(x: Single, /, y: Single | None = None, *rest: Single, scale: Single = single, **others: Single) -> Single:
    """Whatever is asked for."""
    del y, rest, scale
    result: Any = others.get("result", x)
    return result.astype(np.float64) if "wide" in others else result


class TestFunctions:
    def test_every_kind_of_parameter(self) -> None:
        assert scaled(single) is single
        assert refused(lambda: scaled(double)) == "argument x of scaled: float32, float64"
        assert refused(lambda: scaled(single, double)) == "argument y of scaled: float32, float64"
        assert refused(lambda: scaled(single, y=double)) == "argument y of scaled: float32, float64"
        assert refused(lambda: scaled(single, None, single, double)) == "argument rest[1] of scaled: float32, float64"
        assert refused(lambda: scaled(single, scale=double)) == "argument scale of scaled: float32, float64"
        assert refused(lambda: scaled(single, other=double)) == "argument other of scaled: float32, float64"
        assert refused(lambda: scaled(single, wide=single)) == "result of scaled: float32, float64"

    def test_wrong_calls_fail_as_before(self) -> None:
        wrong: Any = scaled
        with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
            wrong()

    def test_a_default_that_contradicts_its_annotation_is_found_before_the_first_call(self) -> None:
        @pr.checked
        def positional(x: Single, y: Single = double, z: int = 1) -> None: ...

        @pr.checked
        def named(x: Single, *, y: list[Single] = [single, double]) -> None: ...  # noqa: B006 (is under test)

        @pr.checked
        async def later(y: Single = double) -> None: ...

        @pr.checked
        def several(y: Single = double) -> Iterator[int]:
            yield len(y)

        class Scale:
            @pr.checked
            def by(self, y: Single = double) -> None: ...

        assert refused(lambda: positional(single)) == "default y of positional: float32, float64"
        assert refused(lambda: positional(single, single)) == "default y of positional: float32, float64"
        assert refused(lambda: named(single)) == "default y[1] of named: float32, float64"
        assert refused(lambda: asyncio.run(later())) == "default y of later: float32, float64"
        assert refused(lambda: next(several())) == "default y of several: float32, float64"
        assert refused(lambda: Scale().by()) == "default y of by: float32, float64"
        with pytest.raises(pr.DtypeError, match=r"(?s)default y of .*annotation  Single.*came from .*test_checked.py"):
            positional(single)

    def test_defaults_that_depend_on_a_call_are_not_checked_early(self) -> None:
        @pr.checked
        def joined(x: npt.NDArray[A], y: npt.NDArray[B] = double) -> "npt.NDArray[pr.Promote[A, B]]":
            return x + y

        @pr.checked
        def alike(x: npt.NDArray[A], y: npt.NDArray[A] = double) -> None: ...

        assert joined(single).dtype == np.float64
        assert refused(lambda: alike(single, single.astype(np.int8))) == (
            "argument y of alike: float32, for which A stands in this call, int8"
        )
        alike(single, single)

    def test_it_keeps_the_name_and_signature(self) -> None:
        assert (scaled.__name__, scaled.__doc__) == ("scaled", "Whatever is asked for.")
        assert list(inspect.signature(scaled).parameters) == ["x", "y", "rest", "scale", "others"]
        assert pickle.loads(pickle.dumps(scaled)) is scaled

    def test_checking_a_function_twice_changes_nothing(self) -> None:
        assert pr.checked(scaled) is scaled

    def test_a_function_without_annotations_of_arrays(self) -> None:
        @pr.checked
        def plain(x: int, y) -> str:
            return f"{x}{y}"

        assert plain(1, double) == "1[1. 1.]"

    def test_a_dtype_variable_stands_for_one_dtype_in_a_call(self) -> None:
        @pr.checked
        def pair(x: npt.NDArray[A], y: list[npt.NDArray[A]]) -> npt.NDArray[A]:
            return y[-1] if y else x

        pair(single, [single])
        pair(double, [double])
        text = "argument y[1] of pair: float32, for which A stands in this call, float64"
        assert refused(lambda: pair(single, [single, double])) == text

    def test_a_variable_over_arrays_may_stand_for_several_dtypes(self) -> None:
        array = TypeVar("array", bound=npt.NDArray[Any])

        @pr.checked
        def either(x: array, y: array) -> array:
            return y or x

        either(single, np.zeros(()))

    def test_promote(self) -> None:
        @pr.checked
        def add(x: npt.NDArray[A], y: npt.NDArray[B], *, wrong: bool = False) -> npt.NDArray[pr.Promote[A, B]]:
            return (x + y).astype(np.float16) if wrong else x + y

        assert add(single, np.arange(2)).dtype == "float64"
        text = "result of add: float64, to which Promote[A, B] evaluates in this call, float16"
        assert refused(lambda: add(single, np.arange(2), wrong=True)) == text

    def test_promote_of_parameters(self) -> None:
        @pr.checked
        def stacked(x: Any, y: Any, dtype: str) -> Annotated[npt.NDArray[Any], pr.Promote["x", "y"]]:
            result: npt.NDArray[Any] = np.stack([x, y]).astype(dtype)
            return result

        assert stacked(single, y=double, dtype="float64").dtype == "float64"
        text = "result of stacked: float64, to which Promote[x, y] evaluates in this call, float32"
        assert refused(lambda: stacked(single, double, "float32")) == text


class Model:
    scale: Single

    @pr.checked
    def method(self, x: Single) -> "Model":
        del x
        return self

    @staticmethod
    @pr.checked
    def static(x: Single) -> Single:
        return x

    @pr.checked
    @staticmethod
    def static_below(x: Single) -> Single:
        return x

    @classmethod
    @pr.checked
    def of_class(cls, x: Single) -> "Model":
        del x
        return cls()

    @pr.checked
    @classmethod
    def of_class_below(cls, x: Single) -> "Model":
        del x
        return cls()

    @property
    @pr.checked
    def wrong(self) -> Single:
        return double

    @pr.checked
    @property
    def wrong_below(self) -> Single:
        return double

    @pr.checked
    @functools.cached_property
    def wrong_cached(self) -> Single:
        return double


def test_methods_in_either_order() -> None:
    model = Model()
    for name in ("method", "static", "static_below", "of_class", "of_class_below"):
        assert getattr(model, name)(single) is not None
        assert refused(lambda name=name: getattr(model, name)(double)) == f"argument x of {name}: float32, float64"
    for name in ("wrong", "wrong_below", "wrong_cached"):
        assert refused(lambda name=name: getattr(model, name)) == f"result of {name}: float32, float64"
    assert isinstance(Model.of_class_below(single), Model)


def test_a_class_has_its_methods_checked() -> None:
    @pr.checked
    class Counter:
        count: ClassVar[int] = 0

        def __init__(self, x: Single) -> None:
            self.x = x

        def __call__(self, x: Single) -> Single:
            return self.x + x

        @property
        def half(self) -> Single:
            return self.x

        @half.setter
        def half(self, x: Single) -> None:
            self.x = x

    counter: Any = Counter(single)
    assert counter(single).dtype == "float32"
    assert refused(lambda: Counter(double)) == "argument x of __init__: float32, float64"
    assert refused(lambda: counter(double)) == "argument x of __call__: float32, float64"
    assert refused(lambda: setattr(counter, "half", double)) == "argument x of half: float32, float64"


class TestDataclasses:
    def test_the_constructor_and_assignment(self) -> None:
        @pr.checked
        @dataclass
        class Point:
            x: Single
            name: str = ""
            rest: list[Single] = field(default_factory=lambda: [single])

        point = Point(single)
        point.name = "other"
        assert refused(lambda: Point(double)) == "argument x of __init__: float32, float64"
        assert refused(lambda: setattr(point, "x", double)) == "field x of Point: float32, float64"
        assert refused(lambda: setattr(point, "rest", [double])) == "field rest[0] of Point: float32, float64"
        assert point == Point(point.x, "other", point.rest)

    def test_the_annotations_of_its_bases(self) -> None:
        @dataclass
        class Base:
            x: Single

        @pr.checked
        @dataclass(slots=True)
        class Derived(Base):
            y: Single

        assert refused(lambda: Derived(single, double)) == "argument y of __init__: float32, float64"
        derived = Derived(single, single)
        assert refused(lambda: setattr(derived, "x", double)) == "field x of Derived: float32, float64"

    def test_a_frozen_dataclass_is_checked_after_construction(self) -> None:
        @pr.checked
        @dataclass(frozen=True)
        class Frozen:
            x: Single
            wide: bool = False
            y: Single = field(init=False)

            def __post_init__(self) -> None:
                object.__setattr__(self, "y", double if self.wide else single)

        assert Frozen(single).y is single
        assert refused(lambda: Frozen(single, wide=True)) == "field y of Frozen: float32, float64"

    def test_below_the_decorator(self) -> None:
        @dataclass(frozen=True)
        @pr.checked
        class Frozen:
            x: Single

        assert Frozen(single).x is single
        assert refused(lambda: Frozen(double)) == "field x of Frozen: float32, float64"

    def test_equinox(self) -> None:
        eqx: Any = imported("equinox")
        jnp: Any = imported("jax.numpy")
        jax: Any = imported("jax")
        jt: Any = imported("jaxtyping")

        class Linear(eqx.Module):
            weight: jt.Float32[jax.Array, "n"]

            def __init__(self, dtype: str) -> None:
                self.weight = jnp.ones(2, dtype)

            def __call__(self, x: jt.Float32[jax.Array, "n"]) -> jt.Float32[jax.Array, "n"]:
                return self.weight * x

        checked = pr.checked(Linear)
        assert eqx.filter_jit(checked("float32"))(jnp.ones(2)).dtype == "float32"
        assert refused(lambda: checked("float16")) == "field weight of Linear: float32, float16"
        assert refused(lambda: checked("float32")(jnp.ones(2, "int8"))) == "argument x of __call__: float32, int8"
        half = jax.tree_util.tree_map(lambda x: x.astype("float16"), checked("float32"))
        assert half.weight.dtype == "float16"  # mapping a tree does not construct it


class TestGenerators:
    def test_yielded_sent_and_returned(self) -> None:
        @pr.checked
        def steps(x: Single, end: Any) -> Generator[Single, Single, Single]:
            got = yield x
            yield got.astype(np.float64) if end is None else got
            return end

        assert inspect.isgeneratorfunction(steps)
        assert refused(lambda: next(steps(double, 0))) == "argument x of steps: float32, float64"
        running = steps(single, single)
        next(running)
        assert running.send(single) is single
        with pytest.raises(StopIteration) as stop:
            next(running)
        assert stop.value.value is single

        def drive(sent: Any, end: Any) -> None:
            running = steps(single, end)
            next(running)
            running.send(sent)
            list(running)

        assert refused(lambda: drive(double, single)) == "sent value of steps: float32, float64"
        assert refused(lambda: drive(single, None)) == "yielded value of steps: float32, float64"

        def returned() -> Iterator[Single]:
            yield from steps(single, double)

        def delegate() -> None:
            running = returned()
            next(running)
            running.send(single)
            next(running)

        assert refused(delegate) == "result of steps: float32, float64"

    def test_exceptions_and_closing_go_through(self) -> None:
        seen = []

        @contextlib.contextmanager
        @pr.checked
        def resource(x: Single) -> Iterator[Single]:
            try:
                yield x
            except KeyError as error:
                seen.append(error)
            finally:
                seen.append("closed")

        with resource(single) as x:
            assert x is single
            raise KeyError("k")
        assert [str(each) for each in seen] == ["'k'", "closed"]

        @pr.checked
        def endless() -> Iterator[Single]:
            try:
                while True:
                    yield single
            finally:
                seen.append("closed again")

        running: Any = endless()
        next(running)
        running.close()
        assert seen[-1] == "closed again"

    def test_async(self) -> None:
        @pr.checked
        async def fetch(x: Single, wrong: bool = False) -> Single:
            await asyncio.sleep(0)
            return double if wrong else x

        @pr.checked
        async def stream(*values: Any) -> AsyncIterator[Single]:
            for value in values:
                yield value

        async def collect(*values: Any) -> list[Any]:
            return [value async for value in stream(*values)]

        assert inspect.iscoroutinefunction(fetch)
        assert inspect.isasyncgenfunction(stream)
        assert asyncio.run(fetch(single)) is single
        assert refused(lambda: asyncio.run(fetch(double))) == "argument x of fetch: float32, float64"
        assert refused(lambda: asyncio.run(fetch(single, wrong=True))) == "result of fetch: float32, float64"
        assert len(asyncio.run(collect(single, single))) == 2
        assert refused(lambda: asyncio.run(collect(single, double))) == "yielded value of stream: float32, float64"


class TestCallables:
    def test_a_cached_function_keeps_its_methods(self) -> None:
        @pr.checked
        @functools.lru_cache
        def cached(x: np.float32) -> np.float32:
            return x

        cached(np.float32(1))
        assert cached.cache_info().misses == 1
        assert refused(lambda: cached(np.float64(1))) == "argument x of cached: float32, float64"

    def test_tracers_under_jit_in_either_order(self) -> None:
        jax: Any = imported("jax")
        jt: Any = imported("jaxtyping")
        array = jt.Float32[jax.Array, "n"]

        def inner(x: array, wrong: bool = False) -> array:
            return x.astype("float16") if wrong else x * 1.0

        x = jax.numpy.ones(2)
        for function in (
            jax.jit(pr.checked(inner), static_argnames="wrong"),
            pr.checked(jax.jit(inner, static_argnames="wrong")),
        ):
            assert function(x).dtype == "float32"
            assert function.lower(x) is not None
            assert refused(lambda f=function: f(x, wrong=True)) == "result of inner: float32, float16"
            assert refused(lambda f=function: f(x.astype("int32"))) == "argument x of inner: float32, int32"
        assert jax.vmap(jax.grad(lambda x: pr.checked(inner)(x)))(x).dtype == "float32"

    def test_torch_compiles_a_checked_function(self) -> None:
        torch: Any = imported("torch")
        tensor = Annotated[torch.Tensor, torch.float32]

        @pr.checked
        def double_it(x: tensor) -> tensor:
            return x * 2

        compiled = torch.compile(double_it, backend="eager")
        assert compiled(torch.ones(2)).tolist() == [2, 2]


class TestOtherCheckers:
    @pytest.mark.parametrize("order", ["checked outside", "checked inside"])
    @pytest.mark.parametrize("kind", ["jaxtyped", "beartype", "jaxtyped and beartype"])
    def test_jaxtyping_and_beartype(self, order: str, kind: str) -> None:
        jt: Any = imported("jaxtyping")
        jnp: Any = imported("jax.numpy")
        jax: Any = imported("jax")
        beartype: Any = import_module("beartype")
        array = jt.Float32[jax.Array, "n"]

        def add(x: array, y: array, wrong: bool = False) -> array:
            return (x + y).astype("float16") if wrong else x + y

        others: dict[str, Callable[[Any], Any]] = {
            "jaxtyped": jt.jaxtyped(typechecker=None),
            "beartype": beartype.beartype,
            "jaxtyped and beartype": jt.jaxtyped(typechecker=beartype.beartype),
        }
        inside, outside = (others[kind], pr.checked) if order == "checked outside" else (pr.checked, others[kind])
        function = outside(inside(add))
        assert function(jnp.ones(2), jnp.ones(2)).dtype == "float32"
        mismatch = (pr.DtypeError, jt.TypeCheckError, beartype.roar.BeartypeCallHintViolation)
        with pytest.raises(mismatch):
            function(jnp.ones(2), jnp.ones(2, "int8"))
        with pytest.raises(mismatch):
            function(jnp.ones(2), jnp.ones(2), wrong=True)
        if kind == "jaxtyped and beartype":
            with pytest.raises(jt.TypeCheckError):
                function(jnp.ones(2), jnp.ones(3))
        if order == "checked outside":
            text = refused(lambda: function(jnp.ones(2), jnp.ones(2, "int8")))
            assert text == "argument y of add: float32, int8"


class TestTheError:
    def test_it_names_argument_dtypes_annotation_and_origin(self) -> None:
        @pr.checked
        def loss(batch: dict[str, list[npt.NDArray[np.float32]]]) -> None:
            del batch

        with pytest.raises(pr.DtypeError) as caught:
            loss({"x": [double]})  # the line that the error names
        error = caught.value
        line = next(
            i
            for i, text in enumerate(Path(__file__).read_text().splitlines(), 1)
            if "line that the error names" in text
        )
        assert str(error).splitlines() == [
            f'argument batch["x"][0] of {error.function}: expected float32, got float64',
            "  annotation  dict[str, list[npt.NDArray[np.float32]]]",
            f"  came from   {__file__}:{line}",
        ]
        assert str(pickle.loads(pickle.dumps(error))) == str(error)

    def test_a_result_came_from_the_function(self) -> None:
        @pr.checked
        def wrong() -> Single:
            return double

        with pytest.raises(pr.DtypeError) as caught:
            wrong()
        assert caught.value.annotation == "Single"
        assert caught.value.origin is not None
        assert caught.value.origin.file == __file__
        assert caught.value.origin.line == inspect.unwrap(wrong).__code__.co_firstlineno

    def test_the_frames_of_the_checks_are_hidden_from_pytest(self) -> None:
        with pytest.raises(pr.DtypeError) as caught:
            scaled(double)
        shown = [entry.name for entry in caught.traceback if not entry.ishidden(caught)]
        assert shown == ["test_the_frames_of_the_checks_are_hidden_from_pytest"]
