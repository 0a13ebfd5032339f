"""Programs as data: statements, each with its lines."""

from dataclasses import dataclass, replace

_INDENT = "    "


@dataclass(frozen=True)
class Statement:
    """Some lines of a program.

    Attributes:
        `lines`: without the indentation of the body.
        `targets`: the names that they bind.
        `refused`: whether the library raises an exception here. Then it is in a `try`, and nothing depends on it.
        `definition`: whether it defines a function, which is outside the body.
    """

    lines: tuple[str, ...]
    targets: tuple[str, ...] = ()
    refused: bool = False
    definition: bool = False

    @property
    def text(self) -> str:
        """The text to execute."""
        return "\n".join(self.lines)

    def written(self) -> list[str]:
        """The lines of the program; the bound names are read again, each in a place of its own."""
        if self.refused:
            return ["try:", *(_INDENT + line for line in self.lines), "except Exception:", _INDENT + "pass"]
        return [*self.lines, *(() if self.definition else self.targets)]


@dataclass(frozen=True)
class Program:
    """A module: imports, and statements in one function or at the top level.

    Attributes:
        name: of the module.
        header: imports and the like.
        statements: in order.
        parameters: name -> annotation and argument, if the statements are in a function.
    """

    name: str
    header: str
    statements: tuple[Statement, ...]
    parameters: tuple[tuple[str, str, str], ...] | None = None

    def source(self) -> str:
        """The text of the module."""
        return "\n".join(self._lines()) + "\n"

    def refused_lines(self) -> frozenset[int]:
        """The lines of the source that raise an exception."""
        lines = self.source().splitlines()
        return frozenset(number for number, line in enumerate(lines, 2) if line.strip() == "try:")

    def without(self, *places: int) -> "Program":
        """The program without the statements at these indices."""
        return replace(self, statements=tuple(s for place, s in enumerate(self.statements) if place not in places))

    def _lines(self) -> list[str]:
        if self.parameters is None:
            return [self.header, *(line for each in self.statements for line in each.written())]
        definitions = [line for each in self.statements if each.definition for line in each.written()]
        body = [line for each in self.statements if not each.definition for line in each.written()]
        annotated = ", ".join(f"{name}: {annotation}" for name, annotation, _ in self.parameters)
        given = ", ".join(argument for _, _, argument in self.parameters)
        head = f"def program({annotated}) -> None:"
        return [self.header, *definitions, head, *(_INDENT + line for line in [*body, "return"]), f"program({given})"]
