"""Write explanations for a terminal."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from rich.text import Text

from promo_mypy.rules.wording.explanations import Explanation, Way
from promo_mypy.rules.wording.losses import Cost

_LABEL: Final = 11


def text(title: str, explanations: Sequence[Explanation], width: int) -> Text:
    """A line for each system, followed by path, reason and cost, wrapped to `width`."""
    result = Text().append(f"{title}\n\n", style="bold")
    longest = max(len(each.system) for each in explanations)
    results = max(len(each.result or "rejected") for each in explanations)
    for each in explanations:
        result.append(f"{each.system:{longest}}  ", style="bold")
        result.append(f"{each.result or 'rejected':{results}}", style="" if each.result else "dark_orange3")
        result.append(f"  {_summary(each)}".rstrip() + "\n")
    for each in explanations:
        result.append(f"\n{each.system}: {each.result or 'rejected'}\n", style="bold")
        for label, paragraph in _paragraphs(each):
            lines = textwrap.wrap(paragraph, max(30, width - _LABEL), break_long_words=False, break_on_hyphens=False)
            for index, line in enumerate(lines):
                result.append(f"  {label if index == 0 else '':{_LABEL - 2}}", style="dim")
                result.append(f"{line}\n")
    result.rstrip()
    return result


def _summary(explanation: Explanation) -> str:
    lossy = [each.operand for each in explanation.costs if each.losses]
    return f"does not hold every {' and '.join(lossy)}" if lossy else ""


def _paragraphs(explanation: Explanation) -> Iterator[tuple[str, str]]:
    for index, way in enumerate(explanation.ways):
        yield "path" if index == 0 else "", _way(way, explanation)
    yield "why", explanation.why
    if explanation.remedy:
        yield "instead", explanation.remedy
    for index, cost in enumerate(explanation.costs):
        yield "cost" if index == 0 else "", f"{cost.operand}: {_cost(cost)}"


def _way(way: Way, explanation: Explanation) -> str:
    begin = f"{way.operand} = " if way.counts_as else ""
    if not way.path:
        return f"{way.operand} ⇢ {explanation.result} (outside the order)"
    return begin + " → ".join(way.path)


def _cost(cost: Cost) -> str:
    parts = []
    if cost.bytes_before is not None and cost.bytes_before != cost.bytes_after:
        parts.append(
            f"{cost.bytes_after} bytes per element instead of {cost.bytes_before}".replace("1 bytes", "1 byte")
        )
    elif cost.bytes_before is not None:
        parts.append(f"{cost.bytes_after} byte{'s' if cost.bytes_after > 1 else ''} per element, as before")
    return "; ".join([*parts, *(cost.losses or ("every value is kept",))])
