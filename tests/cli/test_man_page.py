"""The manual page has every command and option, and man shows it without a complaint."""

import re
import subprocess

from promo_mypy.cli.app import COMMANDS
from tests.cli.man_page import PAGE, man_page
from tests.needed import needs_program


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == man_page(), "run python -m tests.cli"


def test_every_command_and_example_is_on_the_page() -> None:
    text = man_page().replace("\\-", "-")
    for command in COMMANDS:
        assert f".SS {' '.join(filter(None, ['promo-mypy', command.group, command.name]))}\n" in text
        assert all(f".B {example}\n" in text for example in command.examples)


def test_man_shows_it() -> None:
    command = [needs_program("groff"), "-man", "-Tascii", "-ww", str(PAGE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    # A terminal shows bold letters twice in one place.
    assert "--stdin-filename FILE" in re.sub(r".\x08", "", done.stdout)
