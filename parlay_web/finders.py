"""Static files that come out of an installed package instead of our own tree."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage, Storage


class PrefixedStorage(FileSystemStorage):
    """``collectstatic`` puts what it finds here under ``prefix``."""

    prefix = "plotly"


class PlotlyFinder(BaseFinder):
    """Serves ``plotly/plotly.min.js`` from plotly's wheel, found without importing plotly."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        spec = find_spec("plotly")
        places = list(spec.submodule_search_locations or []) if spec else []
        self.storage = PrefixedStorage(Path(places[0]) / "package_data") if places else None

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        """The absolute path of ``plotly/plotly.min.js``; nothing else of the wheel is served."""
        found = (
            [self.storage.path("plotly.min.js")] if self.storage and path == "plotly/plotly.min.js" else []
        )
        return found if find_all or not found else found[0]

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, Storage]]:
        """For ``collectstatic``."""
        if self.storage:
            yield "plotly.min.js", self.storage
