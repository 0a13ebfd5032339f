"""Programs about the contents of variables and containers; in JAX, and with `torch` in place of `jnp` in PyTorch."""

#: An item that is added to a container later may have another dtype than its items; in JAX and in PyTorch.
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
    "displays_in_displays": """
a = jnp.ones(3, jnp.int16)
b = jnp.ones(3, jnp.float16)
c = [[a], [b]]
d = c[1][0]
d
for e in c:
    for f in e:
        f
g = {"a": [a], "b": [b]}
d = g["b"][0]
d
h = {"a": {"x": a}, "b": {"x": b}}
d = h["b"]["x"]
d
for i in ([a], [b]):
    d = i[0]
    d
""",
    "names_in_patterns": """
a = jnp.ones(3, jnp.int16)
b = jnp.ones(3, jnp.float16)
match (a, b):
    case (c, d):
        c
        d
match [b, a]:
    case [c, *e]:
        c
        d = e[0]
        d
""",
    "unknown_values_in_containers": """
def known(x):
    return x
a = jnp.ones(3, jnp.int16)
b = known(jnp.ones(3, jnp.float16))
c = {"a": a}.get("b", b)
c
d = ([a] + [b])[1]
d
e = ({"a": a} | {"b": b})["b"]
e
f = [a]
f.append(b)
c = f[1]
c
g = [a, a]
g[1] = b
c = g[1]
c
h = [a]
h += [b]
c = h[1]
c
""",
    "assignments_that_mypy_refuses": """
a = jnp.ones(3, jnp.int16)
b = jnp.ones(3, jnp.float16)
c: Int16[Array, "3"] = a
d = c * 2
c = b  # type: ignore[assignment]
c
d = c * a
d
e: Int16[Array, "3"] = a * 1
if d.ndim == 1:
    e = b  # type: ignore[assignment]
d = e * a
d
f = 1.0
for g in [a, a]:
    f = f * g  # type: ignore[assignment]
    d = f * b
    d
d = f * b
d
""",
}  # fmt: skip
