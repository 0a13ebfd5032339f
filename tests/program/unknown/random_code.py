"""Random programs of functions and classes without annotations, which mix parameters, known values and opaque ones.

`elsewhere.opaque()` stands for what no rule knows: the test runs each program for two dtypes of it.
"""

import random
from collections.abc import Iterator

HEAD = """\
import copy
import functools
import operator
from collections import namedtuple
from dataclasses import dataclass
from typing import Any, NamedTuple
import numpy as np
import elsewhere
from elsewhere import opaque

class Pair(NamedTuple):
    left: Any
    right: Any

@dataclass
class Record:
    left: Any
    right: Any
    def both(self):
        return self.left + self.right

def twice(x):
    return x + x

def mixed(x):
    return x + opaque()

@functools.lru_cache(maxsize=None)
def _cached():
    return np.ones((2, 2), np.int16)

def counted():
    return _cached() + ones

def first_of(xs):
    for each in xs:
        return each

def make(x, y):
    return Pair(x, y)

def adder(x):
    def add(y):
        return x + y
    return add

def dtype_of(x):
    return x.dtype

TABLE = {"twice": twice, "mixed": mixed}
PLAIN = {"twice": twice, "abs": np.abs}
ALIAS = twice
BOTH = functools.partial(np.add, dtype=None)
ones = np.ones((2, 2), np.float32)
"""


def program(seed: int, functions: int) -> str:
    """The text of a program: it calls each of its functions with float32 arrays at the end."""
    chance = random.Random(seed)
    parts, calls = [HEAD], []
    for number in range(functions):
        if chance.random() < 0.5:
            parts.append(_function(chance, f"f{number}"))
            calls.append(f"f{number}(ones, ones, np.add)")
        else:
            parts.append(_class(chance, f"C{number}"))
            bound = f"c#.{chance.choice('abc')} = {_value(chance, ['ones'], [])}\n" if chance.random() < 0.3 else ""
            uses = f"c# = C#(ones, ones)\nc#.use(ones, ones)\nc#.later(ones)\n{bound}c#.use(ones, ones)"
            calls.append(uses.replace("#", str(number)))
    return "\n".join([*parts, *calls]) + "\n"


def _function(chance: random.Random, name: str) -> str:
    lines = [f"def {name}(p, q, fun):", *_indented(_body(chance, ["p", "q"], ["fun(p, q)"]))]
    return "\n".join(lines) + "\n"


def _class(chance: random.Random, name: str) -> str:
    attributes = ["self.a", "self.b", "self.c"]
    lines = [f"class {name}:", "    def __init__(self, p, q):"]
    names = ["p", "q"]
    for each in attributes:
        lines.append(f"        {each} = {_value(chance, names, [])}")
        names.append(each)
    lines += ["        self.items = []", "        self.table = {}"]
    if chance.random() < 0.5:
        lines.append(f"        self.items.append({_value(chance, names, [])})")
    if chance.random() < 0.5:
        lines.append(f"        self.table['k'] = {_value(chance, names, [])}")
    lines += ["        self.items.append(p)", "        self.table['j'] = p"]
    lines += ["    @property", "    def shown(self):", f"        return {_value(chance, attributes, [])}"]
    lines += ["    def own(self, x):", f"        return {_value(chance, [*attributes, 'x'], [])}"]
    lines += ["    def later(self, x):"]
    lines += [f"        {chance.choice(attributes)} = {_value(chance, ['x'], [])}"] if chance.random() < 0.4 else []
    lines += ["        return x"]
    more = ["self.shown", "self.own(p)", "self.items[0]", "self.table['j']"]
    lines += ["    def use(self, p, q):", *_indented(_indented(_body(chance, ["p", "q", *attributes], more)))]
    if chance.random() < 0.3:
        lines += [f"class Sub{name}({name}):", "    def own(self, x):"]
        lines += [f"        return {_value(chance, [*attributes, 'x'], [])}"]
    return "\n".join(lines) + "\n"


#: Statements that bind a variable `v`; `n` is a number of their own, `a` and `b` are values, `one` is a name.
_STATEMENTS = (
    "{v} = {a}",
    "{v} = {a}",
    "for {v} in [{a}, {b}]:\n    {v} + {one}",
    "{v} = {a}\nfor _ in range(2):\n    {v} = {v} + {one}",
    "{v} = {a}.astype(np.complex128)\n{v} += {one}",
    "xs{n} = [{a}]\nxs{n}.append({b})\n{v} = xs{n}[-1]",
    "xs{n} = [{a}]\nxs{n}.append({b})\n{v} = xs{n}[0]",
    "d{n} = {{}}\nd{n}['k'] = {a}\nd{n}['j'] = {b}\n{v} = d{n}['k']",
    "def g{n}(x, y={one}):\n    return {inner}\n{v} = g{n}(ones)",
    "r{n} = Pair({a}, {b})\n{v} = r{n}.left",
    "r{n} = Record({a}, {b})\n{v} = r{n}.right",
    "r{n} = make({a}, {b})\n{v} = r{n}.right",
    "r{n} = Record({a}, {b})\n{v} = r{n}.both()",
    "{v}, w{n} = {a}, {b}\n{v}, w{n} = w{n}, {v}",
    "h{n} = lambda x: {inner}\n{v} = h{n}(ones)",
    "r{n} = Record({a}, {b})\nr{n}.right = {a}\n{v} = r{n}.right",
    "w{n}, *xs{n} = {a}, {b}, {a}\n{v} = xs{n}[0]",
    "t{n} = ({a}).dtype\nif len({b}) > 5:\n    t{n} = ({b}).dtype\n{v} = np.ones((2, 2), t{n})",
)


def _body(chance: random.Random, names: list[str], more: list[str]) -> Iterator[str]:
    local: list[str] = []
    for number in range(chance.randint(4, 9)):
        known = [*names, *local]
        target = chance.choice(local) if local and chance.random() < 0.3 else f"v{number}"
        statement = chance.choice(_STATEMENTS).format(
            v=target,
            n=number,
            a=_value(chance, known, more),
            b=_value(chance, known, more),
            one=chance.choice(known),
            inner=_value(chance, [*known, "x"], []),
        )
        yield from statement.splitlines()
        if target not in local:
            local.append(target)
        yield f"np.sin({target})"
    yield f"return {chance.choice([*names, *local])}"


def _value(chance: random.Random, names: list[str], more: list[str]) -> str:
    """An expression whose value is an array of two dimensions."""
    one, two = chance.choice(names), chance.choice(names)
    if chance.random() < 0.12:
        one = chance.choice(["opaque()", "elsewhere.opaque()", "elsewhere.opaque().T"])
    forms = [
        f"{one} + {two}", f"np.sqrt(np.abs({one}))", f"{one}.T", f"{one}", f"{one}[[0, 1]]",
        f"({one} if len({two}) else {two})", f"twice({one})", f"mixed({one})", f"ALIAS({one})", f"BOTH({one}, {two})",
        f"first_of([{one}, {two}])", f"list(map(twice, [{one}, {two}]))[0]", f"functools.partial(np.add, {one})({two})",
        f"functools.reduce(operator.add, [{one}, {two}])", f"sum([{one}, {two}])", f"copy.copy({one})",
        f"adder({one})({two})", f"np.stack([{one}, {two}])[0]",
        f"np.where(np.real({one}) > 0, {one}, {two})", f"np.multiply({one}, 2)", f"[x * 2 for x in [{one}, {two}]][0]",
        f"{{'k': {one}, 'j': {two}}}['k']", f"np.zeros({one}.shape, {two}.dtype)", f"np.zeros_like({one})",
        f"make({one}, {two}).left", f"Record({one}, {two}).both()", f"(lambda x: x + {one})(ones)", f"{one}.copy()",
        f"{one} * np.arange({two}.shape[0])", f"max([{one}, {two}], key=len)", f"dict(k={one})['k']",
        f"np.asarray({one}, dtype={two}.dtype)", f"({one} == {two})", f"(np.abs({one}) > 1)", f"(~({one} != {two}))",
        f"np.asarray({one}, {two}.dtype)", f"np.zeros((2, 2), dtype_of({two}))", f"TABLE['twice']({one})",
        f"PLAIN['twice']({one})", f"(twice if len({one}) else mixed)({two})", f"(twice if len({one}) else abs)({two})",
        f"np.zeros((2, 2), np.result_type({one}, {two}))", f"(({one} == 1) & ({two} == 2)).T",
        f"(counted() + {one})", *more, *more,
    ]  # fmt: skip
    return chance.choice(forms)


def _indented(lines: Iterator[str]) -> Iterator[str]:
    return (f"    {line}" for line in lines)
