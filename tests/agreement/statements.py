"""Random statements, tried on the values of a scope: those that the library accepts are kept."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from promo_runtime.actual_dtypes import library_of_class
from tests.agreement.dialects import EXACT
from tests.agreement.execution import executed, run
from tests.agreement.expressions import BINARY, USUAL, expression, operand
from tests.agreement.kinds import kind
from tests.agreement.programs import Statement
from tests.agreement.scope import Scope, is_array
from tests.agreement.structures import structure


def statement(scope: Scope) -> list[Statement]:
    """One statement after its definitions; rejected ones among them."""
    kinds, weights = zip(*_KINDS, *(_MISTAKES if scope.mistakes else ()), strict=True)
    (chosen,) = scope.random.choices(kinds, weights)
    made: list[Statement] = chosen(scope)
    return made


def tried(scope: Scope, lines: Sequence[str], *targets: str, definition: bool = False) -> list[Statement]:
    """The statement, if it can be executed; then its existing targets are bound."""
    trial = dict(scope.names)
    try:
        run("\n".join(lines), trial)
    except Exception:  # any exception of a library that rejects the statement
        return []
    targets = tuple(target for target in targets if target in trial)
    if any(each in scope.locals and not may_replace(scope.names[each], trial[each]) for each in targets):
        return []
    scope.names.update(trial)
    for target in targets:
        scope.bind(target)
    return [Statement(tuple(lines), targets, definition=definition)]


def assignment(scope: Scope) -> list[Statement]:
    """`a = expression`, in the form that suits the value."""
    text = (kind(scope) if scope.mistakes and scope.chance(0.12) else None) or expression(scope)
    trial = scope.copy()
    if not tried(trial, [f"_value = {text}"]):
        # The rest of the program does not depend on it.
        return [Statement((f"{scope.fresh('r')} = {text}",), refused=True)] if scope.chance(0.3) else []
    value = trial.names["_value"]
    if is_array(value):
        name = _target(scope, value)
        if scope.exact and scope.chance(0.05) and name not in scope.names and is_strong(scope, value):
            scope.fixed.add(name)
            return tried(scope, [f"{name}: {annotation(scope, value)} = {text}"], name)
        return tried(scope, [f"{name} = {text}"], name)
    if isinstance(value, tuple | list) and 0 < len(value) <= 4 and all(map(is_array, value)):
        return _unpacked(scope, text, value)
    if type(value) in (bool, int, float, complex):
        name = scope.fresh("k")
        return tried(scope, [f"{name} = {text}"], name) if abs(value) < 1000 else []
    return []


def _unpacked(scope: Scope, text: str, values: Sequence[Any]) -> list[Statement]:
    names, count = [_target(scope, value) for value in values], len(values)
    if len(set(names)) < count or scope.chance(0.3):
        place = scope.random.randrange(count)
        return tried(scope, [f"{names[place]} = ({text})[{place}]"], names[place])
    if count == 1:
        return tried(scope, [f"({names[0]},) = {text}"], *names)
    if scope.chance(0.2):
        whole = scope.fresh("t")
        return tried(scope, [f"{whole} = {text}", f"{', '.join(names)} = {whole}"], *names)
    return tried(scope, [f"{', '.join(names)} = {text}"], *names)


def _target(scope: Scope, value: Any) -> str:
    """A new name, or one that is bound again."""
    free = [name for name in _free(scope) if may_replace(scope.names[name], value)]
    return scope.random.choice(free) if free and scope.chance(0.3) else scope.fresh()


def _free(scope: Scope) -> list[str]:
    return [name for name in scope.arrays() if name not in scope.fixed]


def may_replace(old: Any, new: Any) -> bool:
    """Whether mypy accepts a rebinding: NumPy's stubs distinguish numbers of dimensions, and scalars."""
    library = library_of_class(type(old))
    if library != "numpy":
        return library == library_of_class(type(new))
    return isinstance(old, np.ndarray) and isinstance(new, np.ndarray) and old.ndim == new.ndim > 0


def augmented(scope: Scope) -> list[Statement]:
    """`a += b`, on a whole array or on its items."""
    free = _free(scope)
    if not free:
        return []
    name = scope.random.choice(free)
    sign = scope.one_of("+", "-", "*", "/") if scope.chance(0.6) else scope.one_of(*BINARY[:13])
    right = scope.number() if scope.chance(0.5) else operand(scope, 1)
    left = name if scope.chance(0.8) else f"{name}[{scope.one_of('0', '1:', '...')}]"
    text = f"{left} {scope.one_of('', sign) if left != name else sign}= {right}"
    return tried(scope, [text], name)


_WRITES: Final = {
    "numpy": (
        "{a}[0] = {b}", "{a}[0] = {n}", "{a}[1:] = {b}", "{a}[...] = {b}", "{a}[...] = {n}", "{a}[{a} == 0] = {b}",
        "{a}[{a} == 0] = {n}", "{a}[[0, 1]] = {b}", "{a}[0] += {b}",
        "np.copyto({a}, {b})", "np.put({a}, [0], {b})", "np.putmask({a}, {a} == 0, {b})", "{a}.fill({n})",
        "np.add({a}, {b}, out={a})", "{a}.flat[0] = {b}",
    ),
    # CuPy does not convert a number for a mask that selects nothing.
    "cupy": (
        "{a}[0] = {b}", "{a}[0] = {n}", "{a}[1:] = {b}", "{a}[...] = {b}", "{a}[...] = {n}", "{a}[{a} == {a}] = {n}",
        "{a}[[0, 1]] = {b}", "{a}[0] += {b}", "{a}.fill({n})", "cp.add({a}, {b}, out={a})",
    ),
    "torch": (
        "{a}[0] = {b}", "{a}[0] = {n}", "{a}[1:] = {b}", "{a}[...] = {b}", "{a}[...] = {n}", "{a}[{a} == 0] = {b}",
        "{a}[{a} == 0] = {n}", "{a}[[0, 1]] = {b}", "{a}.copy_({b})",
        "{a}.masked_fill_({a} == 0, {n})", "{a}.index_fill_(0, torch.tensor([0]), {n})", "{a}.fill_({n})",
        "{a}.masked_scatter_({a} == 0, {b})", "{a}.index_put_((torch.tensor([0, 1, 2]),), {b})", "{a}.clamp_(0, {n})",
        "{a}.index_add_(0, torch.tensor([0, 1, 2]), {b})", "{a}.index_copy_(0, torch.tensor([0, 1, 2]), {b})",
        "{a}.add_({b})", "torch.add({a}, {b}, out={a})",
    ),
    "jax": (
        "{a} = {a}.at[0].set({b})", "{a} = {a}.at[1:].add({b})", "{a} = {a}.at[{a} == 0].multiply({b})",
        "{a} = {a}.at[jnp.array([0, 1])].max({b})", "{a} = lax.dynamic_update_slice({a}, {b}, (0,) * {a}.ndim)",
        "{a} = {a}.at[..., 0].divide({b})", "{a} = {a}.at[0].power({b})",
    ),
}  # fmt: skip


def write(scope: Scope) -> list[Statement]:
    """A write into an array by an index, or by a method or function that writes."""
    free = _free(scope)
    if not free:
        return []
    name, number = scope.random.choice(free), scope.number()
    if "j" in number:
        return []  # whether PyTorch accepts a complex number depends on its value
    text = str(scope.one_of(*_WRITES[scope.dialect.library])).format(a=name, b=operand(scope, 0), n=number)
    made = tried(scope, [text], name)
    return made if made or scope.chance(0.5) else [Statement((text,), refused=True)]


def region(scope: Scope) -> list[Statement]:
    """A region of autocast, also disabled or within another one, and an operation on its result."""
    array, number = scope.array(1, 2), scope.number()
    if scope.dialect.library != "torch" or array is None:
        return []
    low, first, second, after = scope.one_of("bfloat16", "float16"), scope.fresh(), scope.fresh(), scope.fresh()
    inside = [f"{first} = {expression(scope, 1)}", first, f"{second} = {array} @ {array}", second]
    if scope.chance(0.3):
        inside += ["with torch.autocast('cpu', enabled=False):", f"    {second} = {second} * {number}", f"    {second}"]
    lines = [f"with torch.autocast('cpu', dtype=torch.{low}):", *(f"    {line}" for line in inside)]
    made = tried(scope, lines, second)
    return [*made, *tried(scope, [f"{after} = {second} {scope.one_of(*USUAL)} {array}"], after)] if made else []


def branch(scope: Scope) -> list[Statement]:
    """`if` that binds one name in one branch or in both."""
    one, other, trial = expression(scope), expression(scope), scope.copy()
    if not tried(trial, [f"_one = {one}", f"_other = {other}"]) or not all(
        is_array(trial.names[name]) and may_replace(trial.names["_one"], trial.names[name])
        for name in ("_one", "_other")
    ):
        return []
    name = _target(scope, trial.names["_one"])
    condition = scope.condition()
    if name in scope.names and scope.chance(0.5):
        return tried(scope, [f"if {condition}:", f"    {name} = {one}"], name)
    return tried(scope, [f"if {condition}:", f"    {name} = {one}", "else:", f"    {name} = {other}"], name)


def loop(scope: Scope) -> list[Statement]:
    """A loop that binds a name again, over a range or an array."""
    free = _free(scope)
    array = scope.array(1, 2)
    if not free or array is None:
        return []
    name, item = scope.random.choice(free), scope.fresh("i")
    head = scope.one_of(
        f"while {item} < 2:", f"for {item} in range(2):", f"for {item} in {array}:",
        f"for _, {item} in enumerate({array}):", f"for {item}, _ in zip({array}, {array}):", f"for {item} in (1, 2.5):",
    )  # fmt: skip
    sign = scope.one_of("+", "*", "-", "/")
    body = scope.one_of(
        [f"{name} = {name} {sign} {item}"], [f"{name} {sign}= {item}"],
        [f"{name} = {expression(scope, 0)}"], [f"{name} = {name} {sign} {item}", f"{name} = {expression(scope, 0)}"],
    )  # fmt: skip
    before = [f"{item} = 0"] if head.startswith("while") else []
    if before:
        body = [*body, f"{item} += 1"]
    return tried(scope, [*before, head, *(f"    {line}" for line in [*body, name])], name)


def gathered(scope: Scope) -> list[Statement]:
    """A list that grows in a loop and is stacked."""
    array = scope.array(1, 2)
    if array is None:
        return []
    several, item, name = scope.fresh("s"), scope.fresh("i"), scope.fresh()
    body = f"{item} {scope.one_of('+', '*')} {scope.one_of(scope.number(), item)}"
    lines = [
        f"{several} = []", f"for {item} in {array}:", f"    {several}.append({body})",
        f"{name} = {scope.dialect.namespace}.stack({several})",
    ]  # fmt: skip
    return tried(scope, lines, name)


def helper(scope: Scope) -> list[Statement]:
    """A function, annotated or not, jitted or not, and one or two calls of it."""
    arguments = [found for _ in range(scope.one_of(1, 2, 2)) if (found := scope.array()) is not None]
    if not arguments:
        return []
    parameters = [scope.fresh("p") for _ in arguments]
    values = [scope.names[argument] for argument in arguments]
    inner = scope.inner(dict(zip(parameters, values, strict=True)))
    annotated = scope.chance(0.6) and all(is_strong(scope, value) for value in values)
    inner.exact = scope.exact and annotated
    if annotated:
        inner.fixed |= set(parameters)
    body = [each for _ in range(scope.one_of(1, 2, 3)) for each in statement(inner)]
    if any(each.definition for each in body) or not inner.arrays():
        return []
    result = inner.arrays()[-1]
    given = [f"{p}: {annotation(scope, v)}" if annotated else p for p, v in zip(parameters, values, strict=True)]
    returned = f" -> {annotation(scope, inner.names[result])}" if (
        annotated and is_strong(scope, inner.names[result]) and scope.chance(0.4)
    ) else " -> Any" if annotated and scope.chance(0.1) else ""  # fmt: skip
    name, decorators = scope.fresh("f"), ["@jax.jit"] if scope.dialect.library == "jax" and scope.chance(0.5) else []
    written = [line for each in body for line in each.written()]
    lines = [*decorators, f"def {name}({', '.join(given)}){returned}:", *(f"    {line}" for line in written)]
    made = tried(scope, [*lines, f"    return {result}"], definition=True)
    target = scope.fresh()
    called = tried(scope, [f"{target} = {name}({', '.join(arguments)})"], target) if made else []
    if called and not annotated and scope.chance(0.3):
        again = scope.fresh()
        others = [scope.array() or argument for argument in arguments]
        called += tried(scope, [f"{again} = {name}({', '.join(others)})"], again)
    return [*made, *called] if called else []


def annotation(scope: Scope, value: Any) -> str:
    dtype, other = executed(value).dtype, scope.random.choice(scope.dialect.dtypes)
    if library_of_class(type(value)) == "numpy" and not hasattr(value, "__array_interface__"):
        return scope.dialect.dtype(dtype)
    choice: str = scope.random.choice(scope.dialect.annotations(dtype, other, tuple(value.shape)))
    return choice


def is_strong(scope: Scope, value: Any) -> bool:
    """Whether an annotation can express it: no NumPy scalar, nothing weak, and no array of another library."""
    is_own = library_of_class(type(value)) == scope.dialect.library
    return is_own and hasattr(value, "__setitem__") and not executed(value).weak and executed(value).dtype in EXACT


def structured(scope: Scope) -> list[Statement]:
    """Containers, control flow, functions and classes."""
    filled = structure(scope)
    return [] if filled is None else tried(scope, filled.lines, *filled.names)


_KINDS: Final[tuple[tuple[Callable[[Scope], list[Statement]], float], ...]] = (
    (assignment, 10), (augmented, 1.2), (branch, 0.8), (loop, 0.8), (gathered, 0.3),
    (helper, 1.2), (structured, 4),
)  # fmt: skip
_MISTAKES: Final[tuple[tuple[Callable[[Scope], list[Statement]], float], ...]] = ((write, 1), (region, 0.3))
