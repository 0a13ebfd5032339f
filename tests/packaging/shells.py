"""A shell in which the recipes of the pages install things, without a download of what the tests have anyway."""

import os
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Final

#: Variables that lead Python, pip or git elsewhere.
_OF_OTHERS: Final = ("PYTHON", "PIP_", "GIT_", "MYPY", "VIRTUAL_ENV", "PRE_COMMIT")
#: pip needs to know where packages are.
_KEPT: Final = ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_CONFIG_FILE", "PIP_FIND_LINKS", "PIP_TRUSTED_HOST")

#: How the names begin of what the wheel of promo-mypy installs.
_OURS: Final = ("promo_", "__editable__", "ml_dtypes-stubs", "cupy-stubs")


@dataclass(frozen=True)
class Shell:
    """A shell with an environment of Python.

    Attributes:
        folder: the environment.
        programs: folders of further programs.
    """

    folder: Path
    programs: tuple[Path, ...] = ()

    @classmethod
    def made(cls, folder: Path) -> "Shell":
        """Make the environment: it has pip, and reads the packages of this one."""
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        places = [path for path in sys.path if path.endswith("site-packages")] or [sysconfig.get_path("purelib")]
        others = folder / "others"
        others.mkdir()
        for package in (each for place in places for each in Path(place).iterdir()):
            # pip installs nothing that it finds there, and so not the commands of promo-mypy.
            if not package.name.startswith(_OURS) and not (others / package.name).exists():
                (others / package.name).symlink_to(package)
        (folder / "lib" / version / "site-packages" / "others.pth").write_text(f"{others}\n")
        return cls(folder)

    def beside(self, *programs: Path) -> "Shell":
        """The same shell, with further folders of programs before the others."""
        return Shell(self.folder, (*programs, *self.programs))

    @property
    def variables(self) -> dict[str, str]:
        """Its whole environment."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_OF_OTHERS) or name in _KEPT}
        folders = [*self.programs, self.folder / "bin", "/usr/local/bin", "/usr/bin", "/bin"]
        return kept | {"PATH": os.pathsep.join(map(str, folders)), "PIP_NO_COMPILE": "1", "PIP_QUIET": "1"}

    def run(self, script: str, folder: Path, **variables: str) -> str:
        """What a script prints. Raises AssertionError with its output if one of its commands fails."""
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", script],
            cwd=folder,
            env=self.variables | variables,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout
