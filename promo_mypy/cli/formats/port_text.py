"""Write a survey for a terminal, by file and cause."""

from rich.text import Text

from promo_mypy.cli.colours import BLUE, ORANGE
from promo_mypy.cli.formats.check_text import counted
from promo_mypy.port.findings import Cause, Place, Survey


def port_text(survey: Survey) -> Text:
    """The survey; the first line is the sum."""
    lines = [Text(summary(survey), style="bold")]
    for path, causes in survey.findings.items():
        lines += [Text(), Text.assemble((str(path), f"bold {BLUE}"), f" ({survey.count(path)})")]
        for cause, places in causes.items():
            results = (results_text(cause, survey), ORANGE)
            lines.append(Text.assemble("  ", (cause.operation, "bold"), ": ", results, f" ({len(places)})"))
            lines.append(Text(f"    {_lines(places)}"))
            lines.append(Text(f"    {cause.remedy}"))
    return Text("\n").join(lines)


def summary(survey: Survey) -> str:
    """The sum in one sentence."""
    if not survey.operations:
        return f"No operation of known dtype follows {survey.source} in {counted(survey.files, 'file')}."
    differ = "differs" if survey.differing == 1 else "differ"
    where = f" in {counted(len(survey.findings), 'file')}" if survey.findings else ""
    return (
        f"{survey.source} -> {survey.target}: {survey.differing} of {counted(survey.operations, 'operation')}"
        f" {differ}{where}; {counted(survey.files, 'file')} checked."
    )


def results_text(cause: Cause, survey: Survey) -> str:
    """The results of the operation in both systems."""
    there = f"{cause.ported or 'rejected'} under {survey.target}"
    why = "" if cause.ported else f" ({cause.reason})"
    return f"{cause.result} under {survey.source}, {there}{why}"


def _lines(places: tuple[Place, ...]) -> str:
    numbers = list(dict.fromkeys(place.line for place in places))
    return f"{'lines' if len(numbers) > 1 else 'line'} {', '.join(map(str, numbers))}"
