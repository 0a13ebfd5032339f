"""Write coverage as one self-contained HTML page, in light and dark."""

from collections.abc import Iterator
from typing import Final

from promo_mypy.cli.colours import GREEN
from promo_mypy.cli.formats.coverage_text import HEADS, annotated, columns, compared, summary
from promo_mypy.cli.formats.html_page import code, page, paragraphs, section, table
from promo_mypy.program.against import Comparison
from promo_mypy.program.counts import Counts, Coverage, FileCoverage

_STYLE: Final = f"""
.bar{{display:flex;width:9rem;height:.8rem;border:1px solid var(--quiet);border-radius:3px;overflow:hidden;\
margin:.3rem 0}}
.exact{{background:{GREEN}}}.several{{background:repeating-linear-gradient(45deg,{GREEN} 0 3px,var(--page) 3px 6px)}}
.key{{display:inline-block;width:1.4rem;height:.8rem;border:1px solid var(--quiet);vertical-align:-.05rem;\
margin:0 .3rem 0 1rem}}
"""
_KEYS: Final = (
    '<p>Share of the array expressions that have<span class="key exact"></span>exactly one possible dtype,'
    '<span class="key several"></span>one of several known ones or that of a parameter,'
    '<span class="key"></span>an unknown one.</p>'
)


def coverage_html(coverage: Coverage, against: Comparison | None = None) -> str:
    """The page: a table of files, the causes of all, and for each file its causes with their lines."""
    left_out = (f"Left out: {each}" for each in coverage.left_out)
    body = [*paragraphs((summary(coverage), annotated(coverage), compared(coverage, against), *left_out))]
    if coverage.counts.total:
        rows = [_row(file.path, file.counts) for file in coverage.files if file.counts.total]
        heads = [head.capitalize() for head in HEADS]
        body += [_KEYS, *table("Files", ["File", "Share", *heads], [*rows, _row("All", coverage.counts)], heads)]
    if coverage.causes:
        causes = ((str(count), code(cause.text)) for cause, count in coverage.causes.items())
        body += ["<h2>What the unknown ones come from</h2>", *table("Causes", ("Count", "Cause"), causes)]
        body += ["<h2>By file</h2>", *(line for file in coverage.files if file.causes for line in _file(file))]
    return page("Known dtypes", body, _STYLE)


def _row(name: str, counts: Counts) -> tuple[str, ...]:
    shares = [("exact", counts.share(counts.exact)), ("several", counts.share(counts.several + counts.relative))]
    parts = "".join(f'<div class="{name}" style="width:{share:.2f}%"></div>' for name, share in shares)
    return code(name), f'<div class="bar" aria-hidden="true">{parts}</div>', *columns(counts)


def _file(file: FileCoverage) -> Iterator[str]:
    rows = (
        (str(len(places)), code(cause.text), ", ".join(dict.fromkeys(str(place.line) for place in places)))
        for cause, places in file.causes.items()
    )
    causes = table(file.path, ("Count", "Cause", "Lines"), rows)
    return section(file.path, f"{file.counts.unknown} unknown", causes, is_open=False)
