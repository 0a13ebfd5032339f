"""`python -m tests.versions`: the tests of one session of the matrix, and the README's table. `noxfile.py` calls both.

run SESSION [fast|full] [--no-save] [PYTEST'S OPTIONS]
table
"""

import sys
from collections.abc import Sequence

from tests.module_runs import ROOT
from tests.versions.profiles import PROFILES
from tests.versions.results import saved
from tests.versions.sessions import run
from tests.versions.table import project_table, written


def _run(session: str, arguments: Sequence[str]) -> int:
    profile = next((argument for argument in arguments if argument in PROFILES), "fast")
    others = [argument for argument in arguments if argument not in (*PROFILES, "--no-save")]
    result = run(session, profile, others, lambda name: print(f"\n=== {session}, {profile}, {name}", flush=True))
    if "--no-save" not in arguments:
        result.save()
    print(f"\n{session}, {profile}: {result.passed} passed, {result.skipped} skipped, {len(result.failed)} failed")
    for test in result.failed:
        print(f"{session}: {test}")
    return 1 if result.failed else 0


def _write_table() -> int:
    readme = ROOT / "README.md"
    text = written(readme.read_text(encoding="utf-8"), project_table(ROOT), saved())
    readme.write_text(text, encoding="utf-8")
    return 0


def main(arguments: Sequence[str]) -> int:
    """The exit status of a command line."""
    match arguments:
        case ["run", session, *others]:
            return _run(session, others)
        case ["table"]:
            return _write_table()
        case _:
            print(__doc__, file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
