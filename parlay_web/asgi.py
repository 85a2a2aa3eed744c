"""Where every connection comes in: pages over HTTP, tables over WebSocket."""

import gc
import os
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import cast

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "parlay_web.settings.dev")
# One core to a process: a question that is heard takes two thirds of the processor time so, and other tables have the rest.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
pages = get_asgi_application()

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from channels.security.websocket import WebsocketDenier  # noqa: E402
from channels.sessions import CookieMiddleware  # noqa: E402
from django.conf import settings  # noqa: E402
from django.urls import re_path  # noqa: E402

from coaching.routing import sockets as coaching_sockets  # noqa: E402
from negotiation import seating  # noqa: E402
from negotiation.routing import sockets as negotiation_sockets  # noqa: E402
from negotiation.table.origin import SameOrigin  # noqa: E402
from owed.post import send_beside  # noqa: E402
from parlay_web import tracing  # noqa: E402
from parlay_web.planes import PagesElsewhere  # noqa: E402
from parlay_web.proxies import App, NamedProxies  # noqa: E402
from parlay_web.pulse import Beating  # noqa: E402
from trainer.routing import sockets as trainer_sockets  # noqa: E402

tracing.start("web" if settings.PAGES_AT else "pages")
seating.get_ready()
send_beside()
games = [import_module(f"{game}.routing").sockets for game in settings.SIDE_GAMES]
ours = (*negotiation_sockets, *chain(*games), *coaching_sockets, *trainer_sockets)
routes = [*ours, re_path(r"^", WebsocketDenier.as_asgi())]
made_here = cast(App, pages)
over_http = PagesElsewhere(made_here, settings.PAGES_AT) if settings.PAGES_AT else made_here
application: App = NamedProxies(
    ProtocolTypeRouter({"http": over_http, "websocket": SameOrigin(CookieMiddleware(URLRouter(routes)))}),
    settings.TRUSTED_PROXIES,
)
if settings.HEARTBEAT:
    application = Beating(application, Path(settings.HEARTBEAT))

# What is loaded by now stays: without it a full collection takes a tenth of a second, in the middle of somebody's turn. With
# it one takes milliseconds, and it has to come by: every socket that closes leaves a ring of objects behind.
gc.collect()
gc.freeze()
gc.set_threshold(10_000, 5, 2)
