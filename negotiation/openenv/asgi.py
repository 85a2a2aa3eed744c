"""The application for a server of your own choosing: ``uvicorn negotiation.openenv.asgi:app``."""

from __future__ import annotations

import os

from negotiation.openenv.app import make_app
from negotiation.openenv.door import tokens_from

app = make_app(tokens=tokens_from(os.environ))
