"""The README -> the description on a package index, where links to files of the repository lead nowhere."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"\[([^\]]+)\]\((?!https:)([^)#]*)[^)]*\)")
_NOTE = "Paths in parentheses are files of the source distribution.\n"


def without_links(text: str) -> str:
    """A link within the repository becomes its text, followed by the path unless that is the text."""

    def replaced(link: re.Match[str]) -> str:
        name, path = link.groups()
        return name if path in ("", name) else f"{name} (`{path}`)"

    title, rest = text.split("\n", 1)
    return f"{title}\n\n{_NOTE}{_LINK.sub(replaced, rest)}"


class PackageIndexReadme(MetadataHookInterface):
    """Found by hatchling: the custom metadata hook of pyproject.toml."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the description; hatchling asks for it at each build."""
        readme = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": without_links(readme)}
