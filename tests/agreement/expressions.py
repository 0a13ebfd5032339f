"""Random expressions over the arrays of a scope: operators, calls of the registry, casts, indexing, and nested ones.

Execution shows whether the library accepts an expression.
"""

import re
from collections.abc import Callable
from typing import Any, Final

from tests.agreement.execution import executed, run
from tests.agreement.scope import Scope, is_array

BINARY = ("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "@", "<", "<=", ">", ">=", "==", "!=")
USUAL = ("+", "-", "*", "/", "+", "*")
_VARIABLE = re.compile(r"(?<![\w.'\"])([xyzuvwmnd])(?![\w'\"=])")
_INDICES = {
    0: ("[()]", "[None]", "[...]"),
    1: ("[0]", "[-1]", "[1:]", "[::-1]", "[None]", "[..., 0]", "[[0, 1]]", "[:2]", "[None, :]", "[...]"),
    2: ("[0]", "[0, 1]", "[:, 0]", "[1:]", "[0][1]", "[..., 0]", "[None]", "[0, :]", "[[0, 1]]", "[:, None]"),
    3: ("[0]", "[0, 0, 0]", "[0, 0]", "[..., 0]"),
}


def expression(scope: Scope, depth: int = 1) -> str:
    """An expression that is usually an array."""
    kinds, weights = zip(*_KINDS, strict=True)
    found: str | None = None
    while found is None:
        (kind,) = scope.random.choices(kinds, weights)
        found = kind(scope, depth)
    return found


def operand(scope: Scope, depth: int) -> str:
    """An operand of an operator."""
    if depth > 0 and scope.chance(0.2):
        text = expression(scope, depth - 1)
        if is_array(value_of(scope, text)):  # no list of arrays, which NumPy multiplies as an array, and mypy as a list
            return f"({text})"
    return scope.array() or scalar(scope)


def _operator(scope: Scope, depth: int) -> str:
    left = operand(scope, depth)
    right = scope.number() if scope.chance(0.4) else operand(scope, depth)
    if scope.chance(0.3):
        left, right = right, left
    if right.startswith("-"):
        right = f"({right})"
    sign = scope.one_of(*BINARY) if scope.chance(0.5) else scope.one_of(*USUAL)
    if scope.chance(0.04):
        return f"divmod({left}, {right})"
    return f"{_bracketed(left)} {sign} {right}"


def _bracketed(text: str) -> str:
    return f"({text})" if text.startswith("-") or (" " in text and not text.startswith("(")) else text


def _unary(scope: Scope, depth: int) -> str:
    inner = operand(scope, depth)
    return str(scope.one_of(f"-{inner}", f"~{inner}", f"+{inner}", f"abs({inner})"))


def _call(scope: Scope, depth: int) -> str | None:
    text = scope.random.choice(scope.dialect.calls)
    named: dict[str, str] = {}

    def value(match: re.Match[str]) -> str:
        variable = match[1]
        if variable not in named:
            named[variable] = _variable(scope, variable, depth)
        return named[variable]

    try:
        return _VARIABLE.sub(value, text)
    except LookupError:
        return None


def _variable(scope: Scope, variable: str, depth: int) -> str:
    """A value for a variable of the registry's calls. Raises LookupError without such a value."""
    if variable == "d":
        return scope.dtype()
    if (variable in "vw" and scope.chance(0.5)) or (variable in "xyz" and scope.chance(0.08)):
        return scope.number()
    if depth > 0 and variable not in "mn" and scope.chance(0.1):
        return f"({expression(scope, depth - 1)})"
    found = scope.array(2) if variable in "mn" else scope.array(1, 1, 1) if scope.chance(0.8) else scope.array(0)
    if found is None:
        raise LookupError
    return found


def _cast(scope: Scope, depth: int) -> str | None:
    text: str = scope.random.choice(scope.dialect.casts)
    return text.format(x=operand(scope, depth), d=scope.dtype())


def _index(scope: Scope, _depth: int) -> str | None:
    array = scope.array()
    if array is None:
        return None
    shape = getattr(scope.names[array], "shape", ())
    if scope.chance(0.1):
        return f"{array}[{array} {scope.one_of('>', '==', '!=')} 0]"
    if scope.dialect.library == "jax" and scope.chance(0.2):
        method = scope.one_of("set", "add", "multiply", "max", "min")
        return f"{array}.at[0].{method}({operand(scope, 0) if scope.chance(0.5) else scope.number()})"
    return f"{array}{scope.one_of(*_INDICES[len(shape)])}"


def _crossing(scope: Scope, depth: int) -> str | None:
    """A conversion from NumPy to the library, or back, or an operation of both."""
    if not scope.dialect.crossings:
        return None
    text: str = scope.random.choice(scope.dialect.crossings)
    dtype = scope.random.choice([name for name in scope.dialect.dtypes if name != "bfloat16"])
    return text.format(x=operand(scope, depth), n="np.bool" if dtype == "bool" else f"np.{dtype}")


def _creation(scope: Scope, _depth: int) -> str:
    dialect = scope.dialect
    text: str = scope.random.choice(scope.one_of(dialect.creations, dialect.matrices))
    return text.format(d=dialect.dtype(scope.random.choice(dialect.dtypes)))


def scalar(scope: Scope, _depth: int = 0) -> str:
    """A scalar of the library."""
    dialect = scope.dialect
    text: str = scope.random.choice(dialect.scalars)
    return text.format(d=dialect.dtype(scope.random.choice(dialect.dtypes)))


def _listed(scope: Scope, _depth: int) -> str | None:
    """An array made of a list of arrays and numbers, also nested."""
    array = scope.array(0, 1)
    if array is None:
        return None
    same = [each for each in scope.arrays() if scope.names[each].shape == scope.names[array].shape]
    items = [array, scope.random.choice(same)]
    if not scope.names[array].shape and scope.chance(0.5):
        items.append(scope.number())
    listed = f"[{', '.join(items)}]"
    make = scope.one_of("array", "asarray") if scope.dialect.library != "torch" else scope.one_of("stack", "tensor")
    return f"{scope.dialect.namespace}.{make}({scope.one_of(listed, f'[{listed}, {listed}]')})"


def _conditional(scope: Scope, depth: int) -> str | None:
    return f"{operand(scope, depth)} if {scope.condition()} else {operand(scope, depth)}"


def value_of(scope: Scope, text: str) -> Any:
    """The value of an expression; None if it has none."""
    trial = dict(scope.names)
    try:
        run(f"_value = {text}", trial)
    except Exception:  # any exception of the library
        return None
    return trial["_value"]


def _called_lambda(scope: Scope, _depth: int) -> str | None:
    body, argument = parameter_expression(scope), scope.array()
    return None if body is None or argument is None else f"(lambda p: {body})({argument})"


def _comprehension(scope: Scope, _depth: int) -> str | None:
    body, argument = parameter_expression(scope), scope.array(1, 2)
    if body is None or argument is None:
        return None
    space, is_torch = scope.dialect.namespace, scope.dialect.library == "torch"
    each = f"{body} for p in {argument}"
    items = scope.one_of(
        f"[{each}]", f"list([{each}])", f"tuple({each})", f"list({argument})", f"[*{argument}, *[{each}]]"
    )
    join = scope.one_of("stack", "cat" if is_torch else "concatenate", "tensor" if is_torch else "array")
    stacked = f"{space}.stack([{argument} * k for k in (1, 2)])"
    return str(
        scope.one_of(f"[{each}][0]", f"sum([{each}])", f"{space}.{join}({items})", f"{space}.{join}({items})", stacked)
    )


def parameter_expression(scope: Scope) -> str | None:
    """An expression of a parameter p: a simple one of some local, with p in its place."""
    array = scope.array()
    if array is None:
        return None
    body = re.sub(rf"\b{array}\b", "p", expression(scope, 0))
    return body if re.search(r"\bp\b", body) else f"p {scope.one_of(*USUAL)} {scope.one_of(scope.number(), array)}"


def _transform(scope: Scope, _depth: int) -> str | None:
    body, vector, matrix = parameter_expression(scope), scope.array(1), scope.array(2)
    if body is None or vector is None:
        return None
    choices = [*_TRANSFORMS[scope.dialect.library]]
    if not choices or (matrix is None):
        return None
    second = parameter_expression(scope)
    start = scope.array(0, 1) or vector
    if "start" in (chosen := str(scope.random.choice(choices))) and executed(scope.names[start]).weak:
        return None  # JAX traces the body again with a strong carry
    return chosen.format(body=body, second=second, x=vector, m=matrix, start=start, condition=scope.condition())


_TRANSFORMS = {
    "numpy": (),
    "cupy": (),
    "jax": (
        "jax.jit(lambda p: {body})({x})",
        "jax.vmap(lambda p: {body})({m})",
        "jax.vmap(lambda p, q: p + q)({m}, {x})",
        "jax.grad(lambda p: jnp.sum({body}))({x})",
        "jax.value_and_grad(lambda p: jnp.sum({body}))({x})",
        "jax.jacfwd(lambda p: {body})({x})",
        "lax.fori_loop(0, 3, lambda i, p: {body}, {start})",
        "lax.scan(lambda c, p: (c, {body}), {start}, {x})",
        "lax.scan(lambda c, p: (c + p, p), {start}, {m})",
        "lax.cond({condition}, lambda p: {body}, lambda p: {second}, {x})",
        "lax.map(lambda p: {body}, {m})",
        "lax.while_loop(lambda p: p.sum() < 5, lambda p: {body}, {start})",
        "jax.tree.map(lambda p: {body}, {x})",
        "jax.checkpoint(lambda p: {body})({x})",
    ),
    "torch": (
        "torch.func.vmap(lambda p: {body})({m})",
        "torch.func.grad(lambda p: ({body}).sum())({x})",
    ),
}


_KINDS: Final[tuple[tuple[Callable[[Scope, int], str | None], float], ...]] = (
    (_operator, 6), (_call, 7), (_cast, 1.5), (_index, 1.5), (_unary, 0.7), (_creation, 0.7), (scalar, 0.5),
    (_conditional, 0.4), (_called_lambda, 0.4), (_comprehension, 0.5), (_transform, 0.6), (_listed, 0.4),
    (_crossing, 0.7),
)  # fmt: skip
