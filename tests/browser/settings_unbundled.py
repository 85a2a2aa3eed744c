"""A machine without Node: the same product, its static files without ``dist``."""

import shutil

from parlay_web.env import ROOT
from parlay_web.settings.dev import *  # noqa: F403
from parlay_web.settings.dev import ENV

_static = ENV.var / "unbundled"
shutil.copytree(ROOT / "static", _static, ignore=shutil.ignore_patterns("dist"), dirs_exist_ok=True)
STATICFILES_DIRS = [_static]
