"""Diagrams for the tests: every system, with its ordinary dtypes and with all, and small handwritten orders."""

from collections.abc import Mapping
from dataclasses import replace

from hypothesis import strategies as st

from promo_mypy.cli.lattices.caveats import caveats
from promo_mypy.cli.lattices.hasse import Hasse, NotInTheOrderError, hasse
from promo_mypy.rules.operands import Operand
from promo_mypy.rules.systems import SYSTEM_NAMES, get_system


def drawn(name: str, *, everything: bool = False, highlighted: str = "") -> Hasse:
    """The diagram of a system as the command draws it, caveats included."""
    system = get_system(name)
    diagram = hasse(system, everything=everything, highlighted=map(Operand.of, highlighted.split()))
    return replace(diagram, caveats=caveats(system, diagram))


def _all() -> Mapping[str, Hasse]:
    found = {}
    for name in SYSTEM_NAMES:
        for everything in (False, True):
            try:
                found[f"{name} {'all' if everything else 'ordinary'}"] = drawn(name, everything=everything)
            except NotInTheOrderError:
                continue
    found["jax int32 float16"] = drawn("jax", highlighted="int32 float16")
    found["numpy int8 uint16"] = drawn("numpy", highlighted="int8 uint16")
    return found


DIAGRAMS = _all()


def made_of(covers: Mapping[str, str]) -> Hasse:
    """A diagram of covers written as strings."""
    return Hasse("made", tuple(covers), {low: tuple(high.split()) for low, high in covers.items()}, False)


@st.composite
def diagrams(draw: st.DrawFn) -> Hasse:
    """Any diagram of up to ten dtypes: covers lead only to later ones, and none follows from others."""
    names = ["bool", "uint8", "int8", "int16", "i*", "f*", "float16", "float32", "c*", "complex64"]
    nodes = names[: draw(st.integers(0, len(names)))]
    above: dict[str, set[str]] = {}
    covers: dict[str, tuple[str, ...]] = {}
    for index in reversed(range(len(nodes))):
        later = nodes[index + 1 :]
        chosen = set(draw(st.lists(st.sampled_from(later), unique=True))) if later else set()
        implied = {high for low in chosen for high in above[low]}
        covers[nodes[index]] = tuple(node for node in later if node in chosen - implied)
        above[nodes[index]] = chosen | implied
    return Hasse("any", tuple(nodes), {node: covers[node] for node in nodes}, False)
