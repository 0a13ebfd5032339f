"""Values whose dtype is inferred, and places where a value is used that declare no dtype."""

from collections.abc import Mapping
from typing import Final

#: What each program begins with.
PRELUDE: Final = """\
import asyncio, dataclasses, functools, itertools, math, operator, os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypedDict, TypeVar
T = TypeVar("T")
class C:
    name: str = ""
    def __init__(self, name: str = "") -> None: ...
    def __add__(self, other: "C") -> "C": ...
    def __getitem__(self, key: str) -> str: ...
    def method(self, text: str, *, key: int = 0) -> str: ...
    @property
    def text(self) -> str: ...
    @text.setter
    def text(self, value: str) -> None: ...
class Box(Generic[T]):
    def __init__(self, item: T) -> None: ...
    def put(self, item: T) -> None: ...
@dataclasses.dataclass
class D:
    name: str
class N(NamedTuple):
    name: str
class K(TypedDict):
    name: str
class HasName(Protocol):
    def name(self) -> str: ...
def text(x: str, *rest: str, key: str = "") -> str: ...
def texts(x: list[str]) -> list[str]: ...
def pair(x: tuple[str, int]) -> None: ...
def call(x: Callable[[], str]) -> None: ...
def same(x: T, y: T) -> T: ...
def listed(x: Sequence[T]) -> T: ...
def untyped(x, y=None):
    return x
flag: bool = bool(os.environ)
c = C()
"""

#: What a program of a library begins with, too.
VALUES: Final[Mapping[str, str]] = {
    "numpy": """\
import numpy as np
a = np.array([1, 2, 3])
f = np.array([1.0, 2.5])
m = np.array([[1.0, 2.5], [3, 4]])
class H:
    def __init__(self):
        self.a = np.array([1, 2, 3])
        self.n = self.a.max()
h = H()
""",
    "jax": """\
import jax
import jax.numpy as jnp
a = jnp.array([1, 2, 3])
f = jnp.array([1.0, 2.5])
m = jnp.array([[1.0, 2.5], [3, 4]])
""",
    "torch": """\
import torch
a = torch.tensor([1, 2, 3])
f = torch.tensor([1.0, 2.5])
m = torch.tensor([[1.0, 2.5], [3, 4]])
""",
}

_SHARED: Final = (
    "a", "a[0]", "a.item()", "a[0].item()", "a.tolist()", "a.tolist()[0]", "a.max()", "a.max().item()", "f.mean()",
    "f.mean(axis=0)", "a + 1", "1 - f", "a * f", "a > 1", "a == a", "a.any()", "a.argmax()", "-a", "m @ m", "a[a > 1]",
    "a[0] * 2", "f[0] ** 2", "2 / f[0]", "abs(f[0])", "round(f[0])", "f[0] > 1", "a.T", "a.real", "a.dtype",
    "[x for x in a]", "[*a]", "list(a)", "(a[0], f)", "{'k': a[0]}", "[a[0]]", "[a, f]", "max(a)", "sum(a)",
    "sorted(a)", "list(zip(a, f))", "next(iter(a))", "a if flag else None", "a[0] if flag else 1", "a.max() or 'x'",
    "untyped(a)", "(lambda: a[0])()", "[a[0]][0]", "{'k': f.mean()}['k']", "divmod(a, 2)", "list(map(abs, a))",
    "{x: 1 for x in a}", "tuple(a)", "enumerate(a)", "a[0], a", "a[None]", "a.reshape(-1)", "a.sum(axis=0)",
)  # fmt: skip

#: Library -> expressions whose dtype is inferred. To stock mypy many are Any.
EXPRESSIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "numpy": (
        *_SHARED, "a.item(0)", "a.astype(f.dtype)", "np.where(a > 1)", "np.where(a > 1, a, f[0])", "np.nonzero(a)[0]",
        "np.unique(a, return_counts=True)", "np.linalg.svd(m)", "np.linalg.eigh(m).eigenvalues", "np.histogram(a)",
        "np.meshgrid(a, a)", "np.split(a, 3)", "np.mean(a)", "np.dot(a, a)", "np.float32(1) + a", "np.array([a, a])",
        "np.stack([a, a])", "np.array(1)", "np.array(1).item()", "a.std()", "np.sqrt(f)", "np.sqrt(f[0])",
        "np.add(a, 1)", "np.max(a)", "np.median(f)", "np.percentile(f, 50)", "np.arange(a[0])", "np.zeros(a.shape)",
        "h.a", "h.n", "np.linalg.norm(f)", "np.cumsum(a)", "np.float64(1) * a[0]", "np.ones(3) * a",
        "np.random.rand(3)[a]",
    ),
    "jax": (
        *_SHARED, "jnp.where(a > 1)", "jnp.where(a > 1, a, f[0])", "jnp.nonzero(a)[0]", "jnp.linalg.svd(m)",
        "jnp.mean(a)", "jnp.dot(a, a)", "jnp.stack([a, a])", "jnp.sqrt(f)", "jax.grad(lambda x: x.sum())(f)",
        "jax.jit(lambda x: x + 1)(f)", "jax.vmap(lambda x: x + 1)(f)", "jnp.linalg.norm(f)", "a.at[0].set(1)",
    ),
    "torch": (
        *_SHARED, "torch.where(a > 1)", "torch.where(a > 1, a, f[0])", "torch.nonzero(a)[0]", "torch.linalg.svd(m)",
        "torch.mean(f)", "torch.dot(a, a)", "torch.stack([a, a])", "torch.sqrt(f)", "f.max(dim=0)",
        "f.max(dim=0).values", "f.topk(1)", "f.numpy()", "f.to(torch.float16)", "torch.nn.Linear(2, 2)(f)",
        "torch.linalg.norm(f)", "f.sort()", "f.unbind()", "f.numel()",
    ),
}  # fmt: skip

#: Statements; E is the expression, and each runs in a function of its own.
USES: Final[tuple[str, ...]] = (
    "v: str = E", "v: int = E", "v: float = E", "v: bool = E", "v: list[str] = E", "v: dict[str, int] = E",
    "v: tuple[str, int] = E", "v: C = E", "v: C | None = E", "v: Callable[[], int] = E", "v: Literal['x'] = E",
    "v: type[int] = E", "v: list[str] = [E]", "v: list[str] = ['', E]", "v: tuple[str, int] = ('', E)",
    "v: dict[str, str] = {'k': E}", "v: set[str] = {E}", "v: Box[str] = Box(E)", "v: Sequence[str] = E",
    "v: Iterable[str] = E", "v: HasName = E", "v: str | int = E", "v: dict[str, list[str]] = {'k': [E]}",
    "v: list[str] = [E for _ in 'ab']", "v: str = E if flag else ''", "v: Callable[[], str] = lambda: E",
    "v: K = {'name': E}", "v: str = (E, 1)[0]", "v: str = [E][0]", "v: str = {'k': E}['k']",
    "text(E)", "text(*E)", "text(key=E)", "text('', E)", "texts(E)", "texts([E])", "pair((E, 1))", "pair(('', E))",
    "call(E)", "call(lambda: E)", "same('', E)", "listed(['', E])", "C(E)", "D(E)", "D(name=E)", "N(E)", "K(name=E)",
    "Box('').put(E)", "c.method(E)", "c.method('', key=E)", "c.name = E", "c.text = E", "c + E", "E + c", "c[E]",
    "c[E, 0]", "untyped(E)", "functools.partial(text, E)()", "functools.reduce(operator.add, E)", "map(text, E)",
    "map(text, [E])", "list(map(text, E))", "''.join(E)", "''.join([E])", "'' + E", "E + ''", "E < ''", "'' in E",
    "E in ''", "E in ['']", "'%s' % E", "'%d %s' % (E, 1)", "E % 2", "f'{E:d}'", "'{}'.format(E)", "E.nothing",
    "E.nothing()", "E.nothing = 1", "E['k']", "E[0]", "E[0][0]", "E[0, 0]", "E[:1]", "E()", "E(1, k=2)", "-E", "~E",
    "not E", "E and ''", "(E or '') + ''", "E is None", "E == ''", "E == 1", "E @ E", "[1, 2][E]", "'ab'[E]",
    "[1, 2][:E]", "{'k': 1}[E]", "{'k': 1}.get(E)", "['x'].append(E)", "['x'].index(E)", "['x'] + [E]", "['x'] * E",
    "[''] + E", "{'k': ''}.update(E)", "{'k': ''}.update(k=E)", "range(E)", "len(E)", "int(E)", "float(E)", "str(E)",
    "bool(E)", "abs(E)", "round(E, 1)", "math.sqrt(E)", "math.floor(E)", "max(E, '')", "max(E)", "sum(E)", "sum([E])",
    "sorted(E)", "sorted([E])", "sorted([E], key=len)", "list(E)", "dict(E)", "set([E])", "zip(E, '')", "enumerate(E)",
    "isinstance(E, str)", "open(E)", "os.path.join('', E)", "print(E, sep=E)", "hash(E)", "iter(E)", "next(E)",
    "itertools.chain(E, '')", "operator.add(E, '')", "getattr(c, E)", "pow(E, 2)", "divmod(E, 2)", "complex(E)",
    "for q in E: text(q)", "for q, r in E: text(q)", "p, q = E; text(p)", "p, *q = E; text(p)", "(p, q), r = E",
    "v = ''; v = E", "v = 0; v = E", "v = 0.0; v = E", "v = None; v = E", "v = [0]; v = E", "v = E; v = ''",
    "v = E; v = 0", "v = [E]; v = ['']", "v = [E]; v.append('')", "v = {'k': E}; v['k'] = ''",
    "v = (E, 1); v = ('', 1)", "v = ['']; v[0] = E", "v = ['']; v.append(E)", "v = ['']; v += [E]", "v = ['']; v += E",
    "v = ['']; v.extend(E)", "v = ['']; v[E] = ''", "v = ['']; v[0:1] = E", "v = {'k': ''}; v['k'] = E",
    "v = {'k': ''}; v[E] = ''", "v = {''}; v.add(E)", "v = [None]; v[0] = E", "v = []; v.append(E); text(v[0])",
    "v = {}; v['k'] = E; text(v['k'])", "v = ''; v += E", "v = 0; v += E", "v = E; v += ''", "v = E; v += 1",
    "v = E; v -= ''", "v = [E, '']; v[0].nothing", "v = (E, ''); v[0].nothing", "v = [q for q in E]; text(v[0])",
    "v = {q: '' for q in E}", "v = E; del v['k']", "v = E; v['k'] = ''", "v = E; v[0] = ''", "v = E; text(v)",
    "v = E if flag else ''; text(v)", "v = E or ''; text(v)", "v = E\n    if isinstance(v, str): text(v)",
    "v = E\n    if v is not None: text(v)", "with E as q: text(q)", "async def g(): await E",
    "async def g() -> str: return E", "def g() -> str: return E", "def g(x: str = E): ...", "def g(x=E): text(x)",
    "g = lambda x=E: text(x)", "def g() -> Iterable[str]: yield E", "def g() -> Iterable[str]: yield from E",
    "def g() -> list[str]: return [E]", "def g() -> tuple[str, int]: return E, 1", "assert E == ''", "raise E",
    "class G(C): name = E", "class G:\n        q = E\n        r: str = q",
    "class G:\n        def __init__(self): self.q = E\n        def g(self) -> str: return self.q",
    "v: str\n    v = E", "v: Any = E; text(v)", "v: object = E; text(v)", "v: list[Any] = E",
    "v: dict[str, Any] = E", "v: Any | None = E; text(v)", "while E: text(E)",
    "v = [E for q in '' if E]; text(v[0])", "v = E, E; text(v[0])",
)  # fmt: skip

#: Uses that fail for every value of an inferred dtype, so that the error is right.
CERTAIN: Final = frozenset({"raise E", "async def g(): await E", "E['k']", "v = E; v['k'] = ''"})

#: Library -> expressions of which the plugin knows more: to typeshed the sum of values of Any is an int, and PyTorch
#: declares an int or a float for an item.
MORE_EXACT: Final[Mapping[str, frozenset[str]]] = {
    "numpy": frozenset(),
    "jax": frozenset({"sum(a)"}),
    "torch": frozenset({"sum(a)", "a.item()", "a[0].item()", "a.max().item()"}),
}

_FLOAT = "The plugin knows that it is a float64, which is a float."
_INT = "To typeshed the sum of values of Any is an int."
_ITEMS = "A list or tuple that is bound again may hold scalars of any dtype, so its items are Any."
_JOINED = "mypy joins a value that is Any to the stubs, and anything else, to Any."

#: Library -> use and expression of each cell that loses an error of stock mypy, and why. No cell has a new one.
LOST: Final[Mapping[str, Mapping[tuple[str, str], str]]] = {
    "numpy": {
        ("v: float = E", "np.linalg.norm(f)"): _FLOAT,
        ("v = 0.0; v = E", "np.linalg.norm(f)"): _FLOAT,
        ("v: bool = E", "sum(a)"): _INT,
        **{
            (use, expression): _ITEMS
            for expression in ("a.any()", "a.argmax()", "np.linalg.norm(f)")
            for use in ("v = [E]; v = ['']", "v = (E, 1); v = ('', 1)")
        },
        ("v = [q for q in E]; text(v[0])", "(a[0], f)"): _JOINED,
        ("sorted([E], key=len)", "a[0] if flag else 1"): _JOINED,
        ("v = [E, '']; v[0].nothing", "a[0] if flag else 1"): _JOINED,
        ("v = [E for q in '' if E]; text(v[0])", "a[0] if flag else 1"): _JOINED,
        ("sum([E])", "a.max() or 'x'"): _JOINED,
        ("v = [E, '']; v[0].nothing", "a.max() or 'x'"): _JOINED,
    },
    "jax": {},
    "torch": {},
}
