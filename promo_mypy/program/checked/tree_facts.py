"""Read from mypy's tree of each module what inference needs: mypy may drop the tree when it has checked the module."""

from collections.abc import Mapping
from typing import Final

from mypy.nodes import MypyFile

from promo_mypy.config import Config
from promo_mypy.plugin.interface.trees import recorded_places
from promo_mypy.program.checked.exact_functions import exact_functions
from promo_mypy.program.checked.nodes import Nodes, nodes_of
from promo_mypy.program.checked.untyped_bodies import UntypedBodies
from promo_mypy.program.expressions import Place
from promo_mypy.rules.profiles import Observations


class TreeFacts:
    """What the trees of one run of mypy say, by the names of the modules.

    Args:
        untyped: the functions without annotations that the run checks.
        platform: the platform that mypy checks for.
        has_plugin: whether the run uses the plugin, and with it the user's profile.
    """

    def __init__(self, untyped: UntypedBodies, platform: str, *, has_plugin: bool) -> None:
        self._untyped = untyped
        self._platform = platform
        self._has_plugin = has_plugin
        self.config = Config()
        """The user's options."""
        self.nodes: Final[dict[str, Nodes]] = {}
        """The expressions."""
        self.exact: Final[dict[str, frozenset[int]]] = {}
        """The lines of the functions whose array parameters all have exact dtypes."""
        self.recorded: Final[dict[str, Mapping[Place, Observations]]] = {}
        """Place -> what the user's profile has seen there."""

    def keep_config(self, config: Config) -> Config:
        """Keep the options of the last plugin object: mypy creates one for each run."""
        self.config = config
        return config

    def read(self, tree: MypyFile) -> None:
        """Read the tree of a module that mypy has checked."""
        self._untyped.keep(tree)
        self.nodes[tree.fullname] = nodes_of(tree)
        self.exact[tree.fullname] = exact_functions(tree, self._platform)
        self.recorded[tree.fullname] = recorded_of(tree, self.config) if self._has_plugin else {}


def recorded_of(tree: MypyFile, config: Config) -> Mapping[Place, Observations]:
    """Place -> what the user's profile has seen there."""
    found = recorded_places(tree, config.profile.of_module(tree.fullname)).expressions
    return {Place(*span): observations for span, observations in found.items()}
