"""The changelog is short, and its newest heading is the version of the package."""

import re
import tomllib

from tests.docs.pages import page

CHANGELOG = page("CHANGELOG.md")


def test_the_newest_heading_is_the_version() -> None:
    version = tomllib.loads(page("pyproject.toml"))["project"]["version"]
    newest, *_ = re.findall(r"^## \[(.*?)\] - (?:\d{4}-\d\d-\d\d|unreleased)$", CHANGELOG, re.MULTILINE)
    assert newest == version


def test_the_entries_of_a_version_are_few() -> None:
    entries = re.split(r"^## .*$", CHANGELOG, flags=re.MULTILINE)[1:]
    assert entries
    assert [len(entry.splitlines()) for entry in entries if len(entry.splitlines()) > 40] == []
