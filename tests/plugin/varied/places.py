"""The places of a mistake: how a value gets from where it is made to where it does not fit.

`VALUE` makes the value, `TYPE` is its type, `USE<...>` the expression with the mistake, and `RESULT` the type that is
declared for what it gives. `N` tells the programs of one module apart. Each program has a function `main_N`.
"""

from typing import Final

#: Places where the use is a statement of its own, so that a statement can stand in front of it.
STATEMENTS: Final = {
    "variable": """
def main_N() -> object:
    x = VALUE
    result: RESULT = USE<x>
    return result
""",
    "parameter": """
def use_N(x: TYPE) -> object:
    result: RESULT = USE<x>
    return result
def main_N() -> object:
    return use_N(VALUE)
""",
    "attribute": """
class Holder_N:
    def __init__(self) -> None:
        self.x = VALUE
    def use(self) -> object:
        result: RESULT = USE<self.x>
        return result
def main_N() -> object:
    return Holder_N().use()
""",
    "inherited": """
class Base_N:
    def __init__(self, x: TYPE) -> None:
        self.x = x
class Derived_N(Base_N):
    def use(self) -> object:
        result: RESULT = USE<self.x>
        return result
def main_N() -> object:
    return Derived_N(VALUE).use()
""",
    "property": """
class Holder_N:
    @property
    def x(self) -> TYPE:
        return VALUE
def main_N() -> object:
    result: RESULT = USE<Holder_N().x>
    return result
""",
    "class_method": """
class Holder_N:
    given: TYPE
    @classmethod
    def new(cls, x: TYPE) -> "Holder_N":
        made = cls()
        made.given = x
        return made
def main_N() -> object:
    made = Holder_N.new(VALUE)
    result: RESULT = USE<made.given>
    return result
""",
    "data_class": """
@dataclasses.dataclass
class Fields_N:
    held: TYPE
    name: str = "x"
def main_N() -> object:
    fields = Fields_N(VALUE)
    result: RESULT = USE<fields.held>
    return result
""",
    "named_tuple": """
class Fields_N(NamedTuple):
    name: str
    x: TYPE
def main_N() -> object:
    name, x = Fields_N("x", VALUE)
    result: RESULT = USE<x>
    return result if name else None
""",
    "typed_dict": """
class Fields_N(TypedDict):
    x: TYPE
def main_N() -> object:
    fields: Fields_N = {"x": VALUE}
    result: RESULT = USE<fields["x"]>
    return result
""",
    "dictionary": """
def main_N() -> object:
    table = {"x": VALUE}
    result: RESULT = USE<table["x"]>
    return result
""",
    "loop": """
def main_N() -> object:
    results: list[object] = []
    for x in [VALUE, VALUE]:
        result: RESULT = USE<x>
        results.append(result)
    return results[0]
""",
    "pairs": """
def main_N() -> object:
    results: list[object] = []
    for name, (position, x) in {"a": (0, VALUE)}.items():
        result: RESULT = USE<x>
        results += [result, name, position]
    return results[0]
""",
    "unpacked": """
def main_N() -> object:
    x, count = VALUE, 3
    result: RESULT = USE<x>
    return result if count else None
""",
    "returned": """
def make_N(count: int) -> TYPE:
    return VALUE
def main_N() -> object:
    result: RESULT = USE<make_N(3)>
    return result
""",
    "generic": """
def same_N(x: T) -> T:
    return x
def main_N() -> object:
    result: RESULT = USE<same_N(VALUE)>
    return result
""",
    "generic_class": """
class Box_N(Generic[T]):
    def __init__(self, item: T) -> None:
        self.item = item
    def get(self) -> T:
        return self.item
def main_N() -> object:
    box = Box_N(VALUE)
    result: RESULT = USE<box.get()>
    return result
""",
    "optional": """
def use_N(x: TYPE | None = None) -> object:
    if x is None:
        return None
    result: RESULT = USE<x>
    return result
def main_N() -> object:
    return use_N(VALUE)
""",
    "either": """
def main_N() -> object:
    x = VALUE if len(sys.argv) < 100 else VALUE
    result: RESULT = USE<x>
    return result
""",
    "rebound": """
def main_N() -> object:
    x: Any = None
    if len(sys.argv) < 100:
        x = None
    y = VALUE
    result: RESULT = USE<y>
    return result if x is None else None
""",
    "managed": """
def main_N() -> object:
    with contextlib.nullcontext(VALUE) as x:
        result: RESULT = USE<x>
    return result
""",
    "walrus": """
def main_N() -> object:
    if (x := VALUE) is not None:
        result: RESULT = USE<x>
        return result
    return None
""",
    "constant": """
X_N = VALUE
def main_N() -> object:
    result: RESULT = USE<X_N>
    return result
""",
    "rest": """
def use_N(*xs: TYPE) -> object:
    result: RESULT = USE<xs[0]>
    return result
def main_N() -> object:
    return use_N(VALUE)
""",
    "keywords": """
def use_N(**xs: TYPE) -> object:
    result: RESULT = USE<xs["x"]>
    return result
def main_N() -> object:
    return use_N(x=VALUE)
""",
    "closure": """
def main_N() -> object:
    x = VALUE
    def use() -> object:
        result: RESULT = USE<x>
        return result
    return use()
""",
    "method": """
class User_N:
    def use(self, x: TYPE, /, *, count: int = 1) -> object:
        result: RESULT = USE<x>
        return result
def main_N() -> object:
    return User_N().use(VALUE, count=2)
""",
    "guarded": """
def main_N() -> object:
    x = VALUE
    try:
        count = int("3")
    except ValueError:
        count = 0
    finally:
        x = VALUE
    result: RESULT = USE<x>
    return result if count else None
""",
    "generator": """
def values_N() -> Iterator[TYPE]:
    yield VALUE
def main_N() -> object:
    x = next(values_N())
    result: RESULT = USE<x>
    return result
""",
    "awaited": """
async def value_N() -> TYPE:
    return VALUE
async def use_N() -> object:
    result: RESULT = USE<(await value_N())>
    return result
def main_N() -> object:
    return asyncio.run(use_N())
""",
    "overridden": """
class Base_N:
    def make(self) -> TYPE:
        raise NotImplementedError
class Derived_N(Base_N):
    def make(self) -> TYPE:
        return VALUE
def main_N() -> object:
    base: Base_N = Derived_N()
    result: RESULT = USE<base.make()>
    return result
""",
}
#: Places for expressions only.
EXPRESSIONS: Final = {
    "comprehension": """
def main_N() -> object:
    results: list[RESULT] = [USE<x> for x in [VALUE]]
    return results[0]
""",
    "lambda": """
def main_N() -> object:
    use: Callable[[TYPE], RESULT] = lambda x: USE<x>
    return use(VALUE)
""",
    "argument": """
def show_N(given: RESULT) -> object:
    return given
def main_N() -> object:
    x = VALUE
    return show_N(USE<x>)
""",
    "result": """
def use_N(x: TYPE) -> RESULT:
    return USE<x>
def main_N() -> object:
    return use_N(VALUE)
""",
    "item": """
def main_N() -> object:
    results: dict[str, RESULT] = {}
    x = VALUE
    results["x"] = USE<x>
    return results["x"]
""",
}
