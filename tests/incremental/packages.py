"""Write a random package, and edit it at random: one edit changes one thing, in one of its files or in the options."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from tests.incremental.templates import ADDED, CHOICES, LATTICES, MAIN, MODULES, OPTIONS, PACKAGE, SETTINGS

_SLOT: Final = re.compile(r"<(\w+)(?::(\w+))?(?:\.\d+)?>")
_BROKEN: Final = ("def broken(:\n", "x = = 1\n", "    indented = 1\n", "class\n")


@dataclass
class Block:
    """A text with slots, and what they hold, in order."""

    text: str
    held: list[str]

    def kinds(self) -> list[str]:
        """The kind of each slot."""
        return [match[1] for match in _SLOT.finditer(self.text)]

    def source(self) -> str:
        """The text with the slots replaced."""
        held = iter(self.held)

        def written(match: re.Match[str]) -> str:
            before = self.text[: match.start()].rpartition("\n")[2]
            indentation = before[: len(before) - len(before.lstrip())]
            text = next(held)
            return (text.format(match[2]) if match[2] else text).replace("\n", f"\n{indentation}")

        return _SLOT.sub(written, self.text)


@dataclass
class Module:
    """The blocks of one file. `note`: what edits have added below. `broken`: a syntax error below that."""

    blocks: list[Block]
    note: str = ""
    broken: str = ""

    def source(self) -> str:
        """The text of the file."""
        return "".join(block.source() for block in self.blocks) + self.note + self.broken


@dataclass
class Package:
    """The modules by name, and the options."""

    modules: dict[str, Module] = field(default_factory=dict)
    options: str = ""
    settings: str = ""
    lattice: str = LATTICES[0]
    deleted: dict[str, Module] = field(default_factory=dict)

    def files(self) -> dict[str, str]:
        """Path -> text of each file."""
        return {f"{PACKAGE}/{name}.py": module.source() for name, module in self.modules.items()}


def package(random: Random) -> Package:
    """A random package."""
    found = Package({name: _module(blocks, random) for name, blocks in MODULES.items()})
    found.options, found.settings = random.choice(OPTIONS), random.choice(SETTINGS)
    return found


def edit(package: Package, random: Random) -> str:
    """Change one thing. Return what has changed."""
    broken = [name for name, module in package.modules.items() if module.broken]
    if broken and random.random() < 0.7:
        return _repair(package, random)
    return random.choices(list(_EDITS), list(_EDITS.values()))[0](package, random)


def _module(blocks: Sequence[str], random: Random) -> Module:
    made = [Block(text, []) for text in blocks]
    for block in made:
        block.held = [random.choice(CHOICES[kind]) for kind in block.kinds()]
    return Module(made)


def _change_slot(package: Package, random: Random) -> str:
    slots = [
        (name, block, place, kind)
        for name, module in package.modules.items()
        for block in module.blocks
        for place, kind in enumerate(block.kinds())
    ]
    # Each kind is as frequent as any other.
    wanted = random.choice(sorted({kind for _, _, _, kind in slots}))
    name, block, place, kind = random.choice([slot for slot in slots if slot[3] == wanted])
    before = block.held[place]
    block.held[place] = random.choice([choice for choice in CHOICES[kind] if choice != before])
    return f"{name}: {kind} {before!r} -> {block.held[place]!r}"


def _comment(package: Package, random: Random) -> str:
    name = random.choice(list(package.modules))
    package.modules[name].note += "# a comment\n"
    return f"{name}: a comment"


def _option(package: Package, random: Random) -> str:
    package.options = random.choice(OPTIONS)
    return f"option {package.options!r}"


def _setting(package: Package, random: Random) -> str:
    package.settings = random.choice(SETTINGS)
    return f"setting {package.settings!r}"


def _lattice(package: Package, random: Random) -> str:
    package.options, package.lattice = 'system = "mine"', random.choice(LATTICES)
    return f"lattice {package.lattice!r}"


def _add(package: Package, random: Random) -> str:
    name = f"added{len(package.modules) + len(package.deleted)}"
    package.modules[name] = _module(ADDED, random)
    package.modules[
        random.choice([each for each in package.modules if each != name])
    ].note += f"import {PACKAGE}.{name}\n"
    return f"{name} is added"


def _move(package: Package, random: Random) -> str:
    """Rename a module; most others import it under its new name from then on."""
    name = random.choice([name for name in package.modules if name not in ("__init__", MAIN)])
    moved = f"{name}_" if len(name) < 12 else name.rstrip("_")
    package.modules[moved] = package.modules.pop(name)
    for module in package.modules.values():
        for block in module.blocks:
            block.text = re.sub(rf"\b{PACKAGE}\.{name}\b", f"{PACKAGE}.{moved}", block.text)
            block.text = block.text.replace(
                f"from {PACKAGE} import {name}\n", f"from {PACKAGE} import {moved} as {name}\n"
            )
        module.note = re.sub(rf"\b{PACKAGE}\.{name}\b", f"{PACKAGE}.{moved}", module.note)
    return f"{name} is moved to {moved}"


def _delete(package: Package, random: Random) -> str:
    if package.deleted:
        name, module = package.deleted.popitem()
        package.modules[name] = module
        return f"{name} is back"
    name = random.choice([name for name in package.modules if name not in ("__init__", MAIN)])
    package.deleted[name] = package.modules.pop(name)
    return f"{name} is deleted"


def _break(package: Package, random: Random) -> str:
    name = random.choice([name for name in package.modules if name != MAIN])
    package.modules[name].broken = random.choice(_BROKEN)
    return f"{name} is broken"


def _repair(package: Package, random: Random) -> str:
    name = random.choice([name for name, module in package.modules.items() if module.broken])
    package.modules[name].broken = ""
    return f"{name} is repaired"


#: The edits, with their frequencies.
_EDITS: Final[Mapping[Callable[[Package, Random], str], float]] = {
    _change_slot: 70,
    _comment: 8,
    _option: 2,
    _setting: 2,
    _lattice: 2,
    _add: 3,
    _move: 4,
    _delete: 5,
    _break: 4,
}
